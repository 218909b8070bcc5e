"""How long a client waits before it tries to reach a server again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from heat_tui.client.connection import Connection

FIRST_PAUSE_SECONDS: Final = 0.5
"""The first one, on average."""

LONGEST_PAUSE_SECONDS: Final = 15.0

LONGEST_MOVE_SECONDS: Final = 0.25
"""Where a room has moved to another server: a server that is drained sends hundreds on at once."""

GIVE_UP_SECONDS: Final = 15 * 60.0
"""After so long without a server the link goes offline; the session can still be rejoined from Home."""

LASTING_SECONDS: Final = 15.0
"""A connection that ends sooner has not helped."""

MOST_SHORT: Final = 3
"""After so many short connections in a row a link waits longer and longer before the next one."""

SOON: Final = 2
MOST_SOON: Final = 12
"""Where there are several servers, so many attempts wait as the third one at most: another server has the
rooms of a dead one after six seconds."""


def growing_pause(attempt: int) -> float:
    """Give the seconds to wait before a try, counted from 0: about half a second, doubling to 15.

    Each is drawn at random: all people of a server that has gone lose it at the same moment, and would come
    to the others at the same moment too.
    """
    if not attempt:
        return FIRST_PAUSE_SECONDS * random.uniform(0.5, 1.5)
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt, 8))
    return longest * random.uniform(0.5, 1.0)


def soon_pause(pause: Callable[[int], float], attempt: int) -> float:
    """Give the seconds to wait before a try where there are several servers: never long at first.

    Args:
        pause: The same for one server only: attempt, from 0 -> seconds.
        attempt: Counted from 0.
    """
    return pause(min(attempt, SOON) if attempt < MOST_SOON else attempt)


def move_pause() -> float:
    """Give the seconds to wait before a try at the server that has the room by now."""
    return random.uniform(0.0, LONGEST_MOVE_SECONDS)


class ShortConnections:
    """Counts how many connections in a row ended soon, so that a link is not led in circles at full speed.

    That is a server that always says goodbye, or two that send their clients to each other.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._in_a_row = 0

    def note_lost(self, connection: Connection) -> None:
        """Note that a connection has ended now."""
        lasted = asyncio.get_running_loop().time() - connection.opened_at
        self._in_a_row = 0 if lasted >= LASTING_SECONDS else self._in_a_row + 1

    @property
    def first_attempt(self) -> int:
        """The number that the first try to reconnect counts as; 0: it need not wait long."""
        return max(0, self._in_a_row - MOST_SHORT)
