"""Races and records of other versions: kept as they began, or refused with the reason (CORE-17)."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256

import msgspec
import pytest

from heat_core.decisions import choice_of, sample_command
from heat_core.engine import step
from heat_core.race.dump import BadDump
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS
from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.setup import COLOURS, CarSetup, make_setup
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.record import BadRecord, Record, decode_record, encode_record, verify_record
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.table_dump import TABLE_FORMAT
from tests.core.support import RandomPlay, setup_of, track_facts

PROGRAM = """
import sys
from hashlib import sha256
from heat_core.race.state_dump import load_race
from heat_core.rng import Stream
from tests.core.test_versions import play_on
print(sha256(play_on(load_race(sys.stdin.buffer.read()), Stream("on"))).hexdigest())
"""


def play_on(race: Race, stream: Stream) -> bytes:
    """Let chance drive a race to its end, and give it as bytes."""
    while race.phase is not Phase.ENDED:
        seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
        step(race, seat, sample_command(choice_of(race, seat), stream))
    return dump_race(race)


def recorded() -> bytes:
    setup = setup_of("italy", seats=2, legends=1, laps=1, seed="version")
    return encode_record(setup, RandomPlay(setup, "version").events, "0")


def changed_head(*path: str, value: object) -> bytes:
    """Take a record and change one value of its first line, or add it."""
    head, rest = recorded().split(b"\n", 1)
    values = msgspec.json.decode(head)
    inside = values
    for key in path[:-1]:
        inside = inside[key] if isinstance(inside, dict) else inside[int(key)]
    inside[path[-1]] = value
    return msgspec.json.encode(values) + b"\n" + rest


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("format",), 3, "line 1: format 3; this version reads 2"),
        (("format",), "new", "line 1: format 'new'; this version reads 2"),
        (
            ("setup", "rules_version"),
            RULES_VERSION + 1,
            f"line 1: the race was begun by version {RULES_VERSION + 1} of the rules; this program plays",
        ),
        (
            ("setup", "rules_version"),
            1,
            "in which all played cards turned up before the first car moved; this program plays version 2",
        ),
        (("setup", "track", "format"), 2, "track.format"),
        (("setup", "weather"), "rain", "unknown field 'weather'"),
        (("setup", "rules", "garage"), True, "unknown field 'garage'"),
        (("setup", "cars", "0", "upgrades"), [], "unknown field 'upgrades'"),
        (("season",), "x", "unknown field 'season'"),
    ],
)
def test_a_record_of_another_version_is_refused_with_the_reason(
    path: tuple[str, ...], value: object, reason: str
) -> None:
    """What this version does not know is never passed over: the race would be another one."""
    with pytest.raises(BadRecord) as refused:
        decode_record(changed_head(*path, value=value))
    assert reason in str(refused.value)


def test_an_event_that_only_a_newer_version_knows_is_refused_with_its_line() -> None:
    data = recorded().rstrip(b"\n")
    number = data.count(b"\n") + 1
    for event in (b'{"type":"WeatherTurned","token":"rain"}', b'{"type":"TurnStarted","car":0,"sector":1}'):
        with pytest.raises(BadRecord, match=rf"^line {number + 1}: "):
            decode_record(data + b'\n{"number":%d,"event":%b}\n' % (number, event))


def half_a_race_on_a_board_of_its_own() -> Race:
    """A board that is called as one that comes with the game, but is another; and a house rule."""
    usa = track_facts("usa")
    corners = tuple(msgspec.structs.replace(corner, limit=corner.limit + 1) for corner in usa.corners)
    board = msgspec.structs.replace(usa, corners=corners, heat=4, stress=5)
    rules = msgspec.structs.replace(PRESETS["standard"], boost_gears=(2, 3), hand_size=6)
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(3)]
    setup = make_setup(board, cars, seed="own", laps=1, rules=rules)
    game = RandomPlay(setup, "own")
    for _ in range(40):
        game.step()
    return game.race


def test_a_running_race_keeps_the_rules_and_data_that_it_began_with() -> None:
    """Its dump holds the whole board and every rule; a process that knows others plays it on all the same."""
    race = half_a_race_on_a_board_of_its_own()
    dump = dump_race(race)
    again = load_race(dump)
    assert again.setup.track != track_facts("usa")
    assert again.track.corners == race.setup.track.corners
    assert again.rules == race.rules != PRESETS["standard"]
    there = subprocess.run([sys.executable, "-c", PROGRAM], input=dump, capture_output=True, check=True)
    assert there.stdout.decode().strip() == sha256(play_on(race, Stream("on"))).hexdigest()


def test_a_dump_of_another_version_is_refused_with_the_reason() -> None:
    race = half_a_race_on_a_board_of_its_own()
    race.setup = msgspec.structs.replace(race.setup, rules_version=RULES_VERSION + 1)
    reason = f"version {RULES_VERSION + 1} of the rules; this program plays version {RULES_VERSION}"
    with pytest.raises(BadDump, match=reason):
        load_race(dump_race(race))
    table = Table(setup_of(), {0: "steady", 1: "steady"})
    assert Table.load(table.dump()).log == table.log
    table.setup = race.setup
    with pytest.raises(BadDump, match=reason):
        Table.load(table.dump())
    newer = msgspec.msgpack.decode(table.dump()) | {"format": TABLE_FORMAT + 1}
    with pytest.raises(BadDump, match=f"table format {TABLE_FORMAT + 1}; this version reads format"):
        Table.load(msgspec.msgpack.encode(newer))
    with pytest.raises(BadDump, match="no table: "):
        Table.load(b"\xc1")


def test_a_record_of_a_board_that_has_changed_since_replays_on_the_one_it_was_raced_on() -> None:
    setup = half_a_race_on_a_board_of_its_own().setup
    game = RandomPlay(setup, "x")
    game.run()
    again = decode_record(encode_record(setup, game.events, "0"))
    assert again == Record(setup, tuple(game.events))
    assert verify_record(again).standings == game.race.standings
