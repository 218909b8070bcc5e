"""One client's connection: frames in, frames out, and the limits on both.

Theory of operation. A connection has two tasks: the reader, which is the caller's and takes messages from
`next_message`, and the writer, which empties the outbox. `send` never waits: it gives the kernel as much as
it takes at once, which saves the writer most of its work, and puts the rest in the outbox. A peer is
dropped if too much waits for it. `close` puts a last `bye` in the outbox; once that is written, the stream
is closed, which ends the reader too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from math import inf
from typing import Final

import structlog
import trio

from heat_core.wire.codec import (
    NEED_DATA,
    BadMessage,
    BrokenStream,
    encode_server_message,
    reader_of_server,
)
from heat_core.wire.codes import ByeCode
from heat_core.wire.encoded_update import Sendable
from heat_core.wire.messages import Bye, ClientMessage, Error, ErrorData
from heat_server.config import ServerConfig
from heat_server.metrics import Figures
from heat_server.net.arrival import Arrival
from heat_server.net.costs import cost_of
from heat_server.net.handshake import shake_hands
from heat_server.net.strain import Strain
from heat_server.net.tls import ACCESS_DENIED, PLAIN, UNFINISHED, Tls
from heat_server.net.token_bucket import TokenBucket

RECEIVE_BYTES: Final = 16_384
BEHIND_FRAMES: Final = 4

log = structlog.get_logger()


class Connection:
    """A stream with a client at the other end.

    Attributes:
        number: For the log.
        address: Where the client came in, as others would type it; "": not known.
        peer: Whom limits count it for; see `admission.peer_of`.
        is_by_door: Whether a door brought it; see `Arrival`.
        opened_at: When it came, by the clock of this process.
        heard_at: When its last message came, or it came itself.
        silent_since: Since when the next bytes are waited for; infinite: they are not.
        program: What the client says that it is, as it came; "" before its hello.
        servers: The addresses of a fleet that it was told last; none: it is not, or was alone.
        is_open: Whether what is sent still has a chance to arrive.
        has_said_hello: Whether its player is known.
        has_hung_up: Whether the peer has closed its side, and thus heard what was sent before.
        has_room: Whether its player is in a room, where nobody is hung up on for silence.
        must_have_seat: Came while the server was full: may stay only with a token that has a place somewhere.
        is_put_off: Whether its hello was answered by "not now", so that it will come again.
        shares: What all connections from around the peer's address may send together; none: no limit.
        strain: How much more messages count now.
        scope: Cancelled when reader and writer shall end at once.
        on_caught_up: Called when a peer that was behind has been sent everything.
    """

    def __init__(
        self,
        stream: trio.abc.Stream,
        number: int,
        config: ServerConfig,
        figures: Figures,
        arrival: Arrival,
        tls: Tls | None = None,
    ) -> None:
        """Take a fresh stream.

        Args:
            stream: With the client at its other end.
            number: For the log.
            config: All settings.
            figures: Where the server counts what goes wrong.
            arrival: Where the client comes from.
            tls: Encrypts what is sent and decrypts what comes; None: nothing does.
        """
        now = trio.current_time()
        self.number = number
        self.address = "" if arrival.address is None else arrival.address.invitation
        self.peer = arrival.peer
        self.is_by_door = arrival.is_by_door
        self.opened_at = self.heard_at = now
        self.silent_since = inf
        self.has_hung_up = False
        self.program = ""
        self.servers: tuple[str, ...] = ()
        self.has_room: Callable[[], bool] = lambda: False
        self.must_have_seat = False
        self.is_put_off = False
        self.has_said_hello = False
        self.on_caught_up: Callable[[], None] = lambda: None
        self._stream = stream
        self._config = config
        self._figures = figures
        self._reader = reader_of_server()
        self._tls = tls
        self._first = arrival.data
        self._outbox: list[bytes] = []  # seldom more than one frame: an empty deque takes ten times as much
        self._outbox_bytes = 0
        self._bell = trio.Event()
        self._descriptor = _descriptor_of(stream)
        self._is_writer_idle = False
        self.is_open = True
        self._is_closing = self._is_dropped = self._was_behind = False
        self._errors = 0
        self._allowance = TokenBucket(config.messages_at_once, config.messages_per_second, now)
        self.shares: tuple[TokenBucket, ...] = ()
        self.strain = Strain()
        self.scope = trio.CancelScope()

    def is_behind(self) -> bool:
        """Tell whether the peer has yet to be sent earlier frames; remembers to call `on_caught_up`."""
        if len(self._outbox) < BEHIND_FRAMES:
            return False
        self._was_behind = True
        return True

    def send(self, *messages: Sendable) -> None:
        """Send messages when the peer is ready for them; nothing happens on a closed connection."""
        if not self.is_open:
            return
        for message in messages:
            if isinstance(message, Error):
                self._figures.note_error(message.code)
            self._put(encode_server_message(message))
        self._push()

    def error(self, re: int | None, code: str, text: str, data: ErrorData | None = None) -> None:
        """Send an error."""
        self.send(Error(re, code, text, data))

    def close(self, code: ByeCode, text: str) -> None:
        """Say bye and close, once everything before it is sent."""
        if self.is_open:
            log.info("closing", connection=self.number, peer=self.peer, reason=code)
            self._figures.note_bye(code)
            if self._tls is None or self._tls.is_ready:
                self._put(encode_server_message(Bye(code, text)))
            elif code is not ByeCode.NO_HELLO:  # who was too slow is not refused
                # Whoever has not spoken yet may turn out to speak no TLS; the alert is all the same.
                self._put_sealed(ACCESS_DENIED)
            self._finish()

    def _finish(self) -> None:
        """Close, once everything is sent."""
        if self._tls is not None and self._tls.is_ready:
            self._put_sealed(self._tls.end())
        self._is_closing = True
        self.is_open = False
        self._bell.set()

    def drop(self, code: ByeCode) -> None:
        """Close at once: the peer does not read."""
        if not self._is_dropped:
            log.info("dropped", connection=self.number, peer=self.peer, reason=code)
            self._figures.note_bye(code)
            self._is_dropped = True
            self.is_open = False
            self._outbox.clear()
            self._outbox_bytes = 0
            self.scope.cancel()

    def note_error(self) -> None:
        """Count a wrong message; too many end the connection."""
        self._errors += 1
        if self._errors >= self._config.most_errors:
            self.close(ByeCode.TOO_MANY_ERRORS, "Too many of your messages were wrong.")

    def _put(self, frame: bytes) -> None:
        if self._tls is not None:
            frame = self._tls.seal(frame)
        self._outbox.append(frame)
        self._outbox_bytes += len(frame)

    def _put_sealed(self, data: bytes) -> None:
        self._outbox.append(data)
        self._outbox_bytes += len(data)

    def _send_pending(self, tls: Tls) -> None:
        """Send what TLS itself has to say."""
        if data := tls.pending():
            self._put_sealed(data)
            self._push()

    def _push(self) -> None:
        """Hand the kernel what it takes at once, if the writer has nothing in hand; wake it for the rest.

        A peer for whom too much waits then is dropped.
        """
        if self._is_writer_idle and self._descriptor is not None:
            data = self._take()
            try:
                count = os.write(self._descriptor, data)
            except OSError:  # no room now, or gone: the writer will find out which
                count = 0
            if count < len(data):
                self._outbox.insert(0, data[count:])
                self._outbox_bytes += len(data) - count
            self._note_caught_up()
        if self._outbox:
            self._bell.set()
        config = self._config
        if len(self._outbox) > config.most_waiting_frames or self._outbox_bytes > config.most_waiting_bytes:
            self.drop(ByeCode.TOO_SLOW)

    async def begin(self, where: str) -> bool:
        """Do the handshake of TLS, where there is one; after a failure the connection ends by itself.

        Args:
            where: What a client that speaks no TLS is to type as the server's address.
        """
        tls, first, self._first = self._tls, self._first, b""
        if tls is None:
            self._reader.receive_data(first)
            return True
        fault = UNFINISHED
        try:
            fault = await shake_hands(tls, first, self._receive_raw, self._send_pending)
        finally:  # also where time is up
            if fault:
                self._figures.handshakes_failed[fault] += 1
        if fault:
            log.info("no handshake", connection=self.number, peer=self.peer, fault=fault)
            if fault == PLAIN:
                self._tls = None
                self.close(ByeCode.NEEDS_TLS, f"This server encrypts. Connect to {where} instead.")
            self._finish()
            return False
        self._figures.handshakes += 1
        self._reader.receive_data(tls.open(b""))  # what came in one piece with the end of the handshake
        return True

    async def next_message(self) -> ClientMessage | None:
        """Read the next message; wrong ones are answered and passed over, too many at once wait.

        Returns:
            None when no more will come: the peer hung up, or sent what cannot be read on.
        """
        while True:
            try:
                message = self._reader.next_message()
            except BadMessage as error:
                await self._take_allowance(cost_of(None, self._reader.payload_bytes))
                log.info("bad message", connection=self.number, code=error.code)
                details = ErrorData(field=error.field) if error.field is not None else None
                self.error(error.re, error.code, error.text, details)
                self.note_error()
                continue
            except BrokenStream as error:
                self.close(ByeCode.BAD_FRAME, error.text)
                return None
            if message is not NEED_DATA:
                await self._take_allowance(cost_of(message, self._reader.payload_bytes))
                self.heard_at = trio.current_time()
                return message
            self.silent_since = trio.current_time()
            try:
                data = await self._receive()
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                return None
            self.silent_since = inf
            if not data:
                self.has_hung_up = True
                try:
                    self._reader.receive_eof()
                except BrokenStream:
                    log.info("cut off within a frame", connection=self.number)
                return None
            self._reader.receive_data(data)

    async def _receive(self) -> bytes | bytearray:
        """Wait for bytes of frames and take them; empty: the peer has closed its side.

        Raises:
            trio.BrokenResourceError, trio.ClosedResourceError, OSError: The peer or this end is gone, or what
                came is not what the peer encrypted.
        """
        data = await self._receive_raw()
        while (tls := self._tls) is not None and data:
            try:
                opened = tls.open(data)
            finally:  # after a fault an alert waits
                self._send_pending(tls)
            if opened or tls.is_over:
                return opened
            data = await self._receive_raw()
        return data

    async def _receive_raw(self) -> bytes | bytearray:
        """Wait for bytes of the stream and take them; empty: the peer has closed its side.

        The kernel is asked to wait before it is asked for bytes: a client has nearly always yet to hear an
        answer, and the stream's first try would fail.

        Raises:
            trio.BrokenResourceError, trio.ClosedResourceError, OSError: The peer or this end is gone.
        """
        while self._descriptor is not None and self.is_open:
            await trio.lowlevel.wait_readable(self._descriptor)
            if self.is_open:  # else the number may be another connection's by now
                try:
                    return os.read(self._descriptor, RECEIVE_BYTES)
                except BlockingIOError:
                    continue
        return await self._stream.receive_some(RECEIVE_BYTES)

    async def _take_allowance(self, cost: float) -> None:
        """Wait until a message may be looked at, by what the connection and what its address may send."""
        if (wait := self.charge(cost)) > 0:
            await trio.sleep(wait)

    def charge(self, cost: float) -> float:
        """Count what the peer has sent for more messages: the next ones are looked at later.

        Returns:
            The seconds after which that is paid by connection and address; 0: at once.
        """
        now, strain = trio.current_time(), self.strain.factor
        wait = self._allowance.owe(cost, now, strain)
        return max([wait, *(share.owe(cost * strain, now) for share in self.shares)])

    async def write(self) -> None:
        """Send what the outbox holds until the connection is closed; then close the stream."""
        try:
            while not (self._is_closing and not self._outbox):
                if not self._outbox:
                    self._bell = trio.Event()
                    self._is_writer_idle = True
                    await self._bell.wait()
                    self._is_writer_idle = False
                    continue  # what the bell was for may be sent by now
                # Not `fail_after`, which takes as long as the sending does.
                with trio.CancelScope(deadline=trio.current_time() + self._config.send_seconds) as sending:
                    await self._stream.send_all(self._take())
                if sending.cancelled_caught:
                    self.drop(ByeCode.TOO_SLOW)
                    break
                self._note_caught_up()
            with trio.move_on_after(self._config.send_seconds):
                await self._stream.aclose()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._is_dropped = True
            self.is_open = False
        self.scope.cancel()

    def _note_caught_up(self) -> None:
        if self._was_behind and not self._outbox:
            self._was_behind = False
            self.on_caught_up()

    def _take(self) -> bytes:
        """Take one frame, or as many as fit in a common piece."""
        count, size = 1, len(self._outbox[0])
        while count < len(self._outbox) and size + len(self._outbox[count]) <= RECEIVE_BYTES:
            size += len(self._outbox[count])
            count += 1
        frames, self._outbox = self._outbox[:count], self._outbox[count:]
        self._outbox_bytes -= size
        return b"".join(frames)

    async def close_stream(self) -> None:
        """Close the stream without regard for what is still to be sent."""
        self._is_dropped = True
        self.is_open = False
        self._descriptor = None
        await trio.aclose_forcefully(self._stream)


def _descriptor_of(stream: trio.abc.Stream) -> int | None:
    """Give what the kernel knows the stream by, where it can be written to without waiting."""
    if sys.platform == "win32" or not isinstance(stream, trio.SocketStream):
        return None
    return stream.socket.fileno()
