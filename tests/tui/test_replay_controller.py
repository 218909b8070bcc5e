"""A replay without a face: walking, playing by values, whose hands are seen, where there is no result."""

from __future__ import annotations

import pytest

from heat_core.decisions import CardsChoice
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_tui.flow.replay import ALL_HANDS, SPECTATOR, SPEEDS, ReplayController, Viewpoint, Walk
from heat_tui.race.presenter import RaceLabels
from tests.core.support import stopped, without_seed
from tests.tui.support_replay import raced


@pytest.fixture(scope="module")
def playback() -> Playback:
    return Playback(raced())


def watching(playback: Playback, place: int = 0) -> ReplayController:
    return ReplayController(playback, RaceLabels.of(playback.record.setup), place)


def test_every_walk_goes_to_its_moment_and_gives_what_it_passed(playback: Playback) -> None:
    replay = watching(playback)
    third = playback.place_of_round(3)
    walks: tuple[tuple[Walk, int, int], ...] = (
        ("event", 3, playback.step(0, 3)),
        ("event", -1, playback.step(0, 2)),
        ("to_round", 3, third),
        ("turn", 1, playback.step_turns(third, 1)),
        ("turn", -1, third),
        ("round", -1, playback.place_of_round(2)),
        ("round", 2, playback.place_of_round(4)),
        ("to_moment", 7, 7),
        ("end", 0, playback.last),
        ("event", 1, playback.last),
        ("start", 0, 0),
        ("event", -1, 0),
        ("to_round", 99, playback.place_of_round(playback.rounds[-1])),
        ("to_moment", 99_999, playback.last),
    )
    for way, number, place in walks:
        before = replay.place
        assert [*replay.walk(way, number)] == [*range(before + 1, place + 1)], (way, number)
        assert replay.place == place
        assert replay.moment == playback.moments[place]
        assert replay.view == playback.view(place, None)
        assert replay.is_at_end == (place == playback.last)


def test_a_place_is_counted_in_turns_of_its_round(playback: Playback) -> None:
    replay = watching(playback, 0)
    assert replay.count == "before the start"
    replay.walk("to_round", 2)
    assert replay.count == "before the first turn"
    cars = len(playback.record.setup.cars)
    counts = []
    while replay.moment.round == 2:
        counts.append(replay.count)
        replay.walk("event", 1)
    turns = [f"turn {number} of {cars}" for number in range(1, cars + 1)]
    assert list(dict.fromkeys(counts)) == ["before the first turn", *turns]
    replay.walk("end")
    assert replay.count == "the end"


def test_where_a_choice_was_open_the_hand_is_as_it_was(playback: Playback) -> None:
    events = playback.record.events
    replay = watching(playback, 0)
    number = next(
        number
        for number, event in enumerate(events, start=1)
        if isinstance(event, e.ChoiceMade) and isinstance(event.command, c.PlayCards)
    )
    made = events[number - 1]
    assert isinstance(made, e.ChoiceMade)
    assert isinstance(made.command, c.PlayCards)
    replay.viewpoint = Viewpoint(made.seat)
    replay.walk("to_moment", place := playback.place_of_event(number - 1))
    own = replay.view.own
    assert own is not None
    assert own.face_down == made.command.cards, "the moment ends when all have chosen"
    replay.walk("to_choice", number)
    own = replay.view.own
    assert own is not None
    assert (replay.place, own.face_down) == (place, ())
    assert isinstance(own.choice, CardsChoice)
    assert dict(replay.hands)[made.seat] == own.hand
    replay.walk("event", 1)
    assert replay.view == playback.view(replay.place, made.seat)


def test_it_plays_to_the_end_pauses_when_one_walks_and_begins_again(playback: Playback) -> None:
    replay = watching(playback, playback.last - 3)
    replay.play()
    driven: list[e.Event] = []
    while replay.is_playing:
        driven += replay.next_moves
        replay.advance()
    assert replay.is_at_end
    assert tuple(driven) == tuple(playback.record.events[playback.moments[-3].first - 1 :])
    replay.play()
    assert (replay.is_playing, replay.place) == (True, 0)
    replay.play()
    assert not replay.is_playing, "the same key pauses"
    replay.play()
    replay.walk("event", 1)
    assert (replay.is_playing, replay.place) == (False, playback.step(0, 1))


def test_a_record_of_one_moment_does_not_play(playback: Playback) -> None:
    record = playback.record
    short = Playback(without_seed(record.setup, record.events[: playback.moments[0].first]))
    replay = watching(short)
    assert short.last == 0
    replay.play()
    assert not replay.is_playing


def test_the_speed_goes_round_and_says_how_long_a_moment_is_shown(playback: Playback) -> None:
    replay, heading = watching(playback), watching(playback, playback.place_of_round(2))
    seen = []
    for _ in SPEEDS:
        replay.change_speed(1)
        heading.change_speed(1)
        seen.append(replay.speed)
        assert heading.seconds < replay.seconds == 1 / replay.speed
        assert bool(replay.next_moves) == (replay.speed <= 2), "faster than that cars jump"
    assert seen == [2.0, 4.0, 8.0, 0.5, 1.0]
    replay.change_speed(-1)
    assert replay.speed == 0.5


def test_hands_are_those_that_the_view_shows(playback: Playback) -> None:
    replay = watching(playback, playback.place_of_round(2))
    race = playback.race_at(replay.place)
    hands = [(seat, tuple(race.seat(seat).hand)) for seat in race.seats()]
    assert replay.viewpoint == ALL_HANDS
    assert replay.hands == hands
    assert replay.observation is None
    for number, seat in enumerate(race.seats(), start=1):
        replay.look("seat", number)
        assert replay.hands == [hands[seat]]
        assert replay.view == playback.view(replay.place, seat)
        assert replay.observation is not None
    replay.look("seat", 8)
    assert replay.viewpoint == Viewpoint(race.seats()[-1]), "there is no such seat"
    replay.look("spectator")
    assert replay.viewpoint == SPECTATOR
    assert replay.hands == []
    replay.look("next", 1)
    assert replay.viewpoint == ALL_HANDS
    replay.look("next", -2)
    assert replay.viewpoint == Viewpoint(race.seats()[-1])
    replay.look("all")
    assert replay.viewpoint == ALL_HANDS


def test_places_are_told_of_the_rounds_so_far(playback: Playback) -> None:
    replay = watching(playback, playback.place_of_round(3))
    assert [number for number, _ in replay.places] == [1, 2, 3]
    replay.walk("end")
    assert replay.places[-1][1] == tuple(standing.car for standing in playback.final.standings)


def test_only_a_record_that_stops_has_no_result(playback: Playback) -> None:
    assert watching(playback).no_result == ""
    assert watching(playback).end.status == "ended"
    part: Record = stopped(playback.record, 300)
    replay = watching(Playback(part))
    assert replay.no_result == f"The record stops in round {replay.end.round}, so there is no result."
