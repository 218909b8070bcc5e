"""`make scale`: a simulation of 100,000 rooms on 50 servers, as a section of docs/scale.md with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
import msgspec

from heat_core.cli.entry import run_program
from heat_core.cli.progress import Progress
from tests.scale.document import DOCS
from tests.scale.simulation.document import SECTION
from tests.scale.simulation.page import section
from tests.scale.simulation.pictures import pictures
from tests.scale.simulation.study import RUNS, SIZES, Study, study
from tests.scale.simulation.validation import CASES

_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--jobs", type=click.IntRange(1), help="Processes; by default one for each core.")
@click.option("--save", type=_FILE, help="Write what was simulated to this file, as JSON.")
@click.option("--again", type=_FILE, help="Simulate nothing; write the section from such a file.")
@click.option(
    "--docs", type=click.Path(file_okay=False, path_type=Path), default=DOCS, help="Where the section goes."
)
def main(jobs: int | None, save: Path | None, again: Path | None, docs: Path) -> None:
    """Simulate a large fleet, print the tables, and write them into docs/scale.md."""
    if again is not None:
        simulated = msgspec.json.decode(again.read_bytes(), type=Study)
    else:
        total = len(RUNS) + len(SIZES) + len(CASES)
        simulated = study(Progress(total, "simulations").tell, jobs=jobs)
    if save is not None:
        save.write_bytes(msgspec.json.encode(simulated))
    click.echo(section(simulated))
    SECTION.write(docs, section(simulated), pictures(simulated))
    click.echo(f"the section in {docs}/scale.md and its pictures are written")


if __name__ == "__main__":
    run_program(main, "python -m tests.scale.simulation")
