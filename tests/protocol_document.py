"""`make formats`: writes what the documents of the protocol take from the code.

docs/protocol.schema.json is a JSON Schema of all messages. docs/protocol.md has between two marks a table of
every part of them, and a session with the server. Tests ask whether both are so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from heat_core.decisions import Choice
from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.season.setup import SeasonSetup
from heat_core.season.view import SeasonView
from heat_core.view.race_view import RaceView
from heat_core.wire import messages as m
from tests.protocol_session import session
from tests.protocol_types import fields_of, meanings, structs_in, summary

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs"
DOCUMENT: Final = FOLDER / "protocol.md"
SCHEMA: Final = FOLDER / "protocol.schema.json"

BEGIN: Final = "<!-- written by make formats -->\n"
END: Final = "<!-- end of what make formats writes -->\n"

MESSAGES: Final = (*get_args(m.ClientMessage), *get_args(m.ServerMessage))
_NEVER_SENT: Final = m.UnknownEvent.__name__


def schema() -> dict[str, Any]:
    """Make the JSON Schema: of what may be sent; both sides ignore fields that are not in it."""
    kinds = {"ClientMessage": m.ClientMessage, "ServerMessage": m.ServerMessage}
    (*unions,), parts = msgspec.json.schema_components(kinds.values(), ref_template="#/$defs/{name}")
    for struct in structs_in(*kinds.values()):
        _describe(parts[struct.__name__], struct)
    definitions = dict(zip(kinds, unions, strict=True)) | dict(sorted(parts.items()))
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The protocol of Heat, version {m.PROTOCOL}",
        "description": "A message is one of these maps. docs/protocol.md says when each is sent.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in kinds],
        "$defs": definitions,
    }
    return dict(_open(whole))


def _describe(part: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Put what a struct's docstring says to the struct and its fields."""
    part["description"] = summary(struct)
    for name, meaning in meanings(struct).items():
        if name in part["properties"]:
            part["properties"][name] = part["properties"][name] | {"description": meaning}


def _open(value: Any) -> Any:
    """Allow unknown fields everywhere; leave out what only stands for something unknown."""
    if isinstance(value, dict):
        return {
            key: _open(part)
            for key, part in value.items()
            if key != _NEVER_SENT and not (key == "additionalProperties" and part is False)
        }
    if isinstance(value, list):
        return [_open(part) for part in value if part != {"$ref": f"#/$defs/{_NEVER_SENT}"}]
    return value


def schema_text() -> str:
    """Write the schema, a definition a line."""
    whole = schema()
    definitions = whole.pop("$defs")
    lines = [f"  {_line(key, part)}," for key, part in whole.items()]
    parts = [f"    {_line(key, part)}" for key, part in definitions.items()]
    return "\n".join(["{", *lines, '  "$defs": {', ",\n".join(parts), "  }", "}", ""])


def _line(key: str, part: Any) -> str:
    return f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}"


def _groups() -> Iterator[tuple[str, str, list[type[msgspec.Struct]]]]:
    """Give the sections of the reference: heading, a sentence, structs. Each part of a message is in one."""
    seen: set[type[msgspec.Struct]] = {*MESSAGES, *get_args(Command), m.UnknownEvent}
    choices, events = get_args(Choice), get_args(Event)

    def new(structs: Iterable[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
        found = [struct for struct in dict.fromkeys(structs) if struct not in seen]
        seen.update(found)
        return found

    chosen, happened = [*choices, *structs_in(Choice)], [*events, *structs_in(Event)]
    everything_seen = [struct for struct in structs_in(RaceView) if struct not in (*chosen, *events)]
    yield "Views", "What the receiver may see: `view` in `update`.", new(everything_seen)
    yield "Choices", "What may be answered: `choice` in `view.own`, with the key `type`.", new(chosen)
    yield "Events", "What happened: `events` in `update` and `record`, with the key `type`.", new(happened)
    yield "Set-up of a race", "`setup` in `started` and `record`.", new(structs_in(RaceSetup))
    yield (
        "Championships",
        "`setup` and `view` in `season`.",
        new([*structs_in(SeasonView), *structs_in(SeasonSetup)]),
    )
    yield "Other parts", "Maps inside the messages above.", new(structs_in(m.ClientMessage, m.ServerMessage))


def reference() -> str:
    """Write the tables of all parts of messages."""
    lines = []
    for heading, sentence, structs in _groups():
        lines += [f"### {heading}", "", sentence, "", "| type | field | value |", "|---|---|---|"]
        for struct in structs:
            lines.append(f"| `{struct.__name__}` | | {summary(struct)} |")
            for field in fields_of(struct):
                values = field.values + (f", missing if {field.left_out}" if field.left_out else "")
                meaning = f". {field.meaning[0].upper()}{field.meaning[1:]}" if field.meaning else ""
                lines.append(f"| | `{field.name}` | {values}{meaning} |")
        lines.append("")
    return "\n".join(lines)


def document_text(text: str) -> str:
    """Put tables and session where a document has those of an earlier time."""
    before, rest = text.split(BEGIN)
    steps = "".join(f"{msgspec.json.encode(step).decode()}\n" for step in session())
    written = f"{reference()}\n## A whole session\n\n{_SESSION}\n\n```json\n{steps}```\n"
    return f"{before}{BEGIN}\n{written}\n{END}{rest.split(END)[1]}"


_SESSION: Final = (
    "A round against a Legend on a small track, then the driver gives up: every message of both sides,\n"
    "as JSON, each in a map with who sends it. On the wire each is a MessagePack map in a frame."
)

WRITTEN: Final[dict[Path, Callable[[], str]]] = {
    SCHEMA: schema_text,
    DOCUMENT: lambda: document_text(DOCUMENT.read_text(encoding="utf-8")),
}
"""What each file has to be."""


def main() -> None:
    """Write what differs."""
    for path, text in WRITTEN.items():
        now = text()
        if not path.exists() or path.read_text(encoding="utf-8") != now:
            path.write_text(now, encoding="utf-8")
            print(f"{path.name} is written anew")


if __name__ == "__main__":
    main()
