"""How much of the server's time bots get, and whose bots are next.

Theory of operation. A race of bots costs its creator nothing and the server a lot. So bots, and whoever
drives for absent players, play in turns: a room whose race waits for one of them asks for a turn, its inbox
says when it has it, and it plays for a few milliseconds. One room has a turn at a time. After it all others
wait as long as the work took, which leaves at least half of one core, and people are answered in between.
Of the creators with waiting rooms, the one whose bots have worked least is next; each has a tenth of a core
in the long run. Only this thread's own work counts, however busy the machine is: playing, saving, and
sending the results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

import trio

from heat_core.planner.table_key import TableKey
from heat_server.net.token_bucket import TokenBucket
from heat_server.networks import NetworkTable, homes_of
from heat_server.room.bot_tables import BotTables
from heat_server.room.timing import NEVER

ALL_SHARE: Final = 0.5
CREATOR_SHARE: Final = 0.1
"""Of one core, for all bots and for those of one creator."""

CREDIT_SECONDS: Final = 5.0
"""For so long back a creator has what they did not use of their share."""

TURN_SECONDS: Final = 0.003
"""How long a room may work on in one turn; the last decision may take longer."""

MOST_REMEMBERED: Final = 1_000

_UNCOUNTED: Final = nullcontext()

PLAYED_AT_ONCE: Final = 500
PLAYED_PER_SECOND: Final = 30.0
"""How many decisions one room may play for bots and those who are away, whatever they cost: far more than
people who decide, too, leave time for."""


class BotScheduler:
    """Gives turns to the rooms of a server."""

    def __init__(
        self,
        work_clock: Callable[[], float],
        tables: BotTables,
        address_limits: NetworkTable[float] | None = None,
    ) -> None:
        """Begin with nobody waiting.

        Args:
            work_clock: How long this thread has worked, in seconds.
            tables: Has the bots' value tables built.
            address_limits: Creators with a greater share, and how many times as much; infinite: all there is.
        """
        self.work_clock = work_clock
        self.tables = tables
        self._address_limits = address_limits
        self._waiting: dict[str, deque[Pace]] = {}
        self._free_at: dict[str, float] = {}
        self._all_free_at = -NEVER
        self._change = trio.Event()
        self._turn: Pace | None = None

    async def run(self) -> None:
        """Give turns until cancelled."""
        while True:
            self._change = trio.Event()
            if self._turn is not None or not self._waiting:
                await self._change.wait()
                continue
            now = trio.current_time()
            creator = min(self._waiting, key=lambda one: self._free_at.get(one, -NEVER))
            free_at = max(self._all_free_at, self._free_at.get(creator, -NEVER))
            if free_at > now:
                with trio.move_on_at(free_at):
                    await self._change.wait()
                continue
            pace = self._turn = self._waiting[creator].popleft()
            if not self._waiting[creator]:
                del self._waiting[creator]
            pace.begin_turn()

    def ask(self, pace: Pace) -> None:
        """Have a room wait for a turn."""
        self._waiting.setdefault(pace.creator, deque()).append(pace)
        self._change.set()

    def withdraw(self, pace: Pace) -> None:
        """Take a room out that waits or has the turn."""
        if self._turn is pace:
            self._turn = None
        elif pace in (waiting := self._waiting.get(pace.creator, deque())):
            waiting.remove(pace)
            if not waiting:
                del self._waiting[pace.creator]
        self._change.set()

    def charge(self, creator: str, share: float, seconds: float) -> None:
        """Count work.

        Args:
            creator: Whose rooms it was for.
            share: What they may use of one core.
            seconds: How long it took.
        """
        now = trio.current_time()
        if creator not in self._free_at and len(self._free_at) >= MOST_REMEMBERED:
            self._free_at = {one: at for one, at in self._free_at.items() if at > now - CREDIT_SECONDS}
        free_at = max(self._free_at.get(creator, -NEVER), now - CREDIT_SECONDS)
        self._free_at[creator] = free_at + seconds / share
        self._all_free_at = max(self._all_free_at, now) + seconds / ALL_SHARE

    def share_of(self, peer: str) -> float:
        """Give what the bots of an address may use of one core."""
        factor = self._address_limits.find(peer) if self._address_limits is not None else None
        return min(ALL_SHARE, CREATOR_SHARE * (factor or 1))


class Pace:
    """What one room may play for bots and those who are away.

    Attributes:
        creator: Whose share its work counts for.
    """

    def __init__(self, scheduler: BotScheduler, peer: str, wake: Callable[[], None], now: float) -> None:
        """Begin with a full allowance and no turn.

        Args:
            scheduler: Gives the turns.
            peer: The address that the room was made from, see `admission.peer_of`; "": not known any more.
            wake: Notifies the room that it has the turn.
            now: The time in seconds.
        """
        homes = homes_of(peer)
        self.creator = homes[-1].name if homes else f"unknown {id(self)}"
        self._share = scheduler.share_of(peer)
        self._scheduler = scheduler
        self._wake = wake
        self._allowance = TokenBucket(PLAYED_AT_ONCE, PLAYED_PER_SECOND, now)
        self._is_wanted = False
        self._is_waiting = False
        self._turn_began: float | None = None
        self._has_played = False
        self._is_owing = False

    def ready_at(self, now: float, amount: float) -> float:
        """Give the time from which one decision can be played; infinite: once the room has a turn.

        Args:
            now: The time in seconds.
            amount: How many are worth beginning again for, where the allowance is used up.
        """
        ready_at = self._allowance.ready_at(now, amount)
        return ready_at if ready_at > now else self.turn_at(now)

    def turn_at(self, now: float) -> float:
        """Give the time from which a bot's answer can be shown: now, or infinite as above."""
        if self._has_time_left():
            return now
        self._is_wanted = True
        return NEVER

    def take(self, now: float) -> bool:
        """Take one decision; False where the room may not play it now."""
        return self._has_time_left() and self._allowance.take(now)

    def has_table(self, key: TableKey | None) -> bool:
        """Tell whether a bot can decide now; if not, the room is woken once the bot's table is built."""
        return self._scheduler.tables.is_ready(key, self.creator, self._wake)

    def _has_time_left(self) -> bool:
        """Tell whether the room has the turn and may play on; something in any case, however slow it is."""
        if self._turn_began is None:
            return False
        return not self._has_played or self._scheduler.work_clock() - self._turn_began < TURN_SECONDS

    # --- for the room's task -----------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """Have the turn, and wake the room for it."""
        self._is_waiting = False
        self._has_played = False
        self._turn_began = self._scheduler.work_clock()
        self._wake()

    @property
    def has_turn(self) -> bool:
        """Tell whether the room has a turn, which `turn` ends."""
        return self._turn_began is not None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Play what may be played now; it ends a turn where there is one."""
        began, has_turn = self._scheduler.work_clock(), self.has_turn
        if has_turn:
            self._turn_began = began
        try:
            yield
        finally:
            if has_turn or self._is_owing:
                self._scheduler.charge(self.creator, self._share, self._scheduler.work_clock() - began)
            if has_turn:
                self._turn_began = None
                self._scheduler.withdraw(self)

    def note_played(self) -> None:
        """Note that something was played: what comes of it counts, until `settle`."""
        self._has_played = self._is_owing = True

    def aftermath(self) -> AbstractContextManager[None]:
        """Save or send what came of it."""
        return self._counted_aftermath() if self._is_owing else _UNCOUNTED

    @contextmanager
    def _counted_aftermath(self) -> Iterator[None]:
        began = self._scheduler.work_clock()
        try:
            yield
        finally:
            self._scheduler.charge(self.creator, self._share, self._scheduler.work_clock() - began)

    def settle(self) -> None:
        """All that was played has been told."""
        self._is_owing = False

    def ask_if_wanted(self) -> None:
        """Wait for a turn where the race has said since the last time that it needs one."""
        if self._is_wanted and not self._is_waiting and self._turn_began is None:
            self._is_waiting = True
            self._scheduler.ask(self)
        self._is_wanted = False

    def withdraw(self) -> None:
        """Wait no more: the room is gone."""
        if self._is_waiting or self._turn_began is not None:
            self._is_waiting = False
            self._turn_began = None
            self._scheduler.withdraw(self)
