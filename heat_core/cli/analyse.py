"""`analyse` of `python -m heat_core`: where a race was won, what mistakes cost, how much was luck."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from pathlib import Path

import click
import msgspec

from heat_core.cli.progress import Progress, say_that_it_stops
from heat_core.cli.workers import CORES, run_all
from heat_core.coach.analysis import Analysis, SeatAnalysis, analyse_part, of_seat, parts_of, sum_up
from heat_core.coach.analysis_words import better_text, luck_text
from heat_core.files import shown_path
from heat_core.game_files import read_record
from heat_core.options.whole_number import WholeNumber
from heat_core.race.setup import MAX_CARS
from heat_core.record.record import BadRecord, Record, encode_record, verify_record
from heat_core.signals import Interruption
from heat_core.version import program_version

_ROUNDS_A_LINE = 12


@click.command("analyse")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print every choice as JSON (docs/analysis.md).")
@click.option(
    "--seat", type=WholeNumber(1, MAX_CARS), help="Only this car's choices; 1 is the first of the record."
)
@click.option("--jobs", type=WholeNumber(1, 1_000), default=CORES, show_default="all cores")
def analyse_command(file: Path, as_json: bool, seat: int | None, jobs: int) -> None:
    """Say of a recorded race what each choice cost, and how much was luck.

    The record needs its seed: a race of a championship has it once the championship is over.
    """
    try:
        record = read_record(file)
    except BadRecord as error:
        raise click.ClickException(str(error)) from None
    try:
        verify_record(record)
    except BadRecord as error:
        raise click.ClickException(f"{shown_path(file)}: {error}") from None
    if seat is not None:
        _require_driver(record, seat)
    analysis = _analysed(record, jobs)
    if seat is not None:
        analysis = of_seat(analysis, seat - 1)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(analysis), indent=2).decode())
    else:
        _tell(analysis)


def _require_driver(record: Record, seat: int) -> None:
    cars = record.setup.cars
    if seat > len(cars):
        raise click.ClickException(f"--seat: the race has {len(cars)} cars, not {seat}")
    if cars[seat - 1].legend is not None:
        raise click.ClickException(f"--seat: {cars[seat - 1].name} is a Legend and has no choices")


def _analysed(record: Record, jobs: int) -> Analysis:
    """Look at every round, in several processes.

    Raises:
        SystemExit: Ctrl-C came first.
    """
    parts = parts_of(record)
    progress = Progress(parts, "rounds")
    data = encode_record(record.setup, record.events, program_version())
    rounds = []
    with Interruption(say_that_it_stops) as interruption:
        wanted = takewhile(lambda _: not interruption.has_come, range(parts))
        for each in run_all(partial(analyse_part, data), wanted, jobs):
            rounds.append(each)
            progress.tell(len(rounds))
    progress.end(len(rounds))
    return sum_up(record, rounds)


def _tell(analysis: Analysis) -> None:
    for seat in analysis.seats:
        _tell_seat(seat)
    width = max(map(len, analysis.cars))
    click.echo("\nChances of winning at the end of each round")
    for first in range(0, len(analysis.rounds), _ROUNDS_A_LINE):
        shown = analysis.rounds[first : first + _ROUNDS_A_LINE]
        click.echo(f"{'':<{width}} " + "".join(f"{each.round:>5}" for each in shown))
        for number, name in enumerate(analysis.cars):
            row = "".join(f"{each.chances[number]:>5.0%}" for each in shown)
            click.echo(f"{name:<{width}} {row}")


def _tell_seat(seat: SeatAnalysis) -> None:
    click.echo(
        f"{seat.name}: accuracy {seat.accuracy:.0f}; choices lost {seat.lost:.1f} spaces in {seat.turns} "
        f"turns; luck {luck_text(seat)}"
    )
    for mistake in seat.mistakes:
        told = better_text(mistake.taken_words, mistake.best_words, mistake.lost)
        click.echo(f"    round {mistake.round}, event {mistake.event}: {told}")
