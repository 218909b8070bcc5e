"""Asking a server on this machine as its operator, through its local socket."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

import msgspec

from heat_core.wire.operator import OperatorAnswer, OperatorRequest

ANSWER_SECONDS: Final = 10.0
MOST_ANSWER_BYTES: Final = 16 * 1024 * 1024
_ANSWERS: Final[msgspec.json.Decoder[OperatorAnswer]] = msgspec.json.Decoder(OperatorAnswer)


class NoAnswer(Exception):
    """The server does not answer: it is busy, ending or gone."""


async def ask_operator(path: Path, request: OperatorRequest) -> OperatorAnswer:
    """Ask the server that has a socket.

    Raises:
        NoAnswer: It gives no answer that can be read.
    """
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_unix_connection(os.fspath(path), limit=MOST_ANSWER_BYTES)
            try:
                writer.write(msgspec.json.encode(request) + b"\n")
                return _ANSWERS.decode(await reader.read())
            finally:
                writer.close()
    except (OSError, TimeoutError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NoAnswer(str(error)) from None
