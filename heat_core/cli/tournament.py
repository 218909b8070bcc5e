"""`tournament` of `python -m heat_core`: who drives better, with intervals, on all cores.

The first Ctrl-C lets the races that run end; then the table of what there is by then is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import click

from heat_core.cli.cluster import Cluster, cluster_of, cluster_option
from heat_core.cli.own_drivers import open_own
from heat_core.cli.progress import Progress
from heat_core.cli.saved_lines import BadLines, open_lines, read_lines
from heat_core.cli.simulate import POLICY_REFUSED, module_words
from heat_core.cli.workers import CORES, continued_from, run_until_interrupted
from heat_core.drivers import BOT_LEVELS
from heat_core.files import load_track, new_seed, track_names
from heat_core.options.option_flags import WrongUse, table_flags
from heat_core.options.settings import BadSetting, changes_of
from heat_core.options.table_options import TableOptions, modules_of, rules_of
from heat_core.options.whole_number import WholeNumber
from heat_core.race.presets import LEGEND_LEVELS, Rules
from heat_core.race.setup import BadSetup
from heat_core.refusal import Refused
from heat_core.sentences.events import seed_text
from heat_core.simulation import BadDrivers, EndlessRace, make_table, parse_drivers
from heat_core.text import counted
from heat_core.tournament.picture import draw_standings
from heat_core.tournament.races import (
    DUEL_CARS,
    FIELD_CARS,
    Heading,
    Race,
    Result,
    plan_duels,
    plan_fields,
    pool_results,
    run_race,
)
from heat_core.tournament.report import Standings, faults_text, make_standings, standings_text
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import BadTrack
from heat_core.version import program_version


class _Own(NamedTuple):
    """Drivers of the user's own, and what those who are programs have for each decision."""

    words: tuple[str, ...]
    decision_seconds: int


class _Plan(NamedTuple):
    """All that a tournament is.

    Attributes:
        boards: By the track's identifier.
    """

    heading: Heading
    rules: Rules
    boards: dict[str, TrackFacts]
    own: _Own
    fields: list[Race]
    duels: list[Race]


class _Task(NamedTuple):
    """One race, with all that another process needs to run it."""

    race: Race
    heading: Heading
    rules: Rules
    track: TrackFacts
    own: _Own


@click.command("tournament")
@table_flags(TableOptions)
@click.option("--boards", default=",".join(track_names()), show_default="all", help="Tracks or track files.")
@click.option("--bots", default=",".join(BOT_LEVELS), show_default=True, help="Those that race.")
@click.option("--legends", is_flag=True, help="Add the Legends of each level.")
@click.option(
    "--seat",
    "own",
    multiple=True,
    help="Add a bot of your own: FILE.py:FUNCTION, or cmd:PROGRAM (docs/opponents.md). Repeatable.",
)
@click.option(
    "--decision-seconds",
    type=WholeNumber(1, 3_600),
    default=10,
    show_default=True,
    help="What a program has for each decision.",
)
@click.option(
    "--fields",
    type=WholeNumber(0, 100_000),
    default=60,
    show_default=True,
    help=f"Races of {FIELD_CARS} cars on each board.",
)
@click.option(
    "--duels",
    type=WholeNumber(0, 100_000),
    default=10,
    show_default=True,
    help="Duels of each two drivers on each board.",
)
@click.option(
    "--seed", help="Any text: the same seed gives the same table. Without this option the seed is random."
)
@click.option("--jobs", type=WholeNumber(1, 1_000), default=CORES, show_default="all cores")
@cluster_option
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save each result in this file; if it exists, continue from it. Needs --seed.",
)
@click.option(
    "--pool",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Count the results of another tournament, too: a file that --resume saved. Repeatable.",
)
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the table to this SVG file, too."
)
def tournament_command(
    options: TableOptions,
    boards: str,
    bots: str,
    legends: bool,
    own: tuple[str, ...],
    decision_seconds: int,
    fields: int,
    duels: int,
    seed: str | None,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    pool: tuple[Path, ...],
    plot: Path | None,
) -> None:
    """Race bots against each other on the same shuffles, and rate them.

    Every line-up of six is raced in each rotation of its seats, every duel both ways round. An interval holds
    the true value 95 times in 100.
    """
    if resume and seed is None:
        raise WrongUse("--resume needs --seed: results can be continued only with the same seed.")
    if not fields and not duels and not pool:
        raise WrongUse("Give --fields or --duels a number above 0.")
    hands = cluster_of(cluster)
    try:
        drivers = _drivers(bots, legends, own)
        seats = _Own(own, decision_seconds)
        plan = _make_plan(options, boards, drivers, seats, fields, duels, seed or new_seed())
        results, planned = _race_all(plan, jobs, hands, resume)
        pools = [read_lines(path, Heading, Result) for path in pool]
        counted_ones = pool_results([[*results.values()], *(lines for _, lines in pools)])
        kinds = [
            make_standings(name, raced, plan.boards, plan.heading.seed)
            for name, cars in (("Fields of six", FIELD_CARS), ("Duels", DUEL_CARS))
            if (raced := [result for result in counted_ones if len(result.order) == cars])
        ]
        for line in _report(plan, [heading for heading, _ in pools], counted_ones, kinds):
            click.echo(line)
        if plot and kinds:
            plot.write_text(draw_standings(kinds), encoding="utf-8")
    except (BadTrack, BadDrivers, BadSetting, BadSetup, BadLines) as error:
        raise WrongUse(str(error)) from None
    except EndlessRace as error:
        raise click.ClickException(str(error)) from None
    planned.end(len(results))


def _drivers(bots: str, legends: bool, own: Sequence[str]) -> list[str]:
    """List the drivers, each once.

    Raises:
        BadDrivers: There are fewer than two, or there is no such bot.
    """
    legend_drivers = [f"legend:{level}" for level in LEGEND_LEVELS if legends]
    drivers = list(dict.fromkeys([*parse_drivers(bots), *legend_drivers, *own]))
    if len(drivers) < 2:
        raise BadDrivers("a tournament needs two drivers or more")
    return drivers


def _make_plan(
    options: TableOptions,
    boards: str,
    drivers: Sequence[str],
    own: _Own,
    fields: int,
    duels: int,
    seed: str,
) -> _Plan:
    """Plan a tournament of which every race can be set up.

    Raises:
        BadTrack, BadSetting, BadSetup: A race cannot be set up.
    """
    tracks = [load_track(name.strip()) for name in boards.split(",")]
    found = {track.id: track for track in tracks}
    rules, modules = rules_of(options), modules_of(options)
    heading = Heading(program_version(), seed, options.laps, rules.preset, changes_of(rules), modules)
    plan = _Plan(
        heading,
        rules,
        found,
        own,
        plan_fields(found, drivers, fields),
        plan_duels(found, drivers, duels),
    )
    firsts = {(race.board, len(race.drivers)): race for race in [*plan.fields, *plan.duels]}
    for race in firsts.values():
        make_table(found[race.board], options.laps, race.drivers, rules, seed, modules, open_own(*own))
    return plan


def _race_all(
    plan: _Plan, jobs: int, cluster: Cluster | None, file: Path | None
) -> tuple[dict[Race, Result], Progress]:
    """Race what a file of results does not have yet, until Ctrl-C.

    Returns:
        All results of the plan that there are, and the progress, to be ended with their number.

    Raises:
        BadLines: The file is none of this tournament.
        OSError: The file cannot be read or written.
    """
    planned = dict.fromkeys([*plan.fields, *plan.duels])
    results: dict[Race, Result] = {}
    with open_lines(file, plan.heading, Result) if file else nullcontext() as saved:
        if saved:
            results = {result.race: result for result in saved.lines if result.race in planned}
        tasks = (
            _Task(race, plan.heading, plan.rules, plan.boards[race.board], plan.own)
            for race in planned
            if race not in results
        )
        progress = Progress(len(planned), "races", begun=len(results))
        for result in run_until_interrupted(_race, tasks, jobs, cluster=cluster, if_killed=_if_killed(file)):
            results[result.race] = result
            if saved:
                saved.add(result)
            progress.tell(len(results))
    return results, progress


def _if_killed(file: Path | None) -> str:
    if file is None:
        return "Nothing is saved; with --resume FILE, a tournament can be continued."
    return continued_from(file)


def _race(task: _Task) -> Result:
    """Run one race, in whichever process."""
    try:
        return run_race(task.race, task.heading, task.track, task.rules, open_own(*task.own))
    except Refused as error:
        raise click.ClickException(POLICY_REFUSED.format(error)) from None


def _report(
    plan: _Plan, pooled: Iterable[Heading], results: Iterable[Result], kinds: Sequence[Standings]
) -> Iterator[str]:
    yield f"{counted(len(plan.boards), 'board')}, {_heading_text(plan.heading)}"
    for heading in pooled:
        yield f"with {_heading_text(heading)}"
    yield from faults_text(results)
    for standings in kinds:
        yield ""
        yield from standings_text(standings)


def _heading_text(heading: Heading) -> str:
    words = [f"{heading.rules} rules", *(f"{name}={word}" for name, word in heading.settings.items())]
    if heading.laps is not None:
        words.insert(0, counted(heading.laps, "lap"))
    return ", ".join([*words, *module_words(heading.modules), f"seed {seed_text(heading.seed)}"])
