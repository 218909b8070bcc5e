"""The whole of a simulation: servers, their database, rooms and people, and what is seen of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple
from unittest import mock

from simpy import Environment

from heat_core.wire.address import Address, parse_address
from heat_tui.client import backoff, fleet
from heat_tui.client.connection import ANSWER_SECONDS
from tests.scale.simulation.client import Client, SimulatedConnection
from tests.scale.simulation.database import Database
from tests.scale.simulation.parameters import People, Plan
from tests.scale.simulation.room import Room
from tests.scale.simulation.server import Server
from tests.scale.simulation.steps import begin, until

TICK: Final = 0.25
"""Seconds after which steady work is counted anew."""


class Machine:
    """Where a server runs.

    Attributes:
        server: The one that runs; None: none does.
        is_there: Whether anything answers at its address, if only with no.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.server: Server | None = None
        self.is_there = True


class Moment(NamedTuple):
    """What is seen at one time.

    Attributes:
        at: Seconds since the beginning.
        playing: Share of the people who are in their race.
        database: Share of the database's cores that work.
        processor: Share of its processor that the busiest server needs.
        answer: How long an answer takes at the slowest server, in seconds.
        hellos: A second, at the server to which most come.
        statements: A second, beside commits.
        commands: A second, of all.
        commits: A second, of all.
        rooms: Of the server that has most, as a multiple of the mean.
    """

    at: float
    playing: float
    database: float
    processor: float
    answer: float
    hellos: float
    statements: float
    commands: float
    commits: float
    rooms: float


class World:
    """One simulation.

    Attributes:
        clock: Its time in seconds.
        seed: Of all chance, which is `random`.
        people_of: Who has a place in a room.
        moments: What was seen.
    """

    def __init__(
        self, plan: Plan, people: People, servers: int, seed: int, *, at_first: bool = False
    ) -> None:
        """Begin at rest.

        Args:
            plan: Who takes over what.
            people: Who plays.
            servers: How many.
            seed: Of all chance.
            at_first: Whether the first server has all rooms; else all have equally many.
        """
        self.clock = Environment()
        self.seed = seed
        self.random = Random(seed)
        self.plan = plan
        self.costs = plan.costs
        self.people = people
        self.open_rooms = people.rooms
        self.database = Database(self.clock, plan.costs, self.random)
        self.machines: dict[Address, Machine] = {}
        self.people_of: dict[Room, list[Client]] = {}
        self.moments: list[Moment] = []
        self._worked = self._asked = 0.0
        self._commands = self._commits = 0.0
        self._put_servers(servers)
        self._put_rooms(self.servers[:1] if at_first else self.servers)
        begin(self.clock, self._breathe())

    @property
    def servers(self) -> list[Server]:
        """Those that run."""
        return [machine.server for machine in self.machines.values() if machine.server is not None]

    @property
    def clients(self) -> Iterator[Client]:
        """All people."""
        return (client for clients in self.people_of.values() for client in clients)

    def _put_servers(self, count: int) -> None:
        for number in range(1, count + 1):
            machine = Machine(f"s{number}.example:7777")
            self.machines[parse_address(machine.address)] = machine
            self.boot(machine, is_first=True)
        addresses = [machine.address for machine in self.machines.values()]
        for server in self.servers:
            server.peers = (server.address, *(one for one in addresses if one != server.address))
            server.connected_at = -100.0

    def boot(self, machine: Machine, *, is_first: bool = False) -> None:
        """Start a server on a machine."""
        machine.is_there = True
        machine.server = server = Server(self, machine)
        if is_first:
            self.database.note_new(server)
        begin(self.clock, server.live(is_first=is_first))

    def _put_rooms(self, servers: list[Server]) -> None:
        people = self.people
        racing = round(people.rooms * people.racing)
        for number in range(racing):
            server = servers[number % len(servers)]
            room = Room(server)
            self.database.owned[server].racing[room] = None
            server.awake.add(room)
            self.people_of[room] = [Client(self, room, server) for _ in range(people.drivers)]
        for number, server in enumerate(servers):
            asleep = people.rooms - racing
            self.database.owned[server].asleep = (asleep + number) // len(servers)

    # --- steady work ------------------------------------------------------------------------------------

    async def _breathe(self) -> None:
        """Count what people do all the time, and look, until the simulation ends."""
        while True:
            self._count_steady_work()
            await until(self.clock.timeout(TICK))

    def _count_steady_work(self) -> None:
        database, costs, now = self.database, self.costs, self.clock.now
        work = 0.0
        answers = []
        self._commands = self._commits = 0.0
        for server in self.servers:
            answer = self._answer_seconds(server)
            commands = len(server.people) / (self.people.turn + answer)
            rooms = max(1.0, commands * server.batch_seconds)
            # The store's thread does not wait for all that the other one has to do: they share the processor.
            own = costs.batch * (2.0 if server.cores.wait(now) else 1.0)
            server.batch_seconds += (database.batch_seconds(rooms) + own - server.batch_seconds) / 2
            batches = commands / rooms
            server.batch_share = min(1.0, batches * server.batch_seconds)
            self._commands += commands
            self._commits += batches
            work += batches * costs.commit + commands * costs.step
            server.cores.set_rate(commands * costs.command + batches * costs.batch, now)
            answers.append(answer)
            if answer > ANSWER_SECONDS and database.is_up:
                self._give_up_on(server)
        database.cores.set_rate(work if database.is_up else 0.0, now)
        self._look(max(answers, default=0.0))

    def _answer_seconds(self, server: Server) -> float:
        wait = server.cores.wait(self.clock.now) + max(server.store_wait(), self.database.down_for())
        return wait + server.batch_seconds * (1 + server.batch_share / 2)

    def _give_up_on(self, server: Server) -> None:
        """Let the clients go that have waited too long for an answer."""
        share = TICK / self.people.turn
        for client in [client for client in server.people if self.random.random() < share]:
            client.lose(is_slow=True)

    def _look(self, answer: float) -> None:
        database, now, servers = self.database, self.clock.now, self.servers
        asked = sum(database.statements.values())
        tasks, statements = database.cores.work - self._worked, asked - self._asked
        self._worked, self._asked = database.cores.work, asked
        steady = database.cores.rate * database.cores.slowness
        hellos = max((server.hellos for server in servers), default=0)
        processor = 0.0
        for server in servers:
            processor = max(processor, server.cores.rate + (server.cores.work - server.worked) / TICK)
            server.worked, server.hellos = server.cores.work, 0
        owned = [len(database.owned[server]) for server in servers if server in database.owned]
        self.moments.append(
            Moment(
                now,
                sum(len(server.people) for server in servers)
                / max(1, len(self.people_of) * self.people.drivers),
                (steady + tasks / TICK) / database.cores.count,
                processor,
                answer,
                hellos / TICK,
                statements / TICK,
                self._commands,
                self._commits,
                max(owned, default=0) * len(self.machines) / self.open_rooms,
            )
        )

    def run(self, seconds: float) -> None:
        """Let time pass."""
        with _client_code(self.random):
            self.clock.run(until=self.clock.now + seconds)


@contextmanager
def _client_code(random: Random) -> Iterator[None]:
    """Let the client's code use this world's network and chance."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(fleet, "Connection", SimulatedConnection))
        stack.enter_context(mock.patch.object(fleet, "random", random))
        stack.enter_context(mock.patch.object(backoff, "random", random))
        stack.enter_context(mock.patch.object(fleet, "parse_address", lru_cache(maxsize=None)(parse_address)))
        yield
