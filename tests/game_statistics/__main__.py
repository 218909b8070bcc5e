"""`python -m tests.game_statistics`: thousands of races of bots on all cores, for docs/statistics.md.

Results are saved race by race; the same command continues. The first Ctrl-C lets the races that run end, and
the page is written from what there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, get_args

import click

from heat_core.cli.cluster import Cluster, cluster_of, cluster_option
from heat_core.cli.entry import run_program
from heat_core.cli.progress import Progress, say_that_it_stops
from heat_core.cli.saved_lines import BadLines, open_lines
from heat_core.cli.workers import CORES, continued_from, run_all
from heat_core.drivers import BotName
from heat_core.options.whole_number import WholeNumber
from heat_core.signals import INTERRUPTED, Interruption
from heat_core.version import program_version
from tests.game_statistics.heat import heat_picture, heat_worths
from tests.game_statistics.pictures import pictures
from tests.game_statistics.races import Heading, Kind, Outcome, Task, run_race
from tests.game_statistics.report import HEAT_PICTURE, page, picture_name
from tests.game_statistics.tally import Tally, tally

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

SENT: Final = ("tests", "tests.game_statistics", "tests.game_statistics.races")
"""What workers of a cluster need besides the wheel."""

USUAL: Final[list[tuple[BotName, Kind, int]]] = [
    ("normal", "base", 20_000),
    ("normal", "garage", 2_000),
    ("steady", "base", 100_000),
    ("steady", "garage", 20_000),
]
"""About six hours of one core."""


class RacesOfBot(click.ParamType[tuple[str, int]]):
    """How many races of a bot: `steady=1000`."""

    name = "BOT=NUMBER"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Read bot and number."""
        bot, _, number = value.partition("=")
        if bot not in get_args(BotName) or not number.isdecimal():
            self.fail(f"{value!r} is not BOT=NUMBER; the bots are {', '.join(get_args(BotName))}", param, ctx)
        return bot, int(number)


@click.command()
@click.option(
    "--races",
    type=RacesOfBot(),
    multiple=True,
    help="Of the base game. Repeatable; without any, as many as the page is to have.",
)
@click.option("--garage-races", type=RacesOfBot(), multiple=True, help="With upgrades. Repeatable.")
@click.option("--seed", default="statistics", show_default=True, help="Any text.")
@click.option("--jobs", type=WholeNumber(1, 1_000), default=CORES, show_default="all cores")
@cluster_option
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default="statistics", show_default=True,
    help="Where results are saved.",
)  # fmt: skip
@click.option(
    "--docs", type=click.Path(file_okay=False, path_type=Path), default=DOCS, help="Where the page goes."
)
def main(
    races: Sequence[tuple[BotName, int]],
    garage_races: Sequence[tuple[BotName, int]],
    seed: str,
    jobs: int,
    cluster: str | None,
    folder: Path,
    docs: Path,
) -> None:
    """Race bots, count what happens, and write docs/statistics.md with its pictures."""
    hands = cluster_of(cluster)
    if hands is not None:
        hands = hands._replace(modules=SENT)
    wanted: list[tuple[BotName, Kind, int]] = [(bot, "base", number) for bot, number in races]
    wanted += [(bot, "garage", number) for bot, number in garage_races]
    wanted = wanted or USUAL
    folder.mkdir(parents=True, exist_ok=True)
    tallies: dict[BotName, dict[Kind, Tally]] = {}
    with Interruption(say_that_it_stops) as interruption:
        for bot, kind, number in wanted:
            heading = Heading(program_version(), seed, bot, kind)
            outcomes = race_all(heading, number, jobs, hands, folder / f"{bot}-{kind}.jsonl", interruption)
            if outcomes:
                tallies.setdefault(bot, {})[kind] = tally(outcomes)
    write(docs, tallies, seed)
    if interruption.has_come:
        click.echo("interrupted; the same command continues", err=True)
        raise SystemExit(INTERRUPTED)


def race_all(
    heading: Heading,
    number: int,
    jobs: int,
    cluster: Cluster | None,
    file: Path,
    interruption: Interruption,
) -> list[Outcome]:
    """Race what a file does not have yet, until Ctrl-C.

    Returns:
        The outcomes that there are of the races wanted, by number.

    Raises:
        ClickException: The file has other races.
    """
    try:
        with open_lines(file, heading, Outcome) as saved:
            outcomes = {line.number: line for line in saved.lines if line.number < number}
            progress = Progress(number, f"{heading.kind} races of {heading.bot}", begun=len(outcomes))
            tasks = (Task(heading, each) for each in range(number) if each not in outcomes)
            wanted = takewhile(lambda _: not interruption.has_come, tasks)
            for outcome in run_all(
                run_race,
                wanted,
                jobs,
                cluster=cluster,
                if_killed=continued_from(file),
                is_stopping=lambda: interruption.has_come,
            ):
                saved.add(outcome)
                outcomes[outcome.number] = outcome
                progress.tell(len(outcomes))
    except BadLines as error:
        raise click.ClickException(str(error)) from None
    return [outcome for _, outcome in sorted(outcomes.items())]


def write(docs: Path, tallies: Mapping[BotName, Mapping[Kind, Tally]], seed: str) -> None:
    """Write the page and its pictures."""
    (docs / "pictures").mkdir(parents=True, exist_ok=True)
    for bot, kinds in tallies.items():
        for subject, picture in pictures(kinds):
            (docs / "pictures" / picture_name(bot, subject)).write_text(picture, encoding="utf-8")
    heat = heat_worths()
    (docs / "pictures" / HEAT_PICTURE).write_text(heat_picture(heat), encoding="utf-8")
    (docs / "statistics.md").write_text(page(tallies, heat, seed, program_version()), encoding="utf-8")
    click.echo(f"{docs}/statistics.md and its pictures are written")


if __name__ == "__main__":
    run_program(main, "python -m tests.game_statistics")
