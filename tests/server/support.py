"""A server in memory, and scripted players that know only what a real client knows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import trio
import trio.testing

from heat_core.race.commands import Command
from heat_core.race.setup import Colour
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_core.wire.codec import NEED_DATA, encode_client_message, reader_of_client
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    AskView,
    Bye,
    ClientMessage,
    Configure,
    Create,
    Error,
    Hello,
    Join,
    Leave,
    ListRooms,
    LobbyView,
    Ok,
    Ping,
    PlaceBot,
    Pong,
    RoomList,
    RoomOptions,
    Said,
    Say,
    SeasonUpdate,
    ServerMessage,
    Start,
    Started,
    TakeSeat,
    Update,
    Watch,
    Welcome,
)
from heat_server.config import ServerConfig
from heat_server.net.arrival import Arrival
from heat_server.server import Server
from heat_server.store.contract import Store
from heat_server.store.no_store import NoStore
from heat_server.store.worker import StoreWorker

Wanted = TypeVar("Wanted")

Policy = Callable[[Observation], Command | None]
"""What a scripted player does with an open decision; None: nothing."""

QUICK = RoomOptions(track="usa", laps=1)

EIGHT = {"most_cars": "8"}
"""The setting that more than six cars need."""

UNHURRIED = ServerConfig(messages_at_once=1_000_000, bot_seconds=0)
"""Scripted players answer in no time at all, which would otherwise be a flood; and so do bots."""


class HungUp(Exception):
    """The server closed the connection; `Player.bye` says why."""


class Player:
    """A client: sends messages, remembers what came back.

    Attributes:
        room, season, started, update: The newest of each.
        updates: All of them.
        said: What was written in the room, as it came.
        raw: Every byte received.
    """

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.reader = reader_of_client()
        self.room: LobbyView | None = None
        self.season: SeasonUpdate | None = None
        self.started: Started | None = None
        self.update: Update | None = None
        self.updates: list[Update] = []
        self.said: list[Said] = []
        self.unasked: list[Error] = []
        self.bye: Bye | None = None
        self.token = ""
        self.raw = bytearray()
        self._ids = 0

    def id(self) -> int:
        self._ids += 1
        return self._ids

    async def send(self, message: ClientMessage) -> None:
        await self.stream.send_all(encode_client_message(message))

    async def receive(self) -> ServerMessage:
        while True:
            message = self.reader.next_message()
            if message is not NEED_DATA:
                self._note(message)
                return message
            try:
                data = await self.stream.receive_some(65_536)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise HungUp from None
            if not data:
                raise HungUp
            self.raw += data
            self.reader.receive_data(data)

    def _note(self, message: ServerMessage) -> None:
        match message:
            case LobbyView():
                self.room = message
            case SeasonUpdate():
                self.season = message
            case Started():
                if self.started != message:
                    self.update = None  # another race: its decisions are counted anew
                self.started = message
            case Update():
                self.update = message
                self.updates.append(message)
            case Said():
                self.said.append(message)
            case Bye():
                self.bye = message
            case Error(re=None):
                self.unasked.append(message)
            case _:
                pass

    async def answer(self, message: ClientMessage) -> ServerMessage:
        """Send a request and read on to its answer."""
        await self.send(message)
        while True:
            got = await self.receive()
            if getattr(got, "re", None) == message.id:
                return got

    async def ok(self, message: ClientMessage) -> Ok:
        got = await self.answer(message)
        assert isinstance(got, Ok), got
        return got

    async def refused(self, message: ClientMessage) -> str:
        """Send a request that is refused; give the code."""
        got = await self.answer(message)
        assert isinstance(got, Error), got
        return got.code

    async def wait_for(self, wanted: type[Wanted], test: Callable[[Wanted], bool] = lambda _: True) -> Wanted:
        while True:
            got = await self.receive()
            if isinstance(got, wanted) and test(got):
                return got

    async def hello(self, token: str | None = None) -> None:
        got = await self.answer(Hello(self.id(), PROTOCOL, "scripted", "1", token))
        assert isinstance(got, Welcome), got
        self.token = got.token

    async def create(
        self, name: str = "ana", options: RoomOptions = QUICK, colour: Colour | None = None
    ) -> str:
        got = await self.ok(Create(self.id(), name, colour, options))
        assert got.code is not None
        await self.wait_for(LobbyView)
        return got.code

    async def join(self, code: str, name: str, colour: Colour | None = None) -> int:
        got = await self.ok(Join(self.id(), code, name, colour))
        assert got.place is not None
        await self.wait_for(LobbyView)
        return got.place

    async def watch(self, code: str, name: str, password: str | None = None) -> None:
        got = await self.ok(Watch(self.id(), code, name, password))
        assert (got.code, got.place) == (code, None)
        await self.wait_for(LobbyView)

    async def say(self, text: str) -> None:
        await self.ok(Say(self.id(), text))

    @property
    def lines(self) -> list[str]:
        """What was written, without the room's news."""
        return [line.text for line in self.said if line.kind != "news"]

    @property
    def news(self) -> list[str]:
        return [line.text for line in self.said if line.kind == "news"]

    @property
    def code(self) -> str:
        """The code of the room."""
        assert self.room is not None
        return self.room.code

    async def seat(
        self, *, name: str | None = None, colour: Colour | None = None, ready: bool | None = None
    ) -> None:
        await self.ok(TakeSeat(self.id(), name, colour, ready))

    async def bot(self, place: int, kind: str | None) -> None:
        await self.ok(PlaceBot(self.id(), place, kind))  # type: ignore[arg-type]

    async def configure(self, options: RoomOptions) -> None:
        await self.ok(Configure(self.id(), options))

    async def start(self) -> None:
        """Start, a second time if need be, and read on to the first update."""
        if isinstance(await self.answer(Start(self.id())), Error):
            await self.ok(Start(self.id()))
        await self.wait_for(Update)

    async def rooms(self) -> RoomList:
        got = await self.answer(ListRooms(self.id()))
        assert isinstance(got, RoomList)
        return got

    async def ping(self) -> None:
        assert isinstance(await self.answer(Ping(self.id())), Pong)

    async def leave(self) -> None:
        await self.ok(Leave(self.id()))

    async def look(self, since: int | None = None) -> Update:
        await self.ok(AskView(self.id(), since))
        return await self.wait_for(Update)

    @property
    def view(self) -> RaceView:
        assert self.update is not None
        return self.update.view

    @property
    def observation(self) -> Observation:
        assert self.started is not None
        return Observation(self.started.setup, self.view)

    def next_act(self, policy: Policy = default_command) -> Act | None:
        """Make the answer to what is asked of this player now."""
        own = self.view.own
        if own is None or own.decision is None or own.chosen is not None:
            return None
        command = policy(self.observation)
        return None if command is None else Act(self.id(), own.decision, command)

    async def race(self, policy: Policy = default_command) -> None:
        """Play until the race is over, answering each decision once."""
        answered = -1
        while self.update is None or self.view.status != "ended":
            if self.update is not None:
                act = self.next_act(policy)
                if act is not None and act.decision is not None and act.decision > answered:
                    answered = act.decision
                    await self.send(act)
            await self.receive()

    async def hang_up(self) -> None:
        await self.stream.aclose()


class House:
    """A server on memory streams."""

    def __init__(
        self,
        nursery: trio.Nursery,
        config: ServerConfig | None = None,
        worker: StoreWorker | None = None,
        work_clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Begin; by the usual `work_clock` nothing is any work: the speed of the machine does not count."""
        self.nursery = nursery
        worker = worker or StoreWorker(NoStore(), in_thread=False)
        self.server = Server(config or UNHURRIED, nursery, worker, work_clock)

    def connect(self, *, is_narrow: bool = False, peer: str = "") -> Player:
        """Let a client come.

        Args:
            is_narrow: The server cannot send a byte before the client reads.
            peer: The address that it is to count as coming from.
        """
        make = trio.testing.lockstep_stream_pair if is_narrow else trio.testing.memory_stream_pair
        ours, theirs = make()
        self.nursery.start_soon(self.server.handle, theirs, Arrival(peer, None, b""))
        return Player(ours)

    async def player(self, token: str | None = None, peer: str = "") -> Player:
        """Let a client come and say hello.

        Args:
            token: Of an earlier one; None: somebody new.
            peer: The address that it is to count as coming from.
        """
        player = self.connect(peer=peer)
        await player.hello(token)
        return player

    async def back(self, player: Player) -> Player:
        """Let a player come back by the token to the room, as another program would."""
        again = await self.player(player.token)
        await again.wait_for(LobbyView)
        return again

    async def full_lobby(self, names: list[str], options: RoomOptions = QUICK) -> list[Player]:
        """Make players who sit in one room, ready, the first as host."""
        players = [await self.player() for _ in names]
        code = await players[0].create(names[0], options)
        for player, name in zip(players[1:], names[1:], strict=True):
            await player.join(code, name)
            await player.seat(ready=True)
        return players

    async def racing(self, options: RoomOptions = QUICK) -> tuple[Player, Player]:
        """Make ana and ben, who race: ana is the host, and ben has read that the race began."""
        ana, ben = await self.full_lobby(["ana", "ben"], options)
        await ana.start()
        await ben.wait_for(Update)
        return ana, ben


@asynccontextmanager
async def server_on(
    store: Store, config: ServerConfig = UNHURRIED, worker: StoreWorker | None = None
) -> AsyncIterator[House]:
    """Run a server; leaving ends it in the midst of whatever it does."""
    async with trio.open_nursery() as nursery:
        house = House(nursery, config, worker or StoreWorker(store, in_thread=False))
        await house.server.bans.refresh()
        await house.server.rooms.bring_back()
        nursery.start_soon(house.server.keep_house)
        yield house
        nursery.cancel_scope.cancel()
