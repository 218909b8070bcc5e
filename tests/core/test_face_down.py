"""Played cards turn up car by car, each when its turn begins. RULES, phase 3 and What is hidden."""

from __future__ import annotations

import msgspec
import pytest

from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race, load_race
from heat_core.refusal import RefusalCode, Refused
from heat_core.view.secrecy import view_event, view_race
from tests.core.support import all_cards, pass_all, play, position

BOTH = pytest.mark.parametrize("preset", list(PRESETS))
CARS = {
    "ana": "lap 1 space 40 gear 2 hand 1 1 2 3 4 stress stress draw 1 2 3 4",
    "ben": "lap 1 space 30 gear 2 hand 3 4 1 2 2 stress stress draw 1 2 3 4",
    "cy": "lap 1 space 20 gear 2 hand 4 4 3 1 2 stress stress draw 1 2 3 4",
}
PLAYED = {0: ("1", "2"), 1: ("3", "4"), 2: ("3", "4")}


def begun(preset: PresetName, **others: str) -> tuple[Race, list[e.Event]]:
    """Let all choose; Ana's turn, which is the first, has begun."""
    race = position(CARS | others, rules=PRESETS[preset])
    events = []
    for seat, cards in PLAYED.items():
        events += play(race, *cards, seat=seat)
    return race, events


def revealed(events: list[e.Event]) -> list[tuple[int, tuple[str, ...]]]:
    return [(event.seat, event.cards) for event in events if isinstance(event, e.CardsRevealed)]


def as_others_see(race: Race, events: list[e.Event], onlooker: int | None) -> bytes:
    """Give every byte that one who looks on has of what happened and of how it stands."""
    told = [view_event(event, onlooker) for event in events]
    return msgspec.json.encode([told, view_race(race, onlooker)])


@BOTH
@pytest.mark.spec("TURN-2")
def test_cards_turn_up_car_by_car_when_the_turn_of_each_begins(preset: PresetName) -> None:
    race, events = begun(preset)
    assert revealed(events) == [(0, ("1", "2"))]
    for seat in (1, 2):
        events = pass_all(race, (seat - 1,))
        assert revealed(events) == [(seat, PLAYED[seat])]
        own = [event for event in events if getattr(event, "car", getattr(event, "seat", None)) == seat]
        kinds = [type(event) for event in own]
        assert kinds[:3] == [e.TurnStarted, e.CardsRevealed, e.SpeedSet]
    pass_all(race)
    assert all(not race.seat(seat).face_down and not race.seat(seat).played for seat in (0, 1, 2))


@BOTH
@pytest.mark.spec("CORE-1")
def test_chosen_cards_count_in_the_hand_and_only_their_owner_sees_which_they_are(preset: PresetName) -> None:
    race, _ = begun(preset)
    for onlooker in (0, 2, None):
        ben = view_race(race, onlooker).cars[1]
        assert (ben.hand_size, ben.played, ben.is_cluttered) == (7, (), False)
    own = view_race(race, 1).own
    assert own is not None
    assert (own.face_down, len(own.hand)) == (("3", "4"), 7)
    assert all_cards(race, 1) == all_cards(position(CARS), 1)
    again = load_race(dump_race(race))
    assert again.seat(1).face_down == ("3", "4")
    pass_all(race, (0,))
    pass_all(again, (0,))
    assert dump_race(again) == dump_race(race)
    ben = view_race(race, None).cars[1]
    assert (ben.hand_size, ben.played) == (5, ("3", "4"))


@BOTH
def test_no_byte_tells_another_choice_or_a_cluttered_hand_before_the_turn(preset: PresetName) -> None:
    """Ben plays something else, or can play nothing: nobody else can tell before his turn begins."""
    words = "lap 1 space 30 gear 2 engine 1 hand {} draw {}"
    plain = words.format("3 4 1 2 2 stress stress", "heat heat heat heat heat heat 1")
    cluttered = words.format("heat heat heat heat heat heat 1", "3 4 1 2 2 stress stress")
    seen: dict[int | None, set[bytes]] = {0: set(), 2: set(), None: set()}
    turned_up = []
    for ben, cards in ((plain, ("3", "4")), (plain, ("stress", "stress")), (cluttered, ())):
        race = position(CARS | {"ben": ben}, rules=PRESETS[preset])
        events = play(race, *cards, seat=1) + play(race, "1", "2") + play(race, "3", "4", seat=2)
        for onlooker, views in seen.items():
            views.add(as_others_see(race, events, onlooker))
        turned_up.append(pass_all(race, (0,)))
    assert [len(views) for views in seen.values()] == [1, 1, 1]
    assert [revealed(events)[:1] for events in turned_up[:2]] == [
        [(1, ("3", "4"))],
        [(1, ("stress", "stress"))],
    ]
    shown = [event for event in turned_up[2] if isinstance(event, e.HandCluttered)]
    assert [(event.seat, event.hand.count("heat")) for event in shown] == [(1, 6)]


@pytest.mark.parametrize(("preset", "quitter"), [("standard", 1), ("standard", 2), ("rulebook", 2)])
def test_what_a_leaving_seat_chose_never_turns_up(preset: PresetName, quitter: int) -> None:
    if preset == "standard":
        race, events = begun(preset)
    else:
        # By the rulebook giving up is allowed once a car has finished: Ana does, as the first.
        race, events = begun(preset, ana="lap 2 space 68 gear 2 hand 1 1 2 3 4 stress stress draw 1 2 3 4")
        events += pass_all(race, (0,))
    hand = race.seat(quitter).hand.copy()
    events += step(race, quitter, c.GiveUp())
    assert (race.seat(quitter).face_down, race.seat(quitter).hand) == ((), hand)
    car = view_race(race, None).cars[quitter]
    assert (car.hand_size, car.played) == (7, ())
    events += pass_all(race)
    assert quitter not in [seat for seat, _ in revealed(events)]
    said = [view_event(event, 0) for event in events if isinstance(event, e.ChoiceMade)]
    assert {event.command for event in said if isinstance(event, e.ChoiceMade) and event.seat == quitter} == {
        None,
        c.GiveUp(),
    }


@BOTH
def test_what_lies_face_down_cannot_be_changed_any_more(preset: PresetName) -> None:
    race, _ = begun(preset)
    before = dump_race(race)
    with pytest.raises(Refused) as refused:
        play(race, "1", "2", seat=1)
    assert refused.value.code is RefusalCode.NOTHING_TO_DECIDE
    assert dump_race(race) == before
