"""A server of the simulation: its processor, the thread of its store, its rounds, and those who come to it.

What happens in which order, and what is asked of the database for it, is that of `heat_server.fleet`,
`room.rooms` and `returning_players`; a test holds both against each other where a real run was measured.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from simpy import Event, Process, Resource

from heat_server.drain import (
    HAND_ON_SECONDS,
    MOST_MOVED_AT_ONCE,
    MOST_RELEASED_AT_ONCE,
    STEP_SECONDS,
    WAVE_SECONDS,
)
from heat_server.heirs import Heirs
from heat_server.peers import Peers
from heat_server.server import SHARED_FAREWELL_SECONDS
from heat_server.store.contract import MOST_CLAIMED_AT_ONCE, RENEW_SECONDS
from heat_server.store.postgres.leases import LEAST_SHARE
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import Moved, NotRead
from tests.scale.simulation.database import READ_TRIPS, WRITE_TRIPS, Database, Unreachable
from tests.scale.simulation.queueing import Cores
from tests.scale.simulation.steps import begin, until

if TYPE_CHECKING:
    from tests.scale.simulation.client import Client
    from tests.scale.simulation.room import Room
    from tests.scale.simulation.world import Machine, World


class Server:
    """One start of a server.

    Attributes:
        address: What clients connect to.
        people: Who is connected and races.
        awake: Rooms that run here, as far as it knows; `asleep`: those that do not.
        connected_at: Since when it has its connection to the database.
        peers: Addresses of all, its own first, as of its last round.
        others: Those that can take rooms, as of the same.
        late_renewals: How often the lease had run out when it was renewed.
    """

    def __init__(self, world: World, machine: Machine) -> None:
        self.address = machine.address
        self.people: dict[Client, None] = {}
        self.awake: set[Room] = set()
        self.asleep: set[Room] = set()
        self.connected_at = world.clock.now
        self.peers: tuple[str, ...] = (self.address,)
        self.is_running = True
        self.is_listening = False
        self.is_draining = False
        self.others = Peers()
        self.late_renewals = 0
        self.hellos = 0
        self.worked = 0.0
        self.batch_seconds = 0.0
        self.batch_share = 0.0
        self.cores = Cores(1, world.random)
        self._world = world
        self._machine = machine
        self._clock = world.clock
        self._database: Database = world.database
        self._store = Resource(world.clock, 1)
        self._taking_over = Resource(world.clock, 1)
        self._waking: dict[Room, Event] = {}
        self._asking_since: float | None = None
        self._asked_seconds = 0.01
        self._was_over = False

    # --- time -------------------------------------------------------------------------------------------

    async def work(self, seconds: float) -> None:
        """Take processor time."""
        await until(self._clock.timeout(self.cores.take(seconds, self._clock.now)))
        self._check_running()

    async def ask(self, name: str, work: float, *, writes: bool = False) -> None:
        """Have the store's thread ask the database.

        Raises:
            Unreachable: The database cannot be reached.
            ConnectFailed: This server runs no more.
        """
        with self._store.request() as turn:
            await until(turn)
            self._check_running()
            self._asking_since = began = self._clock.now
            try:
                if self._world.random.random() < self.batch_share:  # a commit is under way
                    await until(self._clock.timeout(self.batch_seconds * self._world.random.random()))
                await self._ask_until_answered(name, work, writes)
            finally:
                self._asking_since = None
                self._asked_seconds += 0.1 * (self._clock.now - began - self._asked_seconds)
        self._check_running()

    async def _ask_until_answered(self, name: str, work: float, writes: bool) -> None:
        began = self._clock.now
        while True:
            try:
                await self._database.do(name, work, WRITE_TRIPS if writes else READ_TRIPS, writes=writes)
                return
            except Unreachable:
                await self._database.come_back(began)
                self.connected_at = self._clock.now

    def _check_running(self) -> None:
        if not self.is_running:
            raise ConnectFailed("The server is gone.")

    def store_wait(self) -> float:
        """Give about how long a commit waits for the store's thread because of what else it does."""
        now = self._clock.now
        running = 0.0 if self._asking_since is None else now - self._asking_since
        return running + len(self._store.queue) * self._asked_seconds

    # --- rounds -----------------------------------------------------------------------------------------

    async def live(self, *, is_first: bool = False) -> None:
        """Begin, and do a round every two seconds until the end.

        Args:
            is_first: It has begun long ago.
        """
        try:
            if is_first:
                self.is_listening = True
                await until(self._clock.timeout(self._world.random.uniform(0, RENEW_SECONDS)))
            else:
                await self._start()
            while True:
                await until(self._clock.timeout(RENEW_SECONDS))
                try:
                    await self.renew()
                    await self.take_over()
                except Unreachable:
                    continue
        except ConnectFailed:
            return

    async def _start(self) -> None:
        costs = self._world.costs
        await until(self._clock.timeout(costs.start))
        while True:
            try:
                await self.ask("connect", costs.connect)
                self.connected_at = self._clock.now
                self._database.note_new(self)
                await self.renew()
                await self.take_over()
                break
            except Unreachable:
                continue  # whoever watches over it starts it again
        self.is_listening = True

    async def renew(self) -> None:
        """Renew the lease, let go what others have taken, and look who they are."""
        costs, database = self._world.costs, self._database
        await self.ask("renew", costs.renew, writes=True)
        is_doubtful, self._was_over = self._was_over, database.renew(self)
        self.late_renewals += self._was_over
        if is_doubtful or self._was_over:
            for room in [room for room in (*self.awake, *self.asleep) if room.owner is not self]:
                self.lose(room)
        await self.ask("peers", costs.peers)
        others = [server for server in database.living() if server is not self]
        self.peers = (self.address, *(server.address for server in others))
        self.others.note(self.address, [database.peers[server] for server in others])

    def lose(self, room: Room, led_to: str = "") -> None:
        """Let a room go that another server has, or is to have; its people are led there."""
        self.awake.discard(room)
        self.asleep.discard(room)
        owner = room.owner
        for client in self._world.people_of[room]:
            if client.server is self:
                client.lose(led_to=led_to or ("" if owner is None else owner.address))

    async def take_over(self) -> None:
        """Take over what nobody owns: all of it or a share.

        Raises:
            Unreachable: The database cannot be reached.
        """
        with self._taking_over.request() as turn:
            await until(turn)
            while not self.is_draining and await self._take_over() >= MOST_CLAIMED_AT_ONCE:
                pass

    async def _take_over(self) -> int:
        """Take over what one transaction takes; give how much of a share that is."""
        plan, costs, database = self._world.plan, self._world.costs, self._database
        await self.ask("look", costs.look + costs.look_room * self._world.open_rooms)
        owners = database.free(self)
        await self._claim_known()
        if not owners:
            return 0
        most = None if plan.takes_all else self._share(owners)
        free = sum(len(database.owned[owner]) for owner in owners)
        rooms = free if most is None else min(free, most)
        await self.ask("claim", costs.claim + costs.claim_room * rooms, writes=True)
        taken = database.take(self, most)
        if taken.rooms and costs.tokens_room:
            await self.ask("tokens", costs.tokens_room * self._world.open_rooms)
        read = costs.tokens_read * self._world.open_rooms * bool(taken.rooms)
        await self.work(costs.claimed * taken.rooms + read)
        self.asleep.update(taken.racing)
        return 0 if plan.takes_all else taken.rooms

    async def _claim_known(self) -> None:
        """Take what others have let go to this server."""
        costs, database = self._world.costs, self._database
        while unknown := len(database.owned[self].unknown):
            rooms = min(unknown, MOST_CLAIMED_AT_ONCE)
            await self.ask("claim", costs.claim + costs.claim_room * rooms, writes=True)
            self.asleep.update(database.claim_known(self, rooms))

    def _share(self, owners: list[Server | None]) -> int:
        database = self._database
        living = [server for server in database.living() if not server.is_draining]
        rooms = sum(len(database.owned[server]) for server in living)
        rooms += sum(len(database.owned[owner]) for owner in owners)
        share = ceil(rooms / max(1, len(living))) - len(database.owned[self])
        return min(MOST_CLAIMED_AT_ONCE, max(LEAST_SHARE, share))

    async def _reach(self, room: Room) -> None:
        """Take a room over for somebody who has come for it."""
        with self._taking_over.request() as turn:
            await until(turn)
            if self._has(room):
                return
            if room.owner is self:
                await self._claim_known()
                return
            if self._world.plan.takes_all:
                await self._take_over()
                return
            database, costs = self._database, self._world.costs
            await self.ask("claim", costs.claim + costs.claim_room, writes=True)
            if room.owner in database.free(self) or database.is_unclaimed(room):
                database.give(self, [room])
                self.asleep.add(room)

    def _has(self, room: Room) -> bool:
        return room in self.awake or room in self.asleep

    # --- who comes --------------------------------------------------------------------------------------

    async def hello(self, room: Room) -> None:
        """Greet somebody who has a place in a room, and wake it.

        Raises:
            Moved: Another server has it.
            ConnectFailed: It is not here now, or this server is gone.
        """
        self.hellos += 1
        await self.work(self._world.costs.hello)
        try:
            if not self._has(room):
                await self.ask("owner", self._world.costs.owner)
                self._check_owner(room)
                await self._reach(room)
            if not self._has(room):
                raise NotRead("The server cannot read that race now.")
            await self._wake(room)
        except Unreachable:
            raise NotRead("The server cannot read that race now.") from None

    def _check_owner(self, room: Room) -> None:
        owner = self._database.owner_of(room)
        if owner is not None and owner is not self:
            raise Moved("That race is on another server.", owner.address)

    async def _wake(self, room: Room) -> None:
        while (waking := self._waking.get(room)) is not None:
            await until(waking)
            self._check_running()
        if room in self.awake:
            return
        done = self._waking[room] = self._clock.event()
        try:
            await self.ask("load", self._world.costs.load)
            self.asleep.discard(room)
            if room.owner is not self:
                self._check_owner(room)
                raise NotRead("The server cannot read that race now.")
            await self.work(self._world.costs.wake)
            self.awake.add(room)
        finally:
            del self._waking[room]
            done.succeed()

    # --- the end ----------------------------------------------------------------------------------------

    def die(self, *, in_silence: bool = False) -> None:
        """End at once.

        Args:
            in_silence: The machine is gone with it: nobody hears that.
        """
        self.is_running = self.is_listening = False
        self._machine.server = None
        self._machine.is_there = not in_silence
        self._note_rooms_lost()
        for client in list(self.people):
            client.lose(in_silence=in_silence)

    async def drain(self) -> None:
        """Let all rooms go to the others, a few at a time, as `heat-server drain --now` does."""
        database, costs = self._database, self._world.costs
        self.is_draining = True
        await self.renew()
        owned = database.owned[self]
        while len(owned):
            if asleep := min(owned.asleep, MOST_RELEASED_AT_ONCE):
                await self.ask("release", costs.commit + costs.release * asleep, writes=True)
                owned.asleep -= asleep
                database.owned[None].asleep += asleep
            heirs = Heirs(self.others, MOST_MOVED_AT_ONCE)
            await self._let_go(list(owned.racing)[:MOST_MOVED_AT_ONCE], heirs)
            await until(self._clock.timeout(STEP_SECONDS))

    async def _let_go(self, rooms: Sequence[Room], heirs: Heirs) -> None:
        """Save rooms in one commit, let them go in another one, and send their people on."""
        costs, drivers = self._world.costs, self._world.people.drivers
        chosen = [(room, heirs.choose(drivers, is_lobby=False)) for room in rooms]
        going = [(room, move.address) for room, move in chosen if move is not None]
        if not going:
            return
        await self.ask("save", costs.commit + costs.step * len(going), writes=True)
        await self.ask("release", costs.commit + costs.release * len(going), writes=True)
        going = [(room, address) for room, address in going if room.owner is self]
        for room, _ in going:
            room.lose_server(self._clock.now)
        self._database.let_go(going)
        for room, address in going:
            await self.work(costs.goodbye * drivers)
            self.lose(room, address)

    async def _hand_on(self) -> None:
        """Let all rooms go in waves, as a server that is stopped does."""
        with contextlib.suppress(ConnectFailed, Unreachable):
            await self.renew()
            rooms = [room for room in self._database.owned[self].racing if room in self.awake]
            heirs, waves = Heirs(self.others, len(rooms)), list[Process]()
            if heirs.can_take(is_lobby=False):
                for wave in heirs.waves(rooms):
                    if waves:
                        await until(self._clock.timeout(WAVE_SECONDS))
                    waves.append(begin(self._clock, self._let_go_if_possible(wave, heirs)))
                for process in waves:
                    await until(process)

    async def _let_go_if_possible(self, rooms: Sequence[Room], heirs: Heirs) -> None:
        with contextlib.suppress(ConnectFailed, Unreachable):
            await self._let_go(rooms, heirs)

    async def stop(self) -> None:
        """Hand all rooms on, say goodbye to who is left, and end."""
        self.is_listening = False
        self.is_draining = True
        await until(begin(self._clock, self._hand_on()) | self._clock.timeout(HAND_ON_SECONDS))
        self._note_rooms_lost()
        people = list(self.people)
        costs = self._world.costs
        goodbye = begin(self._clock, self._say_goodbye(people))
        await until(goodbye | self._clock.timeout(SHARED_FAREWELL_SECONDS))
        try:
            rooms = len(self._database.owned[self])
            await self.ask("release", costs.commit + costs.release * rooms, writes=True)
            self._database.release(self)
        except Unreachable:
            pass  # others have them when the lease has run out
        self.is_running = False
        self._machine.server = None
        for client in list(self.people):  # who has come meanwhile
            client.lose(is_told=True)

    def _note_rooms_lost(self) -> None:
        for room in self._database.owned[self].racing:
            room.lose_server(self._clock.now)

    async def _say_goodbye(self, people: list[Client]) -> None:
        for client in people:
            with contextlib.suppress(ConnectFailed):  # it ends before all have heard it
                await self.work(self._world.costs.goodbye)
            if client.server is self:
                client.lose(is_told=True)
