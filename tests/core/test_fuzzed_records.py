"""Records in which anything was changed: they hold, or are refused with line and reason; nothing else."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heat_core.files import load_track
from heat_core.game_files import read_record
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.figures import race_figures
from heat_core.record.playback import Playback
from heat_core.record.position import position_in
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    is_verifiable,
    verify_record,
)
from heat_core.sentences.events import sentence
from heat_core.simulation import make_table, play_out
from heat_core.view.secrecy import public_setup
from tests.core.seasons import ALL_MODULES, begin, race_on, season_setup
from tests.core.support import stopped, without_seed
from tests.golden.test_golden_races import DRIVERS, MIXES
from tests.records.test_records import FILES

MOST_EVENTS: Final = 500
MOMENTS_SEEN: Final = 40
REFUSAL = re.compile(r"line \d+: .+", re.DOTALL)


def taken(setup: RaceSetup, events: Sequence[e.Event]) -> bytes:
    """Write the beginning of a race down, and its end where it is short."""
    record = Record(setup, tuple(events))
    if len(events) > MOST_EVENTS:
        record = stopped(record, MOST_EVENTS)
    return encode_record(setup, record.events, "0")


def golden(name: str) -> bytes:
    track, preset, _ = name.split("-")
    rules = PRESETS[preset]  # type: ignore[index]  # because a name holds a preset
    table = make_table(load_track(track), 1, DRIVERS, rules, "fuzz", MIXES[name])
    play_out(table)
    return taken(table.setup, table.log)


@cache
def records() -> dict[str, bytes]:
    """Give records of all kinds: of releases, golden races with modules, races of seasons, from positions."""
    found = {path.stem: path.read_bytes() for path in FILES[:: max(1, len(FILES) // 6)]}
    found |= {name: golden(name) for name in MIXES}
    presets: tuple[PresetName, ...] = ("standard", "rulebook")
    for preset in presets:
        setup = season_setup(
            "netherlands",
            "gb",
            "usa",
            legends=1,
            rules=PRESETS[preset],
            modules=ALL_MODULES,
            draws_events=True,
            seed="fuzz",
        )
        season = begin(setup)
        logs = [table.log for table in race_on(season)]
        for number, log in enumerate(logs):
            found[f"{preset} season, race {number + 1}"] = taken(season.record_setup(number), log)
        found[f"{preset} season, public"] = taken(public_setup(season.record_setup(1)), logs[1])
    return found | {f"{name}, no seed": seedless(data) for name, data in found.items()}


def seedless(data: bytes) -> bytes:
    """Take the seed out, so that nobody can deal the cards anew."""
    whole = decode_record(data)
    record = without_seed(whole.setup, whole.events)
    return encode_record(record.setup, record.events, "0")


@cache
def lines_of(name: str) -> list[bytes]:
    return records()[name].split(b"\n")[:-1]


def checked(data: bytes) -> bool:
    """Read a record and do all that is done with one; says whether it holds."""
    try:
        record = decode_record(data)
        race = fold_record(record)
    except BadRecord as refused:
        return refusal(str(refused))
    told(record, race)
    with contextlib.suppress(BadRecord):  # nobody is asked there
        position_in(record, 1, "play")
    if is_verifiable(record):
        assert verify_record(record).standings == race.standings
    return True


def refusal(text: str) -> Literal[False]:
    """Look at what is said of a record that is refused."""
    assert REFUSAL.fullmatch(text), text
    assert text.replace("\n  ", "").isprintable()
    return False


def told(record: Record, race: Race) -> None:
    """Tell what happened, and look at some of its moments as everybody sees them."""
    names = [car.name for car in record.setup.cars]
    for event in record.events:
        text = sentence(event, names, race.track)
        assert text is None or text.isprintable()
    race_figures(record.setup, record.events)
    assert dump_race(load_race(dump_race(race))) == dump_race(race)
    with contextlib.suppress(BadRecord):  # no car ever stands on the track
        playback = Playback(record)
        for place in {*range(0, playback.last, 1 + playback.last // MOMENTS_SEEN), playback.last}:
            for seat in (None, *race.seats()):
                playback.view(place, seat)


VALUES: Final[tuple[Any, ...]] = (
    None, True, False, -1, 0, 1, 2, 3, 4, 5, 7, 8, 20, 99, 10**6, 10**18, 10**30, -(10**9), 1.5, 1e300,
    "", "heat", "stress", "4", "joker", "usa", "left", "\x1b[2J", "x" * 300, "\u202e", "é", "standard",
    "ShiftGear", "RaceEnded", [], [0], [1, 1], [[0, "left"]], ["4"], ["heat"] * 9, [0, 1, 2, 3, 4, 5], {},
    {"type": "GiveUp"}, {"type": "Slipstream", "spaces": 2}, {"type": "PlayCards", "cards": ["4", "\x1b"]},
)  # fmt: skip


def places_in(value: Any) -> list[tuple[Any, ...]]:
    """List the path of every value inside a value, its own first."""
    found: list[tuple[Any, ...]] = [()]
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        found += [(key, *path) for path in places_in(item)]
    return found


def damaged(draw: st.DrawFn, line: bytes, event: Any) -> bytes:
    """Change one value of a line: to another, to one of another event, or to nothing."""
    values = msgspec.json.decode(line)
    *path, last = draw(st.sampled_from(places_in(values)[1:]))
    inside = values
    for key in path:
        inside = inside[key]
    match draw(st.sampled_from(("set", "set", "nudge", "borrow", "delete", "add"))):
        case "set":
            inside[last] = draw(st.sampled_from(VALUES))
        case "nudge" if isinstance(inside[last], int):
            inside[last] += draw(st.sampled_from((-2, -1, 1, 2, 69)))
        case "nudge" if isinstance(inside[last], list) and inside[last]:
            inside[last] = draw(st.permutations(inside[last])) + draw(st.sampled_from(([], inside[last][:1])))
        case "add" if isinstance(inside, dict):
            inside["\x1b[31m"] = 1
        case "delete":
            del inside[last]
        case _:
            inside[last] = event.get(last) if isinstance(event, dict) else event
    return msgspec.json.encode(values)


@st.composite
def hostile_records(draw: st.DrawFn) -> bytes:
    """Take a record, and change, leave out, double or swap something, once or a few times."""
    lines = list(lines_of(draw(st.sampled_from(sorted(records())))))
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 4)))):
        # The set-up and the first events say the most, and the last ones are told.
        place = draw(st.one_of(st.just(0), st.integers(0, 40), st.integers(0, 10**6))) % len(lines)
        other = draw(st.integers(1, 10**6)) % len(lines)
        match draw(st.sampled_from(("damage", "damage", "damage", "drop", "double", "swap", "foreign"))):
            case "damage":
                lines[place] = damaged(draw, lines[place], msgspec.json.decode(lines[other]).get("event"))
            case "drop" if len(lines) > 1:
                del lines[place]
            case "double":
                lines.insert(other, lines[place])
            case "swap":
                lines[place], lines[other] = lines[other], lines[place]
            case _:
                foreign = lines_of(draw(st.sampled_from(sorted(records()))))
                lines.insert(place, foreign[other % len(foreign)])
    if draw(st.integers(0, 9)):  # else the numbers tell
        lines = [numbered(line, number) for number, line in enumerate(lines)]
    return b"\n".join(lines) + b"\n"


def numbered(line: bytes, number: int) -> bytes:
    values = msgspec.json.decode(line)
    if not isinstance(values, dict) or not isinstance(values.get("number"), int):
        return line
    return msgspec.json.encode(values | {"number": number})


@pytest.mark.parametrize("name", sorted(records()))
def test_records_that_nobody_changed_hold(name: str) -> None:
    assert checked(records()[name])


@settings(max_examples=400)
@given(hostile_records())
def test_any_record_holds_or_is_refused_with_line_and_reason(data: bytes) -> None:
    checked(data)


def test_the_error_names_the_file_too(tmp_path: Path) -> None:
    path = tmp_path / "race.jsonl"
    path.write_bytes(records()[sorted(records())[0]].replace(b'"seat":0', b'"seat":-1', 1))
    with pytest.raises(BadRecord, match=rf"^{re.escape(str(path))}: line \d+: .*seat must be .* at least 0"):
        read_record(path)
