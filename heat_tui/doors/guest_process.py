"""A forked process becomes a guest's: it takes nothing of the host along.

Its environment is made anew, and what it may use is bounded. Its folder is the guest's own and the current
one: where its files are, tracks included, is said from there, so that it shows no path of the host.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from heat_core.files import TRACKS_VARIABLE
from heat_core.wire.address import parse_address
from heat_tui.door_way import DoorWay
from heat_tui.doors.messages import Guest
from heat_tui.state import Folders
from heat_tui.terminal.environment import speaks_unicode

_MOST_FILE_BYTES: Final = 16 * 1024 * 1024
"""More than a record of the longest race."""

_MOST_MEMORY_BYTES: Final = 512 * 1024 * 1024
"""Ten times as much as a login takes."""


def become(guest: Guest) -> Folders:
    """Leave the host's things behind, and give the folders that are the guest's."""
    os.umask(0o077)
    os.chdir(guest.folder)
    os.environ.clear()
    os.environ |= guest.environment
    os.environ |= {"HOME": guest.folder, "LOGNAME": guest.name, "USER": guest.name}
    os.environ[TRACKS_VARIABLE] = "tracks"
    for bound, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _MOST_FILE_BYTES),
        (resource.RLIMIT_DATA, _MOST_MEMORY_BYTES),
    ):
        with suppress(OSError, ValueError):  # the host's own bound is lower
            resource.setrlimit(bound, (most, most))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    open_streams()
    way = None if guest.way is None else DoorWay(Path(guest.way[0]), *guest.way[1:])
    server = parse_address(guest.server)
    return Folders(Path("config"), Path("state"), Path("data"), server, way, guest.plain_way)


def open_streams() -> None:
    """Make Python's streams anew: those of the fork server write as its own terminal wanted it."""
    encoding = "utf-8" if speaks_unicode() else "ascii"
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "w" if descriptor else "r"
        stream = open(descriptor, mode, 1, encoding, "replace", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
