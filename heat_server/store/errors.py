"""What can be wrong with a store, each in one sentence that names it."""

from __future__ import annotations

from collections.abc import Collection


class StoreRefused(Exception):
    """A store cannot be used: it is locked, newer, damaged or out of reach. Nothing was changed."""


class StoreFailed(Exception):
    """The disk or the file failed. Of a transaction that raises it nothing is there."""


class NoSuchMatch(StoreFailed):
    """The store has no match of that name."""


class StoreDamaged(StoreFailed):
    """What was saved is not as it was written; perhaps only what was asked for, and others are whole."""


class StoreBusy(StoreFailed):
    """Another program held the file for longer than a commit waits."""


class StoreUnreachable(StoreFailed):
    """The database was lost and could not be reached again: what was to be written may be there or not.

    What is read next tells: nothing can be read before the database has done or undone it.
    """


class MatchesMoved(StoreFailed):
    """Other servers own matches that were written to or read: they are there, but not for this server.

    Attributes:
        matches: Their names. Of a batch that has other matches too, nothing is there yet.
    """

    def __init__(self, matches: Collection[str]) -> None:
        """Name the matches."""
        super().__init__(f"another server owns {', '.join(map(repr, sorted(matches)))}")
        self.matches = frozenset(matches)


class CodeTaken(StoreFailed):
    """Another open room has just got the code of a new one. The store is well."""


class StoreMoved(StoreFailed):
    """A file of the store was removed or replaced: what is written to the open one would be lost."""


class BadWrites(ValueError):
    """The writes do not fit what is there: a mistake of who made them. Nothing of them is there."""
