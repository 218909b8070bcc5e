"""Ending at a signal, whatever state the program is in.

Theory of operation. A signal first asks the program to end as it should: connections are closed, the terminal
is put back. That can hang: where the terminal is gone, Textual's writing thread dies, and the event loop then
waits for ever to hand it more. So a watch ends the process once its time is over, or at a second signal.

The watch is a thread that hears of signals by itself. A handler in Python runs in the main thread, when that
next looks: one whose signal came just before a blocking call, or to another thread during one, waits as long
as the call does. So handlers here do nothing; the interpreter's own one, in C, writes each signal's number
into a socket at once, and the watch reads the other end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import termios
import threading
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, Final, NoReturn

from heat_core.signals import heeded

GRACE_SECONDS: Final = 7.0
"""More than a server started from here takes to stop."""

AT_ONCE_SECONDS: Final = 1.0
"""Signals that come together count as one: a terminal that closes can bring two."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_READ_BYTES: Final = 256

RESTORING: Final = (
    b"\x1b[?2004l\x1b[?7h\x1b[?2048l"  # bracketed paste, wrapping, size reports
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l"  # mouse, focus
    b"\x1b[<u\x1b[?1049l\x1b[?25h\r\n"  # keyboard, the other screen, cursor
)
"""Puts a terminal back where the screens had it, for a program that does not get to it."""


class Watch:
    """A thread that hears of every signal that has a handler in Python, whatever the main thread does.

    Only one can be had at a time: the system's signals are the process's.
    """

    def __init__(self, heard: Callable[[int], None]) -> None:
        """Begin to watch; only in the main thread.

        Args:
            heard: Called in the watch's thread with the number of each signal, one after the other.
        """
        self._heard = heard
        self._read, self._written = socket.socketpair()
        self._written.setblocking(False)
        threading.Thread(target=self._listen, name="signals", daemon=True).start()

    def take(self, numbers: Iterable[signal.Signals]) -> None:
        """Take over signals, from others who took them too; only in the main thread."""
        signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        for number in numbers:
            signal.signal(number, _do_nothing)

    def _listen(self) -> None:
        while True:
            for number in self._read.recv(_READ_BYTES):
                self._heard(number)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Be a handler, so that the interpreter hears of the signal."""


class Ending:
    """What happens at signals from now on."""

    def __init__(
        self,
        ask: Callable[[signal.Signals], None],
        wake: Callable[[], None],
        last: Callable[[], None],
        before: list[Any] | None,
    ) -> None:
        """Take over the signals; only in the main thread.

        Args:
            ask: Asks the program to end; called in another thread, so it only leaves a word.
            wake: Has the main thread look for signals of other kinds, which its own handlers are for; called
                in another thread.
            last: What must be done even where the program does not end by itself; must not wait.
            before: The terminal's attributes before the program changed them, as `termios` gives them.
        """
        self._ask = ask
        self._wake = wake
        self._last = last
        self._before = before
        self._asked: float | None = None
        self._signals = heeded(SIGNALS)
        self._watch = Watch(self._heard)
        self.take_signals()

    def take_signals(self) -> None:
        """Take over the signals, again where others have taken them since."""
        self._watch.take(self._signals)

    def _heard(self, number: int) -> None:
        now = time.monotonic()
        if number not in self._signals:
            self._wake()
        elif self._asked is None:
            self._asked = now
            grace = threading.Timer(GRACE_SECONDS, self._leave, (number,))
            grace.daemon = True
            grace.start()
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
                os.write(2, RESTORING)
                os.set_blocking(2, True)
        finally:
            os._exit(128 + number)
