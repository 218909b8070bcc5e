"""A room of the simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.scale.simulation.server import Server


class Room:
    """A room in which people race.

    Attributes:
        owner: The server that has it by the database; None: nobody.
        free_at: When its server was lost last; None: never.
        owned_at: When another one took it after that; None: not yet.
    """

    __slots__ = ("free_at", "owned_at", "owner")

    def __init__(self, owner: Server) -> None:
        self.owner: Server | None = owner
        self.free_at: float | None = None
        self.owned_at: float | None = None

    def lose_server(self, now: float) -> None:
        """Note that its server is gone."""
        if self.free_at is None or self.owned_at is not None:
            self.free_at, self.owned_at = now, None
