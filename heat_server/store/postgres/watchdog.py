"""Hangs up on a database that gives no answer: libpq waits for one as long as the connection seems alive.

A frozen server process, or a commit that waits for a standby which is gone, holds a connection open for ever.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Final

LOOK_SECONDS: Final = 0.5


class Watchdog:
    """One thread that looks twice a second whether an answer is overdue.

    Attributes:
        has_hung_up: Whether the last answer that was waited for was overdue.
    """

    def __init__(self) -> None:
        """Begin with nothing to wait for."""
        self.has_hung_up = False
        self._lock = threading.Lock()
        self._watched: tuple[int, float] | None = None
        self._is_over = threading.Event()
        threading.Thread(target=self._run, name="database watchdog", daemon=True).start()

    @contextlib.contextmanager
    def watching(self, descriptor: int, seconds: float) -> Iterator[None]:
        """Shut a socket down that is still waited for after so long; what reads from it then sees an end.

        Args:
            descriptor: Of the socket; open until the body ends.
            seconds: How long the body may take.
        """
        with self._lock:
            self.has_hung_up = False
            self._watched = descriptor, time.monotonic() + seconds
        try:
            yield
        finally:
            with self._lock:
                self._watched = None

    def close(self) -> None:
        """End the thread."""
        self._is_over.set()

    def _run(self) -> None:
        while not self._is_over.wait(LOOK_SECONDS):
            with self._lock:
                if self._watched is not None and time.monotonic() >= self._watched[1]:
                    self.has_hung_up = True
                    self._hang_up(self._watched[0])
                    self._watched = None

    def _hang_up(self, descriptor: int) -> None:
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as stuck:
            stuck.shutdown(socket.SHUT_RDWR)
