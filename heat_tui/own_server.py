"""The server that a client starts for friends: at most one, and it ends with the client."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heat_core.wire.address import Address
    from heat_tui.hosting import HostedServer


class OwnServer:
    """A server that is started when it is first wanted; its owner must `end` it."""

    def __init__(self, state_folder: Path, server: HostedServer | None = None) -> None:
        """Start nothing yet.

        Args:
            state_folder: Where its files go.
            server: The one that was started before the client, if any.
        """
        self._state_folder = state_folder
        self._server = server
        self._starting: asyncio.Task[HostedServer] | None = None

    @property
    def address(self) -> Address | None:
        """Where it is reached; None before it was started."""
        return self._server.address if self._server is not None else None

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._server is not None and not self._server.has_ended()

    async def start(self, *, is_announced: bool) -> Address:
        """Start it, unless it runs already. Who gives up waiting leaves it to `end`.

        Args:
            is_announced: Whether clients nearby may list it.

        Raises:
            HostingFailed: It did not start.
        """
        from heat_tui.hosting import ServerOptions, start_server

        if self._server is None or self._server.has_ended():
            if self._starting is None:
                options = ServerOptions(is_announced=is_announced)
                start = asyncio.to_thread(start_server, self._state_folder, options=options)
                self._starting = asyncio.create_task(start)
            await self._wait_until_started(self._starting)
        assert self._server is not None
        return self._server.address

    async def _wait_until_started(self, starting: asyncio.Task[HostedServer]) -> None:
        try:
            self._server = await asyncio.shield(starting)
        finally:
            if starting.done():
                self._starting = None

    def ask_to_end(self) -> None:
        """Ask it to end, without waiting for it."""
        if self._server is not None:
            self._server.ask_to_end()

    async def end(self) -> None:
        """End it, one that is just starting too."""
        from heat_tui.hosting import HostingFailed

        if self._starting is not None:
            with contextlib.suppress(HostingFailed):
                await self._wait_until_started(self._starting)
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)
