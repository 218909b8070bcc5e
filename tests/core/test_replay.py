"""Records: written, read, played again, and refused where they are wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
import pytest

from heat_core.engine import abandon
from heat_core.game_files import read_record, write_record
from heat_core.race.dump import BadDump
from heat_core.race.setup import RaceSetup
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    verify_record,
)
from tests.core.support import RandomPlay, setup_of


def raced(seed: str = "r") -> tuple[RaceSetup, RandomPlay]:
    setup = setup_of("italy", seats=2, legends=1, laps=1, seed=seed)
    game = RandomPlay(setup, seed)
    game.run()
    return setup, game


def test_a_record_comes_back_and_plays_again_to_the_same_end() -> None:
    setup, game = raced()
    record = decode_record(encode_record(setup, game.events, "0"))
    assert record == Record(setup, tuple(game.events))
    assert dump_race(verify_record(record)) == dump_race(game.race)
    assert dump_race(fold_record(record)) == dump_race(game.race)


def test_a_record_of_an_unfinished_or_abandoned_race_holds_too() -> None:
    setup = setup_of(seats=2, seed="part")
    game = RandomPlay(setup, "part")
    for _ in range(10):
        game.step()
    record = decode_record(encode_record(setup, game.events, "0"))
    assert dump_race(verify_record(record)) == dump_race(game.race)
    events = [*game.events, *abandon(game.race)]
    assert verify_record(Record(setup, tuple(events))).end == "abandoned"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: b"", "line 1: the file is empty|cut off"),
        (lambda data: data[: len(data) // 2], r"line \d+: the line is cut off"),
        (lambda data: data.replace(b'"format":2', b'"format":3', 1), "line 1: format 3"),
        (lambda data: data.replace(b'"rules_version":2', b'"rules_version":9', 1), "version 9 of the rules"),
        (lambda data: b"[]\n" + data, "line 1: "),
        (lambda data: b"\xff\xfe\n" + data, "line 1: "),
        (lambda data: data.replace(b'"number":3', b'"number":4', 1), "line 4: event 4 where 3"),
        (lambda data: data.replace(b'"type":"GridDrawn"', b'"type":"GridDrown"', 1), r"line \d+: "),
        (lambda data: data.replace(b'"number":2,', b'"number":2,,', 1), r"line 3: "),
    ],
)
def test_a_damaged_record_is_refused_with_line_and_reason(damage: object, reason: str) -> None:
    setup, game = raced()
    assert callable(damage)
    with pytest.raises(BadRecord, match=reason):
        decode_record(damage(encode_record(setup, game.events, "0")))


def test_every_single_changed_byte_is_refused_or_found_or_harmless() -> None:
    """No traceback whatever the byte: the record is refused, differs, or says the same in other words."""
    setup = setup_of("italy", seats=2, laps=1, seed="byte")
    game = RandomPlay(setup, "byte")
    for _ in range(4):
        game.step()
    data = encode_record(setup, game.events, "0")
    begin = data.index(b"\n")
    for place in [*range(0, begin, 97), *range(begin, len(data), 11)]:
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with contextlib.suppress(BadRecord):
            assert verify_record(decode_record(changed)).round >= 1


def test_record_files(tmp_path: Path) -> None:
    folder = tmp_path
    setup, game = raced()
    path = folder / "race.jsonl"
    write_record(path, setup, game.events)
    assert read_record(path).events == tuple(game.events)
    with pytest.raises(BadRecord, match=r"none\.jsonl: No such file"):
        read_record(folder / "none.jsonl")
    with pytest.raises(BadRecord, match="directory"):
        read_record(folder)


def test_a_dump_of_another_format_or_broken_is_refused() -> None:
    _, game = raced()
    dump = dump_race(game.race)
    for wrong in (b"", b"{}", dump[:-5], dump.replace(b'"format":4', b'"format":7', 1), b"\xff", b"[1]"):
        with pytest.raises(BadDump):
            load_race(wrong)
    assert msgspec.json.decode(dump)["format"] == 4
