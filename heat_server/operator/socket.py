"""The local socket through which the operator asks a running server; `handlers` answers.

A client sends one JSON object and a newline, receives one JSON object, and the server closes the
connection. Only root and the user of the server can open the socket; anything from another user is not
read. A socket that a dead server left behind is replaced, that of a running one is not.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import structlog
import trio

from heat_core.files import shown_path
from heat_core.wire.operator import NotDone, OperatorAnswer, OperatorRequest
from heat_server.operator.handlers import answer_operator

if TYPE_CHECKING:
    from heat_server.server import Server

ASK_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 30.0
"""How long the server may take: a room that is closed has to be saved."""

MOST_REQUEST_BYTES: Final = 4_096
MOST_ANSWER_BYTES: Final = 16 * 1024 * 1024
_LISTEN_AT_ONCE: Final = 8

log = structlog.get_logger()


class NoAnswer(Exception):
    """No server answers; the message says why in one line."""


async def serve_operator(server: Server, path: Path) -> None:
    """Answer at a socket until cancelled. If it cannot be opened, a line of the log says so."""
    try:
        listener = _listen(path)
    except OSError as error:
        reason = "another server uses it" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        log.warning("no local socket", path=str(path), why=reason)
        return
    identity = _identity(path)

    async def attend(stream: trio.SocketStream) -> None:
        async with stream:
            if not _is_own_user(stream):
                log.warning("another user at the local socket refused")
                return
            with trio.move_on_after(ANSWER_SECONDS), contextlib.suppress(trio.BrokenResourceError):
                answer = await _answer(server, await _read_line(stream))
                await stream.send_all(msgspec.json.encode(answer))

    try:
        await trio.serve_listeners(attend, [listener])
    finally:
        _remove_own(path, identity)


def _is_own_user(stream: trio.SocketStream) -> bool:
    """Tell whether the user of the server or root is at the other end; where the system says who that is.

    It is the socket's mode that keeps others out; this holds where somebody has loosened that.
    """
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    form = struct.Struct("3i")  # process, user, group
    _, user, _ = form.unpack(stream.getsockopt(socket.SOL_SOCKET, option, form.size))
    return user in (0, os.geteuid())


async def _read_line(stream: trio.SocketStream) -> bytes:
    """Read what is asked; longer than that may be, or cut off, it comes back as it is."""
    data = b""
    with trio.move_on_after(ASK_SECONDS):
        while b"\n" not in data and len(data) <= MOST_REQUEST_BYTES:
            if not (piece := await stream.receive_some(MOST_REQUEST_BYTES)):
                break
            data += piece
    return data


async def _answer(server: Server, line: bytes) -> OperatorAnswer:
    try:
        request = _REQUESTS.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return NotDone("the server does not understand this request; it may be another version")
    return await answer_operator(server, request)


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


def ask_operator(path: Path, request: OperatorRequest) -> OperatorAnswer:
    """Ask the server that has a socket.

    Raises:
        NoAnswer: None has it, it does not answer, or it may not be asked.
    """
    data = b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(ANSWER_SECONDS)
        try:
            asking.connect(os.fspath(path))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # hung up: what came, counts
                asking.sendall(msgspec.json.encode(request) + b"\n")
                while len(data) <= MOST_ANSWER_BYTES and (piece := asking.recv(65_536)):
                    data += piece
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            raise NoAnswer(f"no server is running: nothing answers at {shown_path(path)}") from None
        except OSError as error:
            raise NoAnswer(f"{shown_path(path)}: {error.strerror or error}") from None
    try:
        return _ANSWERS.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise NoAnswer(
            f"{shown_path(path)}: the program that answers there is not a server of this version"
        ) from None


_REQUESTS: Final[msgspec.json.Decoder[OperatorRequest]] = msgspec.json.Decoder(OperatorRequest)
_ANSWERS: Final[msgspec.json.Decoder[OperatorAnswer]] = msgspec.json.Decoder(OperatorAnswer)
