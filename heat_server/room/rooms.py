"""The rooms of a server: those that are awake, and those asleep on disk.

Theory of operation. A room that is awake is a task in the server's nursery. A deserted one sleeps on disk
until somebody comes by token or code; after a restart all sleep, so the port answers at once. A fault of
one room, or of its data on disk, stays with that room.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import structlog
import trio

from heat_core.names import BadName, clean_name
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import Create, ErrorData, RoomOptions, RoomSummary
from heat_server.networks import Home, is_within
from heat_server.room.actor import RoomActor
from heat_server.room.claims import Claims
from heat_server.room.codes import is_code, new_code
from heat_server.room.context import RoomContext
from heat_server.room.denied import Denied, NoSpace
from heat_server.room.hibernation import Hibernation
from heat_server.room.limits import too_many
from heat_server.room.other_servers import OtherServers
from heat_server.room.room_exit import RoomExit
from heat_server.room.waiting import why_no_new_room, why_not_read
from heat_server.room.waking import Waker
from heat_server.store.errors import StoreFailed
from heat_server.store.failure_log import log_failure
from heat_server.store.ownership import Owner

MOST_LISTED_ROOMS: Final = 200

RESERVED_PERCENT: Final = 25
FEW_ROOMS: Final = 2
"""So many of the rooms are kept for addresses that have fewer than this: a few of them fill no server."""

MOST_SINGLE_TAKE_OVERS: Final = 4
"""For how many players at once a room is taken over: taking over many in one go waits for these."""

log = structlog.get_logger()


class Rooms(Mapping[str, RoomActor]):
    """All rooms; as a mapping, those that are awake, by code.

    Attributes:
        sleeping: The rooms that rest on disk.
        exits: How rooms left this server or fell asleep, and how often each.
    """

    def __init__(self, context: RoomContext, nursery: trio.Nursery, others: OtherServers) -> None:
        """Begin with none.

        Args:
            context: What they share.
            nursery: Where they run.
            others: The other servers of a shared store, if there are any.
        """
        self.sleeping = Hibernation(context.config)
        self.exits: Counter[RoomExit] = Counter()
        self._others = others
        self._context = context
        self._nursery = nursery
        self._awake: dict[str, RoomActor] = {}
        self._single_take_overs = trio.Semaphore(MOST_SINGLE_TAKE_OVERS)
        self._claims = Claims(context.worker, self.sleeping, self._awake)
        self._waker = Waker(context, self.sleeping, self._let_run)

    def __getitem__(self, code: str) -> RoomActor:
        return self._awake[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._awake)

    def __len__(self) -> int:
        return len(self._awake)

    async def bring_back(self) -> None:
        """Take over the rooms that are on disk, all of them asleep.

        Raises:
            StoreFailed: The disk cannot be read.
        """
        if found := await self._claims.take_once():
            log.info("rooms brought back", rooms=found)

    async def take_over(self) -> None:
        """Take over a share of the rooms that others had who stopped or died; these sleep, too.

        Raises:
            StoreFailed: The database cannot be read.
        """
        if self._others.heir():
            return
        async with self._claims.turn:
            if found := await self._claims.take_share():
                log.info("rooms taken over", rooms=found)

    @property
    def taken_over(self) -> int:
        """How many have come from other servers, or from an earlier start of this one."""
        return self._claims.taken_over

    @property
    def asleep_matches(self) -> list[str]:
        """The rooms that are this server's and not awake, by identifier in the store."""
        return [*self.sleeping.matches(), *self._claims.matches()]

    def lose(self, matches: Iterable[str], how: RoomExit = RoomExit.LOST) -> None:
        """Let rooms go that are not this server's any more: whoever is in one reads so.

        Args:
            matches: Their identifiers in the store.
            how: Whether others took them, or were to.
        """
        matches = frozenset(matches)
        for room in self._awake.values():
            if room.match in matches:
                room.lose()
        for code in self.sleeping.codes_among(matches):
            self.sleeping.take(code)
            self.exits[how] += 1
        self._claims.lose(matches)

    def summaries(self) -> tuple[RoomSummary, ...]:
        """Describe those that are awake for a list, the ones with a free place first."""
        # A lobby that everybody has left is not worth listing.
        summaries = [room.state.summary() for room in self._awake.values() if room.state.is_worth_listing]
        summaries.sort(key=lambda summary: (not summary.has_place, summary.phase != "lobby"))
        return tuple(summaries[:MOST_LISTED_ROOMS])

    async def create(self, request: Create, creator: str, homes: Sequence[Home]) -> RoomActor:
        """Make a room, which begins to run.

        Args:
            request: Whoever asks, and with what options.
            creator: The address that this comes from; "" where it has none.
            homes: The networks around it that limits count by.

        Raises:
            Denied: There are too many, the request does not fit, or the database cannot be asked.
        """
        try:
            clean_name(request.name)  # so that no empty room is left behind
        except BadName as error:
            raise Denied(ErrorCode.BAD_NAME, str(error)) from None
        if self._context.worker.is_shared:
            self._check_space(homes)  # first, as a flood of requests should not reach the database
        while True:
            code = await self._draw_code()
            self._check_space(homes)  # last, as others come while the database is asked
            room = RoomActor.opened(self._context, code, request.options, creator)
            if await self._begin(room):
                return room

    async def open(self, code: str, options: RoomOptions) -> str:
        """Have a room whose lobby stays for whoever comes: one that is there, else a new one.

        Args:
            code: Its code; empty: any.
            options: Of the race, where the room is new.

        Returns:
            Its code. A race that sleeps is left asleep: its drivers wake it.

        Raises:
            Denied: There are too many rooms, the options do not fit together, or the disk cannot be read.
        """
        sleeper = self.sleeping.find(code)
        if sleeper is not None and sleeper.phase in ("racing", "paused", "between"):
            return code
        room = await self._find(code)
        while room is None:
            drawn = code or await self._draw_code()
            self._check_space(())
            room = RoomActor.opened(self._context, drawn, options)
            if not await self._begin(room):
                room = await self._find(code)
        room.state.people.attendance.is_awaited = True
        return room.code

    async def _draw_code(self) -> str:
        """Draw a code that no room has, here or on another server of a shared store.

        Raises:
            Denied: The database cannot be asked.
        """
        worker = self._context.worker
        while True:
            rooms = len(self) + len(self.sleeping) + self._others.rooms_elsewhere()
            code = new_code(rooms, self._awake, self.sleeping)
            if not worker.is_shared:
                return code
            try:
                is_free = await worker.owner_of_code(code) is None
                if is_free and code not in self:
                    return code
            except StoreFailed as error:
                log_failure("code not drawn", error)
                raise Denied(ErrorCode.NOT_SAVED, why_no_new_room(error)) from None

    async def _begin(self, room: RoomActor) -> bool:
        """Let a new room run; tell whether it keeps its code, which another server may have drawn, too."""
        self._let_run(room)
        if self._context.worker.is_shared:  # the database knows, and nobody has seen the code yet
            await room.settled.wait()
            if room.is_code_taken:
                return False
        log.info("room created", room=room.code, track=room.state.lobby.options.track)
        return True

    def _check_space(self, homes: Sequence[Home]) -> None:
        """Deny another room where there are too many, in all or from one network.

        A room counts for where it was made from while somebody races in it or its lobby is open; a race that
        all have left counts apart, so that those who came and went keep nobody out.
        """
        if where := self._others.elsewhere():
            raise NoSpace(ErrorCode.TOO_MANY_ROOMS, f"This server takes no new rooms. Open yours on {where}.")
        config, now = self._context.config, trio.current_time()
        rooms = [(room, room.state.occupancy) for room in self._awake.values()]
        held = [room for room, occupancy in rooms if occupancy == "held"]
        left = [room for room, occupancy in rooms if occupancy == "left"]
        in_memory = len(rooms) - len(left) if self._context.worker.saves else len(rooms)
        if in_memory >= config.most_rooms or len(left) + len(self.sleeping) >= config.most_sleeping_rooms:
            raise NoSpace(ErrorCode.TOO_MANY_ROOMS, "The server has too many rooms. Try again later.")
        is_nearly_full = in_memory >= config.most_rooms * (100 - RESERVED_PERCENT) // 100
        for home in homes:
            own = [room for room, occupancy in rooms if occupancy != "left" and is_within(room.creator, home)]
            if is_nearly_full and len(own) >= FEW_ROOMS * home.factor:
                what = "rooms are open from your address while the server is nearly full"
                raise too_many(what, [room.state.ends_at for room in own], now, or_else=", or close one")
            ends = [room.state.ends_at for room in held if is_within(room.creator, home)]
            if len(ends) >= config.rooms_per_address * home.factor:
                raise too_many("rooms are open from your address", ends, now, or_else=", or close one")
            ends = [room.state.ends_at for room in left if is_within(room.creator, home)]
            ends += self.sleeping.ends_of(home)
            if len(ends) >= config.left_rooms_per_address * home.factor:
                raise too_many("races from your address are saved for drivers who left", ends, now)

    def _let_run(self, room: RoomActor) -> None:
        self._awake[room.code] = room
        self._nursery.start_soon(self._run_room, room)

    async def _run_room(self, room: RoomActor) -> None:
        try:
            ending = await room.run()
            self.exits[ending] += 1
            if ending is RoomExit.ASLEEP:
                self.sleeping.put(room.sleeper())
        finally:
            del self._awake[room.code]
            room.gone.set()
            if room.moves_to is not None:
                room.moves_to.over.set()

    async def find(self, code: str) -> RoomActor | None:
        """Find a room, and wake it where it sleeps; None: there is none, or it can never be woken.

        Raises:
            Denied: It sleeps on: the disk cannot be read now. Or another version began its race, or another
                server has it.
        """
        room = await self._find(code)
        if room is None and (reason := self._waker.why_closed(code)) is not None:
            raise Denied(ErrorCode.NO_SUCH_ROOM, reason)
        return room

    async def _find(self, code: str) -> RoomActor | None:
        """Find a room as `find` does, but None where its race was closed that another version began."""
        failure = await self._waker.wake(code)
        if code in self.sleeping:
            raise Denied(ErrorCode.NOT_READ, why_not_read(failure))
        if code not in self._awake and self._context.worker.is_shared and is_code(code):
            await self._take_over_if_free(
                lambda: self._context.worker.owner_of_code(code),
                lambda: code in self.sleeping or code in self._awake,
            )
            if code in self.sleeping:
                return await self._find(code)
        return self._awake.get(code)

    async def take_over_seat(self, key: bytes) -> None:
        """Have the room of a token sleep here, where its server has stopped or died; else leave all as it is.

        Of several rooms it is the one that the player is in, not one that they left.

        Raises:
            Denied: A room of another server has the place.
        """
        if self._context.worker.is_shared:
            worker, clients = self._context.worker, self._context.clients
            await self._take_over_if_free(
                lambda: worker.owner_of_key(key),
                lambda: bool(self.sleeping.codes_of(key)) or clients.is_in_room(key),
            )

    async def _take_over_if_free(
        self, question: Callable[[], Awaitable[Owner | None]], is_here: Callable[[], bool]
    ) -> None:
        """Take a room over that nobody owns any more, without waiting for the next round of `fleet`.

        Args:
            question: Who owns it.
            is_here: Whether it is here by now.

        Raises:
            Denied: Another server has it, or it cannot be taken over now.
        """
        try:
            owner = await question()
        except StoreFailed as error:
            log_failure("owner of a room not found", error)
            raise Denied(ErrorCode.NOT_READ, why_not_read(error)) from None
        if owner is None or (owner.is_self and self._has(owner.match)) or is_here():
            return
        is_anothers = owner.is_alive and not owner.is_self  # what is its own and not here is on its way
        address = owner.address if is_anothers else self._others.heir()
        if is_anothers or address:
            raise _is_on(address)
        async with self._single_take_overs, self._claims.turn:
            try:
                if not is_here() and (found := await self._take_over_for(owner)):
                    log.info("rooms taken over", rooms=found)
            except StoreFailed as error:
                log_failure("rooms not taken over", error)
                raise Denied(ErrorCode.NOT_READ, why_not_read(error)) from None
        if not is_here():
            if address := self._others.elsewhere():  # a lobby that was released to a server of other rules
                raise _is_on(address)
            raise Denied(ErrorCode.NOT_READ, why_not_read())

    async def _take_over_for(self, owner: Owner) -> int:
        """Take over a match, with all that others have let go to this server, where it is one of these."""
        claims = self._claims
        return await (claims.take_share() if owner.is_self else claims.take_one(owner.match))

    def _has(self, match: str) -> bool:
        return any(room.match == match for room in self._awake.values()) or match in self.asleep_matches

    def why_lost(self, key: bytes) -> str | None:
        """Say why a token has no place any more, where that is not its driver's doing."""
        return self._waker.why_lost(key)

    async def close(self, code: str, text: str) -> bool:
        """End a room, awake or asleep, and wait until that is saved; tell whether there was one.

        Args:
            code: As in the table of rooms.
            text: For those who are there.

        Raises:
            Denied: The disk fails; it sleeps.
        """
        room = await self.find(code)
        if room is None:
            return False
        room.close(text)
        await room.gone.wait()
        if code in self.sleeping:
            raise Denied(ErrorCode.NOT_SAVED, "The room cannot be closed now: the disk is failing.")
        return True

    async def close_overdue(self) -> None:
        """End the rooms that nobody has come back to in time."""
        for code in self.sleeping.overdue(trio.current_time()):
            with contextlib.suppress(Denied):  # the disk fails: later
                await self.find(code)


def _is_on(address: str) -> Denied:
    """Send on whoever asks for a room that another server has, or gets."""
    where = f"another server: {address}" if address else "another server"
    return Denied(ErrorCode.NOT_READ, f"That race is on {where}.", ErrorData(moved_to=address))
