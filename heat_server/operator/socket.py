"""The local socket through which the operator asks a running server; `handlers` answers.

A client sends one JSON object and a newline, receives one JSON object, and the server closes the
connection. Anything from another user than the server's and root is not read.
"""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import structlog
import trio

from heat_core.files import shown_path
from heat_core.wire.operator import NotDone, OperatorAnswer, OperatorRequest
from heat_server.local_socket import is_own_user, local_listener
from heat_server.log import kind_of_fault, place_of_fault
from heat_server.operator.handlers import answer_operator

if TYPE_CHECKING:
    from heat_server.server import Server

ASK_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 30.0
"""How long the server may take: a room that is closed has to be saved."""

MOST_REQUEST_BYTES: Final = 4_096
MOST_ANSWER_BYTES: Final = 16 * 1024 * 1024

log = structlog.get_logger()


class NoAnswer(Exception):
    """No server answers; the message says why in one line."""


async def serve_operator(server: Server, path: Path) -> None:
    """Answer at a socket until cancelled. If it cannot be opened, a line of the log says so."""

    async def attend(stream: trio.SocketStream) -> None:
        async with stream:
            if not is_own_user(stream):
                return
            with trio.move_on_after(ANSWER_SECONDS), contextlib.suppress(trio.BrokenResourceError):
                answer = await _answer(server, await _read_line(stream))
                await stream.send_all(msgspec.json.encode(answer))

    async with local_listener(path) as listener:
        if listener is not None:
            await trio.serve_listeners(attend, [listener])


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
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return NotDone("the server does not understand this request; it may be another version")
    try:
        return await answer_operator(server, request)
    except Exception as error:  # whatever it is, it must not reach the races
        log.error("operator's request crashed", fault=kind_of_fault(error), at=place_of_fault(error))
        return NotDone("the server broke down over this request; its log says where")


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
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoAnswer(
            f"{shown_path(path)}: the program that answers there is not a server of this version"
        ) from None


_REQUESTS: Final[msgspec.json.Decoder[OperatorRequest]] = msgspec.json.Decoder(OperatorRequest)
_ANSWERS: Final[msgspec.json.Decoder[OperatorAnswer]] = msgspec.json.Decoder(OperatorAnswer)
