"""The files of championships: each written whole or not at all, and held by one running client at a time.

Theory of operation. The lock lies on the file itself. Every writing puts a new file in the old one's place,
locked before it stands there, and whoever has opened the old one meanwhile sees that it is no longer there.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from heat_tui.state import Folders, dated_files, lock

MOST_BYTES: Final = 16 * 1024 * 1024
"""Far more than a season and a race come to."""


class SeasonFile:
    """One saved championship, locked for as long as this object is open.

    Attributes:
        path: Tells it from the others, as long as it is kept.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        """Used by `new_season_file` and `open_season_file`."""
        self.path = path
        self._descriptor = descriptor

    def read(self) -> bytes:
        """Give what was written last; nothing where it cannot be read."""
        if self._descriptor is None:
            return b""
        try:
            return os.pread(self._descriptor, MOST_BYTES, 0)
        except OSError:
            return b""

    def write(self, data: bytes) -> bool:
        """Put new contents in the place of the old ones, and tell whether that was possible."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix="new-")
        except OSError:
            return False
        try:
            lock(descriptor)
            _write_all(descriptor, data)
            os.replace(temporary, self.path)
        except OSError:
            os.close(descriptor)
            Path(temporary).unlink(missing_ok=True)
            return False
        self.close()
        self._descriptor = descriptor
        return True

    def delete(self) -> None:
        """Forget the championship for good."""
        if self._descriptor is not None:
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Give the championship free, to be gone on with later."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def new_season_file(folders: Folders) -> SeasonFile:
    """Name a file for a championship that is about to begin; it is there once it has been written."""
    return SeasonFile(_folder(folders) / f"{secrets.token_hex(8)}.season", None)


def are_seasons_saved(folders: Folders) -> bool:
    """Tell whether there may be a championship to go on with, without reading any."""
    try:
        return any(True for _ in _folder(folders).glob("*.season"))
    except OSError:
        return False


def free_season_files(folders: Folders) -> Iterator[SeasonFile]:
    """Give every championship that no running client holds, newest first, each locked: close each given."""
    for _, path in dated_files(_folder(folders), "*.season"):
        file = open_season_file(path)
        if file is not None:
            yield file


def open_season_file(path: Path) -> SeasonFile | None:
    """Lock one championship; None where it is gone, or another running client holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return SeasonFile(path, descriptor)
    except OSError:
        pass
    os.close(descriptor)
    return None


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _folder(folders: Folders) -> Path:
    return folders.state / "championships"
