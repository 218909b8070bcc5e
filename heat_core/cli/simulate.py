"""`simulate` and `season` of `python -m heat_core`: many races of bots and Legends, and their results.

The first Ctrl-C lets the race that runs end; then what there is by then is printed.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from heat_core.bots import BOTS
from heat_core.cli.progress import Progress
from heat_core.files import (
    load_track,
    new_seed,
    read_position,
    shown_path,
    write_record,
)
from heat_core.options.option_flags import IN_THE_POSITION, WrongUse, refuse_beside, table_flags
from heat_core.options.option_table import TRACK
from heat_core.options.settings import BadSetting
from heat_core.options.table_options import TableOptions, modules_of, rules_of, set_up_season
from heat_core.options.whole_number import WholeNumber
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import BadSetup, Modules
from heat_core.refusal import Refused
from heat_core.season.state import Season
from heat_core.season.view import SeasonView, seasons_text, view_season
from heat_core.sentences.events import seed_text
from heat_core.signals import Interruption
from heat_core.simulation import (
    BadDrivers,
    EndlessRace,
    Figures,
    Policy,
    make_cars,
    parse_drivers,
    simulate,
    simulate_from,
    simulate_seasons,
)
from heat_core.table import Table
from heat_core.text import counted
from heat_core.track_files.file import BadTrack

_DRIVERS = ", ".join([*BOTS, *(f"legend:{level}" for level in LEGEND_LEVELS)])
POLICY_REFUSED = "a policy made a choice that the rules do not allow: {}"
_POLICIES = "FILE.py:FUNCTION races a policy of your own (docs/library.md)."


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
def simulate_command(
    options: TableOptions,
    seats: str,
    races: int,
    seed: str | None,
    position: Path | None,
    as_json: bool,
    export: Path | None,
) -> None:
    """Play races of bots and Legends, and count what happened."""
    try:
        seed = seed or new_seed()
        if position:
            refuse_beside(
                click.get_current_context(),
                IN_THE_POSITION,
                allowed=("position", "races", "seed", "as_json", "export"),
            )
            played = simulate_from(read_position(position), seed, races)
        else:
            policies = load_policies(seats)
            played = simulate(
                load_track(options.track),
                options.laps,
                parse_drivers(seats, policies),
                rules_of(options),
                seed,
                races,
                modules_of(options),
                policies,
            )
        if export:
            export.mkdir(parents=True, exist_ok=True)
        began = time.perf_counter()
        progress = Progress(races, "races")
        figures: Figures | None = None
        with Interruption() as interruption:
            for table, figures in played:
                if export:
                    path = export / f"{figures.track}-{figures.races - 1:05}.jsonl"
                    write_record(path, table.setup, table.log)
                progress.tell(figures.races)
                if interruption.has_come:
                    break
        seconds = time.perf_counter() - began
    except (BadTrack, BadDrivers, BadSetting, BadSetup) as error:
        raise WrongUse(str(error)) from None
    except EndlessRace as error:
        raise click.ClickException(str(error)) from None
    except Refused as error:
        raise click.ClickException(POLICY_REFUSED.format(error)) from None
    except OSError as error:
        raise click.ClickException(f"{shown_path(error.filename)}: {error.strerror}") from None
    assert figures is not None
    if as_json:
        told = msgspec.to_builtins(figures) | {"decisions_per_second": round(figures.decisions / seconds)}
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    else:
        _tell_figures(figures, seconds)
    progress.end(figures.races)


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
def season_command(
    options: TableOptions, seats: str, seasons: int, seed: str | None, as_json: bool, export: Path | None
) -> None:
    """Play whole championships of bots and Legends, and print their tables race by race."""
    if options.season is None:
        raise WrongUse("Give --tracks or --year, not both.")
    try:
        cars, drivers = make_cars(parse_drivers(seats))
        setup = set_up_season(options, cars, seed=seed or new_seed(), find_track=load_track)
        if export:
            export.mkdir(parents=True, exist_ok=True)
        views: list[SeasonView] = []
        progress = Progress(seasons * len(setup.races), "races")
        raced = 0
        with Interruption() as interruption:
            for season, tables in simulate_seasons(setup, drivers, seasons):
                raced += 1
                if season.is_over:
                    if export:
                        _export_season(export, len(views), season, tables)
                    views.append(view_season(season, None))
                progress.tell(raced)
                if interruption.has_come:
                    break
        if not season.is_over:  # as far as it came
            views.append(view_season(season, None))
    except (BadTrack, BadDrivers, BadSetting, BadSetup) as error:
        raise WrongUse(str(error)) from None
    except EndlessRace as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    car_names = [car.name for car in cars]
    if as_json:
        told = msgspec.json.encode({"cars": car_names, "seasons": views})
        click.echo(msgspec.json.format(told, indent=2).decode())
    else:
        for line in seasons_text(views, car_names):
            click.echo(line)
    progress.end(raced)


def _export_season(folder: Path, number: int, season: Season, tables: Sequence[Table]) -> None:
    """Write the records of a finished season's races.

    Raises:
        OSError: One cannot be written.
    """
    for race, table in enumerate(tables, start=1):
        path = folder / f"season-{number:05}-race-{race}.jsonl"
        write_record(path, season.record_setup(race - 1), table.log)
