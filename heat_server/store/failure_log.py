"""What the log says of a store that has failed somebody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from heat_server.store.errors import StoreFailed, StoreUnreachable

log = structlog.get_logger()


def log_failure(event: str, error: StoreFailed, **words: str) -> None:
    """Note that the store has failed somebody.

    A database that cannot be reached fails everybody who comes: its loss and its return are logged once.
    """
    note = log.debug if isinstance(error, StoreUnreachable) else log.error
    note(event, error=str(error), **words)


class RepeatedFailure:
    """What is tried again and again: the log has its failure once, until that is over or another one."""

    def __init__(self, event: str) -> None:
        """Begin with none.

        Args:
            event: For the log.
        """
        self._event = event
        self._last = ""

    @contextmanager
    def logged(self) -> Iterator[None]:
        """Go on after a try whose store failed."""
        try:
            yield
        except StoreFailed as error:
            if str(error) != self._last:
                log_failure(self._event, error)
            self._last = str(error)
        else:
            self._last = ""
