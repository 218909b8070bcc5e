"""What reading and copying need of a database, whichever it is: statements, rows and checksums."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import msgspec

_ENCODER: Final = msgspec.msgpack.Encoder()


class Rows(Protocol):
    """What a statement gave."""

    def fetchone(self) -> Any:
        """Give the next row; None: there is no more."""

    def fetchall(self) -> list[Any]:
        """Give all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection, within a transaction that the caller began."""

    def execute(self, statement: str, parameters: Sequence[str | bytes | int | None] = (), /) -> Rows:
        """Run a statement; each `?` in it stands for the next of the parameters."""


def checksum(*values: str | bytes | int | None) -> int:
    """Sum up what a row was written with, so that a changed byte shows when it is read."""
    return zlib.crc32(_ENCODER.encode(values))
