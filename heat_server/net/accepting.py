"""Taking connections off a port, many at a time.

Theory of operation. Trio takes one connection, then lets everybody else have a turn. While many connect and
the server has much to do, whoever comes would wait for as many turns as there are others before them. So this
takes a few at once. Those of addresses that come far too often are hung up on here, before there is a task or
an answer for them: a flood of them must cost little.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable
from typing import Final

import trio

MOST_AT_ONCE: Final = 4
"""Each makes work for everybody's next turn."""

MOST_CLOSED_AT_ONCE: Final = 64


class QuickListener(trio.abc.Listener[trio.SocketStream]):
    """A listener that gives connections which it has taken already without letting others have a turn."""

    def __init__(self, listener: trio.SocketListener, is_unwelcome: Callable[[str], bool]) -> None:
        """Take a listener over.

        Args:
            listener: Nobody else uses it any more.
            is_unwelcome: Tells by the number of an address whether its connections are closed at once.
        """
        self._listener = listener
        self._is_unwelcome = is_unwelcome
        own = listener.socket
        self._without_waiting = socket.fromfd(own.fileno(), own.family, own.type)
        self._without_waiting.setblocking(False)
        self._taken: deque[trio.SocketStream] = deque()

    async def accept(self) -> trio.SocketStream:
        """Give the next connection.

        Raises:
            OSError: As of `trio.SocketListener.accept`.
        """
        while not self._taken:
            await trio.lowlevel.wait_readable(self._without_waiting)
            self._take()
        return self._taken.popleft()

    def _take(self) -> None:
        """Take what waits, up to a limit."""
        for _ in range(MOST_CLOSED_AT_ONCE):
            if len(self._taken) >= MOST_AT_ONCE:
                return
            try:
                taken, address = self._without_waiting.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            if self._is_unwelcome(address[0]):
                taken.close()
            else:
                self._taken.append(trio.SocketStream(trio.socket.from_stdlib_socket(taken)))

    async def aclose(self) -> None:
        """Stop listening, and hang up on those whom nobody has been given yet."""
        self._without_waiting.close()
        for stream in self._taken:
            await trio.aclose_forcefully(stream)
        await self._listener.aclose()
