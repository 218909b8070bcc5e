"""Phases 1, 2, 8 and 9: shifting, playing, discarding, drawing."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT
from heat_core.decisions import CardsChoice, DiscardChoice, GearChoice, choice_of
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, STANDARD, PresetName
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race
from heat_core.refusal import RefusalCode, Refused
from heat_core.view.secrecy import view_event, view_race
from tests.core.support import pass_all, position, told_cars

BEN = "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4 4"


def offered(race: Race, seat: int = 0) -> dict[int, int]:
    choice = choice_of(race, seat)
    assert isinstance(choice, GearChoice)
    return {option.gear: option.heat for option in choice.options}


def refusal(race: Race, seat: int, command: c.Command) -> RefusalCode:
    before = dump_race(race)
    with pytest.raises(Refused) as refused:
        step(race, seat, command)
    assert dump_race(race) == before
    assert refused.value.text
    return refused.value.code


def seen_by_others(race: Race, seat: int = 0) -> list[bytes]:
    """Everything that the other seats and spectators see."""
    onlookers = [*(other for other in race.seats() if other != seat), None]
    return [msgspec.json.encode(view_race(race, onlooker)) for onlooker in onlookers]


def told_to_others(race: Race, events: list[e.Event], seat: int = 0) -> list[bytes]:
    onlookers = [*(other for other in race.seats() if other != seat), None]
    return [msgspec.json.encode([view_event(event, n) for event in events]) for n in onlookers]


@pytest.mark.spec("CORE-5", "TURN-5")
def test_every_gear_offers_what_is_in_reach_and_what_heat_pays_for() -> None:
    reach = {
        1: {1: 0, 2: 0, 3: 1},
        2: {1: 0, 2: 0, 3: 0, 4: 1},
        3: {1: 1, 2: 0, 3: 0, 4: 0},
        4: {2: 1, 3: 0, 4: 0},
    }
    for gear, gears in reach.items():
        for engine in (0, 1, 6):
            words = f"lap 1 space 30 gear {gear} engine {engine} hand 1 2 3 4 draw 1 1"
            race = position({"ana": words, "ben": BEN}, phase="shift")
            affordable = {other: heat for other, heat in gears.items() if heat <= engine}
            assert offered(race) == affordable
            for other in {1, 2, 3, 4} - set(affordable):
                wrong = RefusalCode.GEAR_OUT_OF_REACH if other not in gears else RefusalCode.NOT_ENOUGH_HEAT
                assert refusal(race, 0, c.ShiftGear(other)) == wrong
            secrets = set()
            for other, heat in affordable.items():
                after = race.copy()
                events = step(after, 0, c.ShiftGear(other))
                assert after.seat(0).gear == gear, "a gear turned up before all had chosen"
                secrets.add((*seen_by_others(after), *told_to_others(after, events)))
                step(after, 1, c.ShiftGear(1))
                assert after.seat(0).gear == other
                assert after.seat(0).engine == engine - heat
                assert after.seat(0).discard_pile.count(HEAT) == heat
            assert len(secrets) == 1, "others could tell one gear from another"


@pytest.mark.parametrize(
    ("gear", "engine", "hand", "by_rulebook"),
    [
        (3, 2, "3 stress heat heat", [1, 2]),
        (3, 0, "3 stress heat heat", [2]),
        (4, 2, "3 stress heat heat", [2]),
        # Two steps down cannot be paid, so no gear that two cards fill is within reach: all are offered.
        (4, 0, "3 stress heat heat", [3, 4]),
        (2, 2, "heat heat heat", [1, 2, 3, 4]),
        (1, 2, "1 2 3", [1, 2, 3]),
    ],
)
def test_gears_that_the_hand_cannot_fill_are_the_presets_business(
    gear: int, engine: int, hand: str, by_rulebook: list[int]
) -> None:
    cars = {"ana": f"lap 1 space 30 gear {gear} engine {engine} hand {hand} draw 4 4", "ben": BEN}
    reach = [other for other in (1, 2, 3, 4) if abs(other - gear) <= (2 if engine else 1)]
    standard = position(cars, phase="shift")
    assert list(offered(standard)) == reach
    for other in reach:
        step(standard.copy(), 0, c.ShiftGear(other))
    race = position(cars, phase="shift", rules=RULEBOOK)
    assert list(offered(race)) == by_rulebook
    for other in set(reach) - set(by_rulebook):
        assert refusal(race, 0, c.ShiftGear(other)) == RefusalCode.GEAR_CANNOT_BE_FILLED


@pytest.mark.parametrize(("gear", "costs"), [(4, {2: 2, 3: 1, 4: 0}), (2, {1: 1, 2: 0, 3: 0, 4: 1})])
def test_a_flooded_space_makes_shifting_down_dearer(gear: int, costs: dict[int, int]) -> None:
    words = f"lap 1 space 8 gear {gear} engine 3 hand 1 2 3 4 draw 1 1"
    race = position({"ana": words, "ben": BEN}, on="japan", phase="shift")
    assert offered(race) == costs
    poor = position({"ana": words.replace("engine 3", "engine 0"), "ben": BEN}, on="japan", phase="shift")
    assert offered(poor) == {other: heat for other, heat in costs.items() if not heat}
    one = position({"ana": words.replace("engine 3", "engine 1"), "ben": BEN}, on="japan", phase="shift")
    assert offered(one) == {other: heat for other, heat in costs.items() if heat <= 1}
    for other, heat in costs.items():
        after = race.copy()
        step(after, 0, c.ShiftGear(other))
        step(after, 1, c.ShiftGear(1))
        ana = after.seat(0)
        assert (ana.gear, ana.engine, ana.discard_pile.count(HEAT)) == (other, 3 - heat, heat)


def test_flooded_are_the_spaces_from_the_first_to_the_last_of_a_range_and_no_others() -> None:
    """The range of Japan is 6 to 11; what is offered and what is then paid agree at its ends."""
    for space, heat in ((5, 0), (6, 1), (11, 1), (12, 0)):
        words = f"lap 1 space {space} gear 3 engine 3 hand 1 2 3 4 draw 1 1"
        race = position({"ana": words, "ben": BEN}, on="japan", phase="shift")
        assert offered(race)[2] == heat
        step(race, 0, c.ShiftGear(2))
        step(race, 1, c.ShiftGear(1))
        assert race.seat(0).engine == 3 - heat


def test_the_bill_of_a_shift_names_both_rules() -> None:
    words = "lap 1 space 8 gear 3 engine 3 hand 1 2 3 4 draw 1 1"
    race = position({"ana": words, "ben": BEN}, on="japan", phase="shift")
    step(race, 1, c.ShiftGear(1))
    events = step(race, 0, c.ShiftGear(1))
    assert e.HeatPaid(0, 2, "shift", (e.Part("two steps", 1), e.Part("flooded", 1))) in events


@pytest.mark.spec("CORE-6", "TURN-6")
def test_exactly_as_many_cards_as_the_gear_stress_may_heat_never() -> None:
    for gear in (1, 2, 3, 4):
        words = f"lap 1 space 30 gear {gear} hand 1 2 stress stress heat draw 4 4"
        race = position({"ana": words, "ben": BEN})
        cards = ("stress", "stress", "1", "2")
        for count in range(5):
            command = c.PlayCards(cards[:count])
            if count == gear:
                after = race.copy()
                step(after, 0, command)
                step(after, 1, c.PlayCards(("1",)))
                assert sorted(after.seat(0).played)[-1] == "stress"
            else:
                assert refusal(race, 0, command) == RefusalCode.WRONG_NUMBER_OF_CARDS
        with_heat = ("heat", *cards[: gear - 1])
        assert refusal(race, 0, c.PlayCards(with_heat)) == RefusalCode.CARD_NOT_PLAYABLE
        not_held = ("4", *cards[: gear - 1])
        assert refusal(race, 0, c.PlayCards(not_held)) == RefusalCode.CARD_NOT_IN_HAND
        too_often = ("1",) * gear
        if gear > 1:
            assert refusal(race, 0, c.PlayCards(too_often)) == RefusalCode.CARD_NOT_IN_HAND


@pytest.mark.spec("TURN-2")
def test_nothing_turns_up_before_the_last_has_chosen_whatever_the_order_and_no_choice_shows() -> None:
    """Gears, then cards, then discards and draws: each waits for all, and shows the others nothing."""
    cars = dict.fromkeys(("ana", "ben"), "lap 1 space 30 gear 2 hand 1 2 3 4 draw 1 1 2 2")
    cars["cy"] = "lap 1 space 20 gear 2 hand 1 2 3 4 draw 1 1 2 2"
    answers: dict[str, dict[int, tuple[c.Command, c.Command]]] = {
        "gear": dict.fromkeys((0, 1, 2), (c.ShiftGear(3), c.ShiftGear(2))),
        "cards": dict.fromkeys((0, 1, 2), (c.PlayCards(("1", "2")), c.PlayCards(("1", "3")))),
        "discard": dict.fromkeys((0, 1, 2), (c.Discard(("4",)), c.Discard(()))),
    }
    for order in permutations((0, 1, 2)):
        race = position(cars, phase="shift")
        for kind, choices in answers.items():
            if kind == "discard":
                pass_until_discard(race)
            assert {seat: decision.kind for seat, decision in race.open.items()} == dict.fromkeys(
                (0, 1, 2), kind
            )
            check_waiting(race, kind, [(seat, choices[seat]) for seat in order])
        assert race.round == 3


def check_waiting(race: Race, kind: str, choices: list[tuple[int, tuple[c.Command, c.Command]]]) -> None:
    """Let all choose, first one thing and then, for good, the other; after the last one it goes on."""
    public = public_state(race)
    for seat, (first, second) in choices[:-1]:
        asked = race.open[seat].id
        other = race.copy()
        events, others = step(race, seat, first), step(other, seat, second)
        assert seen_by_others(race, seat) == seen_by_others(other, seat)
        assert told_to_others(race, events, seat) == told_to_others(other, others, seat)
        assert race.open[seat].chosen == first
        assert race.open[seat].id != asked
        step(race, seat, second)
        assert race.open[seat].chosen == second
        assert public_state(race) == public, f"something turned up before all had chosen ({kind})"
        assert race.open.keys() == {0, 1, 2}
    seat, (_, last) = choices[-1]
    events = step(race, seat, last)
    assert isinstance(events[1], e.TurnOrderFixed if kind == "cards" else e.ChoicesTurnedUp)
    assert public_state(race) != public


def public_state(race: Race) -> list[object]:
    return [race.phase, race.round, told_cars(race)]


def pass_until_discard(race: Race) -> None:
    while race.phase < Phase.DISCARD:
        (seat,) = race.open
        step(race, seat, c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0))


@pytest.mark.spec("TURN-16")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_any_number_may_be_discarded_but_heat_and_stress_stay(preset: PresetName) -> None:
    words = "lap 1 space 30 gear 1 hand 1 2 start-5 stress heat 3 draw 4 4 4 3 3 2 2"
    race = position({"ana": words, "ben": BEN}, rules=PRESETS[preset])
    step(race, 0, c.PlayCards(("1",)))
    step(race, 1, c.PlayCards(("1",)))
    pass_until_discard(race)
    choice = choice_of(race, 0)
    assert isinstance(choice, DiscardChoice)
    assert choice.pool == ("2", "3", "start-5")
    for card in ("heat", "stress"):
        assert refusal(race, 0, c.Discard((card,))) == RefusalCode.CARD_STAYS_IN_HAND
    for cards in ((), ("2",), ("start-5", "2"), ("3", "2", "start-5")):
        after = race.copy()
        step(after, 0, c.Discard(cards))
        if 1 in after.open and after.open[1].kind == "discard":
            step(after, 1, c.Discard(()))
        assert sorted(after.seat(0).discard_pile) == sorted([*cards, "1"])
        assert {"heat", "stress"} <= set(after.seat(0).hand)
        assert len(after.seat(0).hand) == 7


def test_a_tunnel_keeps_the_hand() -> None:
    words = "lap 1 space 18 gear 1 hand 1 2 3 draw 4 4"
    race = position({"ana": words, "ben": "lap 1 space 30 gear 1 hand 1 2 3 draw 4 4"}, on="spain")
    step(race, 0, c.PlayCards(("1",)))
    step(race, 1, c.PlayCards(("1",)))
    pass_until_discard(race)
    assert choice_of(race, 0) == DiscardChoice((), 0)
    assert refusal(race, 0, c.Discard(("2",))) == RefusalCode.CARD_STAYS_IN_HAND
    assert choice_of(race, 1) == DiscardChoice(("2", "3"), 2)


@pytest.mark.spec("CORE-8")
@pytest.mark.parametrize(
    ("draw", "discard", "hand_after", "reshuffles"),
    [
        ("4 4 4 3 3", "1", 7, 0),
        ("4", "1 1 2 3 3 3 2", 7, 1),
        ("4", "1", 5, 1),
        ("", "", 3, 1),
    ],
)
def test_the_hand_is_drawn_up_to_seven_as_far_as_there_are_cards(
    draw: str, discard: str, hand_after: int, reshuffles: int
) -> None:
    words = f"lap 1 space 30 gear 1 hand 2 stress heat draw {draw} discard {discard}"
    race = position({"ana": words, "ben": BEN})
    step(race, 0, c.PlayCards(("2",)))
    step(race, 1, c.PlayCards(("1",)))
    number = race.round
    events = pass_all(race)
    shuffles = [event for event in events if isinstance(event, e.PileReshuffled) and event.seat == 0]
    assert len(shuffles) == reshuffles
    assert len(race.seat(0).hand) == hand_after
    assert race.round == number + 1
    assert race.open[0].kind == "gear"


def test_hands_of_other_sizes_come_by_setting() -> None:
    for size in (6, 7, 8):
        race = position(
            {"ana": "lap 1 space 30 hand 2 3 4", "ben": "lap 1 space 20 hand 2 3 4"},
            rules=replace(STANDARD, hand_size=size),
        )
        step(race, 0, c.PlayCards(("2",)))
        step(race, 1, c.PlayCards(("2",)))
        pass_all(race)
        assert [len(race.seat(seat).hand) for seat in (0, 1)] == [size, size]


def test_a_hand_larger_than_seven_stays() -> None:
    words = "lap 1 space 30 gear 1 hand 2 stress stress stress stress stress heat heat heat draw 4 4"
    race = position({"ana": words, "ben": BEN})
    step(race, 0, c.PlayCards(("2",)))
    step(race, 1, c.PlayCards(("1",)))
    pass_all(race)
    assert len(race.seat(0).hand) == 8


def test_a_hand_that_cannot_fill_the_gear_can_only_play_nothing() -> None:
    race = position({"ana": "lap 1 space 30 gear 3 hand 1 2 heat heat draw 4 4", "ben": BEN})
    assert choice_of(race, 0) == CardsChoice(("1", "2"), 0, True)
    assert refusal(race, 0, c.PlayCards(("1", "2"))) == RefusalCode.WRONG_NUMBER_OF_CARDS
    step(race, 0, c.PlayCards(()))
    assert race.open[0].chosen == c.PlayCards(())
