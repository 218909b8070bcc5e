"""What the client keeps between two starts: settings, and the tokens of races one may come back to.

Everything here survives broken, missing and foreign files: they count as absent. Nothing that cannot be
written stops a race.
"""

from __future__ import annotations

import fcntl
import getpass
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
import platformdirs

from heat_core.names import MOST_NAME_CELLS, BadName, clean_name
from heat_core.setup import Colour

PROGRAM: Final = "heat-tui"

DEFAULT_NAME: Final = "You"

Animation: TypeAlias = Literal["normal", "quick", "off"]
"""How fast cards turn up and cars drive."""
PACES: Final[dict[Animation, float]] = {"normal": 1.0, "quick": 0.33, "off": 0.0}
"""How long each thing is looked at, in times of the usual."""

ThemeName: TypeAlias = Literal["heat-night", "heat-day", "ansi-dark"]


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player likes.

    Attributes:
        name: As other players see it; empty: not yet said.
        animation: How fast cars move space by space.
        ascii: Whether to draw with plain ASCII only.
        server: The address typed last.
        nearby: Whether to look for servers on the local network.
        replays: Whether every finished race is kept as a record.
        bell: Whether the terminal's bell rings at one's own turn and at the finish.
        hints: Whether the next race explains what happens for the first time.
    """

    name: str = ""
    colour: Colour = "red"
    animation: Animation = "normal"
    ascii: bool = False
    theme: ThemeName = "heat-night"
    server: str = ""
    nearby: bool = True
    replays: bool = True
    bell: bool = False
    hints: bool = True


class Folders(NamedTuple):
    """Where files go.

    Attributes:
        config: For the settings.
        state: For tokens, and for what a server started from here prints.
        data: For what the player may want to keep: records and positions.
    """

    config: Path
    state: Path
    data: Path


def user_folders() -> Folders:
    """Give the folders that this system has for such files; nothing is created."""
    return Folders(
        platformdirs.user_config_path(PROGRAM),
        platformdirs.user_state_path(PROGRAM),
        platformdirs.user_data_path(PROGRAM),
    )


def load_settings(folders: Folders) -> Settings:
    """Read the settings; what is missing or wrong in the file is as if never set."""
    try:
        found = msgspec.json.decode(_settings_path(folders).read_bytes(), type=dict[str, object])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Settings()
    settings = Settings()
    for field in msgspec.structs.fields(Settings):
        try:
            one = msgspec.convert({field.name: found[field.name]}, Settings)
        except (KeyError, msgspec.ValidationError):
            continue
        settings = msgspec.structs.replace(settings, **{field.name: getattr(one, field.name)})
    return settings


def save_settings(folders: Folders, settings: Settings) -> bool:
    """Write the settings whole or not at all, and tell whether that was possible."""
    data = msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n"
    return write_whole(_settings_path(folders), data)


def write_whole(path: Path, data: bytes) -> bool:
    """Put a file in its place whole or not at all, and tell whether that was possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        return False
    return True


def login_name() -> str:
    """Offer the name of the person at this machine."""
    try:
        return clean_name(getpass.getuser()[:MOST_NAME_CELLS])
    except (BadName, OSError, KeyError, ImportError):
        return DEFAULT_NAME


def _settings_path(folders: Folders) -> Path:
    return folders.config / "settings.json"


class SavedSession(msgspec.Struct, frozen=True):
    """How to come back to a room.

    Attributes:
        address: As `Address` writes it.
        token: Secret: who has it is this player.
        code: The room's.
        name: The player's name there.
    """

    address: str
    token: str
    code: str
    name: str


KEPT_SECONDS: Final = 7 * 24 * 60 * 60
"""After so long a session is not offered any more."""


class SessionFile:
    """One saved session, locked for as long as this object is open.

    The lock keeps a second client on this machine from taking the same seat. Where files cannot be written,
    the object works all the same and keeps nothing.

    Attributes:
        saved: What the file says; None before the first `save`.
    """

    def __init__(self, path: Path | None, descriptor: int | None, saved: SavedSession | None) -> None:
        """Used by `create_session_file` and `free_sessions`."""
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
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None
        self.saved = None
        self.close()

    def close(self) -> None:
        """Give the session free, to be rejoined later; a file that holds none is removed."""
        if self.saved is None and self._path is not None:
            self._path.unlink(missing_ok=True)
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
    dated = []
    try:
        for path in _session_folder(folders).glob("*.json"):
            dated.append((path.stat().st_mtime, path))
    except OSError:
        return
    for moment, path in sorted(dated, reverse=True):
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
        session.saved = msgspec.json.decode(os.pread(descriptor, 4096, 0), type=SavedSession)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        session.delete()
        return None
    if is_old:
        session.delete()
        return None
    return session


def lock(descriptor: int) -> bool:
    """Lock an open file for this process, and tell whether no other has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _session_folder(folders: Folders) -> Path:
    return folders.state / "sessions"
