"""Positions with garage, weather, event and Sponsorships: in words, as files, and refused with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.data.event_cards import EVENTS
from heat_core.engine import start_race
from heat_core.files import load_track, track_names
from heat_core.positions.file import PositionFile, encode_position, parse_position
from heat_core.positions.position import BadPosition, make_position, position_of, setup_of_position
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import COLOURS, CarSetup, LegendSetup, Modules, RaceSetup, make_setup
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race
from heat_core.record.position import position_in
from heat_core.record.record import Record, decode_record, encode_record, fold_record, verify_record
from heat_core.rng import Stream
from heat_core.view.secrecy import public_setup
from tests.core.support import RandomPlay, track_facts

EVERYTHING = """
format = 1
track = "japan"
laps = 1
garage = "mixed"
expansion = true
sponsorships = true
event = "record-crowds"
weather = "rain"
roads = "limit-1 - weather overheat"
spent = "sponsor-1 sponsor-1"

[cars]
Ana = "lap 1 space 9 upgrades gas-5 heat-basic 4wd-2 hand gas-5 sponsor-4 4 draw 4wd-2 discard sponsor-7"
Ben = "lap 1 space 31 upgrades gas-5"
"""


def faults(text: str) -> list[str]:
    with pytest.raises(BadPosition) as refused:
        parse_position(text.encode(), load_track)
    return refused.value.faults


def test_a_file_says_garage_weather_event_and_sponsorships() -> None:
    file = parse_position(EVERYTHING.encode(), load_track)
    setup, position = file.setup, file.setup.position
    assert position is not None
    assert setup.modules == Modules(
        "mixed", expansion=True, weather=True, sponsorships=True, event="record-crowds"
    )
    assert setup.laps == 2, "the event's lap is added"
    assert setup.carried.upgrades == (("gas-5", "heat-basic", "4wd-2"), ("gas-5",))
    assert (position.weather, position.roads) == ("rain", ("limit-1", None, None, "weather", "overheat"))
    assert parse_position(encode_position(file).encode(), load_track) == file
    setup = replace(setup, seed="x")
    race, events = start_race(setup)
    ana, ben = race.seat(0), race.seat(1)
    assert ana.hand == ["4", "gas-5", "sponsor-4"]
    assert (ana.upgrades, ben.upgrades) == setup.carried.upgrades
    assert len(ben.hand) == EVENTS["record-crowds"].hand_size
    assert sorted([*ben.hand, *ben.draw_pile]).count("gas-5") == 1
    assert "start-5" not in [*ben.hand, *ben.draw_pile], "upgrades of a garage replace the starting ones"
    # Of seven copies: two are spent, one is in the hand, one in the discard pile.
    left = [race.sponsorship_deck.count(f"sponsor-{number}") for number in (1, 4, 7, 2)]
    assert left == [5, 6, 6, 7]
    assert dump_race(verify_record(decode_record(encode_record(setup, events, "x")))) == dump_race(race)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (
            "limit-1 - weather overheat",
            "limit-1 - weather",
            "roads: 3 tokens for the 4 corners where one lies",
        ),
        ("limit-1 -", "limit-2 -", "roads: 'limit-2': it is one of weather, overheat, limit-1, limit+1, "),
        ("limit-1 - weather", "overheat overheat -", "3 of the road token 'overheat', there are 2"),
        ('"rain"', '"hail"', 'weather must be clouds, fog, rain, snow, storm or sun, not "hail"'),
        ('weather = "rain"', "", "there are weather or road tokens, but the race has no weather"),
        ('garage = "mixed"', "", "a car has upgrades, but the race has no garage"),
        ('"mixed"', '"basic"', "the garage has no upgrade 'gas-5'"),
        ("heat-basic 4wd-2", "gas-5", "3 of the upgrade 'gas-5', the garage has 2"),
        ("heat-basic 4wd-2", "turbo-1", "Ana: there is no card '4wd-2' in the deck"),
        ("hand gas-5", "hand gas-5 gas-5", "Ana: 2 of the card 'gas-5', the deck has 1"),
        ("heat-basic", "4", "Ana: upgrades: there is no card '4'"),
        ("space 31", "space 31 legend easy", "Ben: upgrades: a Legend has none"),
        ("sponsorships = true", "", "Sponsorship cards are spent, but the race has none"),
        ("sponsorships = true", "", "Ana: there is no card 'sponsor-4' in the deck"),
        ("expansion = true", "", "1 of the card 'sponsor-7', there are 0"),
        ("sponsor-1 sponsor-1", "sponsor-4 " * 7, "8 of the card 'sponsor-4', there are 7"),
        ("sponsor-1 sponsor-1", "sponsor-1 gas-1", "spent: 'gas-1' is not a Sponsorship card"),
        ('"record-crowds"', '"circus"', "there is no event 'circus'"),
        (
            "space 9",
            "space 9 spun-out 1",
            "a spin-out ended a car's race, but no event of this race does that",
        ),
        (
            "space 9",
            "space 9 spun-out 2 gave-up 1",
            "Ana: a car has given up or spun out of the race, not both",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(before: str, after: str, reason: str) -> None:
    assert before in EVERYTHING
    assert any(fault.startswith(reason) for fault in faults(EVERYTHING.replace(before, after, 1)))


def test_problems_of_all_modules_come_at_once() -> None:
    text = EVERYTHING.replace("rain", "hail").replace("record-crowds", "circus").replace("mixed", "basic")
    found = "; ".join(faults(text))
    for reason in ('"hail"', "'circus'", "no upgrade 'gas-5'"):
        assert reason in found


def test_a_position_carries_neither_grid_nor_sponsorships() -> None:
    setup = parse_position(EVERYTHING.encode(), load_track).setup
    with pytest.raises(ValueError, match="none can be carried into it"):
        make_setup(
            setup.track,
            setup.cars,
            seed="x",
            position=setup.position,
            modules=setup.modules,
            carried=replace(setup.carried, grid=(0, 1)),
        )


def test_a_car_that_spun_out_of_the_race_stands_in_a_position() -> None:
    cars = {
        "ana": "lap 1 space 30 spun-out 1",
        "ben": "lap 1 space 31",
        "cy": "lap 1 space 9 gave-up 2",
    }
    setup = make_position(track_facts("italy"), cars, modules=Modules(event="sponsor-withdraws"))
    race, _ = start_race(setup)
    assert [car.status for car in race.cars] == ["spun_out", "racing", "gave_up"]
    assert race.out == [0, 2]
    assert setup.position is not None
    ends = [(car.gave_up, car.spun_out) for car in position_of(race).cars]
    assert ends == [(car.gave_up, car.spun_out) for car in setup.position.cars]
    cars["ben"] += " legend easy"
    with pytest.raises(BadPosition, match="no seat is still racing"):
        make_position(track_facts("italy"), cars, modules=Modules(event="sponsor-withdraws"))


def test_laps_of_a_position_are_noted_where_its_event_asks_for_them() -> None:
    cars = {"ana": "lap 2 space 3", "ben": "lap 1 space 60", "cy": "lap 2 space 5"}
    race, _ = start_race(make_position(track_facts("gb"), cars, modules=Modules(event="grandstand")))
    assert race.first_lap == (2, 0)
    assert [car.laps_completed for car in race.cars] == [1, 0, 1]


def any_modules(stream: Stream) -> Modules:
    return Modules(
        stream.choose(("none", "basic", "advanced", "mixed")),
        expansion=bool(stream.below(2)),
        draft=stream.choose(("three", "one")),
        weather=bool(stream.below(2)),
        sponsorships=bool(stream.below(2)),
        event=stream.choose((None, *EVENTS)),
    )


def played_on(setup: RaceSetup, steps: int) -> RandomPlay:
    """Race by random commands until phase 1 or 2 comes after so many steps."""
    game = RandomPlay(setup, setup.seed or "")
    while game.race.phase is not Phase.ENDED:
        race = game.race
        is_fresh = all(decision.chosen is None for decision in race.open.values())
        if len(game.commands) >= steps and race.phase in (Phase.SHIFT_GEARS, Phase.PLAY_CARDS) and is_fresh:
            break
        game.step()
    return game


def without_history(race: Race) -> bytes:
    """Dump a race without what tells only how it came to where it stands."""
    left = race.copy()
    setup = replace(
        race.setup,
        carried=replace(race.setup.carried, upgrades=()),
        modules=replace(race.setup.modules, draft="three"),
    )
    left.setup = public_setup(setup)
    left.first_lap = tuple(sorted(race.first_lap))
    left.first_picker = None
    left.event_number = left.draws = left.next_decision = left.drafted = 0
    for decision in left.open.values():
        decision.id = 0
    return dump_race(left)


@given(
    board=st.sampled_from(track_names()),
    preset=st.sampled_from(list(PRESETS)),
    seed=st.text(alphabet="abc", min_size=1, max_size=4),
    steps=st.integers(0, 250),
)
def test_any_played_position_comes_back_from_a_file_as_the_same_race(
    board: str, preset: PresetName, seed: str, steps: int
) -> None:
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(3)]
    cars.append(CarSetup("legend", COLOURS[3], LegendSetup(2, True)))
    stream = Stream(seed)
    setup = make_setup(
        track_facts(board), cars, seed=seed, laps=1, rules=PRESETS[preset], modules=any_modules(stream)
    )
    game = played_on(setup, steps)
    race = game.race
    if race.phase is Phase.ENDED:
        return
    begun = setup_of_position(race)
    file = PositionFile(begun, (None,) * len(begun.cars))
    assert parse_position(encode_position(file).encode(), load_track) == file
    again, events = start_race(begun)
    assert without_history(again) == without_history(race)
    assert dump_race(verify_record(decode_record(encode_record(begun, events, "x")))) == dump_race(again)
    public = decode_record(encode_record(public_setup(begun), events, "x"))
    assert without_history(fold_record(public)) == without_history(again)
    taken = position_in(
        Record(setup, tuple(game.events)), race.round, "shift" if race.phase is Phase.SHIFT_GEARS else "play"
    )
    assert taken.setup == replace(begun, seed=None)


def test_a_public_record_of_a_position_with_modules_is_dealt_anew() -> None:
    file = parse_position(EVERYTHING.encode(), load_track)
    game = RandomPlay(replace(file.setup, seed="x"), "x")
    game.run()
    assert isinstance(game.events[-1], e.RaceEnded)
    record = decode_record(encode_record(public_setup(game.setup), game.events, "x"))
    assert verify_record(record).standings == game.race.standings
