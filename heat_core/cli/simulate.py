"""`simulate` and `season` of `python -m heat_core`: many races of bots and Legends, and their results.

The first Ctrl-C lets the races that run end; then what there is by then is printed.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import click
import msgspec

from heat_core.cli.cluster import Cluster, cluster_of, cluster_option
from heat_core.cli.progress import Progress
from heat_core.cli.workers import CORES, NOTHING_SAVED, run_until_interrupted
from heat_core.drivers import BOT_LEVELS, DriverName
from heat_core.files import load_track, new_seed, shown_path
from heat_core.game_files import read_position, write_record
from heat_core.options.option_flags import IN_THE_POSITION, WrongUse, refuse_beside, table_flags
from heat_core.options.option_table import TRACK
from heat_core.options.settings import BadSetting
from heat_core.options.table_options import TableOptions, modules_of, rules_of, set_up_season
from heat_core.options.whole_number import WholeNumber
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import BadSetup, Modules
from heat_core.refusal import Refused
from heat_core.season.setup import SeasonSetup
from heat_core.season.view import SeasonView, seasons_text, view_season
from heat_core.sentences.events import seed_text
from heat_core.simulation import (
    BadDrivers,
    EndlessRace,
    Figures,
    Policy,
    RaceCount,
    Simulation,
    count_race,
    make_cars,
    parse_drivers,
    play_out,
    policies_by_seat,
    prepare,
    prepare_from,
    simulate_season,
)
from heat_core.text import counted
from heat_core.track_files.file import BadTrack

_DRIVERS = ", ".join([*BOT_LEVELS, *(f"legend:{level}" for level in LEGEND_LEVELS)])
POLICY_REFUSED = "a policy made a choice that the rules do not allow: {}"
_POLICIES = "FILE.py:FUNCTION races a policy of your own (docs/library.md)."

_FEW_RACES: Final = 100
"""So many are run sooner than other processes are started."""

Task = TypeVar("Task")
Result = TypeVar("Result")

jobs_option = click.option(
    "--jobs",
    type=WholeNumber(1, 1_000),
    help=f"How many races at once. [default: all cores, for up to {_FEW_RACES} races one]",
)


@click.command("simulate")
@table_flags(TableOptions, TRACK, track="A track file ends in .json.")
@click.option(
    "--seats",
    default="steady,steady,random,legend:hard",
    show_default=True,
    help=f"Choose from {_DRIVERS}. {_POLICIES}",
)
@click.option("--races", type=WholeNumber(1, 1_000_000), default=20, show_default=True)
@click.option("--seed", help="Any text; race number i uses SEED/i. Without this option the seed is random.")
@click.option("--position", type=click.Path(path_type=Path), help="Start each race from a position file.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option(
    "--export",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a record of each race to this folder.",
)
@jobs_option
@cluster_option
def simulate_command(
    options: TableOptions,
    seats: str,
    races: int,
    seed: str | None,
    position: Path | None,
    as_json: bool,
    export: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Play races of bots and Legends, and count what happened."""
    began = time.perf_counter()
    with _one_line_errors():
        hands = cluster_of(cluster, export)
        simulation, seats = _prepare(options, seats, seed or new_seed(), position)
        if export:
            export.mkdir(parents=True, exist_ok=True)
        tasks = (_Task(simulation, seats, race, export) for race in range(races))
        counts = _run(_race, tasks, races, races, jobs, hands, export)
    figures = simulation.figures()
    for _, count in sorted(counts.items()):
        figures.add(count)
    seconds = time.perf_counter() - began
    if as_json:
        told = msgspec.to_builtins(figures) | {"decisions_per_second": round(figures.decisions / seconds)}
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    elif counts:
        _tell_figures(figures, seconds)
    Progress(races, "races").end(len(counts))


def _prepare(options: TableOptions, seats: str, seed: str, position: Path | None) -> tuple[Simulation, str]:
    """Prepare what the options name.

    Returns:
        The races, and the list of drivers in which their policies are named.
    """
    if position is None:
        drivers = parse_drivers(seats, load_policies(seats))
        track, rules, modules = load_track(options.track), rules_of(options), modules_of(options)
        return prepare(track, options.laps, drivers, rules, seed, modules, load_policies(seats)), seats
    refuse_beside(
        click.get_current_context(),
        IN_THE_POSITION,
        allowed=("position", "races", "seed", "as_json", "export", "jobs", "cluster"),
    )
    return prepare_from(read_position(position), seed), ""


class _Task(NamedTuple):
    """One race of a simulation, with all that another process needs to run it."""

    simulation: Simulation
    seats: str
    race: int
    export: Path | None


def _race(task: _Task) -> tuple[int, RaceCount]:
    """Run one race, in whichever process."""
    simulation = task.simulation
    table = simulation.table(task.race)
    try:
        decisions = play_out(table, policies_by_seat(simulation.names, _policies(task.seats)))
    except Refused as error:
        raise click.ClickException(POLICY_REFUSED.format(error)) from None
    if task.export:
        path = task.export / f"{table.setup.track.id}-{task.race:05}.jsonl"
        write_record(path, table.setup, table.log)
    return task.race, count_race(table, decisions)


@cache
def _policies(seats: str) -> Mapping[str, Policy]:
    """Load policies once in each process."""
    return load_policies(seats)


def _run(
    function: Callable[[Task], tuple[int, Result]],
    tasks: Iterable[Task],
    number: int,
    races: int,
    jobs: int | None,
    cluster: Cluster | None,
    export: Path | None,
) -> dict[int, Result]:
    """Run tasks until Ctrl-C, and show the progress.

    Args:
        function: Gives a task's number and result.
        number: Of tasks.
        races: In all tasks together.
        jobs: None: all cores where that is worth their start.
        cluster: Whose workers run them instead.
        export: Where the tasks write records.

    Returns:
        The results by number: all up to one.
    """
    progress = Progress(races, "races")
    results: dict[int, Result] = {}
    cores = CORES if races > _FEW_RACES else 1
    if_killed = NOTHING_SAVED
    if export:
        if_killed = (
            f"The records so far are in {shown_path(export)}; run the same command again for the rest."
        )
    for each, result in run_until_interrupted(
        function, tasks, jobs or cores, cluster=cluster, if_killed=if_killed
    ):
        results[each] = result
        progress.tell(len(results) * races // number)
    return results


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Say in one line what is wrong with options, files and races."""
    try:
        yield
    except (BadTrack, BadDrivers, BadSetting, BadSetup) as error:
        raise WrongUse(str(error)) from None
    except EndlessRace as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{shown_path(error.filename)}: {error.strerror}") from None


def load_policies(seats: str) -> dict[str, Policy]:
    """Find the policies that a list of drivers names as `FILE.py:FUNCTION`.

    Returns:
        By the words of the list.

    Raises:
        BadDrivers: A file cannot be run, or has no such function; the text says which.
    """
    policies: dict[str, Policy] = {}
    for word in (word.strip() for word in seats.split(",")):
        if is_policy(word):
            policies[word] = load_policy(word)
    return policies


def is_policy(word: str) -> bool:
    """Tell whether a word has the form `FILE.py:FUNCTION`."""
    return word.rpartition(":")[0].endswith(".py")


def load_policy(word: str) -> Policy:
    """Find the policy that a word names as `FILE.py:FUNCTION`.

    Raises:
        BadDrivers: The file cannot be run, or has no such function; the text says which.
    """
    path, _, name = word.rpartition(":")
    try:
        policy: Policy | None = runpy.run_path(path).get(name)
    except OSError as error:
        raise BadDrivers(f"{shown_path(path)}: {error.strerror}") from None
    except SyntaxError as error:
        raise BadDrivers(f"{shown_path(path)}, line {error.lineno}: {error.msg}") from None
    if not callable(policy):
        raise BadDrivers(f"{shown_path(path)} has no function {name!r}")
    return policy


def _tell_figures(figures: Figures, seconds: float) -> None:
    rounds = sorted(figures.rounds)
    click.echo(
        f"{counted(figures.races, 'race')} on {figures.track}, {counted(figures.laps, 'lap')}, "
        f"{figures.rules} rules"
        + "".join(f", {name}={word}" for name, word in figures.settings.items())
        + "".join(f", {word}" for word in module_words(figures.modules))
        + f", seed {seed_text(figures.seed)}"
    )
    click.echo(
        f"rounds {rounds[0]} to {rounds[-1]}, median {rounds[len(rounds) // 2]}; "
        f"{figures.decisions} decisions, {figures.decisions / seconds:.0f} a second"
    )
    places = range(1, len(figures.cars) + 1)
    width = max(15, *(len(car.driver) for car in figures.cars)) + 1
    click.echo(f"{'driver':<{width}}" + "".join(f"{place:>6}." for place in places) + "  spin-outs")
    for car in figures.cars:
        click.echo(f"{car.driver:<{width}}" + "".join(f"{n:>7}" for n in car.places) + f"{car.spin_outs:>11}")


def module_words(modules: Modules) -> list[str]:
    """Name what a race has besides the base game: `mixed garage with expansion`, `weather`."""
    words = []
    if modules.garage != "none":
        words.append(f"{modules.garage} garage{' with expansion' if modules.expansion else ''}")
    if modules.weather:
        words.append("weather")
    if modules.sponsorships:
        words.append("Sponsorships")
    if modules.event is not None:
        words.append(f"event {modules.event}")
    return words


@click.command("season")
@table_flags(TableOptions, is_season=True)
@click.option("--seats", default=",".join(["steady"] * 6), show_default=True, help=f"Choose from {_DRIVERS}.")
@click.option("--seasons", type=WholeNumber(1, 100_000), default=1, show_default=True)
@click.option(
    "--seed", help="Any text; championship number i uses SEED/i. Without this option the seed is random."
)
@click.option("--json", "as_json", is_flag=True, help="Print the championships as JSON.")
@click.option(
    "--export",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a record of each race to this folder.",
)
@jobs_option
@cluster_option
def season_command(
    options: TableOptions,
    seats: str,
    seasons: int,
    seed: str | None,
    as_json: bool,
    export: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Play whole championships of bots and Legends, and print their tables race by race."""
    if options.season is None:
        raise WrongUse("Give --tracks or --year, not both.")
    with _one_line_errors():
        hands = cluster_of(cluster, export)
        cars, drivers = make_cars(parse_drivers(seats))
        setup = set_up_season(options, cars, seed=seed or new_seed(), find_track=load_track)
        if export:
            export.mkdir(parents=True, exist_ok=True)
        tasks = (_SeasonTask(setup, drivers, number, export) for number in range(seasons))
        races = seasons * len(setup.races)
        raced = _run(_race_season, tasks, seasons, races, jobs, hands, export)
    views = [view for _, view in sorted(raced.items())]
    car_names = [car.name for car in cars]
    if as_json:
        told = msgspec.json.encode({"cars": car_names, "seasons": views})
        click.echo(msgspec.json.format(told, indent=2).decode())
    else:
        for line in seasons_text(views, car_names):
            click.echo(line)
    Progress(races, "races").end(len(views) * len(setup.races))


class _SeasonTask(NamedTuple):
    """One season, with all that another process needs to race it."""

    setup: SeasonSetup
    drivers: Mapping[int, DriverName]
    number: int
    export: Path | None


def _race_season(task: _SeasonTask) -> tuple[int, SeasonView]:
    """Race one season, in whichever process, and write the records of its races."""
    season, tables = simulate_season(task.setup, task.drivers, task.number)
    if task.export:
        for race, table in enumerate(tables, start=1):
            path = task.export / f"season-{task.number:05}-race-{race}.jsonl"
            write_record(path, season.record_setup(race - 1), table.log)
    return task.number, view_season(season, None)
