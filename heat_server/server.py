"""The server: its connections and clients.

Theory of operation. One task accepts connections. Each connection has a writer task and a reader, which
answers `hello`, finds the room a request is for (see `rooms`), hands it over and waits until the room has
handled it. Nothing that a client sends, and no fault in a room, ends any task but its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
import trio

from heat_core.files import box_tracks, own_tracks
from heat_core.planner.workers import TableWorkers
from heat_core.track_facts import TrackFacts
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.lan import Doors
from heat_core.wire.messages import (
    AskCatalogue,
    AskTrack,
    ClientMessage,
    Create,
    ErrorData,
    Hello,
    Join,
    ListRooms,
    ListTracks,
    Ping,
    Pong,
    RoomList,
    TrackDetails,
    TrackList,
    TrackSummary,
    Watch,
    catalogue,
)
from heat_server.config import ServerConfig
from heat_server.drain import Drain
from heat_server.greeting import Greeter
from heat_server.log import kind_of_fault, place_of_fault
from heat_server.metrics import Figures
from heat_server.net.admission import Admission, TurnedAway
from heat_server.net.arrival import Arrival
from heat_server.net.bans import Bans
from heat_server.net.certificate import Certificate
from heat_server.net.clients import Clients, ConnectedClient
from heat_server.net.connection import Connection
from heat_server.net.costs import CONNECTION_COST, WRONG_CODE_COST
from heat_server.net.eviction import close_silent, evict_for, evict_from_home
from heat_server.net.incoming import Incoming
from heat_server.net.tls import Tls
from heat_server.networks import parse_address_limits
from heat_server.peers import Peers
from heat_server.room.actor import RoomActor
from heat_server.room.bot_scheduler import BotScheduler
from heat_server.room.bot_tables import BotTables
from heat_server.room.codes import normal_code
from heat_server.room.context import RoomContext
from heat_server.room.denied import Denied, NoSpace
from heat_server.room.requests import News, PendingRequest, RoomRequest
from heat_server.room.rooms import Rooms
from heat_server.room.waiting import NO_LIST
from heat_server.store.worker import StoreWorker

FAREWELL_SECONDS: Final = 2.0
SHARED_FAREWELL_SECONDS: Final = 0.5
"""Where other servers wait for the rooms."""

HOUSEKEEPING_SECONDS: Final = 60.0

_STOPPING: Final = TurnedAway(ByeCode.SERVER_STOPS, "The server is being stopped.")

log = structlog.get_logger()


def read_tracks(folder: Path | None) -> dict[str, TrackFacts]:
    """Read the tracks of the box and those of a folder, by identifier; faulty files are logged and left out.

    Args:
        folder: None: the box only.
    """
    tracks = {}
    for track in [*box_tracks(), *(own_tracks(folder) if folder is not None else ())]:
        if track.facts is not None:
            tracks[track.name] = track.facts
        else:
            log.warning("track refused", file=str(track.path), faults=list(track.faults))
    return tracks


class Server:
    """All that one server holds. Its nursery must outlive it.

    Attributes:
        config: All settings.
        rooms: All of them.
        peers: The other servers that share its store.
        drain: Whether its operator wants them to have its rooms.
        connections: The open ones.
        clients: Who is who.
        figures: What is counted.
        bans: Who may not come in.
        doors: The other ways in, to be announced.
        admission: Who may.
        incoming: Takes sockets.
        certificate: By which the port speaks TLS; None: it does not.
        worker: The way to the disk.
    """

    def __init__(
        self,
        config: ServerConfig,
        nursery: trio.Nursery,
        worker: StoreWorker,
        work_clock: Callable[[], float] = time.thread_time,
        certificate: Certificate | None = None,
    ) -> None:
        """Begin with no rooms, and read the tracks.

        `rooms.bring_back` takes over those on disk, `bans.refresh` reads who is banned.

        Args:
            config: All settings.
            nursery: Where rooms run.
            worker: The way to the disk.
            work_clock: How long this thread has worked, in seconds.
            certificate: By which the port speaks TLS; None: it does not.
        """
        self.config = config
        self.connections: set[Connection] = set()
        self.clients = Clients()
        self.peers = Peers()
        self.figures = Figures(trio.current_time())
        self.worker = worker
        self.drain = Drain(self.peers, worker)
        self.bans = Bans(worker)
        self.doors = Doors()
        self.admission = Admission(config, self.bans.networks)
        self.certificate = certificate
        self.incoming = Incoming(
            config, self.figures, self.handle, lambda: len(self.connections), certificate, self.admission
        )
        self._tracks = read_tracks(config.track_folder)
        self._track_list = tuple(TrackSummary(name, track.name) for name, track in self._tracks.items())
        limits = parse_address_limits(config.address_limits) if config.address_limits else None
        bots = BotScheduler(work_clock, BotTables(TableWorkers()), limits)
        nursery.start_soon(bots.run)
        nursery.start_soon(bots.tables.run)
        nursery.start_soon(self._hang_up_on_silent)
        context = RoomContext(self._tracks, config, worker, self.clients, bots)
        self.rooms = Rooms(context, nursery, self.drain)
        self._greeter = Greeter(self.rooms, self.clients, self.peers, self._notify_presence)
        self._connection_numbers = 0
        self._is_stopping = False
        self._all_gone = trio.Event()

    async def handle(self, stream: trio.abc.Stream, arrival: Arrival, tls: Tls | None = None) -> None:
        """Serve one connection until it ends. Raises nothing but cancellation.

        Args:
            stream: With the client at its other end.
            arrival: Where the client comes from.
            tls: Before its handshake; None: the connection is not encrypted.
        """
        self._connection_numbers += 1
        connection = Connection(stream, self._connection_numbers, self.config, self.figures, arrival, tls)
        self.connections.add(connection)
        turned_away = self._admit(connection)
        log.debug("connected", connection=connection.number, peer=connection.peer)
        try:
            async with trio.open_nursery() as nursery:
                connection.scope = nursery.cancel_scope
                nursery.start_soon(connection.write)
                if turned_away is None:
                    await self._converse(connection)
                else:
                    connection.close(turned_away.code, turned_away.text)
                if connection.is_open:  # the peer hung up: nobody reads what is left in the outbox
                    nursery.cancel_scope.cancel()
        except* Exception as group:
            for error in group.exceptions:
                log.error(
                    "connection crashed",
                    connection=connection.number,
                    fault=kind_of_fault(error),
                    at=place_of_fault(error),
                )
        finally:
            self.connections.discard(connection)
            self.admission.leave(connection.peer)
            if self._is_stopping and not self.connections:
                self._all_gone.set()
            await connection.close_stream()
        log.debug("disconnected", connection=connection.number)

    def _admit(self, connection: Connection) -> TurnedAway | None:
        """Count a connection in; give why it must not stay."""
        now, peer, most = trio.current_time(), connection.peer, self.config.most_connections
        turned_away = self.admission.enter(peer, now)
        connection.shares, connection.strain = self.admission.shares_of(peer, now), self.admission.strain
        for share in connection.shares:
            share.owe(CONNECTION_COST * connection.strain.factor, now)
        home = turned_away and turned_away.home
        if home and evict_from_home(connection, self.connections, home, now):
            turned_away = None
        turned_away = turned_away or evict_for(
            connection, self.connections, most, now, self.admission.factor_of
        )
        return _STOPPING if self._is_stopping else turned_away

    async def _converse(self, connection: Connection) -> None:
        client: ConnectedClient | None = None
        # Without the fingerprint: somebody on the way could have written another.
        where = self.config.shared_address or connection.address or "tls://HOST"
        with trio.move_on_after(self.config.hello_seconds) as waiting:
            if await connection.begin(where.partition("#")[0]):
                client = await self._greeter.greet(connection)
        if client is None:
            if waiting.cancelled_caught:
                connection.close(ByeCode.NO_HELLO, "Your program sent no hello.")
            elif connection.is_open:
                note = log.debug if connection.is_put_off else log.info  # all of a room try again and again
                note("hung up before hello", connection=connection.number, peer=connection.peer)
            return
        try:
            while connection.is_open and (message := await connection.next_message()) is not None:
                asked_at = connection.heard_at
                await self._answer(client, connection, message)
                if not isinstance(message, Ping):
                    self.figures.note_command(asked_at, trio.current_time())
        finally:
            if client.connection is connection:
                client.connection = None
                self._notify_presence(client)
                self.clients.forget_if_idle(client)

    async def _answer(self, client: ConnectedClient, connection: Connection, message: ClientMessage) -> None:
        match message:
            case Hello():
                connection.error(message.id, ErrorCode.HELLO_TWICE, "You have said hello already.")
                connection.note_error()
            case Ping():
                connection.send(Pong(message.id, self.peers.news_for(connection)))
            case ListRooms() if self.worker.trouble is not None:  # rooms that sleep by now are not gone
                connection.error(message.id, ErrorCode.NOT_READ, NO_LIST)
            case ListRooms():
                connection.send(RoomList(message.id, self.peers.with_theirs(self.rooms.summaries())))
            case ListTracks():
                connection.send(TrackList(message.id, self._track_list))
            case AskCatalogue():
                connection.send(catalogue(message.id))
            case AskTrack():
                if (track := self._tracks.get(message.track)) is not None:
                    connection.send(TrackDetails(message.id, track))
                else:
                    text, known = "There is no such track here.", ErrorData(tuple(self._tracks))
                    connection.error(message.id, ErrorCode.UNKNOWN_TRACK, text, known)
            case _:
                try:
                    room = await self._room_for(client, connection, message)
                except Denied as denied:
                    connection.error(message.id, denied.code, denied.text, denied.data)
                    return
                await room.ask(PendingRequest(client, connection, message))

    async def _room_for(
        self, client: ConnectedClient, connection: Connection, request: RoomRequest
    ) -> RoomActor:
        """Find the room that a request is for; `create` makes it.

        Raises:
            Denied: There is none.
        """
        if isinstance(request, (Create, Join, Watch)):
            if client.room is not None:
                raise Denied(ErrorCode.IN_A_ROOM, f"You are in the room {client.room}; leave it first.")
            if isinstance(request, Create):
                if request.elsewhere and (where := self.peers.much_quieter(len(self.connections))):
                    text = f"Another server has more space. Open your room on {where}."
                    raise Denied(ErrorCode.TOO_MANY_ROOMS, text, ErrorData(moved_to=where))
                homes = self.admission.homes_of(connection.peer)
                try:
                    return await self.rooms.create(request, connection.peer, homes)
                except NoSpace as full:
                    where = self.peers.count_sent(1, self.peers.quietest_for_new)
                    data = ErrorData(moved_to=where) if where else None
                    raise Denied(full.code, full.text, data) from None
            room = await self.rooms.find(normal_code(request.code))
            if room is None:
                connection.charge(WRONG_CODE_COST)
                raise Denied(ErrorCode.NO_SUCH_ROOM, "No room has this code.")
            return room
        if client.room is None:
            raise Denied(ErrorCode.IN_NO_ROOM, "You are in no room.")
        return self.rooms[client.room]

    async def keep_house(self) -> None:
        """End the rooms that nobody has come back to; runs until cancelled."""
        while True:
            await self.rooms.close_overdue()
            await trio.sleep(HOUSEKEEPING_SECONDS)

    async def _hang_up_on_silent(self) -> None:
        """Look at all connections by one task: a timer for each read costs more than the read."""
        while True:
            again = close_silent(self.connections, self.config.idle_seconds, trio.current_time())
            await trio.sleep_until(again)

    @property
    def is_stopping(self) -> bool:
        """Whether it is being stopped."""
        return self._is_stopping

    async def stop(self) -> None:
        """Hand the rooms on, if another server can take them; notify the rest, and give them a moment."""
        self._is_stopping = True
        log.info("stopping", connections=len(self.connections), rooms=len(self.rooms))
        await self.drain.hand_on(self.rooms)
        for connection in list(self.connections):
            connection.close(_STOPPING.code, _STOPPING.text)
        with trio.move_on_after(SHARED_FAREWELL_SECONDS if self.worker.is_shared else FAREWELL_SECONDS):
            if self.connections:
                await self._all_gone.wait()

    def _notify_presence(self, client: ConnectedClient) -> None:
        """Have the rooms of a player look who is there."""
        for code in client.rooms:
            if (room := self.rooms.get(code)) is not None:  # else the server has been stopped
                room.inbox.put_first(News.PRESENCE)
