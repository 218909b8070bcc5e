"""The way back into a room: one file for each, with its token, locked while somebody uses it.

Files that are broken, missing or foreign count as absent. Nothing that cannot be written stops a race.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from heat_tui.state import Folders, dated_files, lock

if TYPE_CHECKING:
    from heat_core.wire.address import Address

KEPT_SECONDS: Final = 7 * 24 * 60 * 60
"""After so long a session is not offered any more."""


MOST_BYTES: Final = 16_384


class SavedSession(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to come back to a room.

    Attributes:
        address: As `Address` writes it.
        token: Secret: it identifies this player.
        code: The room's.
        name: The player's name there.
        servers: Addresses of the servers that share the room; none where there is only one.
        chosen: The server that the player chose, which led to the others; "": the one at `address`.
    """

    address: str
    token: str
    code: str
    name: str
    servers: tuple[str, ...] = ()
    chosen: str = ""

    @property
    def first(self) -> str:
        """The server that the player chose: the only one whose word on the others counts."""
        return self.chosen or self.address

    def is_at(self, address: Address) -> bool:
        """Tell whether a server has the room, or shares it, by the names that were saved."""
        shared = (server.partition("#")[0] for server in self.servers)
        return str(address) in (self.address, *shared)


class SessionFile:
    """One saved session, locked for as long as this object is open.

    The lock keeps a second client on this machine from taking the same seat. Where files cannot be written,
    the object works all the same and keeps nothing.

    Attributes:
        saved: What the file says; None before the first `save`.
    """

    def __init__(self, path: Path | None, descriptor: int | None, saved: SavedSession | None) -> None:
        """Used by `create_session_file` and `_open_session`."""
        self._path = path
        self._descriptor = descriptor
        self.saved = saved

    def save(self, saved: SavedSession) -> None:
        """Write the session; only this user can read it."""
        self.saved = saved
        if self._descriptor is None:
            return
        data = msgspec.json.encode(saved)
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, data, 0)
        except OSError:
            return

    def delete(self) -> None:
        """Forget the session for good."""
        self.saved = None
        self.close()

    def close(self) -> None:
        """Give the session free, to be rejoined later; a file that holds none is removed."""
        if self.saved is None and self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            self._path = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def create_session_file(folders: Folders) -> SessionFile:
    """Make a new file for a session that is about to begin, locked and empty."""
    folder = _session_folder(folders)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{secrets.token_hex(8)}.json"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError:
        return SessionFile(None, None, None)
    lock(descriptor)
    return SessionFile(path, descriptor, None)


def free_sessions(folders: Folders) -> Iterator[SessionFile]:
    """Give every session that no running client holds, newest first, each locked: close each one given."""
    for moment, path in dated_files(_session_folder(folders), "*.json"):
        session = _open_session(path, is_old=time.time() - moment > KEPT_SECONDS)
        if session is not None:
            yield session


def _open_session(path: Path, *, is_old: bool) -> SessionFile | None:
    """Lock and read one file; one that holds no session, or too old a one, is removed."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    if not lock(descriptor):
        os.close(descriptor)
        return None
    session = SessionFile(path, descriptor, None)
    try:
        session.saved = msgspec.json.decode(os.pread(descriptor, MOST_BYTES, 0), type=SavedSession)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        session.delete()
        return None
    if is_old:
        session.delete()
        return None
    return session


def take_session(folders: Folders, saved: SavedSession) -> SessionFile | None:
    """Lock the file of one saved session; None where another window has it."""
    for file in free_sessions(folders):
        if file.saved == saved:
            return file
        file.close()
    return None


def forget_session(folders: Folders, saved: SavedSession) -> bool:
    """Forget a saved session, and return whether it was there; it is not where another window has it."""
    file = take_session(folders, saved)
    if file is not None:
        file.delete()
    return file is not None


def saved_sessions(folders: Folders) -> list[SavedSession]:
    """List the sessions that could be rejoined, newest first."""
    found = []
    for file in free_sessions(folders):
        with contextlib.closing(file):
            if file.saved is not None:
                found.append(file.saved)
    return found


def _session_folder(folders: Folders) -> Path:
    return folders.state / "sessions"
