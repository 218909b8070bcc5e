"""The engine's only reading and writing: track files, records, and the seed that the system gives."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from errno import EINVAL
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Final

from heat_core.events import Event
from heat_core.position_file import MAX_POSITION_BYTES, PositionFile, parse_position
from heat_core.positions import BadPosition
from heat_core.replay import BadRecord, Record, decode_record, encode_record
from heat_core.setup import RaceSetup
from heat_core.track import TrackFacts
from heat_core.track_file import MAX_TRACK_BYTES, BadTrack, parse_track

_TRACKS: Final = resources.files("heat_core") / "tracks"

_BOX_ORDER: Final = ("usa", "gb", "italy", "france", "japan", "mexico", "spain", "netherlands")


def new_seed() -> str:
    """Take a seed from the operating system, so that two races differ (CORE-9)."""
    return secrets.token_hex(16)


def track_names() -> list[str]:
    """List the identifiers of the tracks that come with the game, in the order of the boxes."""
    names = {entry.name.removesuffix(".json") for entry in _TRACKS.iterdir() if entry.name.endswith(".json")}
    return [*(name for name in _BOX_ORDER if name in names), *sorted(names - set(_BOX_ORDER))]


def load_track(name: str, folder: Path = Path()) -> TrackFacts:
    """Read a track by its identifier, or by the path of a file that ends in `.json`.

    Args:
        folder: Where a path begins that does not begin at the root.

    Raises:
        BadTrack: There is none of that name, or the file is wrong; the text names the file and the reason.
    """
    if name.endswith(".json"):
        return read_track_file(folder / name)
    names = track_names()
    if name not in names:
        known = ", ".join(names)
        raise BadTrack([f"there is no track {name!r}; the tracks are {known}, or a file's path"])
    return parse_track((_TRACKS / f"{name}.json").read_bytes())


def read_track_file(path: Path) -> TrackFacts:
    """Read and check a track file.

    Raises:
        BadTrack: It cannot be read or is wrong; the text names the file, the place and the reason.
    """
    try:
        data = _read(path, MAX_TRACK_BYTES + 1)
    except OSError as error:
        raise BadTrack([f"{path}: {error.strerror}"]) from None
    try:
        return parse_track(data)
    except BadTrack as error:
        raise BadTrack([f"{path}: {fault}" for fault in error.faults]) from None


def _read(path: Path, most_bytes: int) -> bytes:
    """Read so much of an ordinary file; pipes and devices, which may never come to an end, are refused."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(EINVAL, "No ordinary file", str(path))
    with path.open("rb") as file:
        return file.read(most_bytes)


def read_position(path: Path) -> PositionFile:
    """Read and check a position file.

    A track that it names by a path is looked for from the folder of the position file on.

    Raises:
        BadPosition: It cannot be read or is wrong; the text names the file and every problem.
    """
    try:
        data = _read(path, MAX_POSITION_BYTES + 1)
    except OSError as error:
        raise BadPosition([f"{path}: {error.strerror}"]) from None
    try:
        return parse_position(data, lambda name: load_track(name, path.parent))
    except BadPosition as error:
        raise BadPosition([f"{path}: {fault}" for fault in error.faults]) from None


def read_record(path: Path) -> Record:
    """Read a record file.

    Raises:
        BadRecord: It cannot be read or is wrong; the text names the file, the line and the reason.
    """
    try:
        data = _read(path, MAX_RECORD_BYTES + 1)
        if len(data) > MAX_RECORD_BYTES:
            raise BadRecord(f"a record has at most {MAX_RECORD_BYTES} bytes")
        return decode_record(data)
    except OSError as error:
        raise BadRecord(f"{path}: {error.strerror}") from None
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}") from None


MAX_RECORD_BYTES: Final = 64 * 1024 * 1024


def write_record(path: Path, setup: RaceSetup, events: Sequence[Event]) -> None:
    """Write a race to a file.

    Raises:
        OSError: It cannot be written, or not to its end; the error names the file.
    """
    data = encode_record(setup, events, version("heat-tui-race"))
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # a full disk names no file by itself
