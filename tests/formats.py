"""`make formats`: writes the schema of each format to docs/formats, for a change that its number tells of.

Whatever programs send each other or keep in files has a form, and a number that tells one form from the next.
A schema that differs from the one kept there means another form: the number must rise, or older programs take
the new bytes for damage. `--same-number` writes it all the same: for a change that no older program can meet
wrongly, such as one under a number that no release has, or a key with a default in what is read leniently.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args, get_type_hints

import click
import msgspec

from heat_core import table_dump
from heat_core.options import settings as race_settings
from heat_core.positions import file as position_file
from heat_core.positions import words as position_words
from heat_core.race import events
from heat_core.race.rules_version import RULES_VERSION
from heat_core.record import record as replay
from heat_core.season import events as season_events
from heat_core.season import state as season
from heat_core.season.view import SeasonView
from heat_core.tournament import races as tournament
from heat_core.track_facts import TrackFacts
from heat_core.view.race_view import RaceView
from heat_core.wire.messages import PROTOCOL, ClientMessage, ServerMessage
from heat_server import settings as server_settings
from heat_server.options import SETTINGS
from heat_server.room import saved_room
from heat_server.store.postgres import schema as postgres_schema
from heat_server.store.sqlite import schema
from heat_tui.client.session_file import SavedSession
from heat_tui.flow import puzzles as own_puzzles
from heat_tui.party.saved import SavedParty
from heat_tui.saved import championship, finished, own_race
from heat_tui.state import Settings

FOLDER: Final = Path(__file__).parents[1] / "docs" / "formats"

_DEPTH: Final = 5
"""How deep the files are laid out over lines: a field a line, for a change to be seen in a diff."""


class Number(NamedTuple):
    """The number of a format, and where it stands."""

    value: int
    name: str


class Format(NamedTuple):
    """Something that programs send or keep.

    Attributes:
        name: Of its file.
        numbers: Those that tell one form from the next: one of them must rise. None: it has none.
        schema: Makes the schema, a JSON value.
    """

    name: str
    numbers: tuple[Number, ...]
    schema: Callable[[], dict[str, Any]]

    @property
    def path(self) -> Path:
        """Where the schema is kept."""
        return FOLDER / f"{self.name}.json"

    def text(self) -> str:
        """Write numbers and schema as they are now."""
        numbers = {number.name: number.value for number in self.numbers}
        return _laid_out({"numbers": numbers, "schema": self.schema()}) + "\n"

    def advice(self) -> str | None:
        """Say what to do where the kept schema is not the present one; None where it is."""
        kept = self.path.read_text(encoding="utf-8") if self.path.exists() else None
        if kept == self.text():
            return None
        if kept is None or self._has_risen(json.loads(kept)["numbers"]):
            return f"the schema of {self.name} is another: make formats writes it anew"
        if not self.numbers:
            return (
                f"the schema of {self.name} is another, and no number tells: what older files say must still "
                "be read; where it is, make formats ARGS=--same-number writes it anew"
            )
        rise = " or ".join(f"{number.name} (now {number.value})" for number in self.numbers)
        return f"the schema of {self.name} is another: {rise} must rise, then make formats writes it anew"

    def _has_risen(self, kept: dict[str, int]) -> bool:
        return any(number.value > kept.get(number.name, 0) for number in self.numbers)


def _of(**types: Any) -> Callable[[], dict[str, Any]]:
    """Give the schemas of types by name, without what only people read, and what they share once."""

    def make() -> dict[str, Any]:
        (*schemas,), parts = msgspec.json.schema_components(types.values(), ref_template="{name}")
        whole = {"is": dict(zip(types, schemas, strict=True)), "parts": dict(sorted(parts.items()))}
        return {key: _plain(value) for key, value in whole.items()}

    return make


def _plain(value: Any) -> Any:
    """Leave titles and descriptions out; a field of that name is a schema, and no text."""
    if isinstance(value, dict):
        for_people = {key for key in ("title", "description") if isinstance(value.get(key), str)}
        return {key: _plain(part) for key, part in value.items() if key not in for_people}
    return [_plain(part) for part in value] if isinstance(value, list) else value


def _positions() -> dict[str, Any]:
    ranges = {word: msgspec.json.schema(kind) for word, kind in position_words._RANGES.items()}
    words = {"ranges": ranges, "choices": position_words._CHOICES, "words": sorted(position_words.WORDS)}
    return _of(file=position_file._File)() | {"cars": msgspec.to_builtins(words)}


def _settings() -> dict[str, Any]:
    of_races = {
        setting.name: [value.word for value in setting.values]
        for setting in (*race_settings.RACE_SETTINGS, *race_settings.SEASON_SETTINGS)
    }
    of_server = {
        option.word: {
            "kind": "Path" if isinstance(option.type, server_settings.UserPath) else option.kind.__name__,
            "choices": list(option.type.choices) if isinstance(option.type, click.Choice) else [],
            "least": option.type.least if isinstance(option.type, server_settings.Number) else None,
            "most": option.type.most if isinstance(option.type, server_settings.Number) else None,
        }
        for option in SETTINGS
    }
    return _of(client=Settings)() | {"races": of_races, "server": of_server}


def _store() -> dict[str, Any]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        schema.bring_up_to_date(connection)
        rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        return {"tables": {name: " ".join(sql.split()) for name, sql in rows}}
    finally:
        connection.close()


def _store_in_postgres() -> dict[str, Any]:
    return {"migrations": [[" ".join(step.split()) for step in each] for each in postgres_schema.MIGRATIONS]}


def _format_of(kind: type[msgspec.Struct]) -> int:
    """Give the only `format` that a file of this kind may have."""
    (number,) = get_args(get_type_hints(kind)["format"])
    return int(number)


_RULES: Final = Number(RULES_VERSION, "RULES_VERSION in heat_core/race/rules_version.py")
_PROTOCOL: Final = Number(PROTOCOL, "PROTOCOL in heat_core/wire/messages/values.py")
_SEASON: Final = Number(season.SEASON_FORMAT, "SEASON_FORMAT in heat_core/season/state.py")

FORMATS: Final = (
    Format("messages", (_PROTOCOL,), _of(client=ClientMessage, server=ServerMessage)),
    Format("views", (_PROTOCOL,), _of(race=RaceView, season=SeasonView)),
    Format("events", (_RULES,), _of(race=events.Event)),
    Format("events-of-seasons", (_SEASON,), _of(season=season_events.SeasonEvent)),
    Format(
        "dump-of-tables",
        (Number(table_dump.TABLE_FORMAT, "TABLE_FORMAT in heat_core/table_dump.py"),),
        _of(table=table_dump.TableDump),
    ),
    Format("dump-of-seasons", (_SEASON,), _of(season=season._Dump)),
    Format(
        "records",
        (Number(replay.RECORD_FORMAT, "RECORD_FORMAT in heat_core/record/record.py"), _RULES),
        _of(first=replay._Head, other=replay._Line),
    ),
    Format(
        "positions",
        (Number(_format_of(position_file._File), "format in heat_core/positions/file.py"),),
        _positions,
    ),
    Format("tracks", (Number(_format_of(TrackFacts), "format in heat_core/track.py"),), _of(file=TrackFacts)),
    Format("settings", (), _settings),
    Format(
        "saved-races",
        (Number(own_race._FORMAT, "_FORMAT in heat_tui/saved/own_race.py"),),
        _of(file=own_race._Saved),
    ),
    Format(
        "saved-championships",
        (Number(championship._FORMAT, "_FORMAT in heat_tui/saved/championship.py"),),
        _of(file=championship._Saved),
    ),
    Format(
        "finished-races",
        (Number(finished.FINISHED_FORMAT, "FINISHED_FORMAT in heat_tui/saved/finished.py"),),
        _of(first=finished._Head, other=finished.Finished),
    ),
    Format(
        "solved-puzzles",
        (Number(own_puzzles.PUZZLES_FORMAT, "PUZZLES_FORMAT in heat_tui/flow/puzzles.py"),),
        _of(file=own_puzzles._Solved),
    ),
    Format("saved-seats", (), _of(file=SavedSession)),
    Format("saved-parties", (), _of(file=SavedParty)),
    Format(
        "tournaments",
        (Number(_format_of(tournament.Heading), "format in heat_core/tournament/races.py"),),
        _of(first=tournament.Heading, other=tournament.Result),
    ),
    Format("store", (Number(schema.VERSION, "MIGRATIONS in heat_server/store/sqlite/schema.py"),), _store),
    Format(
        "store-postgres",
        (Number(postgres_schema.VERSION, "MIGRATIONS in heat_server/store/postgres/schema.py"),),
        _store_in_postgres,
    ),
    Format(
        "store-rooms",
        (Number(saved_room.FORMAT, "FORMAT in heat_server/room/saved_room.py"),),
        _of(room=saved_room.SavedRoom, timers=saved_room.TimerSnapshot),
    ),
)


def _laid_out(value: Any, depth: int = 0) -> str:
    """Write JSON with a field a line: down to a depth over lines, what lies deeper in one."""
    if not isinstance(value, dict) or not value or depth == _DEPTH:
        return json.dumps(value, ensure_ascii=False)
    indent = "  " * (depth + 1)
    lines = [f"{indent}{json.dumps(key)}: {_laid_out(part, depth + 1)}" for key, part in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{'  ' * depth}" + "}"


def main(words: list[str]) -> int:
    """Write each schema whose number has risen, or every one that differs; say which number must rise."""
    FOLDER.mkdir(exist_ok=True)
    refused = 0
    for each in FORMATS:
        advice = each.advice()
        if advice is None:
            continue
        if "must rise" in advice or "no number tells" in advice:
            if "--same-number" not in words:
                print(advice, file=sys.stderr)
                refused += 1
                continue
        each.path.write_text(each.text(), encoding="utf-8")
        print(f"{each.path.name} is written anew")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
