"""`make growth`: how engine and server grow, as docs/growth.md and its pictures."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import click
import structlog

from heat_core.cli.entry import run_program
from heat_core.cli.progress import Progress
from tests.growth.measure import QUICK, WHOLE, measure, parts
from tests.growth.pictures import pictures
from tests.growth.report import page
from tests.machine import machine_text

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"


@click.command()
@click.option("--quick", is_flag=True, help="A look in a minute: few figures, and the page is printed only.")
@click.option(
    "--docs", type=click.Path(file_okay=False, path_type=Path), default=DOCS, help="Where the page goes."
)
def main(quick: bool, docs: Path) -> None:
    """Measure how engine and server grow, print the tables, and write docs/growth.md with its pictures."""
    # The server that is counted runs in this process.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    effort = QUICK if quick else WHOLE
    figures = measure(effort, Progress(parts(effort), "measurements").tell)
    text = page(figures, machine_text())
    click.echo(text)
    if quick:
        return
    (docs / "pictures").mkdir(parents=True, exist_ok=True)
    for name, picture in pictures(figures):
        (docs / "pictures" / name).write_text(picture, encoding="utf-8")
    (docs / "growth.md").write_text(text, encoding="utf-8")
    click.echo(f"{docs}/growth.md and its pictures are written")


if __name__ == "__main__":
    run_program(main, "python -m tests.growth")
