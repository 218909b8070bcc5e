"""Taking one server out of a running fleet: its rooms go to the others, at moments that disturb nobody.

Theory of operation. While a server is drained it makes no rooms, takes none over, and releases those that
sleep. A room that is awake moves on its own (`RoomActor.move`): it saves, gives its lease to another server
and sends its people there (see `heirs`). Lobbies, rooms between two races and those where nobody is go at
once, the others when their race ends or its time is over. A few at a time go, so that each of them is back
within a second.

A server that is stopped lets all go at once in the same way (`hand_on`): those with people in a few waves
within half a second. Those that sleep are released by its end. What cannot go by then ends as without
other servers: its people are disconnected, and come back to it wherever it is.

All of this needs another server that takes rooms. If there is none any more, this one is again as any other
until there is one: rooms without an owner would be worse than rooms here. While the database is away, all
rooms stay. A drain is not saved: it ends with the process.

A race can continue only by the rules by which it began. Where the others that take rooms play by other rules,
new rooms are made there, and lobbies go to those of newer rules: in them nothing depends on rules yet.
What holds a race stays here until that has ended, awake or asleep. This server goes on taking such rooms over
from others of its rules that die, as nobody else could continue them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Final

import structlog
import trio

from heat_core.race.rules_version import RULES_VERSION
from heat_server.heirs import Heirs
from heat_server.peers import Peers
from heat_server.room.actor import RoomActor
from heat_server.room.other_servers import OtherServers
from heat_server.room.room_exit import RoomExit
from heat_server.room.rooms import Rooms
from heat_server.store.failure_log import RepeatedFailure
from heat_server.store.ownership import Release
from heat_server.store.worker import StoreWorker

STEP_SECONDS: Final = 0.5
MOST_MOVED_AT_ONCE: Final = 20
"""Of the rooms that are awake, in each step: their people all come to other servers half a second later."""

MOST_RELEASED_AT_ONCE: Final = 500
"""Of the rooms that sleep, in each step."""

WAVE_SECONDS: Final = 0.15
"""Between two waves of the rooms of a server that is stopped."""

HAND_ON_SECONDS: Final = 2.0
"""How long a server that is stopped waits at most until its rooms have gone."""

log = structlog.get_logger()


class Drain(OtherServers):
    """Whether the operator wants a server's rooms elsewhere.

    Attributes:
        is_on: Whether they do.
        races_end_at: When races move that still run; infinite: only when they end.
    """

    def __init__(self, peers: Peers, worker: StoreWorker) -> None:
        """Begin as a server like any other.

        Args:
            peers: The other servers.
            worker: The way to the store.
        """
        self.is_on = False
        self.races_end_at = inf
        self._is_last = False
        self._peers = peers
        self._worker = worker
        self._changed = trio.Event()

    def elsewhere(self) -> str:
        """Give the address of the server that takes new rooms in place of this one; "": this one does."""
        return self._peers.quietest_for_new if self.is_on else ""

    def heir(self) -> str:
        """Give the address of the server that takes rooms with races, too; "": this one does."""
        return self._peers.quietest if self.is_on else ""

    def rooms_elsewhere(self) -> int:
        """Say how many rooms the other servers have."""
        return self._peers.their_rooms

    def rules_only_here(self) -> int | None:
        """Give the version of the rules that none of the others that take rooms plays by; None: one does."""
        return None if self._peers.quietest or self.why_not() else RULES_VERSION

    def why_not(self) -> str:
        """Say in one sentence why no other server can take the rooms; "": one can."""
        peers = self._peers
        if not self._worker.is_shared:
            return "no other server can take the rooms: the store is a file, which only one server can use"
        if peers.quietest_for_new:
            return ""
        if not peers.others:
            return "no other server is running that can take the rooms; `heat-server fleet` lists all"
        return "all other servers are being drained, so none can take the rooms"

    def why_not_sooner(self) -> str:
        """Say in one sentence why races cannot move before they end; "": they can."""
        if (rules := self.rules_only_here()) is None:
            return ""
        return (
            f"no other server plays version {rules} of the rules, so no race can move; "
            "drain without --now and --within, and the races end on this server"
        )

    def begin(self, races_end_at: float | None = None) -> None:
        """Begin, or set another time for the races; None: it stays as it is."""
        self.is_on = True
        if races_end_at is not None:
            self.races_end_at = races_end_at
        self._note_change()

    def cancel(self) -> None:
        """End it: the rooms that are still here stay."""
        self.is_on, self.races_end_at = False, inf
        self._note_change()

    def _note_change(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    async def wait(self, seconds: float = inf) -> None:
        """Wait until it begins, changes or is cancelled, at most so long."""
        changed = self._changed
        with trio.move_on_after(seconds):
            await changed.wait()

    async def run(self, rooms: Rooms) -> None:
        """Move the rooms on while the server is drained, until cancelled."""
        releasing = RepeatedFailure("rooms not released")
        while True:
            if not self.is_on or self._is_last:
                await self.wait()
                continue
            with releasing.logged():
                await self._move_some(rooms)
            await self.wait(STEP_SECONDS)

    async def hand_on(self, rooms: Rooms) -> None:
        """Move all rooms that are awake and can move, as the server is stopped; returns when that is over.

        After `HAND_ON_SECONDS` it is over in any case.
        """
        self._is_last = True
        self.begin(trio.current_time())
        seen: set[RoomActor] = set()
        with trio.move_on_after(HAND_ON_SECONDS):
            while new := [room for room in rooms.values() if room not in seen]:  # others wake meanwhile
                seen.update(new)
                await self._hand_on(sorted(new, key=lambda room: sum(room.state.head_count()), reverse=True))

    async def _hand_on(self, rooms: Sequence[RoomActor]) -> None:
        heirs = Heirs(self._peers, len(rooms))
        movable = [room for room in rooms if heirs.can_take(is_lobby=room.state.phase == "lobby")]
        for number, wave in enumerate(heirs.waves(movable)):
            if self._worker.trouble is not None:
                break
            if number:
                await trio.sleep(WAVE_SECONDS)
            self._move(wave, heirs)
        for room in rooms:
            if room.moves_to is not None:
                await room.moves_to.over.wait()

    async def _move_some(self, rooms: Rooms) -> None:
        """Let go what may go now.

        Raises:
            StoreFailed: Those that sleep could not be released; those that are awake wait for the next step.
        """
        if self._worker.trouble is not None:  # no other server could read what is moved
            return
        heirs = Heirs(self._peers, MOST_MOVED_AT_ONCE)
        if not self.heir():
            lobbies = [room for room in rooms.values() if room.state.phase == "lobby"]
            self._move(lobbies[:MOST_MOVED_AT_ONCE], heirs)
            return
        if asleep := rooms.asleep_matches[:MOST_RELEASED_AT_ONCE]:
            await self._worker.release([Release(match) for match in asleep])
            rooms.lose(asleep, RoomExit.MOVED)
            log.info("rooms released", rooms=len(asleep))
        is_late = trio.current_time() >= self.races_end_at
        movable = [room for room in rooms.values() if is_late or room.state.is_quiet]
        movable.sort(key=lambda room: not room.state.is_quiet)
        self._move(movable[:MOST_MOVED_AT_ONCE], heirs)

    def _move(self, movable: Iterable[RoomActor], heirs: Heirs) -> None:
        """Let rooms go that a server can take."""
        for room in movable:
            if not self.is_on or room.moves_to is not None:
                continue
            people = sum(room.state.head_count())
            if (move := heirs.choose(people, is_lobby=room.state.phase == "lobby")) is not None:
                log.info("room moves", room=room.code, people=people)
                room.move(move)
