"""`make peers`: random play of this engine and of others, in one run, as a table."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table as TextTable

from heat_core.cli.entry import run_program
from heat_core.cli.progress import Progress
from heat_core.compiled import is_compiled
from heat_core.version import program_version
from tests.machine import machine_text
from tests.peers.builds import ROOT, source_home
from tests.peers.contest import Entry, Result, hold
from tests.peers.roster import HEAT, PEERS

ROUNDS: Final = 15
TURN_SECONDS: Final = 0.5
QUICK: Final = (3, 0.05)


def entries_here(plain: Path, *, peers: bool) -> list[Entry]:
    """List who can play here.

    Args:
        plain: A folder whose engine runs from its source.
        peers: Whether others play, too.
    """
    version = program_version()
    entries = [Entry(contestant, f"{version}, plain", plain) for contestant in HEAT]
    if is_compiled():
        entries += [Entry(contestant, f"{version}, compiled", ROOT) for contestant in HEAT]
    if peers:
        entries += [Entry(peer, f"{peer.distribution} {_version(peer.distribution)}", ROOT) for peer in PEERS]
    return entries


def _version(distribution: str | None) -> str:
    return metadata.version(distribution or "heat-tui-race")


def table_of(results: Iterable[Result]) -> TextTable:
    """Make the table of a contest."""
    table = TextTable(title="Random play")
    table.add_column("game")
    table.add_column("engine")
    table.add_column("one decision")
    table.add_column("decisions a second", justify="right")
    table.add_column("lowest to highest", justify="right")
    table.add_column("times Heat, checked, plain", justify="right")
    for result in results:
        contestant = result.entry.contestant
        table.add_row(
            contestant.name,
            result.entry.version,
            contestant.decision,
            f"{result.rate:,.0f}",
            f"{min(result.rates):,.0f} to {max(result.rates):,.0f}",
            f"{result.ratio:.2f}",
        )
    return table


@click.command()
@click.option("--quick", is_flag=True, help="Short turns, for a look.")
@click.option("--only-heat", is_flag=True, help="Without the other engines.")
def main(quick: bool, only_heat: bool) -> None:
    """Let this engine and others play at random in turn, and print what each makes in a second."""
    rounds, seconds = QUICK if quick else (ROUNDS, TURN_SECONDS)
    with source_home() as plain:
        entries = entries_here(plain, peers=not only_heat)
        progress = Progress(rounds * len(entries), "turns")
        results = hold(entries, rounds, seconds, progress.tell)
    console = Console(width=None if os.isatty(1) else 160)
    console.print(table_of(results))
    if not is_compiled():
        console.print("The engine is not compiled here; `make fast` does it.")
    console.print(f"{machine_text()}. Processor time, medians of {rounds} rounds.", highlight=False)


if __name__ == "__main__":
    run_program(main, "python -m tests.peers")
