"""Each invariant is noticed where it does not hold; that they hold of real races, random play shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.setup import Modules
from heat_core.race.state import OFF_TRACK, OpenDecision, Race, new_race
from heat_core.record.record import BadRecord, Record, fold_record
from heat_core.rules.invariants import CardCount, invariants
from tests.core.support import RandomPlay, setup_of, without_seed

MODULES = Modules("mixed", weather=True, sponsorships=True)


def broken(change: Callable[[Race], Any], event: e.Event | None = None) -> list[str]:
    """Say what is found after an event of a race, usually the last, when something in it was changed."""
    setup = replace(setup_of(seats=2, legends=1, seed="whole"), modules=MODULES)
    game = RandomPlay(setup, "whole")
    while game.race.turn is None or game.race.turn.car == 2 or game.race.round < 2:
        game.step()
    race, count = new_race(setup), CardCount(setup)
    for each in game.events:
        apply(race, each)
        assert not list(invariants(race, each, count))
    change(race)
    return list(invariants(race, event or e.PhaseEntered(5), count))


def seat(race: Race, **changes: Any) -> None:
    for name, value in changes.items():
        setattr(race.cars[0], name, value)


def also_asked(race: Race, kind: e.DecisionKind, number: int = 2) -> None:
    race.open[number] = OpenDecision(99, kind)
    race.owing = list(race.open)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda race: seat(race, progress=0), "which is not on the board"),
        (lambda race: seat(race, spot=1, progress=race.cars[1].progress), "takes up the place"),
        (lambda race: race.places.__setitem__(0, race.places[1]), "two cars are on one spot"),
        (lambda race: race.places.__setitem__(0, OFF_TRACK), "takes up the place 0, not"),
        (lambda race: seat(race, status="left"), "their statuses differ"),
        (lambda race: race.out.append(1), "their statuses differ"),
        (lambda race: seat(race, engine=-1), "-1 Heat in its engine"),
        (lambda race: seat(race, heat_to_lose=-1), "-1 to lose"),
        (lambda race: seat(race, gear=5), "is in gear 5"),
        (lambda race: seat(race, face_down=("joker",)), "has chosen cards that are not in its hand"),
        (lambda race: race.owing.append(7), "owe a choice"),
        (lambda race: also_asked(race, "react"), "car 2 is asked and does not race"),
        (lambda race: also_asked(race, "gear", 0), "gear is not asked in phase"),
        (lambda race: also_asked(race, "gear", 1 - race.turn.car), "are asked different things"),
        (lambda race: also_asked(race, "react", 1 - race.turn.car), "is asked in another's turn"),
        (lambda race: setattr(race, "turn_order", (0, 0, 1)), "the order (0, 0, 1) of 3 cars"),
        (lambda race: setattr(race, "picking", (3,)), "the order (3,) of 3 cars"),
        (lambda race: setattr(race, "turn_order", ()), "have adrenaline in the order ()"),
        (lambda race: setattr(race.turn, "car", 3), "it is the turn of car 3 of 3"),
        (lambda race: setattr(race.turn, "used", 1 << 40), "a symbol is used that the turn's"),
        (lambda race: setattr(race.turn, "symbols", (e.Symbol("cooldown", 1, "joker", 1),)), "'joker'"),
        (lambda race: race.legend_deck.append(10), "the Legend cards"),
        (lambda race: race.legend_deck.append(race.legend_deck[0]), "the Legend cards"),
        (lambda race: setattr(race, "roads", race.roads[1:]), "road tokens for"),
        (
            lambda race: setattr(race, "roads", ("weather",) * len(race.roads)),
            "of the road token 'weather', there are 2",
        ),
        (lambda race: setattr(race, "end", "finished"), "the standings are not those of phase"),
        (lambda race: race.cars[0].hand.append("4"), "car 0 has too many cards (1 x 4) or too few (none)"),
        (lambda race: race.cars[0].hand.pop(), "car 0 has too many cards (none) or too few (1 x"),
    ],
)
def test_what_cannot_be_is_found(change: Callable[[Race], Any], said: str) -> None:
    assert any(said in fault for fault in broken(change)), broken(change)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (e.TurnStarted(3), "car 3 of 3"),
        (e.FlipFailed(2, "boost", "gear"), "car 2 is a Legend and has no seat"),
        (e.CornerChecked(0, 5, 59, 5, 5, (), 0, 0), "corner 60 of"),
        (e.CardFlipped(0, "joker", "boost", "gear", 4), "there is no card 'joker'"),
        (e.GridDrawn((0, 1, 1)), "does not name each car once"),
    ],
)
def test_an_event_names_only_what_exists(event: e.Event, said: str) -> None:
    assert any(said in fault for fault in broken(lambda race: None, event))


def test_a_token_lies_where_one_may_and_belongs_to_the_modules() -> None:
    setup = setup_of("mexico", seats=2, seed="roads")
    race, count = new_race(setup), CardCount(setup)
    race.weather = "rain"
    chicane = next(n for n, corner in enumerate(race.track.corners) if corner.chicane_with_corner)
    race.roads = tuple("weather" if n == chicane else None for n in range(len(race.track.corners)))
    found = list(invariants(race, e.RaceSetUp("0" * 64), count))
    assert found == [
        "the weather rain in a race without weather",
        f"a road token at corner {chicane + 1}, the second line of a chicane",
    ]


def test_sponsorships_and_upgrades_stay_as_many_as_they_are() -> None:
    found = broken(lambda race: race.sponsorship_deck.pop(), e.RoundStarted(9))
    assert any("the Sponsorship cards are not those of the game" in fault for fault in found)
    found = broken(lambda race: race.offered.extend(["gas-1"] * 9), e.RoundStarted(9))
    assert any("more than" in fault and "equal upgrades" in fault for fault in found)


def test_a_record_without_a_seed_is_refused_with_line_event_and_reason() -> None:
    setup = setup_of(seats=2, seed="line")
    record = without_seed(setup, RandomPlay(setup, "line").events)
    start = f"line {len(record.events) + 2}: event {len(record.events) + 1}"
    for event, said in (
        (e.HeatPaid(1, 99, "boost", ()), "(HeatPaid) does not fit: car 1 has -93 Heat in its engine"),
        (
            e.CardsRevealed(0, ("joker",)),
            "(CardsRevealed) does not fit: it names something that does not exist",
        ),
    ):
        with pytest.raises(BadRecord) as refused:
            fold_record(Record(record.setup, (*record.events, event)))
        assert str(refused.value).startswith(f"{start} {said}")
