"""A server with the socket of its operator, and asking it as the operator does."""

from __future__ import annotations

from pathlib import Path

import trio

from heat_core.wire.operator import AskStatus, Status
from heat_server.operator.socket import ask_operator, serve_operator
from tests.server.support import House

LOOK_SECONDS = 0.01


async def house_with_socket(nursery: trio.Nursery, path: Path) -> House:
    """Run a server with a local socket, and wait until it listens."""
    house = House(nursery)
    nursery.start_soon(serve_operator, house.server, path)
    while not await trio.Path(path).is_socket():  # noqa: ASYNC110  # a folder tells nobody
        await trio.sleep(LOOK_SECONDS)
    return house


def ask_status(path: Path) -> Status:
    """Ask how the server of a socket does."""
    status = ask_operator(path, AskStatus())
    assert isinstance(status, Status)
    return status
