"""Files of games: records and positions that players keep, and the puzzles that come with the game.

They stand apart from `heat_core.files`, for what reads them needs all of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final, TypeVar

from heat_core.files import load_track, read_beginning, shown_path
from heat_core.positions.file import MAX_POSITION_BYTES, PositionFile, parse_position
from heat_core.positions.position import BadPosition
from heat_core.puzzles.puzzle import Puzzle, decode_puzzle
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.record.record import BadRecord, Record, decode_record, encode_record
from heat_core.record.summary import RecordSummary, summarise_record
from heat_core.version import program_version

MAX_RECORD_BYTES: Final = 64 * 1024 * 1024
PUZZLES_FOLDER: Final = Path(str(resources.files("heat_core") / "puzzles" / "data"))

Read = TypeVar("Read")


def puzzles() -> tuple[Puzzle, ...]:
    """Read the puzzles that come with the game, the easiest first, of these those that need no module."""
    found = [decode_puzzle(file.read_bytes()) for file in PUZZLES_FOLDER.glob("*.json")]
    return tuple(sorted(found, key=lambda puzzle: (puzzle.stars, not puzzle.is_basic, puzzle.name)))


def read_position(path: Path) -> PositionFile:
    """Read and check a position file.

    A track that it names by a path is looked for from the folder of the position file on.

    Raises:
        BadPosition: It cannot be read or is wrong; the text names the file and every problem.
    """
    try:
        data = read_beginning(path, MAX_POSITION_BYTES + 1)
    except OSError as error:
        raise BadPosition([f"{shown_path(path)}: {error.strerror}"]) from None
    try:
        return parse_position(data, lambda name: load_track(name, path.parent))
    except BadPosition as error:
        raise BadPosition([f"{shown_path(path)}: {fault}" for fault in error.faults]) from None


def read_record(path: Path) -> Record:
    """Read a record file.

    Raises:
        BadRecord: It cannot be read or is wrong; the text names the file, the line and the reason.
    """
    return _read_record(path, decode_record)


def read_record_summary(path: Path) -> RecordSummary:
    """Read of a record file what a list of records shows.

    Raises:
        BadRecord: It cannot be read, or its first or last line is wrong; the text is as for `read_record`.
    """
    return _read_record(path, summarise_record)


def _read_record(path: Path, decode: Callable[[bytes], Read]) -> Read:
    try:
        data = read_beginning(path, MAX_RECORD_BYTES + 1)
        if len(data) > MAX_RECORD_BYTES:
            raise BadRecord(f"a record has at most {MAX_RECORD_BYTES} bytes")
        return decode(data)
    except OSError as error:
        raise BadRecord(f"{shown_path(path)}: {error.strerror}") from None
    except BadRecord as error:
        raise BadRecord(f"{shown_path(path)}: {error}") from None


def write_record(path: Path, setup: RaceSetup, events: Sequence[Event]) -> None:
    """Write a race to a file.

    Raises:
        OSError: It cannot be written, or not to its end; the error names the file.
    """
    data = encode_record(setup, events, program_version())
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # a full disk names no file by itself
