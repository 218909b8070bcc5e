"""A limited number of places for connections that have not shown yet what they are good for.

Whoever comes gets one. If there are too many then, the oldest makes way: who means it needs its place for a
moment only, and who holds many keeps nobody out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import trio


@dataclass(eq=False)
class Place:
    """That of one connection.

    Attributes:
        scope: What it does there.
        made_way: Whether that was ended for another one.
    """

    scope: trio.CancelScope
    made_way: bool = False


class MakingWay:
    """The places."""

    def __init__(self) -> None:
        """Begin with all of them free."""
        self._taken: list[Place] = []  # the oldest first

    @contextmanager
    def place(self, seconds: float, most: int) -> Iterator[Place]:
        """Have a place for as long as the body runs, which is cancelled when its time is over.

        Args:
            seconds: How long that may be.
            most: How many places there are now.
        """
        place = Place(trio.move_on_after(seconds))
        self._taken.append(place)
        while len(self._taken) > max(most, 0):
            oldest = self._taken.pop(0)
            oldest.made_way = True
            oldest.scope.cancel()
        try:
            with place.scope:
                yield place
        finally:
            if not place.made_way:
                self._taken.remove(place)
