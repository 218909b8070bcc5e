"""docs/protocol.md and its schema against the types: every message, field, code and limit stands in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from heat_core.bots import BOTS
from heat_core.options.settings import SETTINGS
from heat_core.options.table_options import LEAST_TURN_MILLISECONDS, MOST_SETTINGS
from heat_core.race.commands import ANSWERED, Command, DecisionKind
from heat_core.race.presets import LEGEND_LEVELS
from heat_core.race.setup import COLOURS
from heat_core.refusal import RefusalCode
from heat_core.wire import codec
from heat_core.wire import messages as m
from heat_core.wire.codes import ByeCode, ErrorCode
from tests.protocol_document import MESSAGES, SCHEMA, WRITTEN

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Give the text between a heading and the next of the same rank or a higher one."""
    rank = title.split(" ", 1)[0]
    start = DOCUMENT.index(f"\n{title}\n") + len(title) + 2
    ends = re.compile(rf"^#{{1,{len(rank)}}} ", re.MULTILINE).search(DOCUMENT, start)
    return DOCUMENT[start : ends.start() if ends else None]


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith(
            ("| message", "| field", "| setting", "| type", "| code ")
        ):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def messages_in(title: str) -> dict[str, set[str]]:
    """Read a table of messages: type -> fields."""
    found: dict[str, set[str]] = {}
    name = ""
    for cells in rows(section(title).split("\n### ")[0]):
        if cells[0]:
            (name,) = named(cells[0])
            found[name] = set()
        found[name].update(named(cells[1]))
    return found


def types_of(union: object) -> dict[str, set[str]]:
    return {str(kind.__struct_config__.tag): set(kind.__struct_fields__) for kind in get_args(union)}


@pytest.mark.parametrize(
    ("title", "union"), [("## From the client", m.ClientMessage), ("## From the server", m.ServerMessage)]
)
def test_every_message_and_field(title: str, union: object) -> None:
    assert messages_in(title) == types_of(union)


def test_what_a_client_may_leave_out_is_marked() -> None:
    found: dict[str, set[str]] = {}
    name = ""
    for cells in rows(section("## From the client").split("\n### ")[0]):
        name = named(cells[0])[0] if cells[0] else name
        found.setdefault(name, set()).update(named(cells[1]) if "(optional)" in cells[1] else ())
    assert found == {
        str(kind.__struct_config__.tag): {
            field.name for field in msgspec.structs.fields(kind) if not field.required
        }
        for kind in get_args(m.ClientMessage)
    }
    assert all(not field.required for field in msgspec.structs.fields(m.RoomOptions))


@pytest.mark.parametrize(
    ("title", "union"), [("## From the client", m.ClientMessage), ("## From the server", m.ServerMessage)]
)
def test_messages_stand_in_the_order_of_the_types(title: str, union: object) -> None:
    assert list(messages_in(title)) == list(types_of(union))


def test_every_kind_of_bot() -> None:
    """What fills a place is a bot or a Legend of some level: types and text know the same ones."""
    kinds = [*BOTS, *(f"legend:{level}" for level in LEGEND_LEVELS)]
    assert [msgspec.convert(kind, m.BotKind) for kind in kinds] == kinds
    told = next(cells for cells in rows(section("## From the client")) if cells[1:2] == ["`kind`"])
    assert named(told[2]) == kinds


def test_options_and_parts() -> None:
    told = [named(cells[0])[0] for cells in rows(section("### Options"))]
    assert sorted(told) == sorted(m.RoomOptions.__struct_fields__)
    season = next(cells[1] for cells in rows(section("### Options")) if cells[0] == "`season`")
    assert named(season)[: len(m.SeasonOptions.__struct_fields__)] == list(m.SeasonOptions.__struct_fields__)
    phases = f"({', '.join(get_args(m.RoomPhase))})"
    assert phases in section("## From the server")
    server = section("## From the server")
    for part in (m.RoomSummary, m.TrackSummary, m.PlaceState, m.OpenDecision):
        assert all(f"`{field}`" in server for field in part.__struct_fields__), part
    assert ", ".join(COLOURS) in section("## From the client")


def test_settings() -> None:
    found = {named(name)[0]: named(words) for name, words in rows(section("### Settings"))}
    assert found == {setting.name: [value.word for value in setting.values] for setting in SETTINGS}
    assert f"at most {MOST_SETTINGS} texts" in section("### Options")


def test_commands() -> None:
    found = {named(cells[0])[0]: named(cells[1]) for cells in rows(section("### Commands"))}
    assert found == {kind.__name__: list(kind.__struct_fields__) for kind in get_args(Command)}


def test_every_code() -> None:
    found = {named(cells[0])[0] for cells in rows(section("## Codes"))}
    assert found == {*map(str, ErrorCode), *map(str, RefusalCode), *map(str, ByeCode)}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_what_is_taken_from_the_code_is_as_the_code_says(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == WRITTEN[path](), "make formats writes it anew"


def test_the_document_names_every_type_and_field_of_the_schema() -> None:
    """It is enough by itself: nothing that is sent is named in the schema alone."""
    definitions = json.loads(SCHEMA.read_bytes())["$defs"]
    names = set(re.findall(r"`(\w+)`", DOCUMENT))
    missing = {
        f"{kind}.{field}"
        for kind, definition in definitions.items()
        for field in definition.get("properties", ())
        if field not in names
    }
    assert missing - {f"{kind}.type" for kind in definitions} == set()
    assert "with the key `type`" in DOCUMENT
    messages = {kind.__name__ for kind in MESSAGES} | {"ClientMessage", "ServerMessage"}
    types = {kind for kind, definition in definitions.items() if "properties" in definition}
    assert types - messages - names == set()


def test_each_decision_has_its_choice_and_its_commands() -> None:
    table = [cells for cells in rows(section("## Parts of messages").split("### ")[0]) if named(cells[0])]
    found = {named(cells[0])[0]: named(cells[2]) for cells in table}
    for kind in get_args(DecisionKind):
        commands = {command.__name__ for command, answered in ANSWERED.items() if answered == kind}
        assert commands <= set(found[kind]), kind


def test_the_schema_refers_to_what_it_has_and_forbids_no_field() -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    definitions = json.loads(text)["$defs"]
    assert set(re.findall(r'"#/\$defs/(\w+)"', text)) <= set(definitions)
    assert '"additionalProperties": false' not in text
    assert "UnknownEvent" not in text + DOCUMENT
    assert definitions["Act"]["required"] == ["type", "id", "decision", "command"]
    assert set(get_args(m.ClientMessage)) | set(get_args(m.ServerMessage)) == set(MESSAGES)


def test_the_session_is_one() -> None:
    lines = section("## A whole session").split("```json\n")[1].split("```")[0].splitlines()
    for line in lines:
        step = json.loads(line)
        payload = msgspec.msgpack.encode(step["message"])
        decode = codec.decode_client_message if step["from"] == "client" else codec.decode_server_message
        assert json.loads(msgspec.json.encode(decode(payload))) == step["message"]
    assert len(lines) > 30


def test_numbers() -> None:
    assert f"Version **{m.PROTOCOL}**" in DOCUMENT
    for number in (codec.MOST_CLIENT_BYTES, codec.MOST_SERVER_BYTES, m.MOST_TURN_MILLISECONDS, m.MOST_NUMBER):
        assert f"{number:,}" in DOCUMENT
    for number in (m.DEFAULT_PORT, LEAST_TURN_MILLISECONDS, codec.MOST_DEPTH):
        assert str(number) in DOCUMENT
