"""A party whose race is not over: what its host needs to open it again with the same ways in."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Final

import msgspec

from heat_core.files import write_whole
from heat_tui.state import dated_files

KEPT_SECONDS: Final = 7 * 24 * 60 * 60
"""As long as the seats of those who played there are offered."""


class SavedParty(msgspec.Struct, frozen=True):
    """A party to be continued.

    Attributes:
        port: Of the server; its store has the race.
        code: Of the room with the race.
        ssh: The port for ssh; None: not by ssh.
        web: The port of the page for browsers; None: not by browser.
        password: For ssh; None: anybody comes in.
        secret: Of the link for browsers; None: anybody comes in.
        host: Where it listened; empty: at every address.
        is_announced: Whether clients nearby may list the server.
    """

    port: int
    code: str
    ssh: int | None
    web: int | None
    password: str | None
    secret: str | None
    host: str
    is_announced: bool


def save_party(folder: Path, saved: SavedParty) -> None:
    """Save a party, so that only this user can read it; where it cannot be written, nothing is kept."""
    with contextlib.suppress(OSError):
        write_whole(_path(folder, saved.port), msgspec.json.encode(saved))


def forget_party(folder: Path, port: int) -> None:
    """Forget the party of a port, if there is one."""
    with contextlib.suppress(OSError):
        _path(folder, port).unlink()


def saved_parties(folder: Path) -> list[SavedParty]:
    """List the parties that can be continued, newest first; files that hold none count as absent.

    Those that are too old are deleted: a password and a secret are in them.
    """
    found = []
    for moment, path in dated_files(folder, "party-*.json"):
        with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            if time.time() - moment < KEPT_SECONDS:
                found.append(msgspec.json.decode(path.read_bytes(), type=SavedParty))
            else:
                path.unlink()
    return found


def _path(folder: Path, port: int) -> Path:
    return folder / f"party-{port}.json"
