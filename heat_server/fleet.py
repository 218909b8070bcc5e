"""What a server does as one of several that share a store: it renews its lease, and sees what others have.

Each round writes what the others list of this server into its row, and reads theirs: lists of rooms and the
addresses of the fleet cost clients no query. It looks for new bans, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
import trio

from heat_server.net.bans import close_banned
from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.errors import StoreFailed
from heat_server.store.failure_log import RepeatedFailure
from heat_server.store.ownership import ServerLoad

if TYPE_CHECKING:
    from heat_server.server import Server

SURELY_DOUBLED: Final = 5
"""After so many renewals in a row, a server seen at this one's address is alive: else its lease were over."""

log = structlog.get_logger()


async def renew_lease(server: Server, address: str) -> None:
    """Renew a server's lease as `_renew` does, and look who the others are.

    Args:
        server: Which one.
        address: What clients connect to.

    Raises:
        StoreFailed: The database fails.
    """
    await _renew(server, address)
    await _look_at_others(server, address)


async def _renew(server: Server, address: str) -> None:
    """Renew a server's lease, say what it has, and let go what others have taken.

    Args:
        server: Which one.
        address: What clients connect to.

    Raises:
        StoreFailed: The database fails.
    """
    rooms = server.rooms
    listed = server.peers.encode_listed(rooms.summaries())
    load = ServerLoad(
        address,
        len(rooms) + len(rooms.sleeping),
        len(server.connections),
        listed,
        server.drain.is_on,
    )
    asked_at = trio.current_time()
    try:
        lost = await server.worker.renew(load)
    except StoreFailed:
        server.figures.renewals_failed += 1
        raise
    server.figures.renewed_at = asked_at  # or a bit later: the lease runs no less
    rooms.lose(lost)


async def _look_at_others(server: Server, address: str) -> None:
    """Look which other servers there are.

    Raises:
        StoreFailed: The database fails.
    """
    server.peers.note(address, await server.worker.peers())
    if server.peers.seen_doubled == SURELY_DOUBLED:
        log.warning("address is another server's too", address=address, set="--announce")


async def learn_bans(server: Server) -> None:
    """Close the connections of those whom other servers have banned since the last look.

    Raises:
        StoreFailed: The list cannot be read; what was known holds.
    """
    if banned := await server.bans.refresh():
        count = close_banned(server.connections, banned)
        log.warning("banned at another server", networks=len(banned), count=count)


async def keep_lease(server: Server, address: str) -> None:
    """Renew a server's lease in time, and do what is due after each renewal, until cancelled.

    Nothing else holds up the next renewal: where many players ask the database, other questions wait long.
    """
    async with trio.open_nursery() as nursery:
        rounds: list[trio.MemorySendChannel[None]] = []
        for what, action in (
            ("other servers not read", partial(_look_at_others, server, address)),
            ("bans not read", partial(learn_bans, server)),
            ("rooms not taken over", server.rooms.take_over),
        ):
            renewed, renewals = trio.open_memory_channel[None](1)
            nursery.start_soon(_after_each, renewals, action, what)
            rounds.append(renewed)
        is_failing = False
        while True:
            await server.drain.wait(RENEW_SECONDS)  # the others learn of it at once
            try:
                await _renew(server, address)
            except StoreFailed as error:
                if not is_failing:  # once, however long it lasts
                    log.warning("lease not renewed", why=str(error))
                is_failing = True
                continue
            is_failing = False
            for renewed in rounds:
                with suppress(trio.WouldBlock):  # it is still busy
                    renewed.send_nowait(None)


async def _after_each(
    renewals: trio.MemoryReceiveChannel[None], action: Callable[[], Awaitable[None]], what_fails: str
) -> None:
    """Do something after each renewal; the log says once if the store fails."""
    failure = RepeatedFailure(what_fails)
    async for _ in renewals:
        with failure.logged():
            await action()
