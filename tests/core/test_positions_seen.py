"""What each onlooker sees of a position that a race began from, and what a record says of it."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest
from msgspec.structs import replace

from heat_core.engine import start_race
from heat_core.positions.position import make_position
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.presets import RULEBOOK
from heat_core.record.record import BadRecord, Record, decode_record, encode_record, verify_record
from heat_core.view.secrecy import public_setup, view_event, view_race
from tests.core.support import RandomPlay, told_cars, track_facts
from tests.core.support_positions import ANA, BEN, LEFT


@pytest.mark.parametrize(
    "words",
    [
        "",
        "hand 4 3 2",
        "hand",
        "hand 4 3 2 1 1 1 stress",
        "hand 4 3 2 draw 1 1 discard heat 4 4",
        "draw 4 3 discard 1 1 1 heat",
        "draw 4 3",
        "hand 4 3 draw",
        "draw discard 1 2 3 4 4 4 3",
        "draw 4 3 2 1 4 3 2 1",
    ],
)
@pytest.mark.parametrize("phase", ["shift", "play"])
def test_what_was_told_of_a_race_deals_its_cards_anew(words: str, phase: Literal["shift", "play"]) -> None:
    """The public record of a race that is over has its seed, and in the first events its position."""
    cars = LEFT | {"ben": f"lap 1 space 12 {words}"}
    cards = {"legend_cards": (3, 1), "are_others_turned": words != ""}
    setup = make_position(track_facts("usa"), cars, rules=RULEBOOK, phase=phase, **cards)  # type: ignore[arg-type]
    game = RandomPlay(setup, words)
    game.run()
    record = decode_record(encode_record(public_setup(setup), game.events, "x"))
    assert verify_record(record).standings == game.race.standings
    deal = next(n for n, event in enumerate(record.events) if isinstance(event, e.PileReshuffled))
    shuffled = record.events[deal]
    assert isinstance(shuffled, e.PileReshuffled)
    turned = replace(shuffled, order=(shuffled.order or ())[::-1])
    with pytest.raises(BadRecord, match=f"event {deal + 1} differs"):
        verify_record(Record(record.setup, (*record.events[:deal], turned, *record.events[deal + 1 :])))


def test_told_beginnings_that_place_no_race_are_refused() -> None:
    setup = make_position(track_facts("usa"), {"ana": ANA, "ben": BEN, "l": "lap 1 space 9 legend easy"})
    game = RandomPlay(setup, "told")
    game.run()
    placed, piles, *others = game.events[1:]
    assert isinstance(placed, e.PositionPlaced)
    first, *cars = placed.cars
    for events, reason in (
        ([replace(placed, cars=placed.cars[1:]), piles], "2 cars are placed, but 3 race"),
        ([replace(placed, cars=(replace(first, progress=10**30), *cars)), piles], "must be a whole number"),
        (
            [replace(placed, cars=(replace(first, spot=7), *cars)), piles],
            "spot has a value that is not allowed",
        ),
        ([replace(placed, cars=(replace(first, progress=300), *cars)), piles], "ana: lap 4 is past"),
        ([placed], "the first events do not set up a race"),
    ):
        told = (game.events[0], *events, *others)
        with pytest.raises(BadRecord) as refused:
            verify_record(Record(public_setup(setup), told))
        assert reason in str(refused.value)


@pytest.mark.parametrize("onlooker", [0, 1, None])
def test_the_beginning_as_it_is_told_shows_what_may_be_seen(onlooker: int | None) -> None:
    cars = {"ana": ANA, "ben": f"{BEN} hand start-0 3 3", "l": "lap 1 space 9 legend easy speed 7"}
    setup = make_position(track_facts("usa"), cars, legend_cards=(6, 2))
    race, events = start_race(setup)
    told = [view_event(event, onlooker) for event in events]
    seen = fold(public_setup(setup), told)
    for number in race.seats():
        true, known = race.seat(number), seen.seat(number)
        assert known.hand == (true.hand if number == onlooker else [])
        assert known.draw_pile == []
        true.hand, true.draw_pile, known.hand, known.draw_pile = [], [], [], []
    assert told_cars(seen) == told_cars(race)
    assert (seen.round, seen.phase, list(seen.open)) == (race.round, race.phase, list(race.open))


@pytest.mark.parametrize("onlooker", [0, 1, None])
def test_legend_cards_named_show_nowhere_before_they_turn_up(onlooker: int | None) -> None:
    cars = {"ana": ANA, "ben": BEN, "l": "lap 1 space 9 legend easy"}
    told = set()
    for cards, are_others_turned in (((6, 2), False), ((2, 6), False), ((), False), ((1, 6, 2), True)):
        setup = make_position(
            track_facts("usa"), cars, legend_cards=cards, are_others_turned=are_others_turned
        )
        race, events = start_race(setup)
        seen = [view_event(event, onlooker) for event in events]
        told.add(msgspec.json.encode((public_setup(setup), seen, view_race(race, onlooker))))
    assert len(told) == 1
