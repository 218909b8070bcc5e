"""`python -m tests.soak`: thousands of whole races of all kinds on all cores, and what they came to.

The same seed and number give the same races and figures on every machine, whichever core drives which.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from heat_core.cli.workers import CORES, run_all
from heat_core.game_files import write_record
from tests.soak.picture import picture
from tests.soak.races import Outcome, Plan, drive, plan_race, run_race
from tests.soak.report import as_text, report
from tests.soak.tally import Tally

MOST_FAULTS_TOLD = 5
LEAST_WIDTH = 80


@click.command()
@click.option("--races", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--seed", default="soak", show_default=True, help="Any text.")
@click.option("--only", type=click.IntRange(0), help="Drive this race alone, and write its record.")
@click.option("--jobs", type=click.IntRange(1), default=CORES, show_default="all cores")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default="soak", show_default=True)
def main(races: int, seed: str, only: int | None, jobs: int, folder: Path) -> None:
    """Drive races of bots and Legends over all tracks, check each, and write figures and a picture."""
    folder.mkdir(parents=True, exist_ok=True)
    if only is not None:
        sys.exit(drive_one(plan_race(seed, only), folder))
    began = time.perf_counter()
    total = Tally(seed)
    plans = (plan_race(seed, number) for number in range(races))
    for outcome in with_progress(run_all(run_race, plans, jobs), races):
        total.add(outcome)
    total.faults.sort(key=lambda outcome: outcome.plan.number)
    told = report(total, time.perf_counter() - began)
    console = Console()
    Console(width=max(console.width, LEAST_WIDTH)).print(told)
    (folder / "report.txt").write_text(as_text(told), encoding="utf-8")
    if total.races > len(total.faults):
        (folder / "soak.svg").write_text(picture(total), encoding="utf-8")
        click.echo(f"{folder}/report.txt and {folder}/soak.svg are written")
    for outcome in total.faults[:MOST_FAULTS_TOLD]:
        click.echo(f"\n{outcome.plan}\n{outcome.fault}", err=True)
    if total.faults:
        numbers = ", ".join(str(outcome.plan.number) for outcome in total.faults[:50])
        click.echo(f"{len(total.faults)} races did not hold: {numbers}", err=True)
        click.echo(
            f"again: python -m tests.soak --seed {seed} --only {total.faults[0].plan.number}", err=True
        )
        sys.exit(1)


def with_progress(outcomes: Iterator[Outcome], races: int) -> Iterator[Outcome]:
    """Show how far the races are and what went wrong so far; on no terminal, a line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        shown = time.perf_counter()
        for number, outcome in enumerate(outcomes, start=1):
            yield outcome
            if time.perf_counter() - shown > 20:
                shown = time.perf_counter()
                click.echo(f"{number} of {races} races", err=True)
        return
    shape = (
        TextColumn("races"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[faults]} faults"),
    )
    with Progress(*shape, console=console) as progress:
        task = progress.add_task("races", total=races, faults=0)
        faults = 0
        for outcome in outcomes:
            faults += outcome.fault is not None
            progress.update(task, advance=1, faults=faults)
            yield outcome


def drive_one(plan: Plan, folder: Path) -> int:
    """Drive one race again, tell its plan and what came of it, and write its record if it held."""
    click.echo(str(plan))
    outcome = run_race(plan)
    if outcome.fault is None:
        path = folder / f"race-{plan.number}.jsonl"
        table, _ = drive(plan)
        write_record(path, table.setup, table.log)
        click.echo(f"{outcome.rounds} rounds, {outcome.events} events; {path} is written")
        return 0
    click.echo(outcome.fault, err=True)
    return 1


if __name__ == "__main__":
    main(prog_name="python -m tests.soak")
