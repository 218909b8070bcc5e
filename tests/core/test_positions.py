"""Positions: readable, checked like played ones, and the beginning of a record of their own."""

from __future__ import annotations

import pytest

from heat_core import commands as c
from heat_core.cards import CATALOGUE
from heat_core.engine import start_race, step
from heat_core.positions import BadPosition, make_position, parse_car
from heat_core.race import Phase, dump_race
from heat_core.replay import Record, decode_record, encode_record, verify_record
from heat_core.setup import BadSetup
from tests.core.support import RandomPlay, track_facts

ANA = "lap 1 space 30 spot other gear 3 engine 4 hand 4 3 2 stress draw 1 1 4 discard heat heat"
BEN = "lap 1 space 31 gear 2"


def test_words_put_cars_and_cards_where_they_say() -> None:
    place, legend = parse_car(ANA)
    assert (place.lap, place.space, place.spot, place.gear, place.engine) == (1, 30, 1, 3, 4)
    assert (place.hand, place.draw_pile, place.discard_pile) == (
        ("4", "3", "2", "stress"),
        ("1", "1", "4"),
        ("heat", "heat"),
    )
    assert legend is None
    _, hard = parse_car("lap 1 space 3 legend hard")
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
            "ben: its spot in space 31 is taken",
        ),
        ({"ana": "lap 1 space 3 hand 4 4 4 4", "ben": BEN}, "4 of the card '4', the deck has 3"),
        ({"ana": "lap 1 space 3 engine 7 hand heat", "ben": BEN}, "8 Heat in engine and piles, there are 7"),
        ({"ana": "lap 1 space 3 hand 9", "ben": BEN}, "'9': a value should follow"),
        ({"ana": "lap 1 space 3 wheel 4", "ben": BEN}, "unknown words 'wheel' '4'"),
        ({"ana": "lap 1 space three", "ben": BEN}, "space 'three': not a number"),
        ({"ana": "lap 1", "ben": BEN}, "missing required field `space`"),
        ({"ana": "lap 1 space 3 gear 5", "ben": BEN}, "Expected `int` <= 4"),
        ({"ana": ANA}, "1 car;"),
        ({f"car {n}": f"lap 1 space {n + 1}" for n in range(9)}, "9 cars; a race has at most 8"),
        ({"ana": "lap 1 lap 2 space 3", "ben": BEN}, "'lap' stands twice"),
        ({"ana": "lap 1 space 3 hand 4 hand 3", "ben": BEN}, "'hand' stands twice"),
        ({"ana": "lap 1 space 3 legend easy", "ben": "lap 1 space 3 legend easy"}, "no seat"),
        ({"ana": "lap 1 space 3", "ANA": "lap 1 space 3"}, "same name"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(cars: dict[str, str], reason: str) -> None:
    with pytest.raises(BadSetup) as refused:
        make_position(track_facts("usa"), cars)
    assert reason in str(refused.value)


def test_all_problems_come_at_once() -> None:
    with pytest.raises(BadPosition) as refused:
        make_position(track_facts("usa"), {"ana": "lap 1 space 99", "ben": "lap 1 space 3 hand 4 4 4 4"})
    assert "ana: " in str(refused.value)
    assert "ben: " in str(refused.value)


def test_every_card_has_a_word() -> None:
    place, _ = parse_car("lap 1 space 3 hand " + " ".join(CATALOGUE))
    assert place.hand == tuple(CATALOGUE)
