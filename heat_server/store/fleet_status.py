"""What a shared store knows of the servers that use it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

ServerState: TypeAlias = Literal["running", "draining", "silent", "gone"]

GONE_SECONDS: Final = 60
"""How long a server may have been silent before it counts as gone; it can still come back."""


class FleetServer(msgspec.Struct, frozen=True):
    """A server of a fleet; all times are by the database's clock.

    Attributes:
        address: What clients connect to.
        version: Of the program.
        rules: The version of the rules that it plays by.
        rooms: The open ones that it owns, awake or asleep. Others may take them once it runs no more.
        connections: The open ones, as of its last renewal.
        started_at_ms: Milliseconds since 1970.
        renewed_seconds_ago: The age of its last renewal.
        state: Its lease runs, and it takes rooms or is being drained of them; or its lease has run out, up to
            `GONE_SECONDS` after its last renewal, or longer ago.
    """

    address: str
    version: str
    rules: int
    rooms: int
    connections: int
    started_at_ms: int
    renewed_seconds_ago: float
    state: ServerState

    @property
    def is_up(self) -> bool:
        """Whether its lease runs."""
        return self.state in ("running", "draining")


class FleetStatus(msgspec.Struct, frozen=True):
    """All servers of a store at one moment.

    Attributes:
        servers: In the order in which they started. One that was stopped is none of them, nor is one that
            died and has started again at the same address.
        running: How many of them run and take rooms.
        draining: How many of them run and are being drained.
        rooms: The open ones of the store.
        rooms_without_owner: Those of them that belong to no server whose lease runs.
        connections: Of the servers whose leases run.
    """

    servers: list[FleetServer]
    running: int
    draining: int
    rooms: int
    rooms_without_owner: int
    connections: int
