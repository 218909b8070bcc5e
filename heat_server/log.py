"""The server's log: one line an event, on stderr; what people wrote stands in quotes."""

from __future__ import annotations

import contextlib
import sys
from typing import TextIO, cast

import structlog


class _Patient:
    """A stream that loses what cannot be written: a full disk or a closed pipe must not end a race."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


def configure_log() -> None:
    """Set the log up, once in a process. Values are shown by `repr`, which escapes what does not print."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Patient(sys.stderr))),
        cache_logger_on_first_use=False,
    )


def place_of_fault(error: BaseException) -> str:
    """Give file and line where an error was raised: a log line has no room for a traceback."""
    trace = error.__traceback__
    if trace is None:
        return "unknown"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
