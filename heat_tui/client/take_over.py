"""Waiting for the server that takes over the room of one that has gone, and what players read of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from heat_tui.client.backoff import SOON
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import Connection

TAKE_OVER_SECONDS: Final = 20.0
"""The others may take its rooms over after six seconds; a busy machine takes longer."""

SILENT_OWNER: Final = (
    "Your race is on {}, which does not answer. If that server has gone, another one takes over in seconds."
)
MOVING: Final = "Your race is moving to another server."
WAITING: Final = "Your race's server has gone. Another one takes over in a few seconds."
ROOM_WAITING: Final = (
    "That room's server cannot be reached. If it has gone, another one takes over in a few seconds: "
    "try again then."
)
NOBODY: Final = "No other server has taken over your race yet. Try again in a moment."


class OwnerGone(ConnectFailed):
    """The server that has the seat of a token cannot be reached; another one can, and takes over soon.

    Its text is what is waited for, at a start as in a race.
    """


async def until_taken_over(
    connect: Callable[[], Awaitable[Connection]],
    pause: Callable[[int], float],
    on_wait: Callable[[str], None],
) -> Connection:
    """Connect; as long as the server of one's seat is gone and no other one has taken over, try again.

    Args:
        connect: Makes one attempt.
        pause: Attempt, from 0 -> seconds to wait before the next one.
        on_wait: Called once with what is waited for, in one sentence.

    Raises:
        ConnectFailed: Nobody takes over, or it cannot work at all.
    """
    loop = asyncio.get_running_loop()
    began, attempt = loop.time(), 0
    while True:
        try:
            return await connect()
        except OwnerGone as gone:
            if loop.time() - began > TAKE_OVER_SECONDS:
                raise ConnectFailed(NOBODY) from None
            if not attempt:
                on_wait(gone.text)
        await asyncio.sleep(pause(min(attempt, SOON)))
        attempt += 1
