"""The store of a server that saves nothing: races end with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from heat_server.store.contract import ListedMatch, OpenMatch, Store, WholeMatch
from heat_server.store.errors import NoSuchMatch
from heat_server.store.writes import Write


class NoStore(Store):
    """Forgets what it is given; see `contract.Store`."""

    name: Final = "no store"
    saves: Final = False

    def write(self, writes: Sequence[Write]) -> None:
        """Forget writes."""

    def load(self, match: str) -> NoReturn:
        """Raise `NoSuchMatch`, as `races`, `find` and `copy_out` do."""
        raise NoSuchMatch(f"there is no match {match!r}: this server saves none")

    races = find = copy_out = load

    def open_matches(self) -> list[OpenMatch]:
        """List nothing."""
        return []

    def sessions(self) -> list[tuple[bytes, str]]:
        """List nothing."""
        return []

    def list_matches(self, limit: int) -> list[ListedMatch]:
        """List nothing."""
        return []

    def prune(self, before_ms: int, most_bytes: int | None = None, most: int = 0) -> int:
        """Delete nothing."""
        return 0

    def copy_in(self, whole: WholeMatch) -> None:
        """Forget a match."""

    def close(self) -> None:
        """Close nothing."""
