"""Walking about in a recorded race: every moment is the race as it was, whatever the way there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.state_dump import dump_race
from heat_core.record.playback import SNAPSHOT_EVENTS, Playback
from heat_core.record.record import BadRecord, Record
from heat_core.rng import Stream
from heat_core.simulation import play_out
from heat_core.table import Table
from heat_core.view.secrecy import public_setup, view_race
from tests.core.random_setups import random_setup_from_the_grid
from tests.core.support import without_seed

SEEDS = range(6)


def raced(seed: int) -> Record:
    setup = random_setup_from_the_grid(Stream(f"walk {seed}"), None)
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    table = Table(setup, dict.fromkeys(seats, "random"))
    play_out(table)
    return Record(table.setup, tuple(table.log))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_moment_is_the_race_folded_up_to_it_forwards_and_backwards(seed: int) -> None:
    playback = Playback(raced(seed))
    places = [*range(0, playback.last + 1, 7), *range(playback.last, -1, -11)]
    for place in places:
        moment = playback.moments[place]
        expected = fold(playback.record.setup, playback.record.events[: moment.last])
        assert dump_race(playback.race_at(place)) == dump_race(expected)
        for seat in (None, *expected.seats()):
            assert playback.view(place, seat) == view_race(expected, seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_moments_hold_every_event_once_and_each_is_told(seed: int) -> None:
    playback = Playback(raced(seed))
    covered = [event for place in range(playback.last + 1) for event in playback.events_of(place)]
    events = playback.record.events
    first = playback.moments[0].first
    assert tuple(covered) == events[first - 1 :]
    assert isinstance(events[first - 1], e.GridDrawn)
    assert all(moment.text for moment in playback.moments)
    assert playback.events_until(playback.last) == events


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_stop_at_what_happened_and_a_turn_begins_with_the_first_of_it(seed: int) -> None:
    playback = Playback(raced(seed))
    assert not any(isinstance(m.event, e.TurnStarted | e.DecisionsOpened) for m in playback.moments)
    place = 0
    stops = [place]
    while (place := playback.step(place, 1)) != stops[-1]:
        stops.append(place)
    headings = [n for n, m in enumerate(playback.moments) if isinstance(m.event, e.RoundStarted)]
    assert sorted({*stops, *headings}) == [*range(playback.last + 1)]
    assert not {*stops} & {*headings}
    turns = [n for n, event in enumerate(playback.record.events, start=1) if isinstance(event, e.TurnStarted)]
    for number in turns:
        first = next(n for n, moment in enumerate(playback.moments) if moment.first > number)
        assert playback.step_turns(first + 1, -1) == first


@pytest.mark.parametrize("seed", SEEDS)
def test_turns_and_rounds_are_walked_both_ways_and_end_at_the_ends(seed: int) -> None:
    playback = Playback(raced(seed))
    for step in (playback.step, playback.step_turns, playback.step_rounds):
        ways: dict[int, list[int]] = {}
        for direction, begin in ((1, 0), (-1, playback.last)):
            ways[direction] = [begin]
            while (place := step(ways[direction][-1], direction)) != ways[direction][-1]:
                assert (place - ways[direction][-1]) * direction > 0
                ways[direction].append(place)
        there, back = set(ways[1]), set(ways[-1])
        assert {0, playback.last} <= there & back
        assert there == back
    for number in playback.rounds:
        moment = playback.moments[playback.place_of_round(number)]
        assert moment.event == e.RoundStarted(number)
    assert playback.place_of_round(0) == playback.place_of_round(playback.rounds[0])
    assert playback.place_of_round(999) == playback.place_of_round(playback.rounds[-1])


def test_looking_back_changes_nothing() -> None:
    playback = Playback(raced(1))
    before = dump_race(playback.final)
    for place in (playback.last, 0, playback.last // 2):
        race = playback.race_at(place)
        race.cars[0].progress += 5
        race.open.clear()
    assert dump_race(playback.final) == before
    assert dump_race(playback.race_at(playback.last)) == before


def test_a_position_is_walked_from_its_own_round_on() -> None:
    setup = make_position(
        load_track("usa"), {"ana": "lap 1 space 30", "ben": "lap 1 space 20"}, round=7, laps=1
    )
    table = Table(setup, {0: "steady", 1: "steady"})
    play_out(table)
    playback = Playback(Record(table.setup, tuple(table.log)))
    assert playback.rounds[0] == 7
    assert playback.moments[0].text == "The cars are placed; round 7 comes next"
    assert playback.view(0, None).cars[0].space == 30


def test_a_record_without_a_seed_can_be_walked_wherever_it_stops_behind_the_grid() -> None:
    race = raced(2)
    whole = without_seed(race.setup, race.events)
    for events in (3, 20, SNAPSHOT_EVENTS, SNAPSHOT_EVENTS + 1):
        playback = Playback(Record(whole.setup, whole.events[:events]))
        assert playback.race_at(playback.last).event_number == events
        assert playback.step_rounds(playback.last, 1) == playback.last
    with pytest.raises(BadRecord, match="no car is ever placed on the track"):
        Playback(Record(whole.setup, whole.events[:1]))


def test_one_with_its_seed_is_verified_before_anything_of_it_is_shown() -> None:
    """The seed may stand in the set-up, or be told at the race's end."""
    whole = raced(2)
    for setup in (whole.setup, public_setup(whole.setup)):
        assert Playback(Record(setup, whole.events)).is_verified
        # A speed that no card gave: nothing that the race needs depends on it, and no card is lost.
        place, speed = next((n, one) for n, one in enumerate(whole.events) if isinstance(one, e.SpeedSet))
        made_up = (*whole.events[:place], replace(speed, speed=99), *whole.events[place + 1 :])
        with pytest.raises(BadRecord, match=rf"^line {place + 2}: event {place + 1} differs"):
            Playback(Record(setup, made_up))
        unseeded = without_seed(setup, made_up)
        assert not Playback(unseeded).is_verified


@pytest.mark.parametrize("has_seed", [True, False])
def test_one_that_does_not_hold_is_refused_with_its_line(has_seed: bool) -> None:
    whole = raced(2)
    record = whole if has_seed else without_seed(whole.setup, whole.events)
    drawn = next(n for n, event in enumerate(whole.events) if isinstance(event, e.CardsDrawn))
    broken = (*record.events[:drawn], *record.events[drawn + 1 :])
    with pytest.raises(BadRecord, match=r"^line \d+: event \d+ "):
        Playback(Record(record.setup, broken))
