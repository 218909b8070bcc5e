"""The server's log: one line an event, on stderr or in a file; what people typed is in quotes.

Theory of operation. The first words of a line are its kind. For each kind, and within it for each
connection or library, only so many lines at once and so many in the long run are written; the rest are
counted, and one later line has the count. No line holds tokens, seeds, cards or passwords. An error's text
may hold anything, so only its type and place are written.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from enum import Enum
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import Any, Final, NoReturn, TextIO

import structlog

from heat_server.config import ServerConfig
from heat_server.net.token_bucket import TokenBucket

AT_ONCE: Final = 100
PER_SECOND: Final = 2.0
SOURCE_AT_ONCE: Final = 5
SOURCE_PER_SECOND: Final = 0.1
MOST_REMEMBERED: Final = 1_000
MOST_FILE_BYTES: Final = 2 * 1024 * 1024
"""A log file that has grown so far is renamed to FILE.1, in place of an older one."""

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


class LogLimiter:
    """A structlog processor that lets so many lines of a kind through."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with full allowances."""
        self._clock = clock
        self._of_kind: dict[str, TokenBucket] = {}
        self._of_source: OrderedDict[tuple[str, object], TokenBucket] = OrderedDict()
        self._suppressed: dict[str, int] = {}

    def __call__(
        self, logger: Any, method: str, event_dict: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Let a line pass.

        Raises:
            structlog.DropEvent: There were too many like it.
        """
        kind, now = str(event_dict["event"]), self._clock()
        source = event_dict.get("connection", event_dict.get("library"))
        if source is not None and not self._bucket_of(kind, source, now).take(now):
            self._drop(kind)
        if not self._of_kind.setdefault(kind, TokenBucket(AT_ONCE, PER_SECOND, now)).take(now):
            self._drop(kind)
        return event_dict

    def _drop(self, kind: str) -> NoReturn:
        self._suppressed[kind] = self._suppressed.get(kind, 0) + 1
        raise structlog.DropEvent

    def _bucket_of(self, kind: str, source: object, now: float) -> TokenBucket:
        key = (kind, source)
        if (bucket := self._of_source.get(key)) is None:
            bucket = self._of_source[key] = TokenBucket(SOURCE_AT_ONCE, SOURCE_PER_SECOND, now)
            if len(self._of_source) > MOST_REMEMBERED:
                self._of_source.popitem(last=False)
        return bucket

    def take_suppressed(self) -> Mapping[str, int]:
        """Give how many lines of each kind were held back since the last time."""
        untold, self._suppressed = self._suppressed, {}
        return untold


class _Lossy(logging.StreamHandler[TextIO]):
    """Loses a line that cannot be written: a full disk or a closed pipe must not end a race."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


class _OwnersFile(_Lossy, RotatingFileHandler):
    """A log file that only its owner can read: it holds names and addresses."""

    def _open(self) -> TextIOWrapper:
        def opener(path: str, flags: int) -> int:
            return os.open(path, flags | os.O_NOCTTY, 0o600)

        return open(self.baseFilename, "a", encoding="utf-8", errors="replace", opener=opener)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            super().close()


def _plain(logger: Any, method: str, event_dict: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Write codes and the like as their text, from any logger."""
    for key, value in event_dict.items():
        if isinstance(value, Enum):
            event_dict[key] = str(value)
    return event_dict


_KNOWN_EVENTS: Final = {"trio.serve_listeners": "cannot take a connection, will try again"}


class _OtherLibraries(logging.Handler):
    """Makes a line of ours of what others log, without their tracebacks."""

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        details = {} if fault is None else {"fault": kind_of_fault(fault), "at": place_of_fault(fault)}
        event = _KNOWN_EVENTS.get(record.name, "a library complains")
        structlog.get_logger().warning(event, library=record.name, **details)


_limiter: LogLimiter | None = None


@contextlib.contextmanager
def open_log(config: ServerConfig) -> Iterator[None]:
    """Have the process log as the settings say; `repr` shows values, which escapes what does not print.

    Raises:
        OSError: The file of the log cannot be written.
    """
    global _limiter
    with contextlib.ExitStack() as ends:
        own = logging.Logger("heat_server")
        own.addHandler(
            _Lossy(sys.stderr)
            if config.log_file is None
            else _OwnersFile(config.log_file, maxBytes=MOST_FILE_BYTES, backupCount=1)
        )
        ends.callback(own.handlers[0].close)
        renderer: Any = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
        if config.log_format == "json":
            renderer = structlog.processors.JSONRenderer()
        before = structlog.get_config()
        ends.callback(lambda: structlog.configure(**before))
        _limiter = LogLimiter()
        structlog.configure(
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[config.log_level]),
            processors=[
                _limiter,
                _plain,
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                renderer,
            ],
            logger_factory=lambda *_: own,
            cache_logger_on_first_use=False,
        )
        handler = _OtherLibraries(logging.WARNING)
        logging.getLogger().addHandler(handler)
        ends.callback(logging.getLogger().removeHandler, handler)
        try:
            yield
        finally:
            log_suppressed()
            _limiter = None


def log_suppressed() -> None:
    """Write a line for each kind of which lines were held back."""
    if _limiter is None:
        return
    for kind, count in _limiter.take_suppressed().items():
        structlog.get_logger().warning(f"{kind}: more like this", count=count)


def kind_of_fault(error: BaseException) -> str:
    """Name an error without its text, which may hold what is secret; of the system's also the number."""
    name = type(error).__name__
    return f"{name} {error.strerror}" if isinstance(error, OSError) and error.strerror else name


def place_of_fault(error: BaseException) -> str:
    """Give file and line where an error was raised: a log line has no room for a traceback."""
    trace = error.__traceback__
    if trace is None:
        return "unknown"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
