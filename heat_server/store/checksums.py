"""What the checksum of each row covers: what it was written with, so that a changed byte shows.

Writing, reading and copying ask here, in every kind of store.
"""

from __future__ import annotations

import zlib
from typing import Final, TypeAlias, assert_never

import msgspec

from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    SaveClocks,
    SaveRoom,
    SaveSeason,
    SaveSessions,
    Write,
)

Value: TypeAlias = str | bytes | int | None
"""Of a damaged row, a column may hold another kind of value than it should."""

_ENCODER: Final = msgspec.msgpack.Encoder()


def of_room(match: Value, code: Value, phase: Value, title: Value, state: Value) -> int:
    """Sum up a row of `matches`."""
    return _sum(match, code, phase, title, state)


def of_part(match: Value, part: Value) -> int:
    """Sum up a row of `clocks` or `seasons`, of which a match has at most one."""
    return _sum(match, part)


def of_race(match: Value, race: Value, setup: Value, drivers: Value) -> int:
    """Sum up a row of `races`."""
    return _sum(match, race, setup, drivers)


def of_step(match: Value, race: Value, first: Value, count: Value, at_ms: Value, events: Value) -> int:
    """Sum up a row of `steps`."""
    return _sum(match, race, first, count, at_ms, events)


def of_write(write: Write, now_ms: int) -> int | None:
    """Sum up the row that a write makes; None: it has no checksum.

    Args:
        write: The write.
        now_ms: The server's wall clock.
    """
    match write:
        case AddEvents():
            return of_step(write.match, write.race, write.first, write.count, now_ms, write.events)
        case SaveClocks():
            return of_part(write.match, write.clocks)
        case SaveRoom():
            return of_room(write.match, write.code, write.phase, write.title, write.state)
        case SaveSeason():
            return of_part(write.match, write.season)
        case BeginRace():
            return of_race(write.match, write.race, write.setup, write.drivers)
        case SaveSessions() | EndRace() | CloseMatch():
            return None
        case _:
            assert_never(write)


def _sum(*values: Value) -> int:
    return zlib.crc32(_ENCODER.encode(values))
