"""Records that somebody damaged or made up are refused with line and reason: no traceback, and no belief."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from heat_core.engine import abandon
from heat_core.game_files import read_record, write_record
from heat_core.positions.position import make_position
from heat_core.race import events as e
from heat_core.race.setup import LegendSetup
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    verify_record,
)
from heat_core.view.secrecy import public_setup
from tests.core.support import RandomPlay, setup_of, track_facts, without_seed
from tests.core.test_hostile_events import with_event


def finished_record(*, with_seed: bool = True) -> bytes:
    setup = setup_of("japan", seats=1, legends=2, laps=1, seed="hostile")
    game = RandomPlay(setup, "hostile")
    game.run()
    record = Record(setup, tuple(game.events)) if with_seed else without_seed(setup, game.events)
    return encode_record(record.setup, record.events, "0")


def with_head(data: bytes, *path: str | int, value: Any) -> bytes:
    """Change one value of the set-up."""
    head, rest = data.split(b"\n", 1)
    values = msgspec.json.decode(head)
    inside = values["setup"]
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return msgspec.json.encode(values) + b"\n" + rest


@pytest.mark.parametrize("with_seed", [True, False])
def test_every_byte_of_the_set_up_may_be_wrong(with_seed: bool) -> None:
    """What is read is refused, or a race that holds: no other error, and no race without end."""
    data = finished_record(with_seed=with_seed)
    begin = data.index(b"\n")
    outcomes = Counter[str]()
    for place in range(0, begin, 2):
        for byte in (data[place] ^ 1, b"1907-"[place % 5], b'"]},'[place % 4]):
            changed = data[:place] + bytes([byte]) + data[place + 1 :]
            try:
                fold_record(decode_record(changed))
            except BadRecord:
                outcomes["refused"] += 1
            else:
                outcomes["holds"] += 1
    assert outcomes["refused"] > outcomes["holds"] > 0


@pytest.mark.parametrize("with_seed", [True, False])
def test_a_record_may_be_cut_anywhere(with_seed: bool) -> None:
    data = finished_record(with_seed=with_seed)
    begin = data.index(b"\n") + 1
    lines = [place + 1 for place in range(len(data)) if data[place : place + 1] == b"\n"]
    for place in range(0, len(data), 61):
        if place in lines:
            continue
        with pytest.raises(BadRecord, match=r"^line 1: the file is empty|^line \d+: the line is cut off$"):
            decode_record(data[:place])
    assert decode_record(data[:begin]).events == ()
    whole_steps, reasons = 0, set()
    for place in lines[1::5]:
        record = decode_record(data[:place])
        try:
            assert fold_record(record).event_number == len(record.events)
        except BadRecord as refused:
            reasons.add(str(refused).rpartition(": ")[2])
        else:
            whole_steps += 1
    assert whole_steps
    # A race without its seed is only folded, and may end anywhere.
    assert reasons == ({"the record stops in the middle of a step"} if with_seed else set())


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("track", "spaces"), 20, "past space 20"),
        (("track", "corners"), [], "corners"),
        (("track", "grid"), [[1, "left"], [1, "left"]], "taken already"),
        (("cars", 1, "legend", "helmet"), None, "a Legend without a helmet"),
        (("cars", 0, "legend"), {"bonus": 0, "chevrons": False, "helmet": "red"}, "needs a driver"),
        (("cars", 0, "name"), "LEGEND 1", "the same name"),
        (("cars", 0, "colour"), "blue", "the same colour"),
        (("laps",), 0, "laps"),
        (("laps",), "two", "laps"),
        (("rules", "boost_gears"), "4", "boost_gears"),
        (("rules", "full_space"), "sideways", "full_space"),
        (("position",), {"cars": []}, "places 0 cars of 3"),
        (("rules_version",), 3, "begun by version 3 of the rules; this program plays version 2"),
    ],
)
def test_a_set_up_that_no_race_can_begin_from_is_refused(
    path: tuple[str | int, ...], value: object, reason: str
) -> None:
    with pytest.raises(BadRecord, match="line 1: ") as refused:
        decode_record(with_head(finished_record(), *path, value=value))
    assert reason in str(refused.value)


def test_an_impossible_position_in_a_record_is_refused() -> None:
    setup = make_position(track_facts("usa"), {"ana": "lap 1 space 30 hand 4 3", "ben": "lap 1 space 20"})
    data = encode_record(setup, RandomPlay(setup, "p").events, "0")
    assert decode_record(data).setup == setup
    for path, value, reason in (
        (("position", "cars", 0, "space"), 70, "ana: space 70 is past the track's 69"),
        (("position", "cars", 0, "hand"), ["4"] * 4, "4 of the card '4'"),
        (("position", "cars", 0, "hand"), ["joker"], "no card 'joker'"),
        (("position", "cars", 1, "lap"), 5, "ben: lap 5"),
    ):
        with pytest.raises(BadRecord, match="line 1: ") as refused:
            decode_record(with_head(data, *path, value=value))
        assert reason in str(refused.value)


def test_an_abandoned_race_may_not_be_told_with_another_end() -> None:
    setup = setup_of(seats=2, seed="left")
    game = RandomPlay(setup, "left")
    game.step()
    *_, ended = events = [*game.events, *abandon(game.race)]
    assert isinstance(ended, e.RaceEnded)
    assert verify_record(Record(setup, tuple(events))).end == "abandoned"
    turned = msgspec.structs.replace(ended, standings=ended.standings[::-1])
    with pytest.raises(BadRecord, match=rf"^line {len(events) + 1}: event {len(events)} differs"):
        verify_record(Record(setup, (*events[:-1], turned)))
    with pytest.raises(
        BadRecord,
        match=rf"^line {len(events) + 2}: event {len(events) + 1} differs[^$]*nothing, the race is over$",
    ):
        verify_record(Record(setup, (*events, ended)))


@pytest.mark.parametrize(
    "event",
    [
        e.SymbolUsed(0, 10**30, 1),
        e.SymbolUsed(0, -1, 1),
        e.TurnStarted(99),
        e.GearShifted(1, 1, 2),
        e.CardsRevealed(0, ("joker",)),
        e.PhaseEntered(44),
        e.PositionPlaced(2, ()),
        e.ChoiceMade(2, 5, None),
        e.HeatCooled(0, 9),
    ],
    ids=lambda event: type(event).__name__,
)
def test_the_line_of_an_event_that_does_not_fit_is_named(event: e.Event) -> None:
    setup = setup_of(seats=1, legends=2, seed="fit")
    data = encode_record(public_setup(setup), RandomPlay(setup, "fit").events, "x")
    lines = data.count(b"\n")
    with pytest.raises(BadRecord, match=rf"^line {lines + 1}: "):
        fold_record(decode_record(with_event(data, event)))


def test_a_record_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(BadRecord, match=r"huge\.jsonl: a record has at most \d+ bytes"):
        read_record(path)
    with pytest.raises(OSError, match="No such file"):
        write_record(tmp_path / "no" / "such" / "folder.jsonl", setup_of(), ())


def test_legends_of_every_helmet_come_back() -> None:
    setup = setup_of("usa", seats=1, legends=5, legend=LegendSetup(4, True), laps=1, seed="helmets")
    game = RandomPlay(setup, "helmets")
    game.run()
    assert verify_record(decode_record(encode_record(setup, game.events, "0"))).end == "finished"
