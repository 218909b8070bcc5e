"""Sockets on this machine's disk that only the user of the server can open.

A socket that a dead server left behind is replaced, that of a running one is not.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
import trio

PROBE_SECONDS: Final = 5.0
_LISTEN_AT_ONCE: Final = 128
"""As many logins of a door may begin in the same moment; the system refuses more at once."""

log = structlog.get_logger()


@asynccontextmanager
async def local_listener(path: Path) -> AsyncIterator[trio.SocketListener | None]:
    """Listen at a path while the block runs, and remove the socket afterwards.

    Yields:
        None where that cannot be: a line of the log says why, and the server does without.
    """
    try:
        listener = _listen(path)
    except OSError as error:
        reason = "another server uses it" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        log.warning("no local socket", path=str(path), why=reason)
        yield None
        return
    identity = _identity(path)
    try:
        yield listener
    finally:
        _remove_own(path, identity)


def is_own_user(stream: trio.SocketStream) -> bool:
    """Tell whether the user of the server or root is at the other end; where the system says who that is.

    It is the socket's mode that keeps others out; this holds where somebody has loosened that.
    """
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    form = struct.Struct("3i")  # process, user, group
    _, user, _ = form.unpack(stream.getsockopt(socket.SOL_SOCKET, option, form.size))
    if user in (0, os.geteuid()):
        return True
    log.warning("another user at the local socket refused")
    return False


def _listen(path: Path) -> trio.SocketListener:
    """Bind a socket that this user alone may open.

    Raises:
        OSError: It cannot be made there, or a living server has it (then EADDRINUSE).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        _remove_stale(path)
    own = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)  # not by chmod afterwards: then it would be open for a moment
    try:
        own.bind(os.fspath(path))
        own.listen(_LISTEN_AT_ONCE)
    except BaseException:
        own.close()
        raise
    finally:
        os.umask(before)
    return trio.SocketListener(trio.socket.from_stdlib_socket(own))


def _remove_stale(path: Path) -> None:
    """Remove a socket at which nobody listens.

    Raises:
        OSError: Somebody does (EADDRINUSE), it is no socket (EEXIST), or it cannot be removed.
    """
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise OSError(errno.EEXIST, "another kind of file has its name")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_SECONDS)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def _remove_own(path: Path, identity: tuple[int, int]) -> None:
    with contextlib.suppress(OSError):
        if _identity(path) == identity:
            path.unlink()


def _identity(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_dev, found.st_ino
