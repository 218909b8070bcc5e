"""Taking connections off a port: all that wait, to serve them address by address.

Theory of operation. The system queues connections in the order in which they come. So whoever comes during a
flood would wait behind hundreds of the flood's, each of which is some work. This takes off the port whatever
waits there, which costs little, and then gives one connection of each address in turn, a few between two
turns of everybody else. If too many of several addresses wait, the one that has the most loses its newest.
Addresses that come far too often are hung up on at once, before there is a task or an answer for them.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

import trio

MOST_WAITING: Final = 128
"""Each is an open file. Where the system allows too few, they wait as long as the system lets them."""

MOST_TAKEN_AT_ONCE: Final = 32
MOST_GIVEN_AT_ONCE: Final = 4

Queue: TypeAlias = Callable[[str, int], str | None]
"""Names whom a connection waits in turn with, by the number and the port that it comes from; None: it is
closed at once."""


class FairListener(trio.abc.Listener[trio.SocketStream]):
    """A listener that gives connections of each address in turn."""

    def __init__(self, listener: trio.SocketListener, queue_of: Queue) -> None:
        """Take a listener over.

        Args:
            listener: Nobody else uses it any more.
            queue_of: Tells where a connection waits.
        """
        self._listener = listener
        self._queue_of = queue_of
        own = listener.socket
        self._without_waiting = socket.fromfd(own.fileno(), own.family, own.type)
        self._without_waiting.setblocking(False)
        self._waiting: dict[str, deque[socket.socket]] = {}  # the next in turn first
        self._count = 0
        self._given = 0

    async def accept(self) -> trio.SocketStream:
        """Give the next connection.

        Raises:
            OSError: As of `trio.SocketListener.accept`.
        """
        if self._given >= MOST_GIVEN_AT_ONCE:
            self._given = 0
            await trio.lowlevel.checkpoint()
            self._take()
        while not self._waiting:
            self._given = 0
            await trio.lowlevel.wait_readable(self._without_waiting)
            self._take()
        self._given += 1
        return trio.SocketStream(trio.socket.from_stdlib_socket(self._next()))

    def _next(self) -> socket.socket:
        """Take the next one out; its address comes last then."""
        name = next(iter(self._waiting))
        queue = self._waiting.pop(name)
        taken = queue.popleft()
        if queue:
            self._waiting[name] = queue
        self._count -= 1
        return taken

    def _take(self) -> None:
        """Take off the port what waits there, up to a limit.

        Raises:
            OSError: That is not possible, and nothing waits that could be served first.
        """
        for _ in range(MOST_TAKEN_AT_ONCE):
            if self._count >= MOST_WAITING and len(self._waiting) == 1:
                return  # nobody else is known to wait: the others can stay where they are
            try:
                taken, address = self._without_waiting.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:
                if self._waiting:
                    return
                raise
            name = self._queue_of(*address[:2])
            if name is None:
                taken.close()
                continue
            self._waiting.setdefault(name, deque()).append(taken)
            self._count += 1
            if self._count > MOST_WAITING:
                self._shorten()

    def _shorten(self) -> None:
        """Hang up on the newest of the address that has the most."""
        name = max(self._waiting, key=lambda one: len(self._waiting[one]))
        self._waiting[name].pop().close()
        if not self._waiting[name]:
            del self._waiting[name]
        self._count -= 1

    async def aclose(self) -> None:
        """Stop listening, and hang up on those whom nobody has been given yet."""
        self._without_waiting.close()
        for queue in self._waiting.values():
            for taken in queue:
                taken.close()
        self._waiting.clear()
        await self._listener.aclose()
