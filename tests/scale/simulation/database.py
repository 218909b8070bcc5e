"""The database: what its statements take, its restarts, and who owns which room in it.

Theory of operation. Rooms with people are one by one; those that sleep are only counted. What nobody's lease
holds is looked for by owner, as the real statement does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import ceil, inf
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from simpy import Environment

from heat_core.race.rules_version import RULES_VERSION
from heat_server.store.ownership import Peer
from heat_server.store.postgres.leases import LEASE_SECONDS
from heat_server.store.postgres.link import ANSWER_SECONDS, PATIENCE_SECONDS
from heat_server.store.postgres.link import FIRST_PAUSE_SECONDS as FIRST_RETRY
from heat_server.store.postgres.link import LONGEST_PAUSE_SECONDS as LONGEST_RETRY
from heat_server.store.postgres.releasing import LATE_SECONDS, UNCLAIMED_SECONDS
from tests.scale.simulation.parameters import Costs
from tests.scale.simulation.queueing import Cores
from tests.scale.simulation.steps import until

if TYPE_CHECKING:
    from tests.scale.simulation.room import Room
    from tests.scale.simulation.server import Server

READ_TRIPS: Final = 3
"""There and back for what reads: BEGIN, the statement, COMMIT."""

WRITE_TRIPS: Final = 4
"""For what writes; the server's number of batches is counted up, too."""

COMMIT_TRIPS: Final = 5
"""For a batch: its rooms are held first."""


class Unreachable(Exception):
    """The database did not do it."""


class Owned:
    """What a server owns, or nobody.

    Attributes:
        racing: Rooms with people, in the order of being owned.
        unknown: Those of them that others have let go to it, before it claims them; since when each.
        asleep: How many others.
    """

    def __init__(self) -> None:
        self.racing: dict[Room, None] = {}
        self.unknown: dict[Room, float] = {}
        self.asleep = 0

    def __len__(self) -> int:
        return len(self.racing) + self.asleep


class Taken(NamedTuple):
    """What a take-over took."""

    racing: list[Room]
    asleep: int

    @property
    def rooms(self) -> int:
        return len(self.racing) + self.asleep


class Database:
    """One PostgreSQL for all.

    Attributes:
        cores: Its processors.
        is_up: Whether it runs.
        leases: Until when each server has its rooms.
        peers: What each said of itself when it last renewed its lease.
        owned: By server; None: nobody's.
        statements: How many of each kind there were.
    """

    def __init__(self, clock: Environment, costs: Costs, random: Random) -> None:
        self.clock = clock
        self.costs = costs
        self.cores = Cores(costs.cores, random)
        self.is_up = True
        self.leases: dict[Server, float] = {}
        self.peers: dict[Server, Peer] = {}
        self.owned: dict[Server | None, Owned] = {None: Owned()}
        self.statements: dict[str, int] = {}
        self._restarts = 0
        self._down_since = 0.0

    # --- time -------------------------------------------------------------------------------------------

    async def do(self, name: str, work: float, trips: int, *, writes: bool = False) -> None:
        """Take the time of a transaction.

        Args:
            name: For counting.
            work: Of its statements, in processor seconds.
            trips: Ways there and back.
            writes: Whether the disk must have it.

        Raises:
            Unreachable: The connection is lost, or the answer took too long.
        """
        now, restarts = self.clock.now, self._restarts
        if not self.is_up:
            raise Unreachable
        self.statements[name] = self.statements.get(name, 0) + 1
        seconds = trips * self.costs.round_trip + self.cores.take(work, now)
        if writes:
            seconds += self.costs.flush * self.cores.slowness
        await until(self.clock.timeout(min(seconds, ANSWER_SECONDS)))
        if self._restarts != restarts or seconds > ANSWER_SECONDS:
            raise Unreachable

    async def come_back(self, began: float) -> None:
        """Connect again, with pauses as `DatabaseLink` makes them.

        Args:
            began: Since when that is tried.

        Raises:
            Unreachable: For too long.
        """
        pause = FIRST_RETRY
        while not self.is_up:
            if self.clock.now + pause > began + PATIENCE_SECONDS:
                raise Unreachable
            await until(self.clock.timeout(pause))
            pause = min(2 * pause, LONGEST_RETRY)
        await self.do("connect", self.costs.connect, READ_TRIPS)

    def batch_seconds(self, rooms: float) -> float:
        """Give how long a commit with steps of so many rooms takes now, on average."""
        costs, cores = self.costs, self.cores
        work = costs.commit + rooms * costs.step
        seconds = COMMIT_TRIPS * costs.round_trip + cores.mean(work, self.clock.now)
        return seconds + costs.flush * cores.slowness

    def stop(self) -> None:
        """Go away: what was being done is lost, and all connections are."""
        self.is_up = False
        self._down_since = self.clock.now
        self._restarts += 1
        self.cores.forget(self.clock.now)

    def down_for(self) -> float:
        """Give how long it has not run; 0: it runs."""
        return 0.0 if self.is_up else self.clock.now - self._down_since

    # --- owning -----------------------------------------------------------------------------------------

    def note_new(self, server: Server) -> None:
        """Let a server begin, with nothing."""
        self.owned[server] = Owned()
        self.renew(server)

    def renew(self, server: Server) -> bool:
        """Renew a lease; tell whether it had run out. Who is drained gives back what it has not claimed."""
        was_over = self.leases.get(server, self.clock.now) < self.clock.now
        self.leases[server] = self.clock.now + LEASE_SECONDS
        if server.is_draining:
            self.give(None, list(self.owned[server].unknown))
        rooms, people = len(self.owned[server]), len(server.people)
        self.peers[server] = Peer(server.address, people, b"", rooms, RULES_VERSION, server.is_draining)
        return was_over

    def is_alive(self, server: Server) -> bool:
        """Tell whether a lease runs."""
        return self.leases.get(server, 0.0) > self.clock.now

    def living(self) -> list[Server]:
        """List the servers whose leases run."""
        return [server for server in self.leases if self.is_alive(server)]

    def free(self, server: Server) -> list[Server | None]:
        """List of whom this server may take over now, longest over first.

        Whoever has just been connected claims only what was released: after a restart of the database all
        leases have run out.
        """
        found: list[Server | None] = [None] if len(self.owned[None]) else []
        if self.clock.now < server.connected_at + LEASE_SECONDS:
            return found
        over = [
            s for s, at in self.leases.items() if at <= self.clock.now and s is not server and self.owned[s]
        ]
        return found + over

    def take(self, server: Server, most: int | None = None) -> Taken:
        """Give a server what is free.

        Args:
            server: Who takes.
            most: So many rooms at most; None: all.
        """
        owners = self.free(server)
        left = sum(len(self.owned[owner]) for owner in owners)
        share = 1.0 if most is None or most >= left else most / left
        racing: list[Room] = []
        asleep = 0
        for owner in owners:
            owned = self.owned[owner]
            racing += islice(owned.racing, ceil(len(owned.racing) * share))
            count = ceil(owned.asleep * share)
            owned.asleep -= count
            asleep += count
        self.give(server, racing)
        self.owned[server].asleep += asleep
        return Taken(racing, asleep)

    def give(self, server: Server | None, rooms: Iterable[Room]) -> None:
        """Give rooms to a server, or to nobody."""
        for room in rooms:
            owned = self.owned[room.owner]
            del owned.racing[room]
            owned.unknown.pop(room, None)
            room.owner = server
            self.owned[server].racing[room] = None
            if server is not None and room.free_at is not None and room.owned_at is None:
                room.owned_at = self.clock.now

    def let_go(self, rooms: Iterable[tuple[Room, str]]) -> None:
        """Give each room to the server at an address, which is not told; to nobody if it may be dead."""
        at = {self.peers[server].address: server for server in self.living()}
        for room, address in rooms:
            heir = at.get(address)
            is_late = heir is not None and self.leases[heir] - LEASE_SECONDS < self.clock.now - LATE_SECONDS
            if heir is None or is_late or heir.is_draining:
                self.give(None, [room])
            else:
                self.give(heir, [room])
                self.owned[heir].unknown[room] = self.clock.now

    def claim_known(self, server: Server, most: int) -> list[Room]:
        """Let a server claim what others have let go to it."""
        unknown = self.owned[server].unknown
        claimed = list(islice(unknown, most))
        for room in claimed:
            del unknown[room]
        return claimed

    def is_unclaimed(self, room: Room) -> bool:
        """Tell whether who is asked for a room may take it, as the server that it was given to has not."""
        given_at = self.owned[room.owner].unknown.get(room, inf)
        return given_at + UNCLAIMED_SECONDS <= self.clock.now

    def owner_of(self, room: Room) -> Server | None:
        """Give the server to which a room's people are sent; None: whichever is asked may take it."""
        owner = room.owner
        is_there = owner is not None and self.is_alive(owner) and not self.is_unclaimed(room)
        return owner if is_there else None

    def release(self, server: Server) -> None:
        """Let others have what a server has, which is none any more."""
        owned = self.owned[server]
        self.give(None, list(owned.racing))
        self.owned[None].asleep += owned.asleep
        del self.owned[server], self.leases[server], self.peers[server]
