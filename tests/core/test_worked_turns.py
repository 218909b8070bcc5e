"""The worked turns of docs/rules.md, one test each, played through the engine."""

from __future__ import annotations

import pytest

from heat_core.cards import HEAT
from heat_core.data.legends import Helmet
from heat_core.decisions import GearChoice, choice_of
from heat_core.engine import start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from tests.core.support import pass_all, position, track_facts

FAR = "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4"


def drive(race: Race, *cards: str) -> list[e.Event]:
    """Let seat 1 play its first card, and seat 0 these; then end seat 0's reaction."""
    step(race, 1, c.PlayCards(("1",)))
    events = step(race, 0, c.PlayCards(cards))
    if 0 in race.open and race.open[0].kind == "react":
        events += step(race, 0, c.EndReact())
    return events


def place(race: Race, seat: int = 0) -> tuple[int, int]:
    car = race.cars[seat]
    return race.track.lap(car.progress), race.track.space(car.progress)


def test_turn_1_nine_over_a_limit_of_three_costs_six() -> None:
    race = position({"ana": "lap 1 space 30 gear 3 engine 6 hand 4 3 2 draw 1 1", "ben": FAR})
    drive(race, "4", "3", "2")
    assert place(race) == (1, 39)
    assert race.seat(0).engine == 0
    assert race.seat(0).discard_pile.count(HEAT) == 6
    assert race.seat(0).gear == 3


def test_turn_2_with_five_heat_it_is_a_spin_out() -> None:
    race = position({"ana": "lap 1 space 30 gear 3 engine 5 hand 4 3 2 draw 1 1", "ben": FAR})
    drive(race, "4", "3", "2")
    ana = race.seat(0)
    assert place(race) == (1, 33)
    assert (ana.engine, ana.discard_pile.count(HEAT), ana.hand.count("stress"), ana.gear) == (0, 5, 2, 1)


def test_turn_3_stress_flips_past_heat_and_upgrade() -> None:
    words = "lap 1 space 55 gear 2 engine 5 hand 1 stress draw heat start-0 2 4"
    race = position({"ana": words, "ben": FAR})
    events = drive(race, "1", "stress")
    flipped = [event.card for event in events if isinstance(event, e.CardFlipped)]
    ana = race.seat(0)
    assert flipped == ["heat", "start-0", "2"]
    assert place(race) == (1, 58)
    assert ana.engine == 4
    assert sorted(ana.played) == ["1", "2", "stress"]
    assert sorted(ana.discard_pile) == ["heat", "heat", "start-0"]


def test_turn_4_a_slipstream_over_a_corner_adds_no_speed() -> None:
    # Ben, ahead, moves first and by 0: his card is the 0 upgrade, so he stands where he stood.
    race = position(
        {
            "ana": "lap 1 space 47 gear 1 hand 2 3 4 draw 1 1",
            "ben": "lap 1 space 50 gear 1 hand start-0 2 3 draw 4 4 4",
        }
    )
    step(race, 1, c.PlayCards(("start-0",)))
    step(race, 0, c.PlayCards(("2",)))
    step(race, 1, c.EndReact())
    step(race, 0, c.EndReact())
    assert place(race) == (1, 49)
    assert race.open[0].kind == "slipstream"
    events = step(race, 0, c.Slipstream(2))
    assert place(race) == (1, 51)
    checked = [event for event in events if isinstance(event, e.CornerChecked)]
    assert [(event.speed, event.limit, event.owed) for event in checked] == [(2, 3, 0)]


def test_turn_5_a_boost_of_one_over_the_line_costs_eight_or_spins_out() -> None:
    words = "lap 1 space 68 gear 4 engine 7 hand 4 4 3 2 draw 1 1"
    setup = make_position(track_facts("usa"), {"ana": words, "ben": FAR}, phase="play")
    race, _ = start_race(setup)
    step(race, 1, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("4", "4", "3", "2")))
    assert place(race) == (2, 12)
    assert race.turn is not None
    assert race.turn.lines == ()
    boost = next(n for n, symbol in enumerate(race.turn.symbols) if symbol.kind == "boost")
    step(race, 0, c.UseSymbol(boost))
    assert place(race) == (2, 13)
    assert race.seat(0).engine == 6
    events = step(race, 0, c.EndReact())
    spin_out = next(event for event in events if isinstance(event, e.SpunOut))
    assert place(race) == (2, 12)
    assert spin_out.stress == 2
    assert race.seat(0).engine == 0


@pytest.mark.parametrize(("preset", "space"), [("standard", 41), ("rulebook", 39)])
def test_turn_6_a_full_space(preset: PresetName, space: int) -> None:
    race = position(
        {
            "ana": "lap 1 space 38 gear 1 hand 2 3 4 draw 1 1",
            "ben": "lap 1 space 40 gear 1 hand start-0 2 draw 4 4",
            "cy": "lap 1 space 40 gear 1 hand start-0 2 draw 4 4",
        },
        rules=PRESETS[preset],
    )
    step(race, 0, c.PlayCards(("2",)))
    for seat in (1, 2):
        step(race, seat, c.PlayCards(("start-0",)))
    while place(race) == (1, 38):
        (seat,) = race.open
        kind = race.open[seat].kind
        answers: dict[str, c.Command] = {
            "react": c.EndReact(),
            "slipstream": c.Slipstream(0),
            "discard": c.Discard(()),
        }
        step(race, seat, answers[kind])
    assert place(race) == (1, space)


def test_turn_7_a_cluttered_hand() -> None:
    words = "lap 1 space 40 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1 1 2 2 4 4"
    race = position({"ana": words, "ben": FAR})
    events = drive(race)
    shown = next(event for event in events if isinstance(event, e.HandCluttered))
    assert shown.hand == ("3", "stress", "heat", "heat", "heat", "heat", "heat")
    assert sorted(shown.discarded) == ["3", "heat", "stress"]
    assert place(race) == (1, 40)
    assert race.seat(0).gear == 1
    step(race, 1, c.EndReact())
    step(race, 1, c.Discard(()))
    assert race.round == 3
    assert len(race.seat(0).hand) == 7


def test_turn_7_by_the_rulebook_third_gear_is_not_offered() -> None:
    words = "lap 1 space 40 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1 1 2 2 4 4"
    race = position({"ana": words, "ben": FAR}, phase="shift", rules=RULEBOOK)
    choice = choice_of(race, 0)
    assert isinstance(choice, GearChoice)
    assert [option.gear for option in choice.options] == [1, 2]
    assert choice.withheld == (3, 4)


def test_turn_7_by_the_rulebook_second_gear_is_filled_and_driven() -> None:
    words = "lap 1 space 40 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1 1 2 2 4 4"
    race = position({"ana": words, "ben": FAR}, phase="shift", rules=RULEBOOK)
    with pytest.raises(Refused) as refused:
        step(race, 0, c.ShiftGear(3))
    assert refused.value.code == RefusalCode.GEAR_CANNOT_BE_FILLED
    step(race, 0, c.ShiftGear(2))
    step(race, 1, c.ShiftGear(1))
    events = drive(race, "3", "stress")
    assert not any(isinstance(event, e.HandCluttered) for event in events)
    assert (place(race), race.seat(0).gear) == ((1, 44), 2)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_turn_8_a_legend_stops_before_the_corner_and_then_drives_its_limit(
    preset: PresetName, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards: tuple[dict[Helmet, tuple[int, int]], ...] = ({"red": (2, 14)}, {"red": (1, 11)})
    monkeypatch.setattr("heat_core.rules.turn.LEGEND_CARDS", cards)
    race = position(
        {"robot": "lap 1 space 40 legend easy", "ana": "lap 1 space 60 gear 1 hand 1 1 1 draw 2 2 2 3 3 3"},
        rules=PRESETS[preset],
    )
    race.legend_deck = [1, 0]
    shown = []
    for space in (47, 51):
        events = pass_all(race)
        shown += [(event.case, event.speed) for event in events if isinstance(event, e.LegendMoved)]
        assert place(race) == (1, space)
    assert shown == [("B", 7), ("A", 4)]
