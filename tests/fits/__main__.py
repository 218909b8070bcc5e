"""`python -m tests.fits`: find the planner's numbers again, on all cores."""

from __future__ import annotations

import click

from heat_core.cli.workers import CORES, run_all
from tests.fits import upgrades, winning


@click.command()
@click.option("--races", type=click.IntRange(1), default=400, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=CORES, show_default="all cores")
def main(races: int, jobs: int) -> None:
    """Print the spread of luck and the worths of upgrades."""
    standings = [each for found in run_all(winning.standings_of, range(races), jobs) for each in found]
    for surprise, spread in sorted(winning.fits(standings))[:3]:
        click.echo(f"surprise {surprise:.4f}: {spread}")
    tries = upgrades.tries()
    turns = dict(run_all(_tried, tries, jobs))
    for card, worths in upgrades.worths(turns).items():
        click.echo(f'    "{card}": ({", ".join(f"{worth:.2f}" for worth in worths)}),')


def _tried(one: upgrades.Try) -> tuple[upgrades.Try, float]:
    return one, upgrades.turns_with(one)


if __name__ == "__main__":
    main()
