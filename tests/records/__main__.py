"""`python -m tests.records`: write the records of this version, once, into a folder named by it."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import click

from tests.records.races import RACES, drive
from tests.records.results import result_of, write_results

FOLDER = Path(__file__).parent


def main() -> None:
    """Write every race of this version's folder; a folder that is there is left alone."""
    program = version("heat-tui-race")
    folder = FOLDER / program.rpartition(".")[0]
    if folder.exists():
        click.echo(f"{folder} is there already: records of a release are never changed", err=True)
        sys.exit(1)
    folder.mkdir()
    results = {}
    for race in RACES:
        data = drive(race, program)
        (folder / f"{race.name}.jsonl").write_bytes(data)
        results[race.name] = result_of(data)
    write_results(folder, results)
    size = sum(path.stat().st_size for path in folder.iterdir())
    click.echo(f"{len(results)} records, {size:,} bytes in {folder}")


if __name__ == "__main__":
    main()
