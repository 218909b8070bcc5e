"""`python -m heat_core`: simulate races, check and print records. With `files`, the engine's only I/O."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Literal

import click

from heat_core.cli.analyse import analyse_command
from heat_core.cli.columns import columns_command
from heat_core.cli.command_list import CommandList
from heat_core.cli.entry import run_program
from heat_core.cli.simulate import season_command, simulate_command
from heat_core.cli.tournament import tournament_command
from heat_core.files import (
    FoundTrack,
    box_tracks,
    import_track_file,
    load_track,
    own_track_folder,
    own_tracks,
    read_track_file,
    shown_path,
)
from heat_core.game_files import read_position, read_record
from heat_core.options.settings import BadSetting
from heat_core.options.whole_number import WholeNumber
from heat_core.positions.file import PositionFile, encode_position, parse_position
from heat_core.positions.position import PHASES, BadPosition
from heat_core.record.playback import NOT_VERIFIED
from heat_core.record.position import position_in
from heat_core.record.record import BadRecord, Record, fold_record, promised_seed, seed_of, verify_record
from heat_core.sentences.events import seed_text, sentence
from heat_core.text import counted
from heat_core.track import compile_track
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import BadTrack
from heat_core.version import shown_version


@click.group(cls=CommandList, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False)
@click.version_option(shown_version(), "-V", "--version", message="heat_core %(version)s")
def main() -> None:
    """Work with races without a screen."""


for each in (analyse_command, columns_command, simulate_command, season_command, tournament_command):
    main.add_command(each)


@main.command("replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--verify", is_flag=True, help="Fail if the record has no seed, so that its cards cannot be checked."
)
@click.option("--quiet", is_flag=True, help="Do not print the race.")
def replay_command(file: Path, verify: bool, quiet: bool) -> None:
    """Print a recorded race in plain sentences.

    First all cards are dealt again from the record's seed, and every event is compared. A record without a
    seed cannot be verified; it is printed all the same, unless --verify is given.
    """
    record = _read_record(file)
    try:
        race = verify_record(record) if verify else fold_record(record)
    except BadRecord as error:
        raise click.ClickException(f"{shown_path(file)}: {error}") from None
    track = compile_track(record.setup.track)
    names = [car.name for car in record.setup.cars]
    if not quiet:
        for event in record.events:
            if text := sentence(event, names, track):
                click.echo(text + ".")
    end = "over" if race.status == "ended" else f"not finished: the record stops in round {race.round}"
    seed = seed_of(record)
    if seed is None:
        click.echo(f"{len(record.events)} events fit together. The race is {end}.", err=True)
        click.echo(f"{NOT_VERIFIED}.", err=True)
        return
    promised = seed_text(promised_seed(record.setup, seed))
    of_season = " of the season" if record.setup.season else ""
    click.echo(f"The seed{of_season} is {promised}; its hash is the one shown at the start.", err=True)
    click.echo(
        f"Verified: dealt again from the seed, all {len(record.events)} events are the same.", err=True
    )
    click.echo(f"The race is {end}.", err=True)


def _read_record(file: Path) -> Record:
    try:
        return read_record(file)
    except BadRecord as error:
        raise click.ClickException(str(error)) from None


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
    click.echo(f"{shown_path(file)}: {_about(facts)}")


def _about(facts: TrackFacts) -> str:
    return f"{facts.name} can be raced on: {facts.spaces} spaces, {len(facts.corners)} corners."


@main.command("import-track")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def import_track_command(file: Path) -> None:
    """Convert a circuit file of the online version to a track file, and print it.

    Messages name what has no counterpart and what was assumed: import-track FILE > mine.json
    """
    try:
        made = import_track_file(file)
    except BadTrack as error:
        for fault in error.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from None
    click.echo(made.text, nl=False)
    for note in [*made.notes, _about(made.facts)]:
        click.echo(f"{shown_path(file)}: {note}", err=True)


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
        f"{shown_path(file)}: {len(setup.cars)} cars on {setup.track.name} can start from "
        f"round {position.round}, phase {phase}."
    )


@main.command("position")
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--round",
    "number",
    type=WholeNumber(1, 1000),
    required=True,
    help="The round to take the position from.",
)
@click.option("--phase", type=click.Choice(list(PHASES)), default="shift", show_default=True)
@click.option("--track", "track_name", help="The track file, for a record of a race on a track of your own.")
def position_command(
    record: Path, number: int, phase: Literal["shift", "play"], track_name: str | None
) -> None:
    """Print a moment of a recorded race as a position file."""
    told = _read_record(record)
    try:
        file = position_in(told, number, phase)
        name = track_name or told.setup.track.id
        if load_track(name) != told.setup.track:
            raise BadTrack([f"the race was on another track than {name!r}; give its file with --track FILE"])
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
        raise BadPosition(
            [f"track: the path {shown_path(name)} has characters that a position file cannot hold"]
        )
    text = encode_position(file, name)
    parse_position(text.encode(), load_track)
    return text


@main.command("tracks")
def tracks_command() -> None:
    """List the tracks that come with the game, and your own in their folder."""
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
        f"{track.name:<12} {facts.name:<14} {facts.spaces:>3} spaces  {counted(facts.laps, 'lap'):<6}  "
        f"{len(facts.corners):>2} corners  {facts.heat} Heat  {facts.stress} Stress"
    )


if __name__ == "__main__":
    run_program(main, "python -m heat_core")
