"""Defaults exactly as documented, and forecasts against every order that the cards may lie in."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import get_args

import pytest

from heat_core.decisions import Choice, ReactChoice
from heat_core.decisions.kinds import KINDS
from heat_core.engine import decide, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import RULEBOOK, STANDARD, PresetName
from heat_core.race.state import Race
from heat_core.rules.order import turn_order
from heat_core.table import Table
from heat_core.view import defaults
from heat_core.view.defaults import default_command, mean_speed
from heat_core.view.forecast import forecast_cards, forecast_symbol
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast
from heat_core.view.secrecy import public_setup, view_race
from tests.core.support import RandomPlay, position, setup_of

BEN = "lap 1 space 20 gear 1 engine 6 hand 1 2 3 draw 4 4"


def test_each_kind_of_choice_has_a_row_commands_and_a_default() -> None:
    assert set(KINDS) == set(get_args(c.DecisionKind)) == {kind for kind in c.ANSWERED.values() if kind}
    assert {kind.choice for kind in KINDS.values()} == set(get_args(Choice)) == set(defaults._DEFAULTS)


def observation(race: Race, seat: int = 0) -> Observation:
    return Observation(public_setup(race.setup), view_race(race, seat))


@pytest.mark.parametrize(
    ("words", "preset", "gear"),
    [
        ("gear 3 hand 1 2 3 4", "standard", 3),
        ("gear 3 hand 1 heat heat", "standard", 3),
        ("gear 3 hand 1 heat heat", "rulebook", 1),
        ("gear 3 hand 1 2 heat", "rulebook", 2),
        ("gear 4 engine 0 hand 1 heat", "rulebook", 4),
        ("gear 1 engine 0 hand heat", "standard", 1),
    ],
)
def test_the_default_gear_is_the_nearest_legal_one(words: str, preset: PresetName, gear: int) -> None:
    rules = STANDARD if preset == "standard" else RULEBOOK
    race = position({"ana": f"lap 1 space 30 {words} draw 1", "ben": BEN}, phase="shift", rules=rules)
    assert default_command(observation(race)) == c.ShiftGear(gear)


@pytest.mark.parametrize(
    ("words", "cards"),
    [
        ("gear 2 hand 4 3 2 1", ("1", "2")),
        ("gear 3 hand 4 3 2 stress heat", ("2", "stress", "3")),
        ("gear 1 hand start-0 1", ("start-0",)),
        ("gear 2 hand start-5 4 stress", ("stress", "4")),
        ("gear 3 hand 1 2 heat", ()),
    ],
)
def test_the_default_cards_are_those_of_least_value(words: str, cards: tuple[str, ...]) -> None:
    race = position({"ana": f"lap 1 space 30 {words} draw 1 1", "ben": BEN})
    command = default_command(observation(race))
    assert isinstance(command, c.PlayCards)
    assert sorted(command.cards) == sorted(cards)
    assert [mean_speed(card) for card in ("1", "4", "start-5", "start-0", "stress")] == [1, 4, 5, 0, 2.5]


def test_the_default_reaction_cools_in_full_and_uses_nothing_else() -> None:
    """In 1st gear, by the rulebook, as the last car: cooldown 3, boost, adrenaline's speed and cooldown."""
    words = "lap 1 space 10 gear 1 engine 2 hand 1 heat heat heat heat draw 4 4 4"
    race = position({"ana": words, "ben": BEN}, rules=RULEBOOK)
    step(race, 1, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("1",)))
    while 0 not in race.open:
        step(race, 1, default_command(observation(race, 1)))
    said = []
    choice = observation(race).own.choice
    assert isinstance(choice, ReactChoice)
    while race.open[0].kind == "react":
        command = default_command(observation(race))
        said.append(command)
        step(race, 0, command)
    kinds = [symbol.symbol.kind for symbol in choice.symbols]
    assert kinds == ["cooldown", "boost", "speed", "cooldown"]
    assert said == [c.UseSymbol(0, 3), c.UseSymbol(3, 1), c.EndReact()]
    assert (race.seat(0).engine, race.seat(0).hand.count("heat")) == (6, 0)


@pytest.mark.spec("NET-5.3")
def test_a_table_of_defaults_keeps_gears_never_spins_out_into_a_slipstream_and_discards_nothing() -> None:
    """And each default is legal: the table takes it."""
    for seed in ("a", "b", "c", "d"):
        table = Table(setup_of("gb", seats=4, laps=1, seed=seed), dict.fromkeys(range(4), "human"))
        for decision in table.decisions():
            table.submit(decision.seat, decision.decision, c.ShiftGear(2))
        while not table.is_over:
            seat = next(decision.seat for decision in table.decisions() if not decision.has_chosen)
            table.play_default(seat)
        slipping: set[int] = set()
        chosen = [event for event in table.log if isinstance(event, e.GearShifted)]
        assert all(event.gear == event.before for event in chosen[4:])
        assert {event.gear for event in chosen} == {2}
        for event in table.log:
            match event:
                case e.TurnStarted():
                    slipping.clear()
                case e.CarMoved(car, "slipstream"):
                    slipping.add(car)
                case e.CornerChecked():
                    assert event.seat not in slipping or event.owed == 0
                case e.CardsDiscarded():
                    assert event.hand == ()
                case _:
                    pass


def test_a_default_for_nobody_is_a_fault_of_the_caller() -> None:
    race = position({"ana": "lap 1 space 30 gear 1 hand 1 2 draw 4", "ben": BEN})
    step(race, 0, c.PlayCards(("1",)))
    step(race, 1, c.PlayCards(("1",)))
    with pytest.raises(ValueError, match="seat 1 has nothing to decide"):
        default_command(observation(race, 1))


# --- forecasts -----------------------------------------------------------------------------------------


def every_order(race: Race, command: c.Command) -> Counter[tuple[int, int]]:
    """Play a command with each order of the draw pile: speed and progress, and how often."""
    results: Counter[tuple[int, int]] = Counter()
    for order in permutations(race.seat(0).draw_pile):
        trial = race.copy()
        trial.seat(0).draw_pile = list(order)
        step(trial, 0, command)
        assert trial.turn is not None
        assert trial.turn.speed is not None
        results[trial.turn.speed, trial.seat(0).progress] += 1
    return results


def check_odds(forecast: Forecast, results: Counter[tuple[int, int]]) -> None:
    odds = {(outcome.speed, outcome.end): outcome.probability for outcome in forecast.outcomes}
    assert odds == pytest.approx({key: count / results.total() for key, count in results.items()})
    assert sum(odds.values()) == pytest.approx(1)
    speeds = [outcome.speed for outcome in forecast.outcomes]
    assert speeds == sorted(set(speeds))


@pytest.mark.parametrize(
    "cards", [("stress",), ("stress", "1"), ("stress", "stress"), ("stress", "stress", "3")]
)
@pytest.mark.parametrize("draw", ["1 2 2 4", "4 heat stress 1 1", "heat heat 3 3 1", "1 2 start-5"])
def test_odds_of_played_flips_equal_every_order_of_the_pile(cards: tuple[str, ...], draw: str) -> None:
    words = f"lap 1 space 50 gear {len(cards)} engine 3 hand stress stress 1 3 draw {draw}"
    race = position({"ana": words, "ben": BEN})
    told = forecast_cards(observation(race), cards)
    step(race, 1, c.PlayCards(("1",)))
    check_odds(told, every_order(race, c.PlayCards(cards)))


@pytest.mark.parametrize("draw", ["1 2 2 4", "4 heat stress 1 1", "heat heat 3 3 1"])
def test_odds_of_a_boost_equal_every_order_of_the_pile(draw: str) -> None:
    words = f"lap 1 space 40 gear 4 engine 3 hand 1 2 3 4 draw {draw}"
    race = position({"ana": words, "ben": BEN})
    step(race, 1, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("1", "2", "3", "4")))
    choice = observation(race).own.choice
    assert isinstance(choice, ReactChoice)
    (boost,) = [number for number, use in enumerate(choice.symbols) if use.symbol.kind == "boost"]
    told = forecast_symbol(observation(race), boost, 1)
    assert told.heat == 1
    check_odds(told, every_order(race, c.UseSymbol(boost, 1)))


def test_a_leaders_forecast_is_what_happens_in_random_play() -> None:
    """The first car of the order moves among cars that stand where they stood."""
    certain = flipped = 0
    for seed in range(12):
        game = RandomPlay(setup_of("france", seats=3, legends=1, laps=1, seed=f"lead/{seed}"), f"lead/{seed}")
        while game.race.phase is not Phase.ENDED:
            race = game.race
            if race.phase is Phase.PLAY_CARDS:
                for told, after in leaders(race):
                    car = after.turn
                    assert car is not None
                    seat = after.seat(car.car)
                    found = [o for o in told.outcomes if (o.speed, o.end) == (car.speed, seat.progress)]
                    assert len(found) == 1
                    assert found[0].spot == seat.spot
                    assert tuple(bill.line for bill in found[0].bills) == car.lines[: len(found[0].bills)]
                    certain += told.is_certain
                    flipped += not told.is_certain
            game.step()
    assert certain > 20
    assert flipped > 5


def leaders(race: Race) -> list[tuple[Forecast, Race]]:
    """Play phase 2 on a copy by defaults: the forecast of who moves first, and the race after that move."""
    first = turn_order(race)[0]
    if first not in race.racing_seats():
        return []
    command = default_command(observation(race, first))
    assert isinstance(command, c.PlayCards)
    if not command.cards:
        return []
    told = forecast_cards(observation(race, first), command.cards)
    after, _ = decide(race, first, command)
    for seat in race.racing_seats():
        if seat != first and seat in after.open and after.open[seat].kind == "cards":
            if after.open[seat].chosen is None:
                step(after, seat, default_command(observation(after, seat)))
    return [(told, after)] if after.turn is not None and after.turn.car == first else []
