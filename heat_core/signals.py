"""Which of the system's signals a program listens to."""

from __future__ import annotations

import signal
from collections.abc import Iterable


def heeded(numbers: Iterable[signal.Signals]) -> tuple[signal.Signals, ...]:
    """Leave out the signals that are ignored by now: whoever started the program wanted that.

    `nohup` and a shell's `&` do so with SIGHUP and SIGINT.
    """
    return tuple(number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN)
