"""Positions: readable, checked like played ones, and the beginning of a record of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.cards import CATALOGUE
from heat_core.engine import start_race, step
from heat_core.files import read_track_file, track_names
from heat_core.positions.position import BadPosition, make_position, position_of
from heat_core.positions.words import CarWords, parse_car
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import BadSetup, make_setup
from heat_core.race.state_dump import dump_race
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    verify_record,
)
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import RandomPlay, all_cards, setup_of, track_facts
from tests.core.support_positions import ANA, BEN, LEFT, played_on, without_history
from tests.core.umpire import Umpire

EXAMPLES = Path(__file__).parents[2] / "examples"


def car_of(words: str) -> CarWords:
    car, faults = parse_car(words)
    assert not faults
    assert car is not None
    return car


def test_words_put_cars_and_cards_where_they_say() -> None:
    car = car_of(ANA)
    place = car.place
    assert (place.lap, place.space, place.spot, place.gear, place.engine) == (1, 30, 1, 3, 4)
    assert (place.hand, place.draw_pile, place.discard_pile) == (
        ("4", "3", "2", "stress"),
        ("1", "1", "4"),
        ("heat", "heat"),
    )
    assert (car.legend, car.colour, car.driver) == (None, None, None)
    hard = car_of("lap 1 space 3 legend hard").legend
    assert hard is not None
    assert (hard.bonus, hard.chevrons) == (4, True)


@pytest.mark.spec("CORE-15")
def test_a_position_is_checked_played_on_and_replayed_from_where_it_began() -> None:
    setup = make_position(track_facts("usa"), {"ana": ANA, "ben": BEN, "l": "lap 1 space 20 legend easy"})
    race, events = start_race(setup)
    assert (race.phase, race.round) == (Phase.SHIFT_GEARS, 2)
    assert len(race.seat(1).hand) == 7
    game = RandomPlay(setup, "on")
    assert game.events == events
    game.run()
    game.check_record()
    record = decode_record(encode_record(setup, game.events, "x"))
    assert record == Record(setup, tuple(game.events))
    assert dump_race(verify_record(record)) == dump_race(game.race)
    playing = make_position(track_facts("usa"), {"ana": ANA, "ben": BEN}, phase="play", round=9)
    race, _ = start_race(playing)
    assert (race.phase, race.round, race.open[0].kind) == (Phase.PLAY_CARDS, 9, "cards")
    step(race, 0, c.PlayCards(("4", "3", "2")))
    with pytest.raises(BadPosition) as refused:
        make_position(
            track_facts("usa"), {"ana": "lap 1 space 99 hand 4", "ben": "lap 9 space 1", "cy": "lap 1 gear 7"}
        )
    assert "cy: " in str(refused.value)


@pytest.mark.parametrize(
    ("cars", "reason"),
    [
        ({"ana": "lap 1 space 70", "ben": BEN}, "ana: space 70 is past the track's 69"),
        ({"ana": "lap 4 space 1", "ben": BEN}, "ana: lap 4 is past the race's 2"),
        (
            {"ana": "lap 1 space 31 spot race", "ben": f"{BEN} spot race"},
            "ben: the spot in space 31 is already taken",
        ),
        ({"ana": "lap 1 space 3 hand 4 4 4 4", "ben": BEN}, "4 of the card '4', the deck has 3"),
        ({"ana": "lap 1 space 3 engine 7 hand heat", "ben": BEN}, "8 Heat in engine and piles, there are 7"),
        ({"ana": "lap 1 space 3 engine 7", "ben": BEN}, "8 Heat in engine and piles, there are 7"),
        ({"ana": "lap 1 space 3 hand 9", "ben": BEN}, "ana: hand: there is no card '9'"),
        ({"ana": "lap 1 space 3 wheel 4", "ben": BEN}, "ana: there is no word 'wheel'"),
        ({"ana": "lap 1 space three", "ben": BEN}, "space 'three': not a number"),
        ({"ana": "lap 1", "ben": BEN}, "ana: a car needs its space"),
        ({"ana": "lap 1 space 3 gear 5", "ben": BEN}, "gear must be a whole number from 1 to 4, not 5"),
        ({"ana": ANA}, "1 car;"),
        ({f"car {n}": f"lap 1 space {n + 1}" for n in range(9)}, "9 cars; a race on USA has 2 to 6"),
        ({"ana": "lap 1 lap 2 space 3", "ben": BEN}, "'lap' is given twice"),
        ({"ana": "lap 1 space 3 hand 4 hand 3", "ben": BEN}, "'hand' is given twice"),
        ({"ana": "lap 1 space 3 legend easy", "ben": "lap 1 space 3 legend easy"}, "needs a driver"),
        ({"ana": "lap 1 space 3", "ANA": "lap 1 space 3"}, "same name"),
        (
            {"ana": "lap 1 space 3", "ben": BEN, "cy": BEN, "dan": BEN},
            "dan: no spot is free in space 31",
        ),
        ({"ana": "lap 1 space 3 colour pink", "ben": BEN}, "ana: colour 'pink': it is one of red, blue"),
        ({"ana": "lap 1 space 3 spot left", "ben": BEN}, "ana: spot 'left': it is one of race, other"),
        ({"ana": "lap 1 space 3 legend brutal", "ben": BEN}, "'brutal': it is one of easy, medium, hard"),
        ({"ana": "lap 1 space 3 gear", "ben": BEN}, "ana: gear: a value must follow"),
        ({"ana": "lap 1 space 3 3", "ben": BEN}, "ana: there is no word '3'"),
        ({"ana": f"lap 1 space {'9' * 5000}", "ben": BEN}, "space '999999999999999999999999…': not a number"),
        ({"ana": "lap 1 space 3 speed 9", "ben": BEN}, "ana: speed: only a Legend has one"),
        ({"ana": "lap 1 space 3 helmet red", "ben": BEN}, "ana: helmet: only a Legend has one"),
        ({"ana": "lap 1 space 3 legend hard gear 2", "ben": BEN}, "ana: gear: a Legend has none"),
        ({"ana": "lap 1 space 3 legend hard hand 4", "ben": BEN}, "ana: hand: a Legend has none"),
        ({"ana": "lap 1 space 3 legend hard gave-up 1", "ben": BEN}, "ana: gave-up: a Legend has none"),
        (
            {"ana": "lap 1 space 3 legend hard bonus 7", "ben": BEN},
            "ana: bonus must be a whole number from 0 to 6, not 7",
        ),
        ({"ana": "lap 3 space 3 finished 1 gave-up 1", "ben": BEN}, "finished or given up, not both"),
        ({"ana": "lap 1 space 3 played 4", "ben": BEN}, "ana: it has played cards"),
        ({"ana": "lap 1 space 3 gave-up 1", "ben": f"{BEN} gave-up 2"}, "no seat is still racing"),
        ({"ana": "lap 1 space 3 gave-up 2", "ben": BEN}, "the cars that gave up are numbered 2, not 1, 2"),
        ({"ana": "lap 3 space 3 finished 1", "ben": BEN}, "with these rules the race ends in that round"),
        ({"ana": f"lap 1 space 3 hand {'stress ' * 41}", "ben": BEN}, "ana: a hand of 41 cards"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(cars: dict[str, str], reason: str) -> None:
    with pytest.raises(BadSetup) as refused:
        make_position(track_facts("usa"), cars)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("cars", "reason"),
    [
        ({"ana": "lap 2 space 3 finished 1", "ben": BEN}, "ana: a finished car must be in lap 3"),
        ({"ana": "lap 3 space 3 finished 2", "ben": BEN}, "that have finished have places 2, not 1, 2"),
        (
            {"ana": "lap 2 space 3 gave-up 1", "ben": BEN},
            "gave up, but with these rules that is possible only after",
        ),
    ],
)
def test_what_cannot_be_by_the_rulebook_is_refused_with_the_reason(cars: dict[str, str], reason: str) -> None:
    with pytest.raises(BadPosition) as refused:
        make_position(track_facts("usa"), cars, rules=RULEBOOK)
    assert refused.value.faults == [str(refused.value)]
    assert reason in str(refused.value)


def test_what_no_words_can_say_is_refused_in_a_record_too() -> None:
    setup = make_position(track_facts("usa"), {"ana": ANA, "l": "lap 1 space 3 legend easy"})
    assert setup.position is not None
    ana, legend = setup.position.cars
    for cars, reason in (
        ((replace(ana, speed=9), legend), "ana: only a Legend has a speed"),
        ((ana, replace(legend, gave_up=1)), "l: a Legend cannot give up"),
        ((ana, replace(legend, hand=())), "l: a Legend has no gear and no cards"),
        ((ana, replace(legend, gear=2)), "l: a Legend has no gear and no cards"),
    ):
        wrong = replace(setup, position=replace(setup.position, cars=cars))
        with pytest.raises(BadRecord, match="line 1: ") as refused:
            decode_record(encode_record(wrong, [], "x"))
        assert reason in str(refused.value)


def test_a_narrow_space_has_one_spot() -> None:
    oval = read_track_file(EXAMPLES / "oval.json")
    cars = {"ana": "lap 1 space 16 spot other", "ben": "lap 1 space 17", "cy": "lap 1 space 17"}
    with pytest.raises(BadPosition) as refused:
        make_position(oval, cars)
    assert refused.value.faults == [
        "ana: space 16 is narrow and has no other spot",
        "cy: no spot is free in space 17",
    ]


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ((3, 12, 3), ["there is no Legend card 13", "Legend card 4 is listed twice"]),
        ((-1,), ["there is no Legend card 0"]),
    ],
)
def test_legend_cards_that_do_not_exist_are_refused(cards: tuple[int, ...], reason: list[str]) -> None:
    cars = {"ana": ANA, "l": "lap 1 space 3 legend easy"}
    with pytest.raises(BadPosition) as refused:
        make_position(track_facts("usa"), cars, legend_cards=cards)
    assert sorted(refused.value.faults) == sorted(reason)
    with pytest.raises(BadPosition, match="but no Legend"):
        make_position(track_facts("usa"), {"ana": ANA, "ben": BEN}, are_others_turned=True)


def test_all_problems_come_at_once() -> None:
    with pytest.raises(BadPosition) as refused:
        make_position(track_facts("usa"), {"ana": "lap 1 space 99", "ben": "lap 1 space 3 hand 4 4 4 4"})
    assert "ana: " in str(refused.value)
    assert "ben: " in str(refused.value)


def test_every_card_has_a_word() -> None:
    place = car_of("lap 1 space 3 hand " + " ".join(CATALOGUE)).place
    assert place.hand == tuple(CATALOGUE)


def test_cars_that_have_left_keep_their_places_and_take_no_part() -> None:
    setup = make_position(track_facts("usa"), LEFT, rules=RULEBOOK)
    race, _ = start_race(setup)
    assert (race.left, race.out) == ([4, 1], [3, 2])
    assert [car.status for car in race.cars] == ["racing", "left", "gave_up", "gave_up", "left", "racing"]
    assert list(race.open) == [0]
    assert (race.seat(1).played, race.seat(1).hand, race.seat(2).hand) == (["4", "4"], ["1"], [])
    view = view_race(race, None)
    assert view.ranking == (4, 1, 5, 0, 2, 3)
    assert (view.cars[4].speed, view.cars[5].speed) == (14, None)
    game = RandomPlay(setup, "left")
    end = game.run()
    game.check_record()
    Umpire(setup).watch(game.events)
    assert [standing.car for standing in end.standings][:2] == [4, 1]
    assert [standing.car for standing in end.standings][-2:] == [2, 3]


def test_legend_cards_lie_as_named() -> None:
    cars = {"ana": ANA, "l": "lap 1 space 3 legend easy"}

    def deck(cards: tuple[int, ...], are_others_turned: bool, seed: str = "a") -> list[int]:
        setup = make_position(
            track_facts("usa"), cars, legend_cards=cards, are_others_turned=are_others_turned, seed=seed
        )
        return start_race(setup)[0].legend_deck[::-1]

    assert deck((6, 2, 9), True) == [6, 2, 9]
    assert deck((), True) == []
    for cards in ((6, 2, 9), ()):
        whole = deck(cards, False)
        assert whole[: len(cards)] == list(cards)
        assert sorted(whole) == list(range(10))
        assert deck(cards, False, "b") != whole


def test_a_record_without_seed_and_position_can_be_folded() -> None:
    """The public set-up names neither: the events carry what is needed."""
    setup = make_position(track_facts("usa"), LEFT, rules=RULEBOOK, seed="folds")
    game = RandomPlay(setup, "folds")
    game.run()
    record = decode_record(encode_record(public_setup(setup), game.events, "x"))
    folded = fold_record(record)
    folded.setup = setup
    assert dump_race(folded) == dump_race(game.race)


@given(
    board=st.sampled_from(track_names()),
    preset=st.sampled_from(list(PRESETS)),
    seed=st.text(alphabet="abc", min_size=1, max_size=4),
    steps=st.integers(0, 250),
)
def test_any_played_position_passes_and_begins_the_same_race(
    board: str, preset: PresetName, seed: str, steps: int
) -> None:
    race = played_on(board, preset, seed, steps)
    if race.phase is Phase.ENDED:
        return
    position = position_of(race)
    setup = make_setup(
        race.setup.track,
        race.setup.cars,
        seed=seed,
        laps=race.setup.laps,
        rules=race.setup.rules,
        position=position,
    )
    again, events = start_race(setup)
    assert without_history(again) == without_history(race)
    assert position_of(again) == position
    assert {number: all_cards(again, number) for number in again.seats()} == {
        number: all_cards(race, number) for number in race.seats()
    }
    record = decode_record(encode_record(setup, events, "x"))
    assert dump_race(verify_record(record)) == dump_race(again)


def test_a_position_is_taken_in_phase_1_or_2_only() -> None:
    game = RandomPlay(setup_of(seats=2, seed="later"), "later")
    while game.race.phase is not Phase.REACT:
        game.step()
    with pytest.raises(ValueError, match="this race is in phase 5"):
        position_of(game.race)
