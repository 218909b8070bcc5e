"""Programs of different ages understand each other: the protocol in common, and what only one side knows."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest

from heat_core.wire import messages as m
from heat_core.wire.codec import BadMessage, decode_client_message, decode_server_message
from heat_core.wire.messages import values
from tests.wire.support import CLIENT_SAMPLES, server_samples

LATER = {"later": [1, {"deep": "x"}], "until": None}
ACT = {"type": "act", "id": 1, "decision": 1}
FREE_KEYS = ("settings",)
"""Maps whose keys are data, not fields."""


def grown(value: Any) -> Any:
    """Put fields that nobody knows yet into every map."""
    if isinstance(value, dict):
        return {key: part if key in FREE_KEYS else grown(part) for key, part in value.items()} | LATER
    return [grown(part) for part in value] if isinstance(value, list) else value


def payload(message: object) -> bytes:
    return bytes(msgpack.packb(message))


def plain(message: m.ClientMessage | m.ServerMessage) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(message))
    return fields


@pytest.mark.parametrize("message", CLIENT_SAMPLES, ids=lambda message: type(message).__name__)
def test_a_server_passes_over_fields_of_a_newer_client(message: m.ClientMessage) -> None:
    assert decode_client_message(payload(grown(plain(message)))) == message


def test_a_client_passes_over_fields_of_a_newer_server() -> None:
    for message in server_samples():
        assert decode_server_message(payload(grown(plain(message)))) == message


@pytest.mark.parametrize("kind", [m.Update, m.Record])
def test_an_event_that_is_not_known_keeps_its_place(kind: type[m.Update | m.Record]) -> None:
    told = next(sample for sample in server_samples() if isinstance(sample, kind) and len(sample.events) > 2)
    fields = plain(told)
    fields["events"][1] = {"type": "CarRefuelled", "seat": 0, "litres": 40}
    got = decode_server_message(payload(fields))
    assert isinstance(got, kind)
    assert got.events == (told.events[0], m.UnknownEvent(), *told.events[2:])
    fields["events"][1] = {"type": "CarFinished", "car": "red"}
    with pytest.raises(BadMessage):
        decode_server_message(payload(fields))


def test_a_message_that_is_not_known_says_so_and_is_no_other_fault() -> None:
    with pytest.raises(BadMessage) as caught:
        decode_server_message(payload({"type": "weather_report", "sky": ["grey"]}))
    assert (caught.value.code, caught.value.field) == ("wire/unknown_type", "type")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (
            {"type": "act", "id": 1, "decision": 1, "command": {"type": "ShiftGear", "gear": 7}},
            "command.gear",
        ),
        ({"type": "act", "id": 1, "decision": 1, "command": {"type": "ShiftGear"}}, "command.gear"),
        ({"type": "seat", "id": 1, "name": 5, "evil": "x"}, "name"),
        ({"type": "hello", "id": 1, "protocol": m.PROTOCOL, "token": 5}, "token"),
        ({"type": "hello", "id": 1}, "protocol"),
        ({"type": 5}, "type"),
    ],
)
def test_the_field_that_is_wrong_is_named(fields: dict[str, object], field: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_client_message(payload(fields))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("least", "most", "common"),
    [(7, 7, None), (8, 8, 8), (8, 9, 9), (8, 20, 10), (1, 8, 8), (10, 12, 10), (11, 12, None), (1, 7, None)],
)
def test_two_programs_use_the_newest_protocol_that_both_speak(
    least: int, most: int, common: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "LEAST_PROTOCOL", 8)
    monkeypatch.setattr(values, "PROTOCOL", 10)
    assert m.Hello(0, most, least_protocol=least).common_protocol == common
    alone = most if 8 <= most <= 10 else None
    assert m.Hello(0, most).common_protocol == alone
