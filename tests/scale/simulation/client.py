"""A player's client in the simulation: `heat_tui.client.fleet` itself, on another clock and network."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from heat_core.wire.address import Address, parse_address
from heat_tui.client.backoff import GIVE_UP_SECONDS, growing_pause, move_pause, soon_pause
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import ANSWER_SECONDS, PING_SECONDS
from heat_tui.client.dialling import Dialler, Reach
from heat_tui.client.fleet import Fleet
from tests.scale.simulation.steps import begin, until

if TYPE_CHECKING:
    from tests.scale.simulation.room import Room
    from tests.scale.simulation.server import Server
    from tests.scale.simulation.world import World


class Client:
    """A person in a race.

    Attributes:
        room: Where they have a place.
        server: Where they are; None: they try to come back.
        away: From when to when they were away, once for each time; the last is open while its end is None.
    """

    __slots__ = ("_fleet", "_world", "away", "room", "server")

    def __init__(self, world: World, room: Room, server: Server) -> None:
        self.room = room
        self.server: Server | None = server
        self.away: list[tuple[float, float | None]] = []
        self._fleet: Fleet | None = None
        self._world = world
        server.people[self] = None

    def lose(
        self,
        *,
        in_silence: bool = False,
        is_told: bool = False,
        is_slow: bool = False,
        led_to: str | None = None,
    ) -> None:
        """Lose the connection, and begin to come back.

        Args:
            in_silence: Nothing says so: it is noticed by an answer that does not come.
            is_told: The server says goodbye.
            is_slow: An answer has not come for so long that the server counts as silent.
            led_to: The room has another server: its address, "" where that is not known; None: it has not.
        """
        assert self.server is not None
        now = self._world.clock.now
        del self.server.people[self]
        fleet = self._fleet or Fleet(parse_address(self.server.address), self.server.peers)
        self._fleet = fleet
        self.server = None
        self.away.append((now, None))
        is_sent_on = False
        if in_silence or is_told or is_slow:
            fleet.begin_at("")
        elif led_to is not None:
            is_sent_on = fleet.begin_at(led_to)
        wait = self._world.costs.way / 2
        if in_silence:
            random, people = self._world.random, self._world.people
            asked = random.expovariate(1 / people.turn)
            wait = ANSWER_SECONDS + min(asked, random.uniform(0, PING_SECONDS))
        begin(self._world.clock, self._come_back(fleet, wait, is_sent_on))

    async def _come_back(self, fleet: Fleet, wait: float, is_sent_on: bool) -> None:
        """Try until it works, as `ServerLink` does."""
        clock = self._world.clock
        await until(clock.timeout(wait))
        began, attempt = clock.now, 0
        while clock.now - began <= GIVE_UP_SECONDS:
            if is_sent_on:
                pause, is_sent_on = move_pause(), False
            elif fleet.has_others:
                pause = soon_pause(growing_pause, attempt)
            else:
                pause = growing_pause(attempt)
            await until(clock.timeout(pause))
            attempt += 1
            try:
                connection: Any = await fleet.open("token", lambda message: None, cast(Dialler, self))
                server: Server = connection.server
                await server.work(self._world.costs.view)
            except ConnectFailed:
                continue
            if not server.is_listening:  # it stops: goodbye is said at once
                continue
            self.server = server
            server.people[self] = None
            since, _ = self.away[-1]
            self.away[-1] = since, clock.now
            return

    async def connect(self, address: Address, reach: Reach) -> Any:
        """Connect and say hello; this is what `Connection.open` does.

        Raises:
            Moved: Another server has the room.
            ConnectFailed: It does not work.
        """
        world = self._world
        machine = world.machines[address]
        if not machine.is_there:
            await until(world.clock.timeout(reach.seconds))
            raise ConnectFailed("It does not answer.")
        await until(world.clock.timeout(world.costs.way))
        server = machine.server
        if server is None or not server.is_listening:
            raise ConnectFailed("Nothing listens there.")
        await until(world.clock.timeout(world.costs.way))
        answer: list[ConnectFailed | None] = []
        greeting = begin(world.clock, self._be_greeted(server, answer))
        await until(greeting | world.clock.timeout(ANSWER_SECONDS))
        if not answer:
            raise ConnectFailed("It answers, but not in time.")
        if (error := answer[0]) is not None:
            raise error
        return SimpleNamespace(address=address, server=server, welcome=SimpleNamespace(servers=server.peers))

    async def _be_greeted(self, server: Server, answer: list[ConnectFailed | None]) -> None:
        try:
            await server.hello(self.room)
        except ConnectFailed as error:
            answer.append(error)
        else:
            answer.append(None)


class SimulatedConnection:
    """What `heat_tui.client.fleet` takes for `Connection` while the simulation runs."""

    @staticmethod
    async def open(address: Address, token: str, on_push: object, client: Client, reach: Reach) -> Any:
        return await client.connect(address, reach)
