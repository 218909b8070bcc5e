"""Races the tournaments of docs/opponents.md and writes their tables there: `make opponents`.

Results are saved race by race in a folder; the same command continues. Races come in passes over all
tournaments, so that after Ctrl-C, which writes what there is, every table has about its share of the races.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import click

from heat_core.cli.entry import run_program
from heat_core.cli.tournament import tournament_command
from heat_core.cli.workers import CORES
from heat_core.options.whole_number import WholeNumber
from heat_core.signals import INTERRUPTED

DOCUMENT: Final = Path(__file__).resolve().parent.parent / "docs" / "opponents.md"
PICTURE: Final = "opponents.svg"
BEGIN: Final = "<!-- written by make opponents -->\n"
END: Final = "<!-- end of what make opponents writes -->\n"
PASSES: Final = 4


class Tournament(NamedTuple):
    """One of the tournaments.

    Attributes:
        name: Of its file of results.
        part: Its races of six are one in so many of those asked for.
        duels: Whether it has duels: a sixth as many.
        is_pooled: Whether it is part of the table of all.
    """

    name: str
    title: str
    flags: tuple[str, ...] = ()
    part: int = 1
    duels: bool = False
    is_pooled: bool = True


_MODULES: Final = ("--garage", "mixed", "--expansion", "--weather")
_RULEBOOK: Final = ("--rules", "rulebook")

TOURNAMENTS: Final = (
    Tournament("standard", "Standard rules", duels=True),
    Tournament("modules", "Standard rules, garage and weather", _MODULES, part=2),
    Tournament("rulebook", "Rulebook rules", _RULEBOOK, part=2),
    Tournament("rulebook-modules", "Rulebook rules, garage and weather", _RULEBOOK + _MODULES, part=4),
    Tournament("legends", "With Legends", ("--legends",), is_pooled=False),
)


@click.command()
@click.option("--fields", type=WholeNumber(1, 100_000), default=192, show_default=True, help="On each board.")
@click.option("--seed", default="opponents", show_default=True)
@click.option("--jobs", type=WholeNumber(1, 1_000), default=CORES, show_default="all cores")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("statistics"))
@click.option("--document", type=click.Path(dir_okay=False, path_type=Path), default=DOCUMENT)
@click.argument("more", nargs=-1)
def main(fields: int, seed: str, jobs: int, folder: Path, document: Path, more: tuple[str, ...]) -> None:
    """Race all tournaments, and write their tables to docs/opponents.md.

    What follows two dashes, such as `-- --boards usa`, each tournament gets.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shared = ["--seed", seed, "--jobs", str(jobs), *more]
    tables: dict[str, str] = {}
    is_interrupted = False
    for number, each in product(range(1, PASSES + 1), TOURNAMENTS):
        races = max(1, fields * number // PASSES // each.part)
        words = [*shared, *each.flags, "--resume", str(file_of(folder, each))]
        words += ["--fields", str(races), "--duels", str(races // 6 if each.duels else 0)]
        tables[each.title], is_interrupted = tournament(words)
        if is_interrupted:
            break
    pooled = [str(file_of(folder, each)) for each in TOURNAMENTS if each.is_pooled and each.title in tables]
    words = [
        *shared,
        "--fields",
        "0",
        "--duels",
        "0",
        *(word for file in pooled for word in ("--pool", file)),
    ]
    together, _ = tournament([*words, "--plot", str(document.parent / "pictures" / PICTURE)])
    write(document, {"All of them together": together, **tables})
    if is_interrupted:
        raise SystemExit(INTERRUPTED)


def file_of(folder: Path, each: Tournament) -> Path:
    """Name the file of a tournament's results."""
    return folder / f"tournament-{each.name}.jsonl"


def tournament(words: list[str]) -> tuple[str, bool]:
    """Run a tournament; gives its table, and whether Ctrl-C cut it short."""
    table = StringIO()
    with redirect_stdout(table):
        try:
            tournament_command.main(words, "tournament", standalone_mode=False)
        except SystemExit as end:
            return table.getvalue(), end.code == INTERRUPTED
    return table.getvalue(), False


def write(document: Path, tables: dict[str, str]) -> None:
    """Put the tables between the marks of the page."""
    before, _, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = [f"### {title}\n\n```\n{table}```\n" for title, table in tables.items()]
    text = "\n".join([f"![Ratings and rates](pictures/{PICTURE})\n", *parts])
    document.write_text(before + BEGIN + "\n" + text + "\n" + END + after, encoding="utf-8")
    click.echo(f"{document} is written")


if __name__ == "__main__":
    run_program(main, "python -m tests.opponents")
