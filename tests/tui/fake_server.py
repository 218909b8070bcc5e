"""A server that does what a test tells it to, for clients that must bear it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from heat_core.files import load_track
from heat_core.race.commands import Command
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import CarSetup, LegendSetup, make_setup
from heat_core.table import Table
from heat_core.view.secrecy import public_setup
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codec import NEED_DATA, encode_server_message, reader_of_server
from heat_tui.client.dialling import Dialler
from heat_tui.client.known_servers import KnownServers

TOKEN = "token-of-the-test"


class FakeConnection:
    """The server's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = reader_of_server()

    async def receive(self) -> m.ClientMessage:
        while (message := self._frames.next_message()) is NEED_DATA:
            data = await self._reader.read(65_536)
            if not data:
                raise ConnectionResetError
            self._frames.receive_data(data)
        return message

    async def expect(self, kind: type[m.ClientMessage]) -> m.ClientMessage:
        """Give the next message of a kind; pings are answered on the way."""
        while True:
            message = await self.receive()
            if isinstance(message, kind):
                return message
            if isinstance(message, m.Ping):
                self.send(m.Pong(message.id))
                continue
            raise AssertionError(f"{kind} awaited, {message} came")

    def send(self, *messages: m.ServerMessage) -> None:
        for message in messages:
            self.send_bytes(encode_server_message(message))

    def send_bytes(self, data: bytes) -> None:
        self._writer.write(data)

    async def heard(self) -> bytes:
        """Read to the end whatever the client sends."""
        try:
            return await self._reader.read()
        except ConnectionError:
            return b""

    def drop(self) -> None:
        """Cut the line without a word."""
        self._writer.transport.abort()

    async def welcome(self) -> m.Hello:
        hello = await self.expect(m.Hello)
        assert isinstance(hello, m.Hello)
        self.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", hello.token or TOKEN))
        return hello


class FakeServer:
    """Hands out its connections one after the other."""

    def __init__(self) -> None:
        self.connections: asyncio.Queue[FakeConnection] = asyncio.Queue()
        self.address = Address("127.0.0.1", 1)
        self._open: list[FakeConnection] = []

    async def accept(self) -> FakeConnection:
        connection = await self.connections.get()
        self._open.append(connection)
        return connection

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.connections.put(FakeConnection(reader, writer))

    def drop_all(self) -> None:
        for connection in self._open:
            connection.drop()
        while not self.connections.empty():
            self.connections.get_nowait().drop()


DIRECT = Dialler(KnownServers(None))
"""Opens streams for clients that keep no files."""


@asynccontextmanager
async def fake_server(context: ssl.SSLContext | None = None) -> AsyncIterator[FakeServer]:
    """Serve clients by the test; with a context by TLS."""
    fake = FakeServer()
    server = await asyncio.start_server(fake._serve, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    fake.address = Address("127.0.0.1", port, is_tls=context is not None)
    async with server:
        yield fake
        fake.drop_all()


class FakeRace:
    """A table of one person and one Legend, told as a server would."""

    def __init__(self) -> None:
        cars = [CarSetup("Ana", "red"), CarSetup("Legend 1", "blue", LegendSetup(*LEGEND_LEVELS["easy"]))]
        self.table = Table(make_setup(load_track("usa"), cars, seed="test", laps=1), {0: "human"})
        self.answers: list[tuple[int | None, Command]] = []

    def room(self) -> m.LobbyView:
        person = m.PlaceState("human", "Ana", "red", True, True)
        return m.LobbyView(
            "KXFRM",
            "racing",
            0,
            0,
            m.RoomOptions(cars=2),
            1,
            60_000,
            (person, m.PlaceState()),
            "heat-tui connect x",
        )

    def started(self) -> m.Started:
        return m.Started(0, public_setup(self.table.setup), (0, None))

    def update(self, since: int = 0) -> m.Update:
        table = self.table
        decisions = tuple(
            m.OpenDecision(one.seat, one.kind, one.has_chosen, 30_000) for one in table.decisions()
        )
        return m.Update(table.event_number, table.events_since(since, 0), table.view(0), decisions, ())

    def act(self, act: m.Act) -> None:
        self.answers.append((act.decision, act.command))
        self.table.submit(0, act.decision, act.command)

    async def answer_act(self, connection: FakeConnection, since: int = 0) -> None:
        """Wait for an act, do it, and send what came of it."""
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        self.act(act)
        connection.send(m.Ok(act.id), self.update(since))

    def everything(self, since: int = 0) -> tuple[m.ServerMessage, ...]:
        return self.room(), self.started(), self.update(since)


def same(first: object, second: object) -> bool:
    """Tell whether two messages hold the same."""
    return bool(msgspec.to_builtins(first) == msgspec.to_builtins(second))
