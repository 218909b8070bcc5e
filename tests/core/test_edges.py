"""The rules at their edges: empty piles and engines, crowds, and lines where they are least expected."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from heat_core.decisions import ReactChoice, SlipstreamChoice, choice_of
from heat_core.engine import start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.state import Race
from heat_core.refusal import Refused
from tests.core.support import pass_all, position, track_facts

BEN = "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4"
STILL = "gear 1 hand start-0 2 draw 4 4 4"

LEAST: dict[str, c.Command] = {
    "react": c.EndReact(),
    "slipstream": c.Slipstream(0),
    "discard": c.Discard(()),
}

BOTH = pytest.mark.parametrize("preset", list(PRESETS))


def place(race: Race, number: int = 0) -> tuple[int, int, int]:
    car = race.cars[number]
    return race.track.lap(car.progress), race.track.space(car.progress), car.spot


def first_cards(race: Race) -> None:
    """Let every seat play the first cards of its hand; who holds a 0 in 1st gear stands still."""
    for number in list(race.open):
        seat = race.seat(number)
        stands = seat.gear == 1 and "start-0" in seat.hand
        step(race, number, c.PlayCards(("start-0",) if stands else tuple(seat.hand[: seat.gear])))


def up_to_slipstream(race: Race, number: int = 0) -> bool:
    """Let all answer with as little as possible until this seat's phase 6; tell whether it is asked."""
    while race.turn is not None and not (race.turn.car == number and race.phase == Phase.SLIPSTREAM):
        if race.turn.car == number and race.phase > Phase.SLIPSTREAM:
            return False
        before = race.phase
        (seat,) = race.open
        step(race, seat, LEAST[race.open[seat].kind])
        if before == Phase.REACT and seat == number:
            break
    return number in race.open and race.open[number].kind == "slipstream"


@BOTH
def test_seven_heat_and_an_empty_engine_in_fourth_gear(preset: PresetName) -> None:
    """Nothing can be played: four Heat are thrown away, three stay; in 1st gear the race goes on."""
    words = "lap 1 space 30 gear 4 engine 0 hand heat heat heat heat heat heat heat draw 1 2 3 4"
    race = position({"ana": words, "ben": BEN}, rules=PRESETS[preset])
    step(race, 0, c.PlayCards(()))
    events = step(race, 1, c.PlayCards(("1",)))
    (shown,) = [event for event in events if isinstance(event, e.HandCluttered)]
    assert shown.discarded == ("heat",) * 4
    pass_all(race)
    ana = race.seat(0)
    assert place(race)[:2] == (1, 30)
    assert (ana.gear, ana.engine, ana.hand) == (1, 0, ["1", "2", "3", "4", "heat", "heat", "heat"])
    assert race.round == 3
    assert {decision.kind for decision in race.open.values()} == {"gear"}


@BOTH
def test_when_every_hand_is_cluttered_nobody_is_asked_to_discard_and_the_round_ends(
    preset: PresetName,
) -> None:
    words = "gear 3 engine 1 hand heat heat heat heat stress 2 draw 1 3 4 4"
    race = position(
        {"ana": f"lap 1 space 30 {words}", "ben": f"lap 1 space 20 {words}"}, rules=PRESETS[preset]
    )
    step(race, 0, c.PlayCards(()))
    events = step(race, 1, c.PlayCards(()))
    assert [event.seat for event in events if isinstance(event, e.HandCluttered)] == [0, 1]
    assert [event.kind for event in events if isinstance(event, e.DecisionsOpened)] == ["gear"]
    assert (race.round, race.phase) == (3, Phase.SHIFT_GEARS)
    assert [(race.seat(seat).gear, len(race.seat(seat).hand)) for seat in (0, 1)] == [(1, 7), (1, 7)]


@BOTH
def test_seven_heat_are_a_cluttered_hand_in_first_gear_too(preset: PresetName) -> None:
    words = "lap 1 space 30 gear 1 engine 0 hand heat heat heat heat heat heat heat draw 1 2"
    race = position({"ana": words, "ben": BEN}, phase="shift", rules=PRESETS[preset])
    step(race, 0, c.ShiftGear(1))
    step(race, 1, c.ShiftGear(1))
    step(race, 0, c.PlayCards(()))
    events = step(race, 1, c.PlayCards(("1",)))
    (shown,) = [event for event in events if isinstance(event, e.HandCluttered)]
    assert (shown.gear, shown.discarded) == (1, ("heat",))


@BOTH
def test_with_both_piles_empty_hand_and_race_go_on(preset: PresetName) -> None:
    """No card to draw, none to flip, none in the discard pile: the seat plays on with what it holds."""
    words = "lap 1 space 30 gear 2 engine 3 hand stress stress 1 heat"
    race = position(
        {"ana": f"{words} draw", "ben": "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4"}, rules=PRESETS[preset]
    )
    assert race.seat(0).draw_pile == race.seat(0).discard_pile == []
    step(race, 0, c.PlayCards(("stress", "stress")))
    events = step(race, 1, c.PlayCards(("1",)))
    assert [type(event) for event in events].count(e.FlipFailed) == 2
    assert not [event for event in events if isinstance(event, e.CardFlipped | e.PileReshuffled)]
    assert race.turn is not None
    assert (race.turn.speed, place(race)[:2]) == (0, (1, 30))
    pass_all(race)
    assert sorted(race.seat(0).hand) == ["1", "heat", "stress", "stress"], "the two played came back"
    assert race.round == 3


@pytest.mark.parametrize("stress", [64, 65, 256, 257, 1000])
def test_a_pile_of_hundreds_of_stress_cards_is_shuffled_like_any(stress: int) -> None:
    """The supply of Stress is unlimited, and who spins out again and again may come to own this many."""
    words = f"lap 1 space 30 gear 1 hand stress draw heat discard 4 {'stress ' * (stress - 2)}"
    race = position({"ana": words, "ben": BEN})
    step(race, 0, c.PlayCards(("stress",)))
    events = step(race, 1, c.PlayCards(("1",)))
    (shuffled,) = [event for event in events if isinstance(event, e.PileReshuffled)]
    assert sorted(shuffled.order or ()) == ["4", "heat", *["stress"] * (stress - 2)]
    assert shuffled.cards == stress
    assert place(race)[:2] == (1, 34)


def test_an_engine_of_one_pays_one_boost_and_an_empty_one_none() -> None:
    for engine in (1, 0):
        words = f"lap 1 space 36 gear 4 engine {engine} hand 1 1 1 2 draw heat discard 4"
        race = position({"ana": words, "ben": BEN})
        first_cards(race)
        choice = choice_of(race, 0)
        assert isinstance(choice, ReactChoice)
        assert [use.most for use in choice.symbols if use.symbol.kind == "boost"] == [engine]


@BOTH
def test_a_corner_line_right_behind_the_finish_line(preset: PresetName) -> None:
    """Line after space 1: on the last lap it does not count, on the one before it does."""
    facts = track_facts("italy")
    first = replace(facts.corners[0], after_space=1, limit=1, legends_line_after_space=50)
    circuit = replace(facts, corners=(first, *facts.corners[1:]))
    for lap, owed in ((1, [1]), (2, [])):
        cars = {"ana": f"lap {lap} space 54 gear 1 engine 3 hand 2 3 draw 4", "ben": BEN}
        setup = make_position(circuit, cars, phase="play", laps=2, rules=PRESETS[preset])
        race, _ = start_race(setup)
        events = step(race, 1, c.PlayCards(("1",))) + step(race, 0, c.PlayCards(("2",)))
        events += step(race, 0, c.EndReact())
        assert [event.owed for event in events if isinstance(event, e.CornerChecked)] == owed
        assert race.seat(0).status == ("racing" if lap == 1 else "finished")
        assert place(race)[:2] == (lap + 1, 2)


@BOTH
def test_a_spin_out_before_the_finish_has_not_finished_though_the_car_was_beyond(preset: PresetName) -> None:
    """Italy with a corner on the finish line itself, all spots before it taken: back to the one before."""
    facts = track_facts("italy")
    last = replace(facts.corners[-1], after_space=54, limit=1, legends_line_after_space=40)
    circuit = replace(facts, corners=(*facts.corners, last))
    cars = {
        "ana": "lap 1 space 53 gear 2 engine 0 hand 4 3 draw 1",
        "ben": f"lap 1 space 54 {STILL}",
        "cy": f"lap 1 space 54 {STILL}",
    }
    race, _ = start_race(make_position(circuit, cars, phase="play", laps=1, rules=PRESETS[preset]))
    first_cards(race)
    pass_all(race)
    assert place(race) == (1, 53, 0)
    assert race.seat(0).status == "racing"
    assert race.status == "running"


def test_all_cars_in_two_neighbouring_spaces_standard_flows_forward() -> None:
    """Four cars on 40 and 41 drive 1 each, in order: each lands on the first space that is free then."""
    words = "gear 1 hand 1 2 draw 4 4 4"
    cars = {f"c{n}": f"lap 1 space {40 + n // 2} {words}" for n in range(4)}
    race = position(cars)
    first_cards(race)
    assert race.turn_order == (2, 3, 0, 1)
    while race.turn is not None:
        (seat,) = race.open
        step(race, seat, c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0))
    assert [place(race, n) for n in range(4)] == [(1, 41, 0), (1, 41, 1), (1, 42, 0), (1, 42, 1)]


def test_all_cars_in_two_neighbouring_spaces_the_last_cannot_gain_a_space_by_the_rulebook() -> None:
    """Those ahead stay: the last one's move of 1 finds 41 full and comes to 0, its spot is kept."""
    cars = {
        "ana": "lap 1 space 40 spot other gear 1 hand 1 2 draw 4 4 4",
        "ben": f"lap 1 space 40 spot race {STILL}",
        "cy": f"lap 1 space 41 {STILL}",
        "dora": f"lap 1 space 41 {STILL}",
    }
    for preset, end in (("rulebook", (1, 40, 1)), ("standard", (1, 42, 0))):
        race = position(cars, rules=PRESETS[preset])  # type: ignore[index]  # because the pairs are literal
        first_cards(race)
        up_to_slipstream(race)
        assert place(race) == end


def test_in_a_narrow_space_one_car_takes_all_the_room() -> None:
    """USA with one spot in 33 to 41: a second car on 40 has to go on to 41, or back to 39."""
    facts = replace(track_facts("usa"), narrow=((33, 41),))
    ends: tuple[tuple[PresetName, str, tuple[int, int, int]], ...] = (
        ("standard", "40", (1, 41, 0)),
        ("rulebook", "40", (1, 39, 0)),
        ("standard", "40 41", (1, 42, 0)),
        ("rulebook", "40 39", (1, 38, 0)),
    )
    for preset, taken, end in ends:
        cars = {"ana": "lap 1 space 38 gear 1 hand 2 3 draw 4"}
        cars |= {f"c{space}": f"lap 1 space {space} {STILL}" for space in taken.split()}
        setup = make_position(facts, cars, phase="play", rules=PRESETS[preset])
        race, _ = start_race(setup)
        first_cards_of_others(race)
        step(race, 0, c.PlayCards(("2",)))
        up_to_slipstream(race)
        assert place(race) == end, (preset, taken)


def first_cards_of_others(race: Race) -> None:
    for number in list(race.open):
        if number:
            step(race, number, c.PlayCards(("start-0",)))


@BOTH
def test_six_finish_in_the_same_round_and_spots_decide_ties(preset: PresetName) -> None:
    words = "gear 4 engine 6 hand 4 4 4 3 draw 1 1"
    cars = {f"c{n}": f"lap 1 space {52 + n // 2} {words}" for n in range(6)}
    race = position(cars, on="italy", laps=1, rules=PRESETS[preset])
    for seat in range(6):
        step(race, seat, c.PlayCards(("4", "4", "4", "3")))
    pass_all(race)
    assert race.end == "finished"
    assert [standing.status for standing in race.standings] == ["finished"] * 6
    ranked = [race.cars[standing.car] for standing in race.standings]
    places = [(-car.progress, car.spot) for car in ranked]
    assert places == sorted(places)
    assert len(set(places)) == 6
    spaces = [car.progress for car in ranked]
    assert any(before == after for before, after in pairwise(spaces)), "a tie was decided"
    assert [standing.place for standing in race.standings] == [1, 2, 3, 4, 5, 6]


@BOTH
@pytest.mark.parametrize(("space", "asked"), [(31, True), (30, True), (32, False)])
def test_speed_zero_does_not_forbid_a_slipstream(preset: PresetName, space: int, asked: bool) -> None:
    race = position(
        {
            "ana": "lap 1 space 30 spot other gear 1 hand start-0 1 draw 4",
            "ben": f"lap 1 space {space} spot race {STILL}",
        },
        rules=PRESETS[preset],
    )
    step(race, 1, c.PlayCards(("start-0",)))
    step(race, 0, c.PlayCards(("start-0",)))
    assert up_to_slipstream(race) == asked
    if asked:
        step(race, 0, c.Slipstream(2))
        assert place(race) == (1, 32, 0)


@pytest.mark.parametrize(("preset", "ends"), [("standard", (0, 3)), ("rulebook", None)])
def test_a_slipstream_that_would_gain_no_space_is_not_offered(
    preset: PresetName, ends: tuple[int, int] | None
) -> None:
    """31 and 32 are full: by the rulebook nothing can be gained, by the standard rules one goes to 33."""
    ahead = [(31, "race"), (31, "other"), (32, "race"), (32, "other")]
    cars = {"ana": f"lap 1 space 30 {STILL}"}
    cars |= {f"c{space}{spot}": f"lap 1 space {space} spot {spot} {STILL}" for space, spot in ahead}
    race = position(cars, rules=PRESETS[preset])
    for seat in range(5):
        step(race, seat, c.PlayCards(("start-0",)))
    assert up_to_slipstream(race) == (ends is not None)
    if ends is not None:
        start = race.cars[0].progress
        assert choice_of(race, 0) == SlipstreamChoice((0, 2), (start, start + 3))


def test_a_slipstream_is_possible_no_more_when_its_only_partner_gives_up_before_the_answer() -> None:
    race = position(
        {"ana": f"lap 1 space 20 {STILL}", "ben": f"lap 1 space 20 {STILL}", "cy": "lap 1 space 5"}
    )
    first_cards(race)
    step(race, 0, c.EndReact())
    assert choice_of(race, 0) == SlipstreamChoice((0, 2), (89, 91))
    step(race, 1, c.GiveUp())
    assert choice_of(race, 0) == SlipstreamChoice((0,), (89,))
    with pytest.raises(Refused, match="not possible"):
        step(race, 0, c.Slipstream(2))
    step(race, 0, c.Slipstream(0))
    assert race.open.keys() == {2}


def test_by_the_rulebook_a_slipstream_may_gain_one_space_only() -> None:
    ahead = [(31, "race"), (32, "race"), (32, "other")]
    cars = {"ana": f"lap 1 space 30 {STILL}"}
    cars |= {f"c{space}{spot}": f"lap 1 space {space} spot {spot} {STILL}" for space, spot in ahead}
    race = position(cars, rules=PRESETS["rulebook"])
    for seat in range(4):
        step(race, seat, c.PlayCards(("start-0",)))
    assert up_to_slipstream(race)
    step(race, 0, c.Slipstream(2))
    assert place(race) == (1, 31, 1)


@pytest.mark.parametrize(("space", "by_rulebook"), [(66, True), (67, True), (68, False), (69, False)])
def test_a_slipstream_over_the_last_finish_line(space: int, by_rulebook: bool) -> None:
    """USA, 69 spaces: from 67 two further is 69, still before the line; from 68 on it would cross it."""
    for preset, rules in PRESETS.items():
        for lap, asked in ((1, True), (2, preset == "standard" or by_rulebook)):
            race = position(
                {
                    "ana": f"lap {lap} space {space} gear 1 hand start-0 2 draw 4 4",
                    "ben": f"lap 1 space {space % 69 + 1} {STILL}",
                },
                rules=rules,
            )
            step(race, 1, c.PlayCards(("start-0",)))
            step(race, 0, c.PlayCards(("start-0",)))
            assert up_to_slipstream(race) == asked, (preset, lap)
            if asked:
                step(race, 0, c.Slipstream(2))
                assert (race.seat(0).status == "finished") == (lap == 2 and space >= 68)


@BOTH
def test_a_car_beyond_the_last_finish_line_does_not_slipstream_but_others_do_behind_it(
    preset: PresetName,
) -> None:
    race = position(
        {
            "ana": "lap 1 space 54 gear 1 hand 3 1 draw 4 4",
            "ben": "lap 1 space 53 gear 3 hand 1 2 start-0 draw 4 4",
            "cy": f"lap 1 space 4 {STILL}",
        },
        on="italy",
        laps=1,
        rules=PRESETS[preset],
    )
    step(race, 0, c.PlayCards(("3",)))
    step(race, 1, c.PlayCards(("1", "2", "start-0")))
    step(race, 2, c.PlayCards(("start-0",)))
    assert place(race)[:2] == (2, 3)
    assert not up_to_slipstream(race), "Cy stands on the next space, but Ana is beyond the line"
    assert race.seat(0).status == "finished"
    assert place(race, 1)[:2] == (2, 2)
    assert not up_to_slipstream(race, 1)
    assert up_to_slipstream(race, 2) is False
    assert race.cars[1].status == "finished"


@BOTH
def test_behind_a_car_that_has_finished_this_round_one_may_slipstream(preset: PresetName) -> None:
    """Italy: Ana stands on space 1 beyond the line, Ben ends on 54 right behind her."""
    race = position(
        {
            "ana": "lap 1 space 54 gear 1 hand 1 2 draw 4 4",
            "ben": "lap 1 space 53 gear 1 hand 1 2 draw 4 4",
        },
        on="italy",
        laps=1,
        rules=PRESETS[preset],
    )
    first_cards(race)
    step(race, 0, c.EndReact())
    assert race.seat(0).status == "finished"
    assert up_to_slipstream(race, 1) == (preset == "standard"), "over the line it is the preset's business"
    race = position(
        {
            "ana": "lap 1 space 54 gear 1 hand 1 2 draw 4 4",
            "ben": "lap 0 space 53 gear 1 hand 1 2 draw 4 4",
        },
        on="italy",
        laps=1,
        rules=PRESETS[preset],
    )
    first_cards(race)
    step(race, 0, c.EndReact())
    assert up_to_slipstream(race, 1), "a lap behind it is an ordinary one"
