"""Bytes to messages and back, without touching a socket.

Theory of operation. A stream is a row of frames: four bytes that say how long the rest is (big-endian), then
one MessagePack map. A `FrameReader` is fed whatever bytes arrived and gives one message after another, or
`NEED_DATA`. Each payload passes three gates: MessagePack with small limits; plain values only (no floats from
clients, no binary, no extension types, every key a text and only once); and the message types themselves with
the bounds of their fields. Fields that a type does not have are left out: the peer may be newer.

Errors say what to do. After `BadMessage` the reader is at the next frame: answer, and continue reading.
After `BrokenStream` it is not known where the next frame begins: hang up. Texts of errors name places and
types, never a peer's words.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from math import isfinite
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, cast

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own
import msgspec

from heat_core.validation_text import field_at_fault, validation_text
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.encoded_update import Sendable
from heat_core.wire.known import known_part
from heat_core.wire.messages import MOST_EVENTS, MOST_NUMBER, PROTOCOL, ClientMessage, Hello, ServerMessage

HEADER_BYTES: Final = 4
MOST_CLIENT_BYTES: Final = 65_536
"""The longest payload that a client may send."""

MOST_SERVER_BYTES: Final = 1024 * 1024
"""The longest payload that a server may send."""

MOST_DEPTH: Final = 16

Message = TypeVar("Message")


class _Sentinel(Enum):
    NEED_DATA = "need data"


NeedData: TypeAlias = Literal[_Sentinel.NEED_DATA]
NEED_DATA: Final = _Sentinel.NEED_DATA


class WireError(Exception):
    """The peer sent something wrong.

    Attributes:
        code: For the `error` message.
        text: One sentence for the same, free of the peer's words.
    """

    def __init__(self, code: str, text: str) -> None:
        """Note code and text."""
        super().__init__(text)
        self.code = code
        self.text = text


class BrokenStream(WireError):
    """It is not known where the next frame begins: hang up."""


class BadMessage(WireError):
    """One frame was wrong; the next can be read.

    Attributes:
        re: Its `id`, None where there is no sound one.
        field: The path of the field that is wrong; None: no single one.
    """

    def __init__(self, code: str, text: str, re: int | None = None, field: str | None = None) -> None:
        """Note code, text, request and field."""
        super().__init__(code, text)
        self.re = re
        self.field = field


class FrameReader(Generic[Message]):
    """Turns arriving bytes into messages; made by `reader_of_server` and `reader_of_client`.

    Attributes:
        payload_bytes: How long the payload was that was looked at last, right or wrong.
    """

    def __init__(self, most_bytes: int, decode: Callable[[bytes], Message]) -> None:
        """Begin at the start of a stream.

        Args:
            most_bytes: The longest payload.
            decode: Makes a message of a payload, or raises `BadMessage`.
        """
        self.payload_bytes = 0
        self._most_bytes = most_bytes
        self._decode = decode
        self._buffer = bytearray()
        self._broken: BrokenStream | None = None

    def receive_data(self, data: bytes | bytearray) -> None:
        """Store bytes that arrived; nothing is looked at yet."""
        if self._broken is None:
            self._buffer += data

    def next_message(self) -> Message | NeedData:
        """Give the next message.

        Returns:
            A message, or `NEED_DATA` when the stored bytes end before the next message does.

        Raises:
            BadMessage: The frame was wrong and is passed over; call again.
            BrokenStream: The stream cannot be read on, now or ever.
        """
        if self._broken is not None:
            raise self._broken
        if len(self._buffer) < HEADER_BYTES:
            return NEED_DATA
        length = int.from_bytes(self._buffer[:HEADER_BYTES], "big")
        if not 1 <= length <= self._most_bytes:
            raise self._break(
                f"A frame says that it has {length} bytes; 1 to {self._most_bytes} are allowed."
            )
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return NEED_DATA
        payload = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        self.payload_bytes = length
        return self._decode(payload)

    def receive_eof(self) -> None:
        """Say that the peer has closed its side.

        Raises:
            BrokenStream: It did so in the middle of a frame.
        """
        if self._buffer and self._broken is None:
            raise self._break("The stream ends in the middle of a frame.")

    def _break(self, text: str) -> BrokenStream:
        self._buffer.clear()
        self._broken = BrokenStream(ByeCode.BAD_FRAME, text)
        return self._broken


def reader_of_server() -> FrameReader[ClientMessage]:
    """Make what a server reads its clients' messages with."""
    return FrameReader(MOST_CLIENT_BYTES, decode_client_message)


def reader_of_client() -> FrameReader[ServerMessage]:
    """Make what a client reads its server's messages with."""
    return FrameReader(MOST_SERVER_BYTES, decode_server_message)


def encode_client_message(message: ClientMessage) -> bytes:
    """Make the frame of a client's message.

    Raises:
        ValueError: It is longer than a frame may be.
    """
    return _frame(message, MOST_CLIENT_BYTES)


def encode_server_message(message: Sendable) -> bytes:
    """Make the frame of a server's message.

    Raises:
        ValueError: It is longer than a frame may be.
    """
    return _frame(message, MOST_SERVER_BYTES)


def _frame(message: ClientMessage | Sendable, most_bytes: int) -> bytes:
    payload = msgspec.msgpack.encode(message)
    if len(payload) > most_bytes:
        raise ValueError(f"a {type(message).__name__} of {len(payload)} bytes; {most_bytes} are allowed")
    return len(payload).to_bytes(HEADER_BYTES, "big") + payload


def decode_client_message(payload: bytes) -> ClientMessage:
    """Make a client's message of a payload; `hello` is read leniently, its protocol first.

    Raises:
        BadMessage: It is none.
    """
    if (message := _read_as_written_here(payload)) is not None:
        return message
    if (hello_fields := _skim_hello(payload)) is not None:
        return _read_hello(hello_fields)
    fields = _unpack(payload, _CLIENT_LIMITS, allow_floats=False)
    return cast(ClientMessage, _convert(fields, ClientMessage))


_MOST_SHORT_BYTES: Final = 512
_CLIENT_DECODER: Final = msgspec.msgpack.Decoder(ClientMessage)


def _read_as_written_here(payload: bytes) -> ClientMessage | None:
    """Read a short message that is, byte for byte, what our own encoder would make of it.

    That settles at once what the long way looks at one by one, in a fifth of the time: no key stands twice,
    no number is a fraction, nothing is unknown. What is written otherwise, right or wrong, goes the long way.
    """
    if len(payload) > _MOST_SHORT_BYTES:
        return None
    try:
        message: ClientMessage = _CLIENT_DECODER.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if isinstance(message, Hello) or msgspec.msgpack.encode(message) != payload:
        return None
    return message


def decode_server_message(payload: bytes) -> ServerMessage:
    """Make a server's message of a payload.

    Raises:
        BadMessage: It is none.
    """
    fields = _unpack(payload, _SERVER_LIMITS, allow_floats=True)
    return cast(ServerMessage, _convert(fields, ServerMessage))


_CLIENT_LIMITS: Final = {
    "max_array_len": 64,
    "max_map_len": 32,
    "max_str_len": MOST_CLIENT_BYTES,  # what is too long for its field is refused there, with place and id
    "max_bin_len": 0,
    "max_ext_len": 0,
}
_SERVER_LIMITS: Final = {
    "max_array_len": MOST_EVENTS,
    "max_map_len": 64,
    "max_str_len": 4096,
    "max_bin_len": 0,
    "max_ext_len": 0,
}

_DUPLICATE_KEY: Final = "A map has a key twice."


def _one_map(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError(_DUPLICATE_KEY)
    return fields


def _unpack(payload: bytes, limits: dict[str, int], *, allow_floats: bool) -> dict[str, Any]:
    """Make plain values of a payload.

    Raises:
        BadMessage: It is no MessagePack map, or has something in it that no message has.
    """
    try:
        value = msgpack.unpackb(payload, object_pairs_hook=_one_map, strict_map_key=True, **limits)
    except Exception as error:
        # Whatever the decoder stumbles over (its own errors, bad UTF-8, odd keys, nesting), the payload
        # is the peer's and at fault. The error's text may hold the peer's words: not repeated.
        text = _DUPLICATE_KEY if str(error) == _DUPLICATE_KEY else "A frame holds no sound MessagePack map."
        raise BadMessage(ErrorCode.BAD_MESSAGEPACK, text) from None
    if not isinstance(value, dict):
        raise BadMessage(ErrorCode.BAD_MESSAGEPACK, "A frame holds one map, nothing else.")
    if fault := _plain_fault(value, allow_floats=allow_floats):
        raise BadMessage(ErrorCode.BAD_MESSAGEPACK, fault, _sound_id(value))
    return value


def _plain_fault(value: object, *, allow_floats: bool) -> str | None:
    """Say what in a decoded value no message may have, None where all is well. Needs no recursion."""
    level: list[object] = [value]
    for _ in range(MOST_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                if not all(type(key) is str for key in item):
                    return "The keys of a map must be texts."
                below += item.values()
            elif isinstance(item, list):
                below += item
            elif isinstance(item, float):
                if not allow_floats:
                    return "There are no fractions in this protocol: whole numbers only."
                if not isfinite(item):
                    return "A number is not finite."
            elif not (item is None or isinstance(item, (str, int))):
                return "Only maps, lists, texts, whole numbers, true, false and nil are allowed."
        if not below:
            return None
        level = below
    return "The values are nested too deeply."


def _sound_id(fields: dict[str, Any]) -> int | None:
    number = fields.get("id")
    return number if type(number) is int and 0 <= number <= MOST_NUMBER else None


def _convert(fields: dict[str, Any], kind: Any) -> object:
    """Make a typed message.

    Raises:
        BadMessage: With the place where it does not fit.
    """
    with suppress(msgspec.ValidationError):  # which may only mean that the peer is newer
        return msgspec.convert(fields, kind)
    try:
        return msgspec.convert(known_part(fields, kind), kind)
    except msgspec.ValidationError as error:
        text = str(error)
    number = _sound_id(fields)
    if type(fields.get("type")) is not str:
        raise BadMessage(ErrorCode.BAD_MESSAGE, "A message needs a type, which is a text.", number, "type")
    if text.endswith("at `$.type`"):
        raise BadMessage(ErrorCode.UNKNOWN_TYPE, "There is no message of this type.", number, "type")
    raise BadMessage(ErrorCode.BAD_MESSAGE, validation_text(text), number, field_at_fault(text))


_HELLO_KEYS: Final = frozenset({"type", *Hello.__struct_fields__})


def _skim_hello(payload: bytes) -> dict[str, Any] | None:
    """Give the fields that a `hello` of every version has; whatever else is in there is skipped unread.

    Returns:
        None where the payload is no `hello`, has bytes behind it, or has one of these fields twice; also
        where one of them is unreadable in a `hello` of this version: what reads all other messages says why.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=MOST_CLIENT_BYTES)
    unpacker.feed(payload)

    def next_value() -> tuple[bool, Any]:
        start = unpacker.tell()
        unpacker.skip()
        try:
            return True, msgpack.unpackb(payload[start : unpacker.tell()], **_CLIENT_LIMITS)
        except Exception:  # whatever a future version may put there
            return False, None

    fields: dict[str, Any] = {}
    all_readable = True
    try:
        for _ in range(unpacker.read_map_header()):
            _, key = next_value()
            if not isinstance(key, str) or key not in _HELLO_KEYS:
                unpacker.skip()
                continue
            if key in fields:
                return None
            is_readable, fields[key] = next_value()
            all_readable = all_readable and is_readable
    except Exception:  # the peer's fault, as in `_unpack`
        return None
    if fields.get("type") != "hello" or unpacker.tell() != len(payload):
        return None
    return fields if all_readable or fields.get("protocol") != PROTOCOL else None


def _read_hello(fields: dict[str, Any]) -> Hello:
    """Read `hello`, leniently where it comes from another version.

    Raises:
        BadMessage: It names no protocol or an empty range, or it is this version's and does not fit.
    """
    protocol = fields.get("protocol")
    if type(protocol) is not int or not 0 <= protocol <= MOST_NUMBER:
        raise BadMessage(
            ErrorCode.BAD_MESSAGE,
            "A hello names its protocol, a whole number.",
            _sound_id(fields),
            "protocol",
        )
    try:
        hello = msgspec.convert(fields, Hello)
    except msgspec.ValidationError as error:
        if protocol == PROTOCOL:
            text = str(error)
            raise BadMessage(
                ErrorCode.BAD_MESSAGE, validation_text(text), _sound_id(fields), field_at_fault(text)
            ) from None
        # Another version may have changed all the rest: the number is enough to tell it so.
        return Hello(_sound_id(fields) or 0, protocol)
    if hello.least_protocol is not None and hello.least_protocol > protocol:
        raise BadMessage(
            ErrorCode.BAD_MESSAGE,
            f"The field least_protocol must be a whole number of at most {protocol}, the protocol.",
            hello.id,
            "least_protocol",
        )
    return hello
