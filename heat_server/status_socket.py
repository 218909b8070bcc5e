"""The local socket through which `heat-server status` asks; no one else's user may open it.

Whoever connects is sent one JSON object and hung up on; nothing is read. A socket that a dead server left
behind is replaced, that of a living one is not.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import structlog
import trio

from heat_core.files import shown_path
from heat_server.status import Status, status_of

if TYPE_CHECKING:
    from heat_server.server import Server

ASK_SECONDS: Final = 5.0
MOST_STATUS_BYTES: Final = 65_536
_LISTEN_AT_ONCE: Final = 8

log = structlog.get_logger()


class NoStatus(Exception):
    """Nobody answers; the message says why in one line."""


async def serve_status(server: Server, path: Path) -> None:
    """Answer at a socket until cancelled. Where it cannot be had, a line of the log says so, and no more."""
    try:
        listener = _listen(path)
    except OSError as error:
        reason = "another server has it" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        log.warning("no status socket", path=str(path), why=reason)
        return
    identity = _identity(path)

    async def tell(stream: trio.SocketStream) -> None:
        async with stream:
            with trio.move_on_after(ASK_SECONDS), contextlib.suppress(trio.BrokenResourceError):
                await stream.send_all(msgspec.json.encode(status_of(server)))

    try:
        await trio.serve_listeners(tell, [listener])
    finally:
        _remove_own(path, identity)


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
        raise OSError(errno.EEXIST, "a file that is no socket is in its place")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(ASK_SECONDS)
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


def ask_status(path: Path) -> Status:
    """Ask the server that has a socket.

    Raises:
        NoStatus: None has it, it does not answer, or it may not be asked.
    """
    data = b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(ASK_SECONDS)
        try:
            asking.connect(os.fspath(path))
            while len(data) <= MOST_STATUS_BYTES and (piece := asking.recv(MOST_STATUS_BYTES)):
                data += piece
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            raise NoStatus(f"no server is running: nothing answers at {shown_path(path)}") from None
        except OSError as error:
            raise NoStatus(f"{shown_path(path)}: {error.strerror or error}") from None
    try:
        return msgspec.json.decode(data, type=Status)
    except msgspec.MsgspecError:
        raise NoStatus(f"{shown_path(path)}: what answers there is no server of this version") from None
