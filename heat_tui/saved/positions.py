"""The position key: saves the position as one seat knows it, to start from it later (APP-13)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from heat_core.files import load_track
from heat_core.game_files import read_position
from heat_core.positions.file import encode_position
from heat_core.positions.position import BadPosition
from heat_core.positions.seen import NoPosition, seen_position
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.sentences.events import sentence
from heat_core.track import compile_track
from heat_core.track_files.file import BadTrack
from heat_core.version import program_version
from heat_core.view.race_view import RaceView
from heat_tui.state import Folders, try_write


def write_position(
    folders: Folders, setup: RaceSetup, view: RaceView, since: Sequence[Event], people: Sequence[int]
) -> Path:
    """Write the position file of a moment; see `heat_core.positions.seen`.

    Args:
        setup: The public one.
        people: The seats that are played by people here.

    Returns:
        The file, which `heat-tui play --position` reads.

    Raises:
        NoPosition: There is none at this moment, or it cannot be written; the text says why.
    """
    file = seen_position(setup, view, since, people)
    moment = datetime.now(UTC).strftime("%Y-%m-%d_%H%M%S.%f")[:-3].replace(".", "-")
    path = folders.data / "positions" / f"{moment}_{setup.track.id}_round-{view.round}.toml"
    track = setup.track.id
    if not _is_known(setup):
        # Whoever opens it may not have this track: it comes along.
        track = f"{path.stem}.json"
        if not try_write(path.with_suffix(".json"), msgspec.json.encode(setup.track)):
            raise NoPosition(f"Nothing can be written in {path.parent}.")
    text = "\n".join([*_heading(setup, view, since), encode_position(file, track)])
    if not try_write(path, text.encode()):
        raise NoPosition(f"Nothing can be written in {path.parent}.")
    try:
        read_position(path)
    except BadPosition as error:
        path.unlink(missing_ok=True)
        raise NoPosition(f"A position file cannot hold this moment: {error.faults[0]}") from None
    return path


def _is_known(setup: RaceSetup) -> bool:
    try:
        return load_track(setup.track.id) == setup.track
    except BadTrack:
        return False


def _heading(setup: RaceSetup, view: RaceView, since: Sequence[Event]) -> list[str]:
    """Say in comments whose eyes saw it, and what has happened in the round since."""
    names = [car.name for car in setup.cars]
    whose = "a spectator" if view.own is None else names[view.own.seat]
    lines = [
        f"# heat-tui {program_version()}: round {view.round} on {setup.track.name}, as {whose} saw it.",
        "# Start from here: heat-tui play --position THIS_FILE",
    ]
    track = compile_track(setup.track)
    told = [text for event in since if (text := sentence(event, names, track))]
    if told:
        lines.append("# The position is the start of the round. Since then, in the race:")
        lines += [f"#   {text}" for text in told]
    return lines
