"""How rooms of a store come to a server: it claims them, and they sleep here until somebody comes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, cast

import trio

from heat_server.room.actor import RoomActor
from heat_server.room.hibernation import SLEEP_PHASES, Hibernation, Sleeper, SleepPhase
from heat_server.store.contract import MOST_CLAIMED_AT_ONCE
from heat_server.store.ownership import Claimed
from heat_server.store.worker import StoreWorker


class Claims:
    """Takes rooms over, one call at a time: callers hold `turn`.

    Attributes:
        turn: For whoever takes over rooms, and looks first whether they are here by now.
        taken_over: How many have come from other servers, or from an earlier start of this one.
    """

    def __init__(self, worker: StoreWorker, sleeping: Hibernation, awake: Mapping[str, RoomActor]) -> None:
        """Begin with none.

        Args:
            worker: The way to the store.
            sleeping: Where claimed rooms go.
            awake: The rooms that run here, by code.
        """
        self.turn: Final = trio.Lock()
        self.taken_over = 0
        self._worker = worker
        self._sleeping = sleeping
        self._awake = awake
        # What is owned and does not sleep yet, by identifier in the store: nobody can claim it once more.
        self._claimed: dict[str, Claimed] = {}

    def matches(self) -> list[str]:
        """List the rooms that are owned and do not sleep yet, by identifier in the store."""
        return list(self._claimed)

    def lose(self, matches: Iterable[str]) -> None:
        """Forget rooms that are another server's by now."""
        for match in matches:
            self._claimed.pop(match, None)

    async def take_once(self) -> int:
        """Take over what one transaction claims of this server's share; give how many rooms that are.

        Raises:
            StoreFailed: The store cannot be read.
        """
        return await self._let_sleep(await self._worker.claim())

    async def take_share(self) -> int:
        """Take over all of this server's share, and all that it was given; give how many rooms that are.

        Many rooms are claimed in several transactions: those that race commit in between.

        Raises:
            StoreFailed: The database cannot be read.
        """
        found = 0
        while True:
            claimed = await self._worker.claim()
            found += await self._let_sleep(claimed)
            if len(claimed) < MOST_CLAIMED_AT_ONCE:
                return found

    async def take_one(self, match: str) -> int:
        """Take over a room that nobody owns; give how many rooms that are, with what an earlier try claimed.

        Raises:
            StoreFailed: The database cannot be read.
        """
        return await self._let_sleep(await self._worker.claim_one(match))

    async def _let_sleep(self, claimed: Iterable[Claimed]) -> int:
        """Let what is claimed sleep here, and what an earlier try claimed; give how many rooms that are."""
        self._claimed.update((one.match, one) for one in claimed)
        now, found = trio.current_time(), 0
        for one in list(self._claimed.values()):
            if one.code in self._awake:  # which was lost, and does not know it yet
                await self._awake[one.code].gone.wait()
            if self._claimed.pop(one.match, None) is None:  # lost meanwhile
                continue
            # What is damaged shows when it is woken; the shortest sleep is enough for it.
            phase = cast("SleepPhase", one.phase) if one.phase in SLEEP_PHASES else "lobby"
            self._sleeping.put(Sleeper(one.match, one.code, phase, now, one.keys))
            found += 1
        self.taken_over += found
        return found
