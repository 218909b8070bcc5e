"""`python -m heat_core`: simulate races, check and tell records. With `files`, the engine's only I/O."""

from __future__ import annotations

import errno
import io
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Literal

import click
import msgspec

from heat_core.bots import BOTS
from heat_core.files import (
    FoundTrack,
    box_tracks,
    give_output_up,
    load_track,
    new_seed,
    own_track_folder,
    own_tracks,
    read_position,
    read_record,
    read_track_file,
    shown_path,
    write_record,
)
from heat_core.modules import module_words, single_race_modules
from heat_core.position_file import PHASES, PositionFile, encode_position, parse_position, position_in
from heat_core.positions import BadPosition
from heat_core.presets import LEGEND_LEVELS, PRESETS, PresetName
from heat_core.race import Race
from heat_core.replay import BadRecord, Record, fold_record, promised_seed, seed_of, verify_record
from heat_core.season_setup import YEARS, PlannedRace, make_season, plan_year
from heat_core.season_view import seasons_text, view_season
from heat_core.sentences import seed_text, sentence
from heat_core.settings import RACE_SETTINGS, BadSetting, make_rules, parse_changes
from heat_core.setup import GARAGES, BadSetup, GarageName, Modules
from heat_core.simulation import (
    BadDrivers,
    EndlessRace,
    Figures,
    make_cars,
    parse_drivers,
    simulate,
    simulate_from,
    simulate_seasons,
)
from heat_core.track import compile_track
from heat_core.track_file import BadTrack
from heat_core.version import program_version


class WrongUse(click.ClickException):
    """One line for a wrong value, without the usage text around it."""

    exit_code = 2


_INTERRUPTED = 130

_DRIVERS = ", ".join([*BOTS, *(f"legend:{level}" for level in LEGEND_LEVELS)])


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False)
@click.version_option(program_version(), "-V", "--version", message="heat_core %(version)s")
def main() -> None:
    """Work with races without a screen."""


@main.command("simulate")
@click.option("--track", "track_name", default="usa", show_default=True, help="A track or a track file.")
@click.option("--laps", type=click.IntRange(1, 4), help="Instead of the track's own.")
@click.option(
    "--seats", default="steady,steady,random,legend:hard", show_default=True, help=f"Of: {_DRIVERS}."
)
@click.option("--races", type=click.IntRange(1, 1_000_000), default=20, show_default=True)
@click.option("--seed", help="Any text; race i uses SEED/i. Drawn from the system if not given.")
@click.option("--rules", "preset", type=click.Choice(list(PRESETS)), default="standard", show_default=True)
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a single setting.")
@click.option("--garage", type=click.Choice(GARAGES), default="none", show_default=True)
@click.option("--expansion", is_flag=True, help="The expansion's upgrades too.")
@click.option("--weather", is_flag=True, help="Weather and road tokens.")
@click.option("--position", type=click.Path(path_type=Path), help="Race from a position file.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--export", type=click.Path(file_okay=False, path_type=Path), help="Write each race there.")
def simulate_command(
    track_name: str,
    laps: int | None,
    seats: str,
    races: int,
    seed: str | None,
    preset: PresetName,
    changes: tuple[str, ...],
    garage: GarageName,
    expansion: bool,
    weather: bool,
    position: Path | None,
    as_json: bool,
    export: Path | None,
) -> None:
    """Play races of bots and Legends, and count what happened."""
    try:
        seed = seed or new_seed()
        if position:
            _refuse_beside_position(click.get_current_context())
            played = simulate_from(read_position(position), seed, races)
        else:
            rules = make_rules(preset, parse_changes(changes), RACE_SETTINGS)
            modules = single_race_modules(garage, expansion=expansion, weather=weather)
            drivers = parse_drivers(seats)
            played = simulate(load_track(track_name), laps, drivers, rules, seed, races, modules)
        if export:
            export.mkdir(parents=True, exist_ok=True)
        began = shown = time.perf_counter()
        figures: Figures | None = None
        for table, figures in played:
            if export:
                path = export / f"{figures.track}-{figures.races - 1:05}.jsonl"
                write_record(path, table.setup, table.log)
            if time.perf_counter() - shown > 1 and sys.stderr.isatty():
                shown = time.perf_counter()
                click.echo(f"{figures.races} of {races} races", err=True)
        seconds = time.perf_counter() - began
    except (BadTrack, BadDrivers, BadSetting, BadSetup) as error:
        raise WrongUse(str(error)) from None
    except EndlessRace as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{shown_path(error.filename)}: {error.strerror}") from None
    assert figures is not None
    if as_json:
        told = msgspec.to_builtins(figures) | {"decisions_per_second": round(figures.decisions / seconds)}
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
    else:
        _tell_figures(figures, seconds)


def _refuse_beside_position(context: click.Context) -> None:
    """Refuse options that a position file has the last word on.

    Raises:
        WrongUse: One was given.
    """
    for name, option in _IN_A_POSITION.items():
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse(f"The position file says that itself: leave out {option}.")


_IN_A_POSITION = {
    "track_name": "--track",
    "laps": "--laps",
    "seats": "--seats",
    "preset": "--rules",
    "changes": "--set",
    "garage": "--garage",
    "expansion": "--expansion",
    "weather": "--weather",
}


def _tell_figures(figures: Figures, seconds: float) -> None:
    rounds = sorted(figures.rounds)
    click.echo(
        f"{figures.races} races on {figures.track}, {figures.laps} laps, {figures.rules} rules"
        + "".join(f", {name}={word}" for name, word in figures.settings.items())
        + "".join(f", {word}" for word in module_words(figures.modules))
        + f", seed {seed_text(figures.seed)}"
    )
    click.echo(
        f"rounds {rounds[0]} to {rounds[-1]}, half of the races within {rounds[len(rounds) // 2]}; "
        f"{figures.decisions} decisions, {figures.decisions / seconds:.0f} a second"
    )
    places = range(1, len(figures.cars) + 1)
    click.echo("driver          " + "".join(f"{place:>6}." for place in places) + "  spin-outs")
    for car in figures.cars:
        click.echo(f"{car.driver:<16}" + "".join(f"{n:>7}" for n in car.places) + f"{car.spin_outs:>11}")


@main.command("season")
@click.option("--tracks", help="3 or 4 tracks or track files, with commas between them.")
@click.option("--year", type=click.Choice([str(year) for year in YEARS]), help="A printed season instead.")
@click.option("--laps", type=click.IntRange(1, 4), help="Of each race, instead of the tracks' own.")
@click.option("--seats", default=",".join(["steady"] * 6), show_default=True, help=f"Of: {_DRIVERS}.")
@click.option("--garage", type=click.Choice(GARAGES), default="none", show_default=True, help="Upgrades.")
@click.option("--weather", is_flag=True, help="Weather and road tokens.")
@click.option("--sponsorships", is_flag=True, help="Sponsorship cards.")
@click.option("--events", is_flag=True, help="Draw an event for each race; a printed season has its own.")
@click.option("--expansion", is_flag=True, help="The cards and events of the expansions.")
@click.option("--rules", "preset", type=click.Choice(list(PRESETS)), default="standard", show_default=True)
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a single setting.")
@click.option("--seasons", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--seed", help="Any text; season i uses SEED/i. Drawn from the system if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print the seasons as JSON.")
@click.option("--export", type=click.Path(file_okay=False, path_type=Path), help="Write each race there.")
def season_command(
    tracks: str | None,
    year: str | None,
    laps: int | None,
    seats: str,
    garage: GarageName,
    weather: bool,
    sponsorships: bool,
    events: bool,
    expansion: bool,
    preset: PresetName,
    changes: tuple[str, ...],
    seasons: int,
    seed: str | None,
    as_json: bool,
    export: Path | None,
) -> None:
    """Play whole championships of bots and Legends, and print their tables race by race."""
    modules = Modules(garage, expansion, weather=weather, sponsorships=sponsorships)
    try:
        cars, drivers = make_cars(parse_drivers(seats))
        setup = make_season(
            _plan_races(tracks, year, laps),
            cars,
            seed=seed or new_seed(),
            rules=make_rules(preset, parse_changes(changes)),
            modules=modules,
            draws_events=events,
        )
        if export:
            export.mkdir(parents=True, exist_ok=True)
        views = []
        for number, (season, tables) in enumerate(simulate_seasons(setup, drivers, seasons)):
            views.append(view_season(season, None))
            for race, table in enumerate(tables if export else ()):
                path = Path(export or "") / f"season-{number:05}-race-{race + 1}.jsonl"
                write_record(path, season.record_setup(race), table.log)
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


def _plan_races(tracks: str | None, year: str | None, laps: int | None) -> tuple[PlannedRace, ...]:
    """Plan a printed season, or one on named tracks.

    Raises:
        BadTrack: There is no such track, or its file is wrong.
        WrongUse: Both are said, or neither.
    """
    if year is not None and tracks is None:
        return plan_year(int(year), load_track, laps)
    if tracks is None or year is not None:
        raise WrongUse("Say either --tracks or --year.")
    return tuple(PlannedRace(load_track(name.strip()), laps) for name in tracks.split(","))


@main.command("replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--verify", is_flag=True, help="Deal all cards anew from the seed, and compare every event.")
@click.option("--quiet", is_flag=True, help="Do not tell the race.")
def replay_command(file: Path, verify: bool, quiet: bool) -> None:
    """Tell a recorded race in plain sentences, and with --verify check its shuffles and rules."""
    record, race = _read_race(file, verify)
    track = compile_track(record.setup.track)
    names = [car.name for car in record.setup.cars]
    if not quiet:
        for event in record.events:
            if text := sentence(event, names, track):
                click.echo(text + ".")
    end = "ended" if race.status == "ended" else f"not over: the record stops in round {race.round}"
    seed = seed_of(record)
    if verify and seed is not None:
        promised = seed_text(promised_seed(record.setup, seed))
        of_season = " of the season" if record.setup.season else ""
        click.echo(f"The seed{of_season} is {promised}; its hash is the one shown at the start.", err=True)
        click.echo(
            f"{len(record.events)} events dealt anew from it: all as recorded. The race is {end}.", err=True
        )
    else:
        click.echo(f"{len(record.events)} events follow on one another. The race is {end}.", err=True)
        click.echo("--verify deals the cards anew from the seed, and compares.", err=True)


def _read_race(file: Path, verify: bool) -> tuple[Record, Race]:
    try:
        record = read_record(file)
    except BadRecord as error:
        raise click.ClickException(str(error)) from None
    try:
        return record, verify_record(record) if verify else fold_record(record)
    except BadRecord as error:
        raise click.ClickException(f"{shown_path(file)}: {error}") from None


@main.command("check-track")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def check_track_command(file: Path) -> None:
    """Check a track file, and name everything that is wrong with it."""
    try:
        facts = read_track_file(file)
        for track in own_tracks(own_track_folder()):
            if track.faults and os.path.realpath(track.path) == os.path.realpath(
                file
            ):  # by itself it is right
                raise BadTrack([f"{shown_path(file)}: {fault}" for fault in track.faults])
    except BadTrack as error:
        for fault in error.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from None
    click.echo(
        f"{shown_path(file)}: {facts.name} can be raced on: "
        f"{facts.spaces} spaces, {len(facts.corners)} corners."
    )


@main.command("check-position")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def check_position_command(file: Path) -> None:
    """Check a position file, and name everything that is wrong with it."""
    try:
        setup = read_position(file).setup
    except BadPosition as error:
        for fault in error.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from None
    position = setup.position
    assert position is not None
    phase = PHASES[position.phase].value
    click.echo(
        f"{shown_path(file)}: {len(setup.cars)} cars on {setup.track.name} can race on from "
        f"round {position.round}, phase {phase}."
    )


@main.command("position")
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--round", "number", type=click.IntRange(1, 1000), required=True, help="Where in the race.")
@click.option("--phase", type=click.Choice(list(PHASES)), default="shift", show_default=True)
@click.option(
    "--track", "track_name", help="A track file that the position is to name, for a track of one's own."
)
def position_command(
    record: Path, number: int, phase: Literal["shift", "play"], track_name: str | None
) -> None:
    """Write a moment of a recorded race as a position file, to be raced on from there."""
    told, _ = _read_race(record, verify=False)
    try:
        file = position_in(told, number, phase)
        name = track_name or told.setup.track.id
        if load_track(name) != told.setup.track:
            raise BadTrack([f"the record was raced on another track than {name!r}; --track FILE names it"])
        text = _position_text(file, name)
    except (BadPosition, BadRecord, BadSetting, BadTrack) as error:
        raise click.ClickException(f"{shown_path(record)}: {error}") from None
    click.echo(text, nl=False)


def _position_text(file: PositionFile, track: str) -> str:
    """Write a position that its reader finds to be the same, wherever the text is put.

    Raises:
        BadPosition: A position file cannot say it; the text says why.
    """
    name = os.path.abspath(track) if track.endswith(".json") else track
    if not name.isprintable():
        raise BadPosition([f"track: the path {shown_path(name)} has signs that cannot stand in a file"])
    text = encode_position(file, name)
    parse_position(text.encode(), load_track)
    return text


@main.command("tracks")
def tracks_command() -> None:
    """List the tracks that come with the game, and those in the folder of one's own."""
    for track in box_tracks():
        _tell_track(track)
    folder = own_track_folder()
    own = own_tracks(folder)
    click.echo(f"Of your own, in {shown_path(folder)}:{'' if own else ' none'}")
    for track in own:
        _tell_track(track)


def _tell_track(track: FoundTrack) -> None:
    facts = track.facts
    if facts is None:
        click.echo(f"{track.name}: {track.faults[0]}")
        click.echo(f"    all faults: python -m heat_core check-track {shlex.quote(shown_path(track.path))}")
        return
    click.echo(
        f"{track.name:<12} {facts.name:<14} {facts.spaces:>3} spaces  {facts.laps} laps  "
        f"{len(facts.corners)} corners  {facts.heat} Heat  {facts.stress} Stress"
    )


def run() -> None:
    """Run the program and exit: 2 for wrong use, 1 for what failed, each with one line.

    Signs that the output cannot hold become `?`.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = main(prog_name="python -m heat_core", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        click.echo(f"Error: {' '.join(error.format_message().split())}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_INTERRUPTED)
    except OSError as error:
        give_output_up()
        if error.errno != errno.EPIPE:
            click.echo(f"Error: the output: {error.strerror}", err=True)
        sys.exit(1)
    sys.exit(code or 0)


if __name__ == "__main__":
    run()
