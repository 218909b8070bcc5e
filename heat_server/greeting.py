"""The beginning of each conversation: a client says hello, and is somebody from then on."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from heat_core.version import program_version
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.messages import FEATURES, LEAST_PROTOCOL, PROTOCOL, ErrorData, Hello, Versions, Welcome
from heat_server.default_paths import PROGRAM
from heat_server.net.clients import Clients, ConnectedClient
from heat_server.net.connection import Connection
from heat_server.net.costs import WRONG_TOKEN_COST
from heat_server.net.eviction import refuse
from heat_server.peers import Peers
from heat_server.returning_players import returning_player
from heat_server.room.denied import Denied
from heat_server.room.rooms import Rooms

log = structlog.get_logger()


class Greeter:
    """Answers the hellos of a server's clients."""

    def __init__(
        self, rooms: Rooms, clients: Clients, peers: Peers, notify_presence: Callable[[ConnectedClient], None]
    ) -> None:
        """Prepare.

        Args:
            rooms: All of the server.
            clients: All of the server.
            peers: The other servers, which a welcome names.
            notify_presence: Has the rooms of a player look who is there.
        """
        self._rooms = rooms
        self._clients = clients
        self._peers = peers
        self._notify_presence = notify_presence
        self._version = program_version()

    async def greet(self, connection: Connection) -> ConnectedClient | None:
        """Wait for a hello that can be answered with a welcome.

        Returns:
            Who has said it, and has this connection now; None: the connection is over.
        """
        while connection.is_open and (message := await connection.next_message()) is not None:
            if not isinstance(message, Hello):
                connection.error(message.id, ErrorCode.HELLO_FIRST, "Say hello first.")
                connection.note_error()
            elif (protocol := message.common_protocol) is None:
                self._refuse_version(connection, message)
            elif (found := await self._find(connection, message)) is not None:
                client, token = found
                self._welcome(connection, client, message, protocol, token)
                return client
        return None

    def _refuse_version(self, connection: Connection, hello: Hello) -> None:
        text = (
            f"This server speaks version {PROTOCOL} of the protocol ({PROGRAM} {self._version}), "
            f"you speak {hello.versions}."
        )
        versions = ErrorData(versions=Versions(LEAST_PROTOCOL, PROTOCOL))
        connection.error(hello.id, ErrorCode.OTHER_VERSION, text, versions)
        connection.close(ByeCode.OTHER_VERSION, text)

    async def _find(self, connection: Connection, hello: Hello) -> tuple[ConnectedClient, str] | None:
        """Give the player who says hello, and the token to know them by; None: they cannot come in so."""
        if hello.token is None:
            if not connection.must_have_seat:
                return self._clients.create()
            refuse(connection)
            return None
        try:
            client = await returning_player(hello.token, self._rooms, self._clients)
        except Denied as denied:
            connection.error(hello.id, denied.code, denied.text, denied.data)
            connection.note_error()
            connection.charge(WRONG_TOKEN_COST if denied.code == ErrorCode.UNKNOWN_TOKEN else 0)
            connection.is_put_off = denied.code == ErrorCode.NOT_READ
            if connection.must_have_seat:
                refuse(connection)
            return None
        if connection.must_have_seat and not client.rooms:
            refuse(connection)
            return None
        return client, hello.token

    def _welcome(
        self, connection: Connection, client: ConnectedClient, hello: Hello, protocol: int, token: str
    ) -> None:
        connection.must_have_seat, connection.has_said_hello = False, True
        connection.program = f"{hello.program} {hello.version}".strip()
        self._attach(client, connection)
        servers = connection.servers = self._peers.addresses
        connection.send(Welcome(hello.id, protocol, PROGRAM, self._version, token, FEATURES, servers))
        log.info(
            "hello",
            connection=connection.number,
            peer=connection.peer,
            client=client.number,
            program=hello.program,
            version=hello.version,
        )
        self._notify_presence(client)

    def _attach(self, client: ConnectedClient, connection: Connection) -> None:
        """Give a player a new connection; an older one is notified and closed."""
        older, client.connection = client.connection, connection
        connection.on_caught_up = lambda: self._notify_presence(client)
        connection.has_room = lambda: client.room is not None
        if older is not None:
            older.close(ByeCode.NEWER_CONNECTION, "You have connected again from elsewhere.")
