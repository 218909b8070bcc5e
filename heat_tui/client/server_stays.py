"""The servers that the program is connected to; none is left without hanging up."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heat_core.wire.address import Address
    from heat_tui.client.server_stay import ServerStay


class ServerStays:
    """The connections that end with the program at the latest."""

    def __init__(
        self,
        in_background: Callable[[Coroutine[None, None, None]], object],
        remember: Callable[[Address], None],
    ) -> None:
        """Begin without any.

        Args:
            in_background: Runs what nobody waits for.
            remember: Is told the address of each server, to offer it the next time.
        """
        self._stays: list[ServerStay] = []
        self._in_background = in_background
        self._remember = remember

    def __len__(self) -> int:
        return len(self._stays)

    def __iter__(self) -> Iterator[ServerStay]:
        return iter(self._stays)

    def keep(self, stay: ServerStay) -> None:
        """Remember a connection, to end it with the program, and its server for the next time."""
        if stay not in self._stays:
            self._stays.append(stay)
        self._remember(stay.link.address)

    async def close(self, stay: ServerStay) -> None:
        """Hang up."""
        await stay.close()
        self._forget(stay)

    async def leave(self, stay: ServerStay) -> None:
        """Leave the room for good and hang up."""
        await stay.leave()
        self._forget(stay)

    def end(self, stay: ServerStay) -> None:
        """Hang up without waiting for it."""
        self._in_background(self.close(stay))

    def end_all(self, when_ended: Callable[[], None]) -> None:
        """Hang up everywhere without waiting for it: nobody is at a server who is back at Home.

        Args:
            when_ended: Called after each; from then on its seat can be rejoined.
        """
        for stay in self._stays:
            self._in_background(self._close_and(stay, when_ended))

    async def _close_and(self, stay: ServerStay, when_ended: Callable[[], None]) -> None:
        await self.close(stay)
        when_ended()

    async def close_all(self) -> None:
        """Hang up everywhere, and wait for it."""
        for stay in list(self._stays):
            await self.close(stay)

    def _forget(self, stay: ServerStay) -> None:
        if stay in self._stays:
            self._stays.remove(stay)
