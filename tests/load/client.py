"""One scripted client, quick enough that hundreds of them on one core do not measure themselves.

Of an update it reads little more than whether it is asked something; only then the whole, to answer by the
defaults of the rules.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import cast

import msgspec

from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.wire.codec import HEADER_BYTES, decode_server_message, encode_client_message
from heat_core.wire.messages import PROTOCOL, Act, ClientMessage, Hello, Started, Update


class _Own(msgspec.Struct):
    decision: int | None
    chosen: msgspec.Raw


class _View(msgspec.Struct):
    event_number: int
    status: str
    own: _Own | None


class _Data(msgspec.Struct):
    moved_to: str | None = None


class _Glance(msgspec.Struct):
    """What is looked at of every message."""

    type: str
    re: int | None = None
    code: str | None = None
    token: str | None = None
    view: _View | None = None
    data: _Data | None = None


_GLANCE = msgspec.msgpack.Decoder(_Glance)
_NIL = b"\xc0"


class Counts:
    """What a swarm of clients has seen.

    Attributes:
        answers: Seconds from sending an act to its ok, one for each.
        races: How many seats have seen their race end.
        errors: Codes of errors, with how often each came.
    """

    def __init__(self) -> None:
        self.answers: list[float] = []
        self.races = 0
        self.errors: dict[str, int] = {}


class Client(asyncio.Protocol):
    """A connection that races as soon as it is told that a race has begun.

    Attributes:
        token: To come back with.
        is_over: The race has ended.
        events: How many the race has had, as far as was told.
        acts: How many it has sent.
        moved_to: The address of the server that its room has moved to; the connection is closed then.
        bye: The code with which the server hung up; "": it has not.
    """

    def __init__(self, counts: Counts, wait_turn: Callable[[Client], None]) -> None:
        """Prepare a client.

        Args:
            counts: Where to count.
            wait_turn: Called when there is something to send; it calls `act` when that may be.
        """
        self.counts = counts
        self.token = ""
        self.is_over = False
        self.events = 0
        self.acts = 0
        self.moved_to = ""
        self.bye = ""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wait_turn = wait_turn
        self._buffer = bytearray()
        self._ids = 0
        self._waiting: dict[int, asyncio.Future[_Glance]] = {}
        self._sent: dict[int, float] = {}
        self._started: Started | None = None
        self._update = b""
        self._answered = -1
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionResetError())
        self._waiting.clear()

    def close(self) -> None:
        self._transport.abort()

    @property
    def waits_seconds(self) -> float:
        """How long it has waited for the answer to an act; 0: it waits for none."""
        return time.perf_counter() - min(self._sent.values()) if self._sent else 0.0

    async def ask(self, message: ClientMessage) -> _Glance:
        """Send a request and wait for its answer."""
        self._ids += 1
        future: asyncio.Future[_Glance] = asyncio.get_running_loop().create_future()
        self._waiting[self._ids] = future
        self._transport.write(encode_client_message(msgspec.structs.replace(message, id=self._ids)))
        return await future

    async def try_hello(self, token: str | None = None) -> _Glance:
        """Say hello; with a token, the server may not know it any more."""
        answer = await self.ask(Hello(0, PROTOCOL, "swarm", "1", token))
        self.token = answer.token or ""
        return answer

    async def hello(self) -> None:
        """Say hello as somebody new."""
        assert (await self.try_hello()).token is not None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        at = 0
        while len(self._buffer) - at >= HEADER_BYTES:
            end = at + HEADER_BYTES + int.from_bytes(self._buffer[at : at + HEADER_BYTES], "big")
            if len(self._buffer) < end:
                break
            self._take(bytes(self._buffer[at + HEADER_BYTES : end]))
            at = end
        del self._buffer[:at]

    def _take(self, payload: bytes) -> None:
        glance = _GLANCE.decode(payload)
        if glance.re is not None:
            self._take_answer(glance)
        elif glance.type == "bye":
            self.bye = glance.code or ""
        elif glance.data is not None and glance.data.moved_to:
            self.moved_to = glance.data.moved_to
            self.close()
        elif glance.type == "started":
            self._started = cast(Started, decode_server_message(payload))
            self._answered = -1
        elif glance.view is not None:
            own = glance.view.own
            self.events = glance.view.event_number
            if glance.view.status == "ended":
                if not self.is_over:
                    self.is_over = True
                    self.counts.races += 1
            elif own is not None and own.decision is not None and bytes(own.chosen) == _NIL:
                if own.decision > self._answered:
                    self._answered = own.decision
                    self._update = payload
                    self._wait_turn(self)

    def _take_answer(self, glance: _Glance) -> None:
        assert glance.re is not None
        if glance.type == "error":
            code = glance.code or ""
            self.counts.errors[code] = self.counts.errors.get(code, 0) + 1
        if (sent := self._sent.pop(glance.re, None)) is not None:
            self.counts.answers.append(time.perf_counter() - sent)
        elif (future := self._waiting.pop(glance.re, None)) is not None:
            if not future.done():  # else nobody waits any more
                future.set_result(glance)

    def act(self) -> None:
        """Answer what was asked last."""
        assert self._started is not None
        update = cast(Update, decode_server_message(self._update))
        own = update.view.own
        assert own is not None
        assert own.decision is not None
        command = default_command(Observation(self._started.setup, update.view))
        self._ids += 1
        self.acts += 1
        self._sent[self._ids] = time.perf_counter()
        self._transport.write(encode_client_message(Act(self._ids, own.decision, command)))
