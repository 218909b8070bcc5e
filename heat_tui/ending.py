"""Ending at a signal, whatever state the program is in.

A signal first asks the program to end as it should: connections are closed, the terminal is put back. That
can hang: where the terminal is gone, Textual's writing thread dies, and the event loop then waits for ever to
hand it more. So the handlers are the process's own, not the event loop's, and a watch in a thread ends the
process once its time is over, or at a second signal.
"""

from __future__ import annotations

import contextlib
import os
import signal
import termios
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, NoReturn

INTERRUPTED: Final = 130
"""What a program exits with that Ctrl-C ended, as a shell has it."""

GRACE_SECONDS: Final = 7.0
"""More than a server started from here takes to stop."""

AT_ONCE_SECONDS: Final = 1.0
"""Signals that come together count as one: a terminal that closes can bring two."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_RESTORING: Final = (
    b"\x1b[?2004l\x1b[?7h\x1b[?2048l"  # bracketed paste, wrapping, size reports
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l"  # mouse, focus
    b"\x1b[<u\x1b[?1049l\x1b[?25h\r\n"  # keyboard, the other screen, cursor
)


class Ending:
    """What happens at signals from now on."""

    def __init__(
        self, ask: Callable[[signal.Signals], None], last: Callable[[], None], before: list[Any] | None
    ) -> None:
        """Take over the signals; only in the main thread.

        Args:
            ask: Asks the program to end; called in the middle of anything, so it only leaves a word.
            last: What must be done even where the program does not end by itself; must not wait.
            before: The terminal's attributes before the program changed them, as `termios` gives them.
        """
        self._ask = ask
        self._last = last
        self._before = before
        self._asked: float | None = None
        for number in SIGNALS:
            signal.signal(number, self._caught)

    def _caught(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
            watch = threading.Timer(GRACE_SECONDS, self._leave, (number,))
            watch.daemon = True
            watch.start()
            self._ask(signal.Signals(number))
        elif now - self._asked > AT_ONCE_SECONDS:
            self._leave(number)

    def _leave(self, number: int) -> NoReturn:
        """End the process here and now, with the terminal put back as far as it lets itself be."""
        try:
            self._last()
            with contextlib.suppress(OSError, termios.error):
                if self._before is not None:
                    termios.tcsetattr(0, termios.TCSANOW, self._before)
            with contextlib.suppress(OSError):
                os.set_blocking(2, False)  # a terminal that takes nothing must not keep us
                os.write(2, _RESTORING)
                os.set_blocking(2, True)
        finally:
            os._exit(128 + number)
