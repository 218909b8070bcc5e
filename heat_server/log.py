"""The server's log: one line an event, on stderr; what people wrote stands in quotes."""

from __future__ import annotations

import sys

import structlog


def configure_log() -> None:
    """Set the log up, once in a process. Values are shown by `repr`, which escapes what does not print."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
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
