"""Files of races and championships: each written whole or not at all, held by one running client at a time.

Theory of operation. The lock lies on the file itself. Each write puts a new file in the old one's place,
locked before it is there, and whoever has opened the old one meanwhile sees that it is no longer current.
All writes are made by one thread in the order in which they were asked for, closing and removing too: a slow
disk holds up no screen, and nothing old is ever written over something newer.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

from heat_tui.state import Folders, dated_files, lock

SaveKind: TypeAlias = Literal["season", "race"]
"""What a file holds, which is how its name ends too."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""Far more than a season and a race come to."""

_FOLDERS: Final[dict[SaveKind, str]] = {"season": "championships", "race": "races"}
"""Where the files of each kind are, in the state folder."""

_UNREADABLE: Final = ".unreadable"
_WRITER: Final = ThreadPoolExecutor(1, "save")


class SaveFile:
    """One saved championship or race, locked for as long as this object is open.

    Attributes:
        path: Tells it from the others, as long as it is kept.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        """Used by `new_save_file` and `open_save_file`."""
        self.path = path
        self._descriptor = descriptor
        self._is_closed = False

    @property
    def kind(self) -> SaveKind:
        """What it holds."""
        return "season" if self.path.suffix == ".season" else "race"

    def read(self) -> bytes:
        """Give what was written last; nothing where it cannot be read."""
        if self._descriptor is None:
            return b""
        try:
            return os.pread(self._descriptor, MOST_BYTES, 0)
        except OSError:
            return b""

    def write(self, data: bytes) -> Future[str]:
        """Begin to put new contents in the place of the old ones.

        Returns:
            Will be why they cannot be written; empty where they were.
        """
        return _WRITER.submit(self._write, data)

    def _write(self, data: bytes) -> str:
        if self._is_closed:
            return "the file is closed"
        try:
            descriptor = self._written(data)
        except OSError as error:
            with suppress(OSError):
                self._new_path.unlink(missing_ok=True)
            return os.strerror(error.errno) if error.errno else type(error).__name__
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = descriptor
        return ""

    def _written(self, data: bytes) -> int:
        """Put a new file in the place of the old one, and give its descriptor.

        Raises:
            OSError: It cannot be written; the old one stays as it is.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # What a program left that was ended in the middle of a write is written over.
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self._new_path, flags, 0o600)
        try:
            lock(descriptor)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.replace(self._new_path, self.path)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    @property
    def _new_path(self) -> Path:
        return self.path.with_name(f"{self.path.name}.new")

    def delete(self) -> None:
        """Remove what is saved, for good."""
        _WRITER.submit(self._delete).result()

    def _delete(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
        self._close()

    def set_aside(self) -> Path:
        """Close a file that cannot be used, and give the name under which it stays without being listed."""
        aside = self.path.with_name(self.path.name + _UNREADABLE)
        try:
            os.replace(self.path, aside)
        except OSError:
            aside = self.path
        self.close()
        return aside

    def close(self) -> None:
        """Give it free, to be continued later; nothing is written to it any more."""
        _WRITER.submit(self._close).result()

    def _close(self) -> None:
        self._is_closed = True
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def new_save_file(folders: Folders, kind: SaveKind) -> SaveFile:
    """Name a file for what is about to begin; it is there once it has been written."""
    return SaveFile(_folder(folders, kind) / f"{secrets.token_hex(8)}.{kind}", None)


def are_any_saved(folders: Folders) -> bool:
    """Tell whether there may be something to continue, without reading any file."""
    return any(dated_files(_folder(folders, kind), f"*.{kind}") for kind in _FOLDERS)


def free_save_files(folders: Folders, *kinds: SaveKind) -> Iterator[SaveFile]:
    """Give every file of these kinds that no running client holds, newest first, each locked: close them."""
    dated = [found for kind in kinds for found in dated_files(_folder(folders, kind), f"*.{kind}")]
    for _, path in sorted(dated, reverse=True):
        file = open_save_file(path)
        if file is not None:
            yield file


def open_save_file(path: Path) -> SaveFile | None:
    """Lock one file; None where it is gone, or another running client holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return SaveFile(path, descriptor)
    except OSError:
        pass
    os.close(descriptor)
    return None


def _folder(folders: Folders, kind: SaveKind) -> Path:
    return folders.state / _FOLDERS[kind]
