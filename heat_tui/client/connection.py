"""One connection to a server: hello, requests with their answers, and what the server sends of itself.

Theory of operation. `Connection.open` connects, says hello and waits for the welcome. From then on one task
reads, and believes only what can be so (`heat_core.wire.problems`): answers go to the request that waits for
them, everything else to `on_push`, in order of arrival. The first fault of any kind (end of stream, bytes
that are no message, what cannot be so, an answer that never comes) ends the connection for all: every open
request and `wait_lost` get the same `ConnectionLost`. A connection is not reused;
`heat_tui.client.server_link.ServerLink` opens the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from heat_core.refusal import RefusalCode, Refused
from heat_core.version import program_version
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codec import (
    NEED_DATA,
    BadMessage,
    FrameReader,
    NeedData,
    WireError,
    encode_client_message,
    reader_of_client,
)
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.problems import message_problem
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.dialling import ANY_REACH, Dialler, Reach, reason_of

ANSWER_SECONDS: Final = 10.0
PING_SECONDS: Final = 5.0
"""After so long without a word from the server it is asked for a sign of life."""

NEWS_SECONDS: Final = 15.0
"""After so long without a question it is asked anyway: the answer names new servers of the fleet."""

NONSENSE: Final = "nonsense"
"""The code of a connection that was ended here because of what the server said."""

SILENT: Final = "silent"
"""The code of a connection that was ended here because the server did not answer."""

READ_BYTES: Final = 65_536


_NOT_WELCOME: Final = frozenset({ErrorCode.OTHER_VERSION, ByeCode.OTHER_VERSION, ByeCode.BANNED})


class ConnectionLost(Exception):
    """The connection has ended.

    Attributes:
        text: Why, in one line for people.
        code: The server's code for it, None where it did not say.
    """

    def __init__(self, text: str, code: str | None = None) -> None:
        """Note why."""
        super().__init__(text)
        self.text = text
        self.code = code


class RequestRefused(Exception):
    """The server said no, and nothing changed.

    Attributes:
        code: For programs; see `heat_core.wire.codes`.
        text: One sentence for people.
        moved_to: The address of the server that has the room, as this one named it; "": it named none.
    """

    def __init__(self, code: str, text: str, moved_to: str = "") -> None:
        """Note the answer."""
        super().__init__(text)
        self.code = code
        self.text = text
        self.moved_to = moved_to

    def as_refused(self) -> Refused:
        """Give it as one of the rules; a code of the wire's own means that nothing can be decided now."""
        try:
            return Refused(RefusalCode(self.code), self.text)
        except ValueError:
            return Refused(RefusalCode.NOTHING_TO_DECIDE, self.text)


class UnknownToken(ConnectFailed):
    """The server does not know the token: the session is over."""


class NotRead(ConnectFailed):
    """The server cannot say at the moment whether it has a seat for the token."""


class Moved(ConnectFailed):
    """Another server has the seat of this token.

    Attributes:
        address: Its address, as the server that was asked named it.
    """

    def __init__(self, text: str, address: str) -> None:
        """Note where to go."""
        super().__init__(text)
        self.address = address


class Connection:
    """An open connection, after the welcome.

    Attributes:
        address: The server's.
        welcome: What the server said of itself, with the token of this session.
        opened_at: When it was made, by the clock of the loop.
    """

    def __init__(
        self,
        address: Address,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        on_push: Callable[[m.ServerMessage], None],
    ) -> None:
        """Used by `open`."""
        self.welcome: m.Welcome
        self.address = address
        self.opened_at = asyncio.get_running_loop().time()
        self._reader = reader
        self._writer = writer
        self._on_push = on_push
        self._started: m.Started | None = None
        self._frames: FrameReader[m.ServerMessage] = reader_of_client()
        self._waiting: dict[int, asyncio.Future[m.ServerMessage]] = {}
        self._next_id = 1
        self._heard_at = float("-inf")
        self._lost: asyncio.Future[ConnectionLost] = asyncio.get_running_loop().create_future()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        address: Address,
        token: str | None,
        on_push: Callable[[m.ServerMessage], None],
        dialler: Dialler,
        reach: Reach = ANY_REACH,
    ) -> Connection:
        """Connect and say hello.

        Args:
            token: From an earlier welcome, to be the same player again.
            on_push: Called with every message that answers no request, and with news in the answer to a ping;
                must not block.
            dialler: Opens the stream.
            reach: How far it goes for that.

        Raises:
            Moved: Another server has the seat of the token.
            NotRead: The server may have it, or get it, in a moment.
            ConnectFailed: Nothing listens there, it is no such server, or it speaks another version.
        """
        reader, writer = await dialler.dial(address, reach)
        self = cls(address, reader, writer, on_push)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self.welcome = await self._greet(token, dialler.header_for(address))
        except TimeoutError:
            self._abort()
            raise ConnectFailed(f"{address} answers, but not as a heat-server. Check the port.") from None
        except BaseException:
            self._abort()
            raise
        self._tasks = [asyncio.create_task(self._read_on()), asyncio.create_task(self._ping_on())]
        return self

    async def _greet(self, token: str | None, header: bytes) -> m.Welcome:
        hello = m.Hello(0, m.PROTOCOL, "heat-tui", program_version(), token, m.LEAST_PROTOCOL)
        try:
            self._writer.write(header + encode_client_message(hello))
            await self._writer.drain()
            answer = await self._next_message()
        except WireError:
            raise ConnectFailed(f"{self.address} is not a heat-server. Check the port.") from None
        except OSError as error:
            raise ConnectFailed(f"{self.address} closed the connection: {reason_of(error)}.") from None
        match answer:
            case m.Welcome() if m.common_protocol(answer.protocol, answer.protocol) is None:
                raise ConnectFailed(
                    f"{self.address} uses version {answer.protocol} of the protocol, this program version "
                    f"{m.PROTOCOL}: they do not fit. Install the same release on both sides.",
                    is_final=True,
                )
            case m.Welcome():
                return answer
            case m.Error() | m.Bye() if answer.code == ErrorCode.UNKNOWN_TOKEN:
                raise UnknownToken(one_line(answer.text), is_final=True)
            case m.Error(data=m.ErrorData(moved_to=str(address))) if address:
                raise Moved(one_line(answer.text), address)
            case m.Error(code=ErrorCode.NOT_READ):
                raise NotRead(one_line(answer.text))
            case m.Bye(code=ByeCode.NEEDS_TLS):  # its text names the server as its own host knows it
                secure = self.address._replace(is_tls=True)
                raise ConnectFailed(f"This server encrypts. Connect to {secure} instead.", is_final=True)
            case m.Error() | m.Bye():
                raise ConnectFailed(one_line(answer.text), is_final=answer.code in _NOT_WELCOME)
            case None:
                raise ConnectFailed(f"{self.address} closed the connection at once. Is it a heat-server?")
            case _:
                raise ConnectFailed(f"{self.address} is not a heat-server. Check the port.")

    async def request(self, message: m.Request) -> m.ServerMessage:
        """Send a request and wait for its answer.

        Args:
            message: Its `id` is set here.

        Raises:
            RequestRefused: The server said no.
            ConnectionLost: No answer; whether the server heard it is not known.
        """
        if self._lost.done():
            raise self._lost.result()
        number, self._next_id = self._next_id, self._next_id + 1
        message = msgspec.structs.replace(message, id=number)
        waiting: asyncio.Future[m.ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self._writer.write(encode_client_message(message))
                await self._writer.drain()
                answer = await waiting
        except TimeoutError:
            self._end(ConnectionLost(f"{self.address} does not answer.", SILENT))
            raise self._lost.result() from None
        except OSError as error:
            self._end(ConnectionLost(f"The connection was lost: {reason_of(error)}."))
            raise self._lost.result() from None
        finally:
            del self._waiting[number]
            if waiting.done() and not waiting.cancelled():
                waiting.exception()  # heard of it above already
        if isinstance(answer, m.Error):
            moved_to = answer.data.moved_to if answer.data is not None else None
            raise RequestRefused(answer.code, one_line(answer.text), moved_to or "")
        if isinstance(answer, m.Pong) and answer.servers:
            self._on_push(answer)
        return answer

    async def wait_lost(self) -> ConnectionLost:
        """Wait until the connection has ended, and say why."""
        return await asyncio.shield(self._lost)

    async def close(self) -> None:
        """Hang up."""
        self._end(ConnectionLost("The connection was closed here."))
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def give_up(self, text: str) -> None:
        """End the connection at once: what is wanted is elsewhere.

        Args:
            text: Why, in one line for people.
        """
        self._end(ConnectionLost(text))

    def _abort(self) -> None:
        """Hang up without waiting."""
        self._writer.transport.abort()

    def _end(self, lost: ConnectionLost) -> None:
        if self._lost.done():
            return
        self._lost.set_result(lost)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(lost)
        self._writer.close()
        current = asyncio.current_task()
        for task in self._tasks:
            if task is not current:
                task.cancel()

    async def _next_message(self) -> m.ServerMessage | None:
        """Give the next message, None at the end of the stream.

        Raises:
            WireError: The server sent something else, or, with the code of a bad message, what cannot be so.
            OSError: The connection broke.
        """
        while (message := self._next_known_message()) is NEED_DATA:
            data = await self._reader.read(READ_BYTES)
            if not data:
                return None
            self._heard_at = asyncio.get_running_loop().time()
            self._frames.receive_data(data)
        if problem := message_problem(message, self._started):
            raise BadMessage(ErrorCode.BAD_MESSAGE, one_line(problem))
        if isinstance(message, m.Started):
            self._started = message
        return without_controls(message)

    def _next_known_message(self) -> m.ServerMessage | NeedData:
        """Give the next message, as `FrameReader` does; those that only newer programs know are skipped."""
        while True:
            try:
                return self._frames.next_message()
            except BadMessage as error:
                if error.code != ErrorCode.UNKNOWN_TYPE:
                    raise

    async def _read_on(self) -> None:
        bye: m.Bye | None = None
        try:
            while (message := await self._next_message()) is not None:
                waiting = self._waiting.get(re) if (re := getattr(message, "re", None)) is not None else None
                if isinstance(message, m.Bye):
                    bye = message
                    break
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                elif re is None:
                    self._on_push(message)
        except WireError as error:
            fault = f"{error.text[0].lower()}{error.text[1:].rstrip('.')}."
            if error.code == ErrorCode.BAD_MESSAGE:
                told = f"The server sent a message that cannot be right: {fault}"
                self._end(ConnectionLost(told, NONSENSE))
            else:
                self._end(ConnectionLost(f"The server sent data that this program cannot read: {fault}"))
        except OSError as error:
            self._end(ConnectionLost(f"The connection was lost: {reason_of(error)}."))
        if bye is not None:
            self._end(ConnectionLost(one_line(bye.text), bye.code))
        self._end(ConnectionLost("The server closed the connection."))

    async def _ping_on(self) -> None:
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        while True:
            due = min(self._heard_at + PING_SECONDS, asked_at + NEWS_SECONDS)
            if (pause := due - loop.time()) > 0:
                await asyncio.sleep(pause)
                continue
            asked_at = loop.time()
            with contextlib.suppress(RequestRefused):
                try:
                    await self.request(m.Ping(0))
                except ConnectionLost:
                    return


Message = TypeVar("Message", bound=msgspec.Struct)


def without_controls(message: Message) -> Message:
    """Replace what would drive the terminal in every text of a message by blanks."""
    told = msgspec.json.encode(message)  # a twentieth of the work, and writes them with a backslash
    if told.isascii() and b"\\" not in told and b"\x7f" not in told:
        return message
    return msgspec.convert(_blanked(msgspec.to_builtins(message)), type(message))


def _blanked(value: Any) -> Any:
    match value:
        case str():
            return "".join(sign if sign.isprintable() else " " for sign in value)
        case dict():
            return {key: _blanked(item) for key, item in value.items()}
        case list() | tuple():
            return [_blanked(item) for item in value]
        case _:
            return value


def one_line(text: str) -> str:
    """Make a text from the server one harmless line: no control characters, at most 300 long."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:300])
