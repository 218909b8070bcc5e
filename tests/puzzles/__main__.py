"""`make puzzles`: look for puzzles in races of bots, choose twenty, and write them into the package.

What was found is saved race by race; the same command continues. `--again` measures those of the package
again instead, over all dealings and by all bots: the whole proof.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from heat_core.cli.entry import run_program
from heat_core.cli.workers import run_until_interrupted
from heat_core.game_files import PUZZLES_FOLDER, puzzles
from heat_core.puzzles.puzzle import Puzzle, encode_puzzle
from tests.puzzles.choice import choose
from tests.puzzles.search import Candidate, prove, search_race

FOUND: Final = Path("statistics") / "puzzles.jsonl"


class Searched(msgspec.Struct, frozen=True):
    """One race and what was found in it."""

    race: int
    found: list[Candidate]


@click.command()
@click.option("--races", type=click.IntRange(1), default=80, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--found", type=click.Path(dir_okay=False, path_type=Path), default=FOUND, show_default=True)
@click.option("--again", is_flag=True, help="Measure the puzzles of the package again; write what differs.")
def main(races: int, jobs: int, found: Path, again: bool) -> None:
    """Find twenty puzzles, or measure them again."""
    if again:
        measure_again()
        return
    known = {searched.race: searched for searched in read(found)}
    found.parent.mkdir(parents=True, exist_ok=True)
    missing = [race for race in range(races) if race not in known]
    with found.open("ab") as file:
        for searched in run_until_interrupted(search, missing, jobs):
            file.write(msgspec.json.encode(searched) + b"\n")
            file.flush()
            known[searched.race] = searched
            click.echo(f"race {searched.race}: {len(searched.found)} found")
    candidates = [each for race in sorted(known) for each in known[race].found]
    chosen = choose(candidates)
    for old in PUZZLES_FOLDER.glob("*.json"):
        old.unlink()
    for puzzle in chosen:
        write(puzzle)
    click.echo(f"{len(chosen)} of {len(candidates)} are written to {PUZZLES_FOLDER}")


def search(race: int) -> Searched:
    """Search one race, in whichever process."""
    return Searched(race, search_race(race))


def read(found: Path) -> Iterator[Searched]:
    """Read what was found before; a line that was cut short is searched again."""
    lines = found.read_bytes().splitlines(keepends=True) if found.exists() else []
    for line in lines:
        if line.endswith(b"\n"):
            yield msgspec.json.decode(line, type=Searched)


def measure_again() -> None:
    """Measure every puzzle of the package, and write those that are not as their files say."""
    for puzzle in puzzles():
        measured = prove(puzzle)
        is_same = measured == puzzle
        click.echo(f"{puzzle.name}: {'as measured' if is_same else 'measured otherwise, written'}")
        if not is_same:
            write(measured)


def write(puzzle: Puzzle) -> None:
    """Write a puzzle into the package."""
    (PUZZLES_FOLDER / f"{puzzle.name}.json").write_bytes(encode_puzzle(puzzle))


if __name__ == "__main__":
    run_program(main, "python -m tests.puzzles")
