"""Forecasts: what they foretell happens, and their odds are those of the cards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from heat_core.cards import SPEED_VALUES
from heat_core.decisions import GearChoice, SlipstreamChoice, choice_of
from heat_core.engine import decide, step
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.presets import RULEBOOK
from heat_core.race.state import Race
from heat_core.view.defaults import default_command
from heat_core.view.forecast import (
    forecast_cards,
    forecast_each_value,
    forecast_end_of_react,
    forecast_gear,
    forecast_symbol,
)
from heat_core.view.observation import Observation
from heat_core.view.odds import flip_odds
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import RandomPlay, position, setup_of
from tests.core.support_turns import begin, place_of, reveal, use


def observation(race: Race, seat: int = 0) -> Observation:
    return Observation(public_setup(race.setup), view_race(race, seat))


def test_a_gears_most_speed_takes_the_greatest_value_of_each_card() -> None:
    race = begin("lap 1 space 30 gear 1 hand brakes-4 2 1 draw 1 1", phase="shift")
    assert (
        forecast_gear(observation(race), 1).least_speed,
        forecast_gear(observation(race), 1).most_speed,
    ) == (1, 5)
    assert forecast_gear(observation(race), 2).most_speed == 7


def test_a_slipstream_that_only_a_symbol_makes_possible_is_foretold() -> None:
    """Both spaces ahead are full of lapped cars, and full spaces send cars back: 2 is no gain, 4 is."""
    lapped = "gear 1 hand 1 1 1 draw 2 2"
    cars = {"ana": "lap 2 space 29 gear 1 hand rpm-2 1 1 draw 2 2"}
    cars |= {
        name: f"lap 1 space {space} {lapped}" for name, space in zip("bcde", (32, 32, 33, 33), strict=True)
    }
    race = begin(cars, rules=RULEBOOK, laps=3)
    before = observation(race)
    for seat, card in enumerate(("rpm-2", "1", "1", "1", "1")):
        step(race, seat, c.PlayCards((card,)))
    (told,) = forecast_cards(before, ("rpm-2",)).outcomes
    (at_the_end,) = forecast_end_of_react(observation(race)).outcomes
    step(race, 0, c.EndReact())
    choice = choice_of(race, 0)
    assert choice == SlipstreamChoice((0, 4), (race.track.progress(2, 31), race.track.progress(2, 35)))
    assert told.slipstream_end == at_the_end.slipstream_end == choice.ends[1]


def test_brakes_are_foretold_at_each_of_their_values() -> None:
    """The values are chosen once the flips are seen, so that each has odds of its own."""
    race = begin("lap 1 space 30 gear 3 engine 6 hand brakes-3 brakes-1 stress draw 1 4")
    told = forecast_each_value(observation(race), ("brakes-3", "brakes-1", "stress"))
    assert [[outcome.speed for outcome in each.outcomes] for each in told] == [
        [total + 1, total + 4] for total in range(3, 9)
    ]
    owed = [[outcome.owed for outcome in each.outcomes] for each in told]
    assert owed == [[max(0, total + flip - 3) for flip in (1, 4)] for total in range(3, 9)]
    assert [each.spin_out_probability for each in told] == [0, 0, 0.5, 0.5, 0.5, 1]
    assert forecast_cards(observation(race), ("brakes-3", "brakes-1", "stress")) == told[0]
    (alone,) = forecast_each_value(observation(race), ("stress",))
    assert alone == forecast_cards(observation(race), ("stress",))


def test_the_heat_of_cards_is_told_and_is_gone_when_corners_are_checked() -> None:
    """wings-1 asks for 1 Heat: of the engine's 2 the corner can have 1, and 8 at limit 5 wants 3."""
    race = begin("lap 1 space 30 gear 2 engine 2 hand wings-1 4 draw 1 1")
    told = forecast_cards(observation(race), ("wings-1", "4"))
    (outcome,) = told.outcomes
    assert (told.heat, told.cards_heat, told.lacking) == (0, 1, 0)
    assert (outcome.engine, outcome.owed, outcome.spins_out) == (1, 3, True)
    reveal(race, "wings-1", "4")
    unpaid = forecast_end_of_react(observation(race))
    assert (unpaid.cards_heat, unpaid.outcomes) == (1, told.outcomes)
    use(race, "heat", "wings-1")
    paid = forecast_end_of_react(observation(race))
    assert (paid.cards_heat, paid.outcomes) == (0, told.outcomes)


def test_heat_that_the_engine_lacks_for_its_cards_is_told() -> None:
    race = begin("lap 1 space 40 gear 2 engine 1 hand wings-3 cooling-1 draw 1 1")
    told = forecast_cards(observation(race), ("wings-3", "cooling-1"))
    assert (told.cards_heat, told.lacking, told.slowest.engine) == (3, 2, 0)


def test_a_boost_that_cannot_be_paid_is_foretold_with_an_empty_engine() -> None:
    race = begin("lap 1 space 40 gear 4 engine 0 hand 1 1 1 2 draw 2 2")
    reveal(race, "1", "1", "1", "2")
    told = forecast_symbol(observation(race), place_of(race, "boost", "gear"), 0)
    assert (told.lacking, told.slowest.engine_left) == (1, 0)


def test_the_chance_of_a_slipstream_is_that_of_every_order_of_the_pile() -> None:
    """Beside or behind the lapped car on space 24, so with a flip of 3 or 4, not 1 or 2."""
    cars = {"ana": "lap 2 space 20 gear 1 hand stress draw 1 3 4 4", "ben": "lap 1 space 24 gear 1 hand 4"}
    race = position(cars, laps=3)
    told = forecast_cards(observation(race), ("stress",))
    assert told.slipstream_probability == pytest.approx(3 / 4)
    in_fog = begin(cars, weather="fog", garage="none", laps=3)
    assert forecast_cards(observation(in_fog), ("stress",)).slipstream_probability == 0


def test_a_slipstream_behind_a_car_that_drives_before_is_possible_not_sure() -> None:
    race = position({"ana": "lap 1 space 20 gear 1 hand 3 4", "ben": "lap 1 space 24 gear 1 hand 4"})
    for card in ("3", "4"):
        (told,) = forecast_cards(observation(race), (card,)).outcomes
        assert (told.slipstream_end, told.may_slipstream) == (None, True)
    far = position({"ana": "lap 1 space 20 gear 1 hand 2 4", "ben": "lap 1 space 24 gear 1 hand 4"})
    assert not forecast_cards(observation(far), ("2",)).slowest.may_slipstream


def flip_sums(draw: list[int], discard: list[int], flips: int) -> Counter[int]:
    """Count the sums over every order of the piles."""
    sums: Counter[int] = Counter()
    for first in permutations(draw):
        for second in permutations(discard):
            sums[sum([*first, *second][:flips])] += 1
    return sums


@pytest.mark.parametrize(
    ("draw", "discard", "flips"),
    [
        ([1, 2, 3], [4], 1),
        ([1, 2, 2, 4], [3], 2),
        ([4], [1, 1, 2], 2),
        ([], [1, 2], 1),
        ([2], [], 3),
        ([], [], 2),
    ],
)
def test_odds_of_flips_are_those_of_every_order(draw: list[int], discard: list[int], flips: int) -> None:
    odds = flip_odds(Counter(draw), Counter(discard), flips)
    sums = flip_sums(draw, discard, flips)
    assert sum(odds.values()) == pytest.approx(1)
    assert odds == pytest.approx({total: count / sums.total() for total, count in sums.items()})


def test_a_leaders_cards_lead_where_the_forecast_says() -> None:
    words = "lap 1 space 30 gear 3 engine 5 hand 4 3 2 1 stress draw 1 1 4"
    race = position({"ana": words, "ben": "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4"})
    told = forecast_cards(observation(race), ("4", "3", "2"))
    (outcome,) = told.outcomes
    assert (outcome.speed, race.track.space(outcome.end), outcome.owed) == (9, 39, 6)
    assert outcome.spins_out
    assert (race.track.space(outcome.spin_ends[0]), outcome.stress, outcome.engine_left) == (33, 2, 0)
    assert told.spin_out_probability == 1
    with_flip = forecast_cards(observation(race), ("1", "2", "stress"))
    assert {round(outcome.probability, 3): outcome.speed for outcome in with_flip.outcomes} == {
        0.667: 4,
        0.333: 7,
    }
    assert with_flip.spin_out_probability == pytest.approx(0)
    assert [forecast_cards(observation(race), ()).slowest.speed] == [0]


def test_gears_are_told_with_cost_and_speeds() -> None:
    words = "lap 1 space 30 gear 2 engine 5 hand 4 3 2 stress heat draw 1 1 4"
    race = position({"ana": words, "ben": "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4"}, phase="shift")
    assert isinstance(observation(race).own.choice, GearChoice)
    told = {gear: forecast_gear(observation(race), gear) for gear in (1, 2, 3, 4)}
    assert [told[gear].heat for gear in (1, 2, 3, 4)] == [0, 0, 0, 1]
    assert (told[2].least_speed, told[2].most_speed) == (3, 8)
    assert told[4].fills
    poor = position({"ana": words.replace("4 3 2 ", ""), "ben": "lap 1 space 20 hand 1 2"}, phase="shift")
    assert not forecast_gear(observation(poor), 2).fills


def test_defaults_are_sensible_and_legal_everywhere() -> None:
    for seed in ("a", "b", "c"):
        race = RandomPlay(setup_of("gb", seats=3, legends=1, laps=1, seed=seed), seed).race
        while race.phase is not Phase.ENDED:
            seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
            command = default_command(observation(race, seat))
            match command:
                case c.ShiftGear(gear):
                    assert gear == race.seat(seat).gear
                case c.PlayCards(cards) if cards and "stress" not in race.seat(seat).hand:
                    hand = sorted(
                        SPEED_VALUES.get(card, 0) for card in race.seat(seat).hand if card != "heat"
                    )
                    assert sum(SPEED_VALUES.get(card, 0) for card in cards) <= sum(hand[-len(cards) :])
                case c.UseSymbol(number):
                    assert race.turn is not None
                    assert race.turn.symbols[number].kind == "cooldown"
                case c.Discard(cards):
                    assert cards == ()
                case c.Slipstream(spaces) if spaces:
                    after, _ = decide(race, seat, command)
                    assert after.seat(seat).engine == race.seat(seat).engine
                case _:
                    pass
            step(race, seat, command)


def test_a_default_takes_no_slipstream_that_costs_heat() -> None:
    for limit_space, expected in ((32, 0), (40, 2)):
        words = f"lap 1 space {limit_space - 4} gear 1 engine 6 hand 4 1 draw 1 1"
        race = position(
            {"ana": words, "ben": f"lap 1 space {limit_space + 1} gear 1 hand start-0 2 draw 4 4"}
        )
        step(race, 1, c.PlayCards(("start-0",)))
        step(race, 0, c.PlayCards(("4",)))
        step(race, 1, c.EndReact())
        step(race, 0, c.EndReact())
        assert default_command(observation(race)) == c.Slipstream(expected)


def test_a_spectator_forecasts_nothing() -> None:
    race = RandomPlay(setup_of(), "x").race
    with pytest.raises(ValueError, match="spectator"):
        forecast_cards(Observation(public_setup(race.setup), view_race(race, None)), ())
