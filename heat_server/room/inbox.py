"""A room's queue: bounded for requests, open to news that must not wait."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

import trio

Item = TypeVar("Item")


class Inbox(Generic[Item]):
    """A queue with one reader, who can also be given a time to wake up at."""

    def __init__(self, most_items: int) -> None:
        """Begin empty.

        Args:
            most_items: How many items may wait; further senders wait with theirs.
        """
        self._most_items = most_items
        self._items: deque[Item] = deque()
        self._reader = trio.lowlevel.ParkingLot()
        self._senders = trio.lowlevel.ParkingLot()

    def __len__(self) -> int:
        return len(self._items)

    async def put(self, item: Item) -> None:
        """Add an item behind the others, when there is room. Cancelled, it was not added."""
        await trio.lowlevel.checkpoint_if_cancelled()
        while len(self._items) >= self._most_items:
            await self._senders.park()
        self._items.append(item)
        self._reader.unpark()

    def put_first(self, item: Item) -> None:
        """Add an item before all others, whether or not there is room."""
        self._items.appendleft(item)
        self._reader.unpark()

    async def get(self, deadline: float) -> Item | None:
        """Take the next item, or None when there is none until the deadline. Always a checkpoint."""
        await trio.lowlevel.checkpoint()
        if not self._items and deadline > trio.current_time():
            with trio.move_on_at(deadline):
                await self._reader.park()
        return self._take()

    def get_nowait(self) -> Item | None:
        """Take the next item, None when there is none."""
        return self._take()

    def drain(self) -> list[Item]:
        """Take everything, waiting senders' items too as they come."""
        items = list(self._items)
        self._items.clear()
        self._senders.unpark_all()
        return items

    def _take(self) -> Item | None:
        if not self._items:
            return None
        item = self._items.popleft()
        self._senders.unpark()
        return item
