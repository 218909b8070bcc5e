"""Bytes to messages and back: hostile ones, and whatever hypothesis thinks of."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heat_core.wire import messages as m
from heat_core.wire.codec import (
    MOST_CLIENT_BYTES,
    MOST_SERVER_BYTES,
    NEED_DATA,
    BadMessage,
    BrokenStream,
    FrameReader,
    decode_client_message,
    decode_server_message,
    encode_client_message,
    encode_server_message,
    reader_of_client,
    reader_of_server,
)
from tests.wire.support import CLIENT_SAMPLES, server_samples


def read_all(reader: FrameReader[Any]) -> list[Any]:
    messages = []
    while (message := reader.next_message()) is not NEED_DATA:
        messages.append(message)
    return messages


def feed(reader: FrameReader[Any], data: bytes, size: int) -> list[Any]:
    messages = []
    for start in range(0, len(data), size):
        reader.receive_data(data[start : start + size])
        messages += read_all(reader)
    reader.receive_eof()
    return messages


def packed(value: object) -> bytes:
    result: bytes = msgpack.packb(value)
    return result


def frame(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


@pytest.mark.parametrize("size", [1, 3, 4, 5, 1_000_000])
def test_every_message_of_a_client_comes_through(size: int) -> None:
    assert {type(message) for message in CLIENT_SAMPLES} == set(get_args(m.ClientMessage))
    data = b"".join(encode_client_message(message) for message in CLIENT_SAMPLES)
    assert feed(reader_of_server(), data, size) == list(CLIENT_SAMPLES)


@pytest.mark.parametrize("size", [1, 3, 4, 5, 1_000_000])
def test_every_message_of_a_server_comes_through(size: int) -> None:
    samples = server_samples()[:60]
    assert {type(message) for message in samples} == set(get_args(m.ServerMessage))
    data = b"".join(encode_server_message(message) for message in samples)
    assert feed(reader_of_client(), data, size) == list(samples)


def test_a_whole_race_comes_through() -> None:
    reader = reader_of_client()
    events = set()
    for message in server_samples():
        reader.receive_data(encode_server_message(message))
        assert read_all(reader) == [message]
        if isinstance(message, m.Update):
            events |= {type(event).__name__ for event in message.events}
    assert {"CardsRevealed", "CarMoved", "CornerChecked", "SpunOut", "LegendMoved", "RaceEnded"} <= events


def test_both_ends_write_the_messagepack_that_others_read() -> None:
    for message in CLIENT_SAMPLES:
        fields = msgspec.json.decode(msgspec.json.encode(message))
        assert msgpack.unpackb(encode_client_message(message)[4:]) == fields


@pytest.mark.parametrize("length", [0, MOST_CLIENT_BYTES + 1, 2**31, 2**32 - 1])
def test_a_length_that_cannot_be_breaks_the_stream_for_good(length: int) -> None:
    reader = reader_of_server()
    reader.receive_data(length.to_bytes(4, "big"))
    for _ in range(2):
        with pytest.raises(BrokenStream):
            reader.next_message()
        reader.receive_data(encode_client_message(m.Ping(1)))
    reader.receive_eof()


def test_messages_before_a_broken_length_are_still_read() -> None:
    reader = reader_of_server()
    reader.receive_data(encode_client_message(m.Ping(1)) + b"\0\0\0\0")
    assert reader.next_message() == m.Ping(1)
    with pytest.raises(BrokenStream):
        reader.next_message()


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_stream_cut_within_a_frame_says_so(cut: int) -> None:
    data = encode_client_message(m.Ping(1))
    reader = reader_of_server()
    reader.receive_data(data[:cut])
    assert reader.next_message() is NEED_DATA
    with pytest.raises(BrokenStream):
        reader.receive_eof()


def test_a_message_too_long_is_not_sent() -> None:
    with pytest.raises(ValueError, match="65536"):
        encode_client_message(m.Create(1, "a" * MOST_CLIENT_BYTES))
    with pytest.raises(ValueError, match=str(MOST_SERVER_BYTES)):
        encode_server_message(m.Bye("x", "a" * MOST_SERVER_BYTES))


PING = {"type": "ping", "id": 1}


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\xdd\xff\xff\xff\xff",  # an array that claims 2^32 - 1 elements
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x91" * 10_000,
        b"\x91" * 200 + b"\xc0",
        b"\x81\xa1a" * 5_000,
        packed(PING) + b"\xc0",
        packed(PING)[:-1],
        packed([PING]),
        packed(None),
        packed(5),
        packed("ping"),
        b"\x81\x90\x01",  # a list as a key
        b"\x81\xcb" + struct.pack(">d", 1.5) + b"\x01",
        b"\x81\x01\x01",
        b"\x81\xc4\x01a\x01",
        b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02",
        b"\x82\xa4type\xa4ping\xa2id\xd4\x05\x00",  # an extension type
        b"\x82\xa4type\xa4ping\xa2id\xc7\x00\x05",  # an empty one
        b"\x82\xa4type\xa4ping\xa2id\xd6\xff\x00\x00\x00\x00",  # a timestamp
        b"\x82\xa4type\xa4ping\xa2id\xcb" + struct.pack(">d", float("nan")),
        b"\x82\xa4type\xa4ping\xa2id\xca" + struct.pack(">f", 1.0),
        b"\x82\xa4type\xa4ping\xa2id\xc4\x00",
        b"\x82\xa4type\xa2\xff\xfe\xa2id\x01",
        b"\x82\xa4type\xa3\xed\xa0\x80\xa2id\x01",  # half a surrogate pair
        packed(PING | {"more": list(range(65))}),
        packed(PING | {"more": {str(number): 1 for number in range(33)}}),
    ],
)
def test_payloads_that_are_no_map_of_plain_values(payload: bytes) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_client_message(payload)
    assert caught.value.code == "wire/bad_messagepack"


@pytest.mark.parametrize(
    ("fields", "code", "re"),
    [
        ({}, "wire/bad_message", None),
        ({"id": 3}, "wire/bad_message", 3),
        ({"type": 5, "id": 3}, "wire/bad_message", 3),
        ({"type": None, "id": 3}, "wire/bad_message", 3),
        ({"type": "\x1b[2J", "id": 3}, "wire/unknown_type", 3),
        ({"type": "update", "id": 3}, "wire/unknown_type", 3),
        ({"type": "ping"}, "wire/bad_message", None),
        ({"type": "ping", "id": True}, "wire/bad_message", None),
        ({"type": "ping", "id": "1"}, "wire/bad_message", None),
        ({"type": "ping", "id": -1}, "wire/bad_message", None),
        ({"type": "ping", "id": 10**18}, "wire/bad_message", None),
        ({"type": "ping", "id": 2**64 - 1}, "wire/bad_message", None),
        ({"type": "seat", "id": 1, "ready": 1}, "wire/bad_message", 1),
        ({"type": "seat", "id": 1, "colour": "evil"}, "wire/bad_message", 1),
        ({"type": "seat", "id": 1, "name": "n" * 65}, "wire/bad_message", 1),
        ({"type": "bot", "id": 1, "place": -1, "kind": None}, "wire/bad_message", 1),
        ({"type": "bot", "id": 1, "place": 8, "kind": None}, "wire/bad_message", 1),
        ({"type": "bot", "id": 1, "place": 1}, "wire/bad_message", 1),
        ({"type": "bot", "id": 1, "place": 1, "kind": "human"}, "wire/bad_message", 1),
        ({"type": "act", "id": 1, "decision": 1, "command": None}, "wire/bad_message", 1),
        ({"type": "act", "id": 1, "decision": 1, "command": {"type": "evil"}}, "wire/bad_message", 1),
        ({"type": "act", "id": 1, "decision": 1, "command": {"type": "ShiftGear"}}, "wire/bad_message", 1),
        (
            {"type": "act", "id": 1, "decision": True, "command": {"type": "EndReact"}},
            "wire/bad_message",
            1,
        ),
        (
            {"type": "act", "id": 1, "decision": 1, "command": {"type": "ShiftGear", "gear": 0}},
            "wire/bad_message",
            1,
        ),
        (
            {"type": "act", "id": 1, "decision": 1, "command": {"type": "PlayCards", "cards": ["1", -1]}},
            "wire/bad_message",
            1,
        ),
        ({"type": "configure", "id": 1, "options": {"cars": 9}}, "wire/bad_message", 1),
        ({"type": "configure", "id": 1, "options": {"track": "../evil"}}, "wire/bad_message", 1),
        ({"type": "configure", "id": 1, "options": {"track": "usa\n"}}, "wire/bad_message", 1),
        ({"type": "configure", "id": 1, "options": {"turn_milliseconds": -1}}, "wire/bad_message", 1),
        ({"type": "time", "id": 1, "place": 8, "milliseconds": 0}, "wire/bad_message", 1),
        ({"type": "time", "id": 1, "place": 0, "milliseconds": -1}, "wire/bad_message", 1),
        ({"type": "time", "id": 1, "place": 0, "milliseconds": 10**12}, "wire/bad_message", 1),
        ({"type": "hello", "id": 1}, "wire/bad_message", 1),
        ({"type": "hello", "id": 1, "protocol": True}, "wire/bad_message", 1),
        ({"type": "hello", "id": 1, "protocol": m.PROTOCOL, "token": 5}, "wire/bad_message", 1),
    ],
)
def test_maps_that_are_no_message(fields: dict[str, object], code: str, re: int | None) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_client_message(packed(fields))
    assert (caught.value.code, caught.value.re) == (code, re)
    assert "evil" not in caught.value.text
    assert "\x1b" not in caught.value.text
    assert caught.value.text.endswith(".")


def test_after_a_bad_message_the_next_is_read() -> None:
    reader = reader_of_server()
    reader.receive_data(frame(b"\xc1") + encode_client_message(m.Ping(1)))
    with pytest.raises(BadMessage):
        reader.next_message()
    assert reader.next_message() == m.Ping(1)


def test_hello_of_this_version_may_have_fields_yet_unknown() -> None:
    fields = {"type": "hello", "id": 4, "protocol": m.PROTOCOL, "mood": "good"}
    assert decode_client_message(packed(fields)) == m.Hello(4, m.PROTOCOL)


@pytest.mark.parametrize("identifier", [4, "four", None])
def test_hello_of_another_version_needs_no_more_than_its_number(identifier: object) -> None:
    fields = {"type": "hello", "id": identifier, "protocol": 99, "program": ["x"], "token": 5}
    assert decode_client_message(packed(fields)) == m.Hello(4 if identifier == 4 else 0, 99)


BEYOND_A_MESSAGE = {
    "a fraction": 0.5,
    "not a number": float("nan"),
    "a long list": list(range(5_000)),
    "a long map": {str(number): number for number in range(1_000)},
    "bytes": b"\xff" * 300,
    "an extension": msgpack.ExtType(7, b"x"),
    "a timestamp": msgpack.Timestamp(1, 1),
    "a great number": 2**64 - 1,
    "numbers as keys": {1: 2},
    "nesting": msgpack.unpackb(b"\x91" * 100 + b"\0"),
}
"""Values that no message of this version may have in it."""


@pytest.mark.parametrize("protocol", [m.PROTOCOL, m.PROTOCOL + 1])
@pytest.mark.parametrize("value", BEYOND_A_MESSAGE.values(), ids=BEYOND_A_MESSAGE)
def test_a_hello_may_have_anything_in_fields_yet_unknown(value: object, protocol: int) -> None:
    fields = {"mood": value, "type": "hello", "id": 4, 5: value, "protocol": protocol, "more": value}
    assert decode_client_message(packed(fields)) == m.Hello(4, protocol)
    others = {f"field {number}": number for number in range(33)}
    assert decode_client_message(packed(fields | others)) == m.Hello(4, protocol)


@pytest.mark.parametrize("value", BEYOND_A_MESSAGE.values(), ids=BEYOND_A_MESSAGE)
@pytest.mark.parametrize("field", ["program", "version", "token"])
def test_a_hello_of_another_version_may_have_changed_all_but_its_number(field: str, value: object) -> None:
    fields = {"type": "hello", "id": 4, "protocol": m.PROTOCOL + 1, field: value}
    assert decode_client_message(packed(fields)) == m.Hello(4, m.PROTOCOL + 1)
    with pytest.raises(BadMessage):
        decode_client_message(packed(fields | {"protocol": m.PROTOCOL}))
    with pytest.raises(BadMessage):
        decode_client_message(packed(fields | {"protocol": value}))


@pytest.mark.parametrize("key", ["type", "id", "protocol", "token"])
def test_a_hello_with_a_known_field_twice_is_none(key: str) -> None:
    fields = {"type": "hello", "id": 4, "protocol": m.PROTOCOL + 1, "token": "t"}
    once = packed(fields)
    twice = bytes([once[0] + 1]) + once[1:] + packed(key) + packed(fields[key])
    with pytest.raises(BadMessage, match="twice"):
        decode_client_message(twice)
    with pytest.raises(BadMessage):
        decode_client_message(once + b"\0")
    for end in range(len(once)):
        with pytest.raises(BadMessage):
            decode_client_message(once[:end])


@pytest.mark.parametrize(
    "message", [m.Welcome(0, 9, "x", "9", "t"), m.Error(None, "c", "t."), m.Bye("c", "t.")]
)
def test_what_is_frozen_may_grow(message: m.ServerMessage) -> None:
    fields = msgspec.to_builtins(message) | {"later": [1]}
    assert decode_server_message(packed(fields)) == message


def test_the_client_does_not_trust_the_server_either() -> None:
    for payload in (b"\xc1", packed([]), packed({"type": "pong", "re": 1, "more": b"1"}), packed(PING)):
        with pytest.raises(BadMessage):
            decode_server_message(payload)
    started = next(message for message in server_samples() if isinstance(message, m.Started))
    fields = msgspec.json.decode(msgspec.json.encode(started))
    fields["setup"]["track"]["outline"][0] = [1, float("nan"), 1.0]
    with pytest.raises(BadMessage):
        decode_server_message(packed(fields))


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def outcomes(reader: FrameReader[Any], pieces: list[bytes]) -> list[object]:
    """Give messages and errors in order; nothing else may come out."""
    results: list[object] = []
    for piece in pieces:
        reader.receive_data(piece)
        while True:
            try:
                message = reader.next_message()
            except BadMessage as error:
                results.append((error.code, error.text, error.re))
            except BrokenStream as error:
                return [*results, error.text]
            else:
                if message is NEED_DATA:
                    break
                results.append(message)
    return results


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_any_bytes_in_any_pieces_come_to_the_same(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[start:end] for start, end in pairwise(places)]
    for make in (reader_of_server, reader_of_client):
        assert outcomes(make(), [data]) == outcomes(make(), pieces)


@given(st.dictionaries(st.text() | st.sampled_from(["type", "id", "command", "protocol"]), plain))
def test_any_map_gives_a_message_or_a_bad_message(fields: dict[str, object]) -> None:
    for make in (reader_of_server, reader_of_client):
        assert len(outcomes(make(), [frame(packed(fields))])) == 1


@given(st.sampled_from(CLIENT_SAMPLES), st.data())
def test_a_message_with_one_field_spoilt(message: m.ClientMessage, data: st.DataObject) -> None:
    fields = msgspec.to_builtins(message)
    fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(plain)
    (result,) = outcomes(reader_of_server(), [frame(packed(fields))])
    assert isinstance(result, (tuple, *get_args(m.ClientMessage)))


@given(st.sampled_from(CLIENT_SAMPLES), st.data())
def test_a_message_with_one_byte_spoilt(message: m.ClientMessage, data: st.DataObject) -> None:
    good = bytearray(encode_client_message(message))
    good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    outcomes(reader_of_server(), [bytes(good)])


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"type": "ok", "re": "peer's"}, "The field re must be a whole number."),
        ({"type": "ok", "re": -1}, "The field re must be a whole number of at least 0."),
        ({"type": "ok", "re": 1, "code": ""}, "The field code must be a text of at least 1 characters."),
        ({"type": "ok", "re": 1, "code": 5}, "The field code must be a text."),
        ({"type": "meanwhile"}, "The message lacks the field sentences."),
        (
            {"type": "meanwhile", "sentences": ["peer's"] * 101},
            "The field sentences must be a list of at most 100 entries.",
        ),
        ({"type": "meanwhile", "sentences": [1]}, "The field sentences[0] must be a text."),
        (
            {"type": "track", "re": 1, "track": {"id": "peer's"}},
            "The field track.id has a value that is not allowed.",
        ),
    ],
)
def test_what_is_wrong_with_a_message_is_said_without_the_decoders_and_the_peers_words(
    fields: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadMessage) as error:
        decode_server_message(packed(fields))
    assert error.value.text == told
