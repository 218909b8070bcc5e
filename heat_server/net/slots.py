"""A limited number of slots for connections that have not shown yet what they are good for.

Whoever comes gets one. If there are too many then, the oldest is evicted: who means it needs its slot for a
moment only, and who holds many keeps nobody out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import trio


@dataclass(eq=False)
class Slot:
    """That of one connection.

    Attributes:
        scope: What it does there.
        is_evicted: Whether that was ended for another one.
    """

    scope: trio.CancelScope
    is_evicted: bool = False


class Slots:
    """The slots."""

    def __init__(self) -> None:
        """Begin with all of them free."""
        self._taken: list[Slot] = []  # the oldest first

    @contextmanager
    def take(self, seconds: float, most: int) -> Iterator[Slot]:
        """Have a slot for as long as the body runs, which is cancelled when its time is over.

        Args:
            seconds: How long that may be.
            most: How many slots there are now.
        """
        slot = Slot(trio.move_on_after(seconds))
        self._taken.append(slot)
        while len(self._taken) > max(most, 0):
            oldest = self._taken.pop(0)
            oldest.is_evicted = True
            oldest.scope.cancel()
        try:
            with slot.scope:
                yield slot
        finally:
            if not slot.is_evicted:
                self._taken.remove(slot)
