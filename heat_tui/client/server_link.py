"""A client's link to a server; it survives lost connections.

Theory of operation. `ServerLink.open` makes the first connection. A keeper task waits for its end and, unless
the server said something final, opens the next one with the token, after pauses that grow from half a second
to fifteen. Then it asks for everything (`view`), so that what was missed comes again. What the server pushes
is kept as it came (`room_mirror`). Whoever shows it waits for `changes` to go up, and reads. Requests of the
lobby fail when the line drops; an `act` is sent again until it is answered, under the same decision, so that
nothing is chosen twice.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from heat_core.race.commands import Command, GiveUp
from heat_core.refusal import RefusalCode
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ErrorCode
from heat_tui.client.backoff import GIVE_UP_SECONDS, ShortConnections, growing_pause, move_pause, soon_pause
from heat_tui.client.chat import Chat
from heat_tui.client.connect_failed import ConnectFailed, Notice, end_notice
from heat_tui.client.connection import (
    Connection,
    ConnectionLost,
    NotRead,
    RequestRefused,
    UnknownToken,
    one_line,
)
from heat_tui.client.connection_state import ConnectionState, SessionClosed
from heat_tui.client.dialling import Dialler
from heat_tui.client.end_codes import FINAL, ROOM_IS_GONE, SERVER_IS_GONE, why_not_in
from heat_tui.client.feed import Feed
from heat_tui.client.fleet import MOST_HOPS, Fleet, is_offered, without_offer
from heat_tui.client.room_mirror import RoomMirror
from heat_tui.client.take_over import MOVING, ROOM_WAITING, OwnerGone, until_taken_over

_ENTRANCES: Final = (m.Create, m.Join, m.Watch)

NO_ANSWER: Final = "The server does not answer. This program keeps trying to reconnect."
QUIET_ATTEMPTS: Final = 2
"""After so many in vain a player reads that; a short break says enough by its end."""


class ServerLink:
    """A link to a server that mends itself.

    Attributes:
        state: For the banner.
        mirror: The room as the server has sent it.
        waits_for: What the room, or the link itself, waits for at the server, as this says; "": for nothing.
        changes: Goes up whenever anything here changes.
        ended: Why nothing will ever come again; None while it may.
        notice: What must be read of that end; None where the player has hung up.
        is_token_dead: Whether the server has forgotten this player.
        on_room: Called with the room whenever the server sends it.
    """

    def __init__(
        self,
        address: Address,
        dialler: Dialler,
        pause: Callable[[int], float] = growing_pause,
        servers: Iterable[str] = (),
    ) -> None:
        """Prepare a link; `open` makes it one.

        Args:
            address: The server's.
            dialler: Opens the stream to it.
            pause: Attempt, from 0 -> seconds to wait before it.
            servers: Addresses that the server named at an earlier visit.
        """
        self.state: ConnectionState = "connecting"
        self.mirror = RoomMirror()
        self.waits_for = ""
        self.changes = 0
        self.ended: str | None = None
        self.notice: Notice | None = None
        self.is_token_dead = False
        self.on_room: Callable[[m.LobbyView], None] = lambda room: None
        self._is_sent_on = False
        self._short_connections = ShortConnections()
        self._pause = pause
        self._fleet = Fleet(address, servers)
        self._dialler = dialler
        self._token: str | None = None
        self._watching: m.Watch | None = None
        self._connection: Connection | None = None
        self._coming: Connection | None = None  # the next one, until it has the room
        self._keeper: asyncio.Task[None] | None = None
        self._filler: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    @property
    def room(self) -> m.LobbyView | None:
        """The room as the server last sent it; None outside of one."""
        return self.mirror.room

    @property
    def season(self) -> m.SeasonUpdate | None:
        """Its championship as last sent; None before one begins."""
        return self.mirror.season

    @property
    def race(self) -> Feed | None:
        """The race of that room, None before it starts."""
        return self.mirror.race

    @property
    def chat(self) -> Chat:
        """What is said in the room."""
        return self.mirror.chat

    @property
    def address(self) -> Address:
        """The address of the server that it is at, or was at last."""
        return self._fleet.address

    @property
    def servers(self) -> tuple[str, ...]:
        """The addresses of all servers that share the room; none where there is only one."""
        return self._fleet.servers

    @property
    def certificate_news(self) -> str:
        """What the player should read about the server's certificate; "": nothing."""
        return self._dialler.news

    @property
    def token(self) -> str:
        """What to come back with; secret."""
        return self._token or ""

    async def open(
        self, token: str | None = None, on_wait: Callable[[str], None] = lambda text: None
    ) -> None:
        """Make the first connection; where the server of the room is gone, wait for the next one.

        Args:
            token: Of an earlier session, to come back to its room, which is then sent again.
            on_wait: Called with what is waited for, in one sentence.

        Raises:
            ConnectFailed: It could not be made; the link is of no use then.
        """
        self._token = token
        self._connection = await until_taken_over(self._connect, self._pause, on_wait)
        self._set_state("connected")
        self._look_for_gaps()
        self._keeper = asyncio.create_task(self._keep())

    async def _connect(self) -> Connection:
        since = self.race.ask_since if self.race else 0
        race = self.race.race if self.race else 0
        before, self._is_sent_on = self.address, False
        self._coming = connection = await self._fleet.open(self._token, self._receive, self._dialler)
        is_back = self._token is not None
        self._token, self.waits_for = connection.welcome.token, ""
        question = m.AskView(0, since, race) if is_back else self._watching
        if question is not None:
            try:
                await connection.request(question)
            except RequestRefused as error:
                if error.code != ErrorCode.IN_NO_ROOM or self.room is not None:
                    await connection.close()
                    self._is_sent_on = self._fleet.begin_at(error.moved_to)
                    raise why_not_in(error) from None
            except ConnectionLost as error:
                self._short_connections.note_lost(connection)
                raise (OwnerGone(MOVING) if self._is_sent_on else why_not_in(error)) from None
            except asyncio.CancelledError:
                connection.give_up("The connection was closed here.")
                raise
        self.chat.note_move(before, self.address)
        return connection

    async def wait(self, changes: int) -> None:
        """Wait until `self.changes` is another number than this."""
        while self.changes == changes:
            await self._changed.wait()

    async def request(self, message: m.Request) -> m.ServerMessage:
        """Ask the server something; a room that another server has, or has space for, is entered there.

        Raises:
            RequestRefused: It said no.
            ConnectionLost: There was no answer, or there is no connection at this moment.
        """
        message, hops_left = self._fleet.first_asked(message), MOST_HOPS
        while True:
            if self._connection is None:
                raise ConnectionLost(self.ended or "There is no connection to the server right now.")
            try:
                answer = await self._connection.request(message)
            except RequestRefused as refused:
                if not (hops_left and await self._follow(refused, message)):
                    raise
                message, hops_left = without_offer(message), hops_left - 1
                continue
            if isinstance(message, _ENTRANCES):
                self._watching = message if isinstance(message, m.Watch) else None
            return answer

    async def _follow(self, refused: RequestRefused, request: m.Request) -> bool:
        """Go to the server that has a room, or may have it; give whether to ask again, there or here.

        Raises:
            RequestRefused: It cannot be reached.
            ConnectionLost: Meanwhile the link has gone elsewhere, or ended.
        """
        here, before = self._connection, self.address
        if here is None or not refused.moved_to or not isinstance(request, _ENTRANCES):
            return False
        try:
            connection = await self._fleet.go(refused.moved_to, self._receive, self._dialler)
        except ConnectFailed as error:
            if is_offered(request):
                return True
            is_gone = refused.code == ErrorCode.NOT_READ and not error.is_final
            raise RequestRefused(refused.code, ROOM_WAITING if is_gone else error.text) from None
        if connection is None:
            return is_offered(request)
        if self._connection is not here:
            await connection.close()
            raise ConnectionLost(self.ended or "The connection was lost on the way to another server.")
        self._fleet.note(connection.address, connection.welcome.servers)
        self._connection, self._token = connection, connection.welcome.token
        await here.close()
        self.chat.note_move(before, self.address)
        return True

    async def act(self, decision: int | None, command: Command) -> None:
        """Answer a decision, over as many connections as it takes.

        Raises:
            Refused: The rules do not allow it.
            SessionClosed: The link has ended.
        """
        is_resent = False
        while True:
            while self._connection is None and self.ended is None:
                await self.wait(self.changes)
            if self._connection is None or self.ended is not None:
                raise SessionClosed(self.ended or "")
            connection = self._connection
            try:
                await connection.request(m.Act(0, decision, command))
                return
            except ConnectionLost:
                is_resent = True
                # The keeper hears of it in its own time; until then there is nothing to send on.
                while self._connection is connection:
                    await self.wait(self.changes)
            except RequestRefused as error:
                if is_resent and isinstance(command, GiveUp) and error.code == RefusalCode.NOT_RACING:
                    return
                raise error.as_refused() from None

    def take_meanwhile(self) -> tuple[str, ...]:
        """Give, once, what happened while the player was away; nothing where no event was missed."""
        return self.mirror.take_meanwhile()

    async def leave(self) -> None:
        """Leave the room, as far as the server can be told."""
        with contextlib.suppress(RequestRefused, ConnectionLost):
            await self.request(m.Leave(0))
        self.mirror.leave()
        self._watching = None
        self._notify()

    async def close(self) -> None:
        """Hang up; the server keeps the seat for whoever has the token."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
            self._keeper = None
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
        if self.ended is None:
            self.ended = "The connection was closed here."
            self._set_state("offline")

    async def _keep(self) -> None:
        while self._connection is not None:
            connection = self._connection
            lost = await connection.wait_lost()
            if self._connection is not connection:
                continue  # the player has gone on to another server
            self._connection = None
            self._short_connections.note_lost(connection)
            if lost.code in FINAL:
                await connection.close()
                self._end(lost.text)
                return
            if self.ended is not None:
                return
            if lost.code in SERVER_IS_GONE:
                self._fleet.begin_at("")
            self._set_state("moving" if self._is_sent_on else "reconnecting")
            self._connection = await self._reconnect()
            if self._connection is not None:
                self._set_state("connected")
                self._look_for_gaps()

    async def _reconnect(self) -> Connection | None:
        """Try until it works, or until it is of no use any more."""
        loop = asyncio.get_running_loop()
        began, attempt = loop.time(), self._short_connections.first_attempt
        while True:
            is_sent_on = self._is_sent_on and not self._short_connections.first_attempt
            pause = self._pause if not self._fleet.has_others else partial(soon_pause, self._pause)
            await asyncio.sleep(move_pause() if is_sent_on else pause(attempt))
            attempt += 1
            try:
                return await self._connect()
            except ConnectFailed as error:
                if isinstance(error, NotRead | OwnerGone):
                    self.waits_for = error.text
                elif attempt > QUIET_ATTEMPTS:
                    self.waits_for = self.waits_for or NO_ANSWER
                self._set_state("moving" if self._is_sent_on else "reconnecting")
                if isinstance(error, UnknownToken):
                    may_begin_anew = self._watching or (self._fleet.has_others and self.room is None)
                    if may_begin_anew and self._token is not None:
                        self._token = None  # only the server that is gone knew it, or the room that slept
                        continue
                    self.is_token_dead = True
                if error.is_final or loop.time() - began > GIVE_UP_SECONDS:
                    self._end(error.text, error.notice)
                    return None

    def _receive(self, message: m.ServerMessage) -> None:
        match message:
            case _ if self.mirror.receive(message):
                if isinstance(message, m.LobbyView):
                    self.on_room(message)
                elif isinstance(message, m.Update):
                    self._look_for_gaps()
            case m.Pong():
                self._fleet.note(self.address, message.servers)
            case m.Waiting():
                self.waits_for = one_line(message.text or "")
            case m.Error(data=m.ErrorData(moved_to=str(address))) if message.code in ROOM_IS_GONE:
                self._is_sent_on = self._fleet.begin_at(address)
                self.waits_for = "" if address else one_line(message.text)
                if (connection := self._connection or self._coming) is not None:
                    connection.give_up(one_line(message.text))
            case m.Error() if message.code in ROOM_IS_GONE:
                self.is_token_dead = True
                self._end(one_line(message.text))
            case _:
                return
        self._notify()

    def _look_for_gaps(self) -> None:
        """Ask for events of the race that are missing, unless that is being done or there is no line."""
        race, can_ask = self.race, self._connection is not None and self._filler is None
        if can_ask and race is not None and race.update is not None and not race.is_whole:
            self._filler = asyncio.create_task(self._fill(race))

    async def _fill(self, race: Feed) -> None:
        """Ask for the events of a race that this client missed while it was away."""
        with contextlib.suppress(ConnectionLost):  # once there is another one they are asked for again
            with contextlib.suppress(RequestRefused):
                await self.request(m.AskView(0, race.known, race.race))
                await self.request(m.Ping(0))  # what the answer brings has come before its own
            race.note_asked()
        self._filler = None
        self._notify()

    def _end(self, text: str, notice: Notice | None = None) -> None:
        self.ended, self.notice, self.waits_for = text, notice or end_notice(text), ""
        self._set_state("offline")

    def _set_state(self, state: ConnectionState) -> None:
        self.state = state
        self._notify()

    def _notify(self) -> None:
        self.changes += 1
        event, self._changed = self._changed, asyncio.Event()
        event.set()
