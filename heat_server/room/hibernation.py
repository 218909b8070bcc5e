"""Rooms asleep on disk: nobody is there and no task runs; coming by token or code wakes one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from heat_core.wire.messages import RoomPhase
from heat_server.config import ServerConfig
from heat_server.networks import Home, is_within

SleepPhase: TypeAlias = RoomPhase | Literal["paused"]
"""How far a room was; paused: all had agreed that its race stands still."""

SLEEP_PHASES: Final[frozenset[str]] = frozenset({*get_args(RoomPhase), "paused"})


def expiry_seconds(config: ServerConfig) -> dict[SleepPhase, float]:
    """Say for how long a room is kept that nobody is at, by how far it is."""
    return {
        "lobby": config.empty_lobby_seconds,
        "racing": config.deserted_seconds,
        "paused": config.paused_seconds,
        "between": config.paused_seconds,
        "ended": config.ended_seconds,
    }


class OnDisk(NamedTuple):
    """What must be known of a room to find it on disk.

    Attributes:
        match: The identifier in the store.
        phase: How far the room is.
        keys: Hashed tokens of those who have a place in it.
    """

    match: str
    phase: SleepPhase
    keys: tuple[bytes, ...]


class Sleeper(NamedTuple):
    """A room on disk.

    Attributes:
        match: Its identifier in the store.
        code: What people type to join.
        phase: How far it was.
        since: Since when nobody is there, by the clock of this process.
        keys: Hashed tokens of those who have a place in it.
        creator: The address that it was made from; "" where that is not known any more.
    """

    match: str
    code: str
    phase: SleepPhase
    since: float
    keys: tuple[bytes, ...]
    creator: str = ""


class Hibernation:
    """All rooms that sleep."""

    def __init__(self, config: ServerConfig) -> None:
        """Begin empty."""
        self._expiry_seconds = expiry_seconds(config)
        self._by_code: dict[str, Sleeper] = {}
        self._by_key: dict[bytes, set[str]] = {}

    def __len__(self) -> int:
        return len(self._by_code)

    def __contains__(self, code: object) -> bool:
        return code in self._by_code

    def put(self, sleeper: Sleeper) -> None:
        """Let a room sleep."""
        self._by_code[sleeper.code] = sleeper
        for key in sleeper.keys:
            self._by_key.setdefault(key, set()).add(sleeper.code)

    def find(self, code: str) -> Sleeper | None:
        """Find a room; None: it does not sleep."""
        return self._by_code.get(code)

    def take(self, code: str) -> Sleeper | None:
        """Let a room go, which is awake or gone; None where it was not here."""
        sleeper = self._by_code.pop(code, None)
        if sleeper is not None:
            for key in sleeper.keys:
                codes = self._by_key[key]
                codes.discard(code)
                if not codes:
                    del self._by_key[key]
        return sleeper

    def codes_of(self, key: bytes) -> tuple[str, ...]:
        """List the rooms in which a token has a place."""
        return tuple(sorted(self._by_key.get(key, ())))

    def matches(self) -> list[str]:
        """List them by their identifiers in the store."""
        return [sleeper.match for sleeper in self._by_code.values()]

    def codes_among(self, matches: Collection[str]) -> list[str]:
        """List the rooms among some matches."""
        return [code for code, sleeper in self._by_code.items() if sleeper.match in matches]

    def ends_of(self, home: Home) -> list[float]:
        """List the times at which the rooms that were made from a network end, unless somebody comes back."""
        sleepers = self._by_code.values()
        return [self._end_of(sleeper) for sleeper in sleepers if is_within(sleeper.creator, home)]

    def overdue(self, now: float) -> Iterable[str]:
        """List the rooms that nobody has come back to in time: woken, they end themselves."""
        return [code for code, sleeper in self._by_code.items() if self._end_of(sleeper) <= now]

    def _end_of(self, sleeper: Sleeper) -> float:
        return sleeper.since + self._expiry_seconds[sleeper.phase]
