"""Dumps of tables and seasons: whatever happened to the bytes, they are refused, or can be raced on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heat_core.drivers import DriverName
from heat_core.race import commands as c
from heat_core.race.dump import BadDump, seal
from heat_core.race.presets import RULEBOOK
from heat_core.rng import Stream
from heat_core.season.state import SEASON_FORMAT, Season
from heat_core.simulation import play_out
from heat_core.table import Table
from heat_core.table_dump import TABLE_FORMAT
from tests.core.random_setups import taken_in_the_middle
from tests.core.seasons import ALL_MODULES, begin, race_with, season_setup
from tests.core.support import setup_of


def dump_of_table(*, is_in_the_middle: bool = False) -> bytes:
    setup = setup_of("italy", seats=2, legends=1, laps=2, seed="dump")
    if is_in_the_middle:
        setup = taken_in_the_middle(setup, Stream("dump"))
    table = Table(setup, {0: "human", 1: "steady"})
    for _ in range(6):
        table.step_bot()
        table.play_default(0)
    while not any(asked.seat == 0 and asked.kind == "gear" for asked in table.decisions()):
        table.step_bot()
        table.play_default(0)
    (asked,) = (asked for asked in table.decisions() if asked.seat == 0)
    table.submit(0, asked.decision, c.ShiftGear(1))
    return table.dump()


def season_under_way() -> tuple[Season, Table]:
    season = begin(season_setup(legends=1, rules=RULEBOOK, modules=ALL_MODULES, draws_events=True))
    season.finish_race(race_with(season).log)
    season.set_driver(0, "human")
    table = Table(season.next_race(), season.drivers)
    for _ in range(20):
        table.step_bot()
        table.play_default(0)
    return season, table


Loader = Callable[[bytes], Table | Season]


@cache
def dumps() -> dict[str, tuple[Loader, int, bytes]]:
    """Give dumps of all kinds, each with what loads it and the number of its format."""
    season, table = season_under_way()
    return {
        "table": (Table.load, TABLE_FORMAT, dump_of_table()),
        "table from a position": (Table.load, TABLE_FORMAT, dump_of_table(is_in_the_middle=True)),
        "table of a season": (Table.load, TABLE_FORMAT, table.dump()),
        "season": (Season.load, SEASON_FORMAT, season.dump()),
    }


def goes_on(loaded: Table | Season) -> bool:
    """Race what was loaded to its end, as what can be raced on."""
    if isinstance(loaded, Table):
        for seat in loaded.drivers:
            loaded.set_driver(seat, "steady")
        play_out(loaded)
        return loaded.is_over and Table.load(loaded.dump()).log == loaded.log
    if loaded.state.status == "between":
        loaded.next_race()
    while not loaded.is_over:
        table = Table(loaded.race_setup(len(loaded.state.races) - 1), dict.fromkeys(loaded.drivers, "steady"))
        play_out(table)
        loaded.finish_race(table.log)
        if not loaded.is_over:
            loaded.next_race()
    return True


KINDS: Final = ("table", "table from a position", "table of a season", "season")


@pytest.mark.parametrize("kind", KINDS)
def test_a_dump_comes_back_and_is_the_same_again(kind: str) -> None:
    load, _, data = dumps()[kind]
    loaded = load(data)
    assert loaded.dump() == data
    assert goes_on(loaded)


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_or_missing_byte_is_found(kind: str) -> None:
    load, _, data = dumps()[kind]
    step = 1 + len(data) // 1_500
    for place in [*range(120), *range(120, len(data), step)]:
        for byte in (data[place] ^ 1, data[place] ^ 0x80, 0xC1):
            if byte != data[place]:
                with pytest.raises(BadDump):
                    load(data[:place] + bytes([byte]) + data[place + 1 :])
        for other in (data[:place], data[:place] + data[place + 1 :], data[:place] + b"\0" + data[place:]):
            with pytest.raises(BadDump):
                load(other)
    for other in (b"", data + b"\0", data + data, b"\x81" * 100_000, b"\xdf\xff\xff\xff\xff"):
        with pytest.raises(BadDump):
            load(other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_newer_format_is_refused_as_such(kind: str) -> None:
    load, number, data = dumps()[kind]
    word = "season" if kind == "season" else "table"
    reason = rf"^{word} format {number + 1}; this version reads format {number}$"
    for newer in (
        msgspec.msgpack.encode(msgspec.msgpack.decode(data) | {"format": number + 1}),
        msgspec.msgpack.encode({"format": number + 1, "in another": ["form"]}),
    ):
        with pytest.raises(BadDump, match=reason):
            load(newer)


def test_neither_is_the_other() -> None:
    for kind, load in (("season", Table.load), ("table", Season.load)):
        with pytest.raises(BadDump):
            load(dumps()[kind][2])


VALUES: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 1, 2, 3, 8, 99, 1 << 63, 1.5, "", "human", "heat", "4", "joker", "usa", [], [0], {},
    {"type": "GiveUp"}, b"x",
)  # fmt: skip


def places_in(value: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [()]
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        found += [(key, *path) for path in places_in(item)]
    return found


@settings(max_examples=300)
@given(st.data())
def test_whoever_seals_a_changed_body_gets_no_other_error(data: st.DataObject) -> None:
    """The digest fits, so that only what is told can be wrong."""
    kind = data.draw(st.sampled_from(KINDS))
    load, number, dump = dumps()[kind]
    body = msgspec.msgpack.decode(msgspec.msgpack.decode(dump)["body"], strict=False)
    keys = [key for key in body if data.draw(st.booleans())] or list(body)
    *path, last = data.draw(st.sampled_from([(key, *p) for key in keys for p in places_in(body[key])]))
    inside = body
    for key in path:
        inside = inside[key]
    match data.draw(st.sampled_from(("set", "set", "nudge", "delete"))):
        case "delete":
            del inside[last]
        case "nudge" if type(inside[last]) is int:
            inside[last] += data.draw(st.sampled_from((-1, 1)))
        case "nudge" if isinstance(inside[last], list):
            inside[last] = inside[last][:-1] if data.draw(st.booleans()) else inside[last] + inside[last][-1:]
        case _:
            inside[last] = data.draw(st.sampled_from(VALUES))
    changed = seal(number, msgspec.defstruct("Body", list(body))(**body))
    try:
        loaded = load(changed)
    except BadDump as refused:
        text = str(refused)
    else:
        text = ""
        assert goes_on(loaded)
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize("drivers", [{}, {0: "human"}, {0: "human", 1: "human", 2: "human"}, {5: "steady"}])
def test_a_race_without_its_drivers_does_not_begin(drivers: dict[int, Any]) -> None:
    """Its drivers are looked at first: it had begun by the time that they were."""
    setup = msgspec.structs.replace(setup_of(seats=2), seed=None)
    with pytest.raises(ValueError, match=r"^drivers for seats .*, seats are \[0, 1\]$"):
        Table(setup, drivers)


def test_a_table_goes_on_by_set_up_drivers_and_log_alone() -> None:
    setup = setup_of("italy", seats=2, legends=1, laps=1, seed="dump")
    drivers: dict[int, DriverName] = {0: "human", 1: "steady"}
    table = Table(setup, drivers)
    for count in range(30):
        if count % 6 == 0:
            assert Table.resume(setup, drivers, list(table.log)).dump() == table.dump()
        table.step_bot()
        table.play_default(0)
    for log in (table.log[:-1], table.log[1:], table.log[::-1], [], table.log * 2):
        with pytest.raises(BadDump):
            Table.resume(setup, drivers, list(log))
    with pytest.raises(BadDump, match="drivers for seats"):
        Table.resume(setup, {0: "human"}, list(table.log))
