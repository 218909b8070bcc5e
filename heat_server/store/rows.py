"""What reading and copying need of a database, whichever it is: statements and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


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
