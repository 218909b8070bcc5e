"""Stores for tests: a clock that is set by hand, and a match with a race to write about."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from heat_server.store.contract import Store
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    SaveClocks,
    SaveRoom,
    SaveSessions,
    Write,
)
from tests.server.postgres import Cluster

NOBODY = 65534


class WallClock:
    """Milliseconds since 1970, as a test sets them."""

    def __init__(self, now_ms: int = 1_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


def open_store(path: Path, clock: WallClock | None = None, *, read_only: bool = False) -> SqliteStore:
    return SqliteStore.open(path, clock or WallClock(), read_only=read_only)


class Opener(Protocol):
    """Opens a store of one kind, the same one each time."""

    def __call__(self, clock: WallClock | None = None) -> Store: ...


def sqlite(folder: Path) -> Opener:
    def opener(clock: WallClock | None = None) -> Store:
        return open_store(folder / "store.db", clock)

    return opener


def postgres(cluster: Cluster) -> Opener:
    url = cluster.url(cluster.new_database())

    def opener(clock: WallClock | None = None) -> Store:
        return PostgresStore.open(url, clock or WallClock())

    return opener


def room(match: str, *, code: str = "", phase: str = "racing", state: bytes = b"state") -> SaveRoom:
    """Make a room, with a code that no other match has."""
    return SaveRoom(
        match, code or ("FHKMR" if match == "m1" else match), phase, f"usa, 1 lap: {match}", state
    )


def begun(match: str, race: int = 0) -> list[Write]:
    """Make a match whose race has three events."""
    return [
        room(match),
        BeginRace(match, race, b"set-up", b"drivers"),
        AddEvents(match, race, 1, 3, b"one two three"),
    ]


def fill(store: Store, matches: int) -> None:
    """Make matches, every third of them still open: a player of each has a place there, another has left."""
    for number in range(matches):
        match = f"m{number:04}"
        keys = match.encode(), f"{match} left".encode()
        store.write([SaveRoom(match, match, "racing", match, bytes(number)), *begun(match)[1:]])
        store.write([SaveSessions(match, keys, keys[1:]), SaveClocks(match, b"60 s")])
        if number % 3:
            store.write([EndRace(match, 0, "finished", "ana won"), CloseMatch(match, "ended", "over")])


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file as any program could."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be somebody whom rights of files hold back: tests may run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
