"""Old matches are deleted, and sooner if space runs out: a server may run for years."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
import trio

from heat_server.store.errors import StoreFailed
from heat_server.store.worker import StoreWorker

DAY_SECONDS: Final = 86_400
HOUR_SECONDS: Final = 3_600
MEBIBYTE: Final = 1024 * 1024

log = structlog.get_logger()


async def prune_hourly(
    worker: StoreWorker, keep_days: float, keep_mebibytes: int, now_ms: Callable[[], int]
) -> None:
    """Delete what was closed longer ago than it is kept, now and once an hour, until cancelled.

    With a limit of days alone, one busy player could make the file as large as they like.

    Args:
        worker: Where the matches are.
        keep_days: How long a closed match is kept.
        keep_mebibytes: Where all matches together take more, the oldest closed ones are deleted sooner.
        now_ms: The wall clock.
    """
    while True:
        try:
            before_ms = now_ms() - round(keep_days * DAY_SECONDS * 1000)
            deleted = await worker.prune(before_ms, keep_mebibytes * MEBIBYTE)
        except StoreFailed as error:
            log.warning("old matches not deleted", why=str(error))
        else:
            if deleted:
                log.info("old matches deleted", matches=deleted)
        await trio.sleep(HOUR_SECONDS)
