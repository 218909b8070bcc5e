"""The records of finished races that the client saves: files in the user's data folder.

A record is named by when its race ended, its track, and a digest of what it holds, so that the newest come
last by name and no race is kept twice. Whatever else lies in the folder is listed too, but never deleted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from heat_core.files import shown_path
from heat_core.game_files import read_record, read_record_summary
from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord, Record, encode_record
from heat_core.record.summary import RecordSummary
from heat_core.version import program_version
from heat_tui.state import Folders, try_write

MOST_KEPT: Final = 200

_SUFFIX: Final = ".jsonl"
_MOMENT: Final = "%Y-%m-%d_%H%M%S"
_OWN_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d_\d{6})_[a-z0-9-]+_([0-9a-f]{12})\.jsonl")


class KeptRecord(NamedTuple):
    """A file of the folder.

    Attributes:
        moment: When its race ended, in UTC; of a foreign file when it was written.
        summary: None where it cannot be read.
        fault: Why not, without the file's name; empty where it can.
    """

    path: Path
    moment: datetime
    summary: RecordSummary | None
    fault: str = ""

    @property
    def winner(self) -> str:
        """Who won; `nobody`, and for a race that stops `not finished`; empty where it cannot be read."""
        if self.summary is None:
            return ""
        if self.summary.end is None:
            return "not finished"
        car = self.summary.winner
        return "nobody" if car is None else self.summary.setup.cars[car].name


def record_folder(folders: Folders) -> Path:
    """Give the folder of records; it need not exist."""
    return folders.data / "records"


def keep_record(folders: Folders, record: Record, moment: datetime) -> Path | None:
    """Write a race down, unless it is there already, and delete the oldest beyond `MOST_KEPT`.

    Args:
        moment: In which it ended, in UTC.

    Returns:
        Its file; None where it cannot be written.
    """
    data = encode_record(record.setup, record.events, program_version())
    digest = _digest_of(data)
    folder = record_folder(folders)
    kept = _own_files(folder)
    for path in kept:
        if path.stem.endswith(digest):
            return path
    path = folder / f"{moment.strftime(_MOMENT)}_{record.setup.track.id}_{digest}{_SUFFIX}"
    if not try_write(path, data):
        return None
    for old in sorted([*kept, path])[:-MOST_KEPT]:
        try:
            old.unlink(missing_ok=True)
        except OSError:
            continue
    return path


def record_digest(record: Record) -> str:
    """Give what tells a race from all others; the name of its file ends in it."""
    return _digest_of(encode_record(record.setup, record.events, program_version()))


def record_files(folders: Folders) -> list[tuple[datetime, Path]]:
    """List the files of the folder that should be records, newest first, without reading them."""
    dated = []
    for path in _files(record_folder(folders)):
        try:
            dated.append((_moment_of(path), path))
        except OSError:
            continue  # another client has deleted it meanwhile
    return sorted(dated, reverse=True)


def look_at_records(folders: Folders) -> Iterator[KeptRecord]:
    """Look into every record, newest first; one that cannot be read stops nothing."""
    for moment, path in record_files(folders):
        try:
            yield KeptRecord(path, moment, read_record_summary(path))
        except BadRecord as error:
            yield KeptRecord(path, moment, None, str(error).removeprefix(f"{shown_path(path)}: "))


def no_records(folders: Folders) -> str:
    """Say that nothing is in the folder, and what will be."""
    return f"There are none yet. Finished races are saved in {shown_path(record_folder(folders))}."


def delete_record(kept: KeptRecord) -> str:
    """Remove a file of the folder for good; gives why it cannot be, in one sentence, else an empty text."""
    try:
        kept.path.unlink(missing_ok=True)
    except OSError as error:
        return f"It cannot be deleted: {error.strerror}."
    return ""


def read_playback(path: Path) -> Playback:
    """Read a record and fold it.

    Raises:
        BadRecord: It cannot be read or does not hold; the text names the file and the reason.
    """
    record = read_record(path)
    try:
        return Playback(record)
    except BadRecord as error:
        raise BadRecord(f"{shown_path(path)}: {error}") from None


def _digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _moment_of(path: Path) -> datetime:
    if own := _OWN_NAME.fullmatch(path.name):
        try:
            return datetime.strptime(own[1], _MOMENT).replace(tzinfo=UTC)
        except ValueError:
            pass  # it looks like a date and is none
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _own_files(folder: Path) -> list[Path]:
    return [path for path in _files(folder) if _OWN_NAME.fullmatch(path.name)]


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == _SUFFIX and not path.name.startswith(".")]
    except OSError:
        return []
