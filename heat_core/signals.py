"""Which of the system's signals a program listens to, and Ctrl-C that waits for work in progress."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType
from typing import Final

INTERRUPTED: Final = 130
"""The exit code of a program that Ctrl-C ended, as shells have it."""


def heeded(numbers: Iterable[signal.Signals]) -> tuple[signal.Signals, ...]:
    """Leave out the signals that are ignored by now: whoever started the program wanted that.

    `nohup` and a shell's `&` do so with SIGHUP and SIGINT.
    """
    return tuple(number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN)


class Interruption:
    """While it is entered the first Ctrl-C is only noted, and the second raises KeyboardInterrupt.

    Attributes:
        has_come: Whether the first has come.
    """

    def __init__(self, on_first: Callable[[], None] = lambda: None) -> None:
        """Prepare; nothing is taken over yet.

        Args:
            on_first: Called when the first has come, at any moment of the program.
        """
        self.has_come = False
        self._on_first = on_first
        self._before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Interruption:
        """Take the signal over, unless it is ignored; only in the main thread."""
        for number in heeded([signal.SIGINT]):
            self._before = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.has_come:
            raise KeyboardInterrupt
        self.has_come = True
        self._on_first()
