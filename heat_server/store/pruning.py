"""Old matches leave the store, so that a server may run for years."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
import trio

from heat_server.store.errors import StoreFailed
from heat_server.store.keeper import Keeper

DAY_SECONDS: Final = 86_400

log = structlog.get_logger()


async def prune_daily(keeper: Keeper, keep_days: float, now_ms: Callable[[], int]) -> None:
    """Delete what was closed longer ago than it is kept, now and once a day, until cancelled.

    Args:
        keeper: Where the matches are.
        keep_days: How long a closed match is kept.
        now_ms: The wall clock.
    """
    while True:
        try:
            deleted = await keeper.prune(now_ms() - round(keep_days * DAY_SECONDS * 1000))
        except StoreFailed as error:
            log.warning("old matches not deleted", why=str(error))
        else:
            if deleted:
                log.info("old matches deleted", matches=deleted)
        await trio.sleep(DAY_SECONDS)
