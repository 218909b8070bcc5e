"""`python -m tests.scale.load`: what one, two and three servers with one PostgreSQL do, in tables."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from heat_core.cli.entry import run_program
from heat_core.cli.progress import Progress
from tests.scale.document import DOCS
from tests.scale.load.document import FIGURES, SECTION, load, save
from tests.scale.load.figures import QUICK, WHOLE, measure
from tests.scale.load.page import section
from tests.scale.load.pictures import pictures

_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--quick", is_flag=True, help="A look in half a minute: the tables are printed only.")
@click.option("--again", is_flag=True, help="Measure nothing; write the section from the saved figures.")
@click.option("--figures", type=_FILE, default=FIGURES, help="The file that the figures go to, as JSON.")
@click.option(
    "--docs", type=click.Path(file_okay=False, path_type=Path), default=DOCS, help="Where the section goes."
)
def main(quick: bool, again: bool, figures: Path, docs: Path) -> None:
    """Measure a fleet of up to three servers, print the tables, and write them into docs/scale.md."""
    if again:
        measured = load(figures)
    else:
        effort = QUICK if quick else WHOLE
        measured = measure(effort, Progress(effort.parts, "measurements").tell)
        if not quick:
            save(measured, figures)
    click.echo(section(measured))
    if not quick:
        SECTION.write(docs, section(measured), pictures(measured))
        click.echo(f"{figures} and the section in {docs}/scale.md are written")


if __name__ == "__main__":
    run_program(main, "python -m tests.scale.load")
