"""What must hold of forecasts: a certain one is what happens, else one of the ways that it named does."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, CATALOGUE, CardName
from heat_core.decisions import CardsChoice, ReactChoice, SlipstreamChoice, ValueChoice, choice_of
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.rules.movement import free_spot
from heat_core.view import secrecy as view
from heat_core.view.forecast import (
    forecast_direct,
    forecast_each_value,
    forecast_end_of_react,
    forecast_gear,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_core.view.traffic import cars_before
from tests.core.driver import Moment, Property


class ForecastsComeTrue(Property):
    """BOT-3's root: a certain forecast is what happens; else what happens is one of the ways that were told.

    Forecasts of cards are kept until the turn of their car comes, unless somebody gives up before that.
    """

    name = "forecasts equal outcomes"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.awaited: dict[int, CardsTold] = {}

    def after_step(self, moment: Moment) -> None:
        if isinstance(moment.command, c.GiveUp):
            self.awaited.clear()
        self.check_choice(moment)
        turn = moment.race.turn
        if turn is not None and turn.car in self.awaited and turn.car in moment.race.open:
            check_cards(moment.race, turn.car, self.awaited.pop(turn.car))

    def check_choice(self, moment: Moment) -> None:
        observation = observation_of(moment.before, moment.seat)
        is_turned_up = any(isinstance(event, e.ChoicesTurnedUp) for event in moment.events)
        match moment.command:
            case c.UseSymbol(number, amount, cards):
                choice = observation.own.choice
                assert isinstance(choice, ReactChoice)
                direct = [use for use in choice.direct if (use.card,) == cards]
                if number == len(choice.symbols):
                    check_symbol(moment, forecast_direct(observation, direct[0], amount))
                else:
                    check_symbol(moment, forecast_symbol(observation, number, amount))
            case c.ChooseValue(values):
                check_turn_driven(moment, forecast_values(observation, values))
            case c.DropUnpaid(cards):
                check_turn_driven(moment, forecast_unpaid(observation, cards))
            case c.EndReact():
                outcome = certain(forecast_end_of_react(observation))
                decision = moment.race.open.get(moment.seat)
                if decision is not None and decision.kind == "unpaid":
                    return
                opened = decision is not None and decision.kind == "slipstream"
                assert opened == (outcome.slipstream_end is not None), "whether a slipstream is possible"
                if not opened:
                    check_corners(moment, outcome)
            case c.Slipstream(spaces):
                choice = observation.own.choice
                assert isinstance(choice, SlipstreamChoice)
                # Whoever it was asked for may have given up meanwhile.
                shortest = choice.ends[1] if len(choice.ends) > 1 else None
                assert certain(forecast_end_of_react(observation)).slipstream_end == shortest
                if spaces:
                    moved = next(event for event in moment.events if isinstance(event, e.CarMoved))
                    assert moved.end == choice.ends[choice.spaces.index(spaces)]
                check_corners(moment, certain(forecast_slipstream(observation, spaces)))
            case c.ShiftGear() if is_turned_up:
                check_gears(moment)
            case c.PlayCards() if any(isinstance(event, e.TurnOrderFixed) for event in moment.events):
                check_speeds_of_gears(moment)
                self.awaited = cards_told(moment)
            case _:
                pass


def observation_of(race: Race, seat: int) -> Observation:
    return Observation(view.public_setup(race.setup), view.view_race(race, seat))


def certain(forecast: Forecast) -> Outcome:
    check_odds(forecast)
    assert forecast.is_certain
    return forecast.slowest


def check_odds(forecast: Forecast) -> None:
    assert sum(outcome.probability for outcome in forecast.outcomes) == pytest.approx(1)
    assert all(0 < outcome.probability <= 1 for outcome in forecast.outcomes)


def heat_paid(moment: Moment, seat: int) -> int:
    paid = [event for event in moment.events if isinstance(event, e.HeatPaid) and event.seat == seat]
    return sum(event.amount for event in paid)


def check_symbol(moment: Moment, forecast: Forecast) -> None:
    check_turn_driven(moment, forecast)
    assert forecast.heat == heat_paid(moment, moment.seat)


def check_turn_driven(moment: Moment, forecast: Forecast) -> None:
    """Compare with where the step's seat now stands in phase 5."""
    check_odds(forecast)
    number = moment.seat
    car, turn = moment.race.seat(number), moment.race.turn
    assert turn is not None
    (way,) = [way for way in forecast.ways if (way.speed, way.end) == (turn.speed, car.progress)]
    assert way.spot == car.spot
    told = forecast_end_of_react(observation_of(moment.race, number))
    after = replace(certain(told), probability=way.probability, aim=way.aim)
    assert after == way, "what follows if nothing more is used"
    assert (told.cards_heat, told.lacking) == (forecast.cards_heat, forecast.lacking)


def check_corners(moment: Moment, outcome: Outcome) -> None:
    """Compare with phase 7 of the seat, which ends in this step."""
    seat = moment.seat
    own = [event for event in moment.events if getattr(event, "seat", getattr(event, "car", -1)) == seat]
    checked = [
        (event.line, event.speed, event.limit, event.owed, event.paid)
        for event in own
        if isinstance(event, e.CornerChecked)
    ]
    assert checked == [(bill.line, outcome.speed, bill.limit, bill.owed, bill.paid) for bill in outcome.bills]
    assert outcome.owed == sum(bill.owed for bill in outcome.bills)
    spins = [(event.end, event.stress) for event in own if isinstance(event, e.SpunOut)]
    assert spins == ([(outcome.spin_ends[0], outcome.stress)] if outcome.spins_out else [])
    assert outcome.finishes == any(isinstance(event, e.CarFinished) for event in own)
    assert outcome.engine_left == moment.before.seat(seat).engine - heat_paid(moment, seat)
    end = outcome.spin_ends[0] if outcome.spins_out else outcome.end
    assert moment.race.cars[seat].progress == end
    assert outcome.spins_out or moment.race.cars[seat].spot == outcome.spot


def check_gears(moment: Moment) -> None:
    for event in moment.events:
        if isinstance(event, e.GearShifted):
            gear = forecast_gear(observation_of(moment.before, event.seat), event.gear)
            assert gear.heat == heat_paid(moment, event.seat)
            choice = choice_of(moment.race, event.seat)
            assert isinstance(choice, CardsChoice)
            assert gear.fills == (not choice.is_cluttered)


def check_speeds_of_gears(moment: Moment) -> None:
    """Compare what a gear was said to make possible with what is played in it."""
    for seat, cards in cards_played(moment).items():
        observation = observation_of(moment.before, seat)
        gear = forecast_gear(observation, observation.own_car.gear)
        known = sum(CARD_SPEEDS[card] for card in cards)
        fastest = sum(max(CATALOGUE[card].speeds, default=0) for card in cards)
        flips = sum(CARD_FLIPS[card] for card in cards)
        assert not cards or gear.least_speed <= known + flips <= fastest + 4 * flips <= gear.most_speed


def cards_played(moment: Moment) -> dict[int, tuple[CardName, ...]]:
    """Name the cards of all seats whose choice of them takes effect in a step."""
    chosen = {seat: decision.chosen for seat, decision in moment.before.open.items()}
    chosen[moment.seat] = moment.command
    return {seat: said.cards for seat, said in chosen.items() if isinstance(said, c.PlayCards)}


class CardsTold(NamedTuple):
    """What was told of the cards of a seat before the first car drove.

    Attributes:
        told: By the sum of the values that may be chosen, least first.
        is_first: Whether no car drives before.
    """

    told: tuple[Forecast, ...]
    is_first: bool


def cards_told(moment: Moment) -> dict[int, CardsTold]:
    told = {}
    for seat, cards in cards_played(moment).items():
        observation = observation_of(moment.before, seat)
        told[seat] = CardsTold(forecast_each_value(observation, cards), not cars_before(observation))
    return told


def check_cards(race: Race, seat: int, cards: CardsTold) -> None:
    """Compare with the turn of the seat, once its cards have turned up and before their values are chosen."""
    choice = choice_of(race, seat)
    if isinstance(choice, ValueChoice):
        sums = {sum(values): values for values in product(*choice.speeds)}
        after = [forecast_values(observation_of(race, seat), sums[total]) for total in sorted(sums)]
    else:
        after = [forecast_end_of_react(observation_of(race, seat))]
    assert len(cards.told) == len(after)
    for told, now in zip(cards.told, after, strict=True):
        check_odds(told)
        check_way(race, seat, told, certain(now), is_first=cards.is_first)
        assert (told.cards_heat, told.lacking) == (now.cards_heat, now.lacking)


def check_way(race: Race, seat: int, told: Forecast, after: Outcome, *, is_first: bool) -> Outcome:
    """Find the way that has come true of all that were told, and compare the two.

    Returns:
        The way as it was told.
    """
    (way,) = [way for way in told.ways if (way.speed, way.end) == (after.speed, after.end)]
    occupied = race.occupied(seat)
    assert all(free_spot(race.track, occupied, progress) is None for progress in way.full), "why it happens"
    assert not after.spins_out or after.spin_ends[0] in way.spin_ends
    assert way.spins_out == after.spins_out
    assert way.may_slipstream or after.slipstream_end is None
    assert after.slipstream_end is not None or way.slipstream_end is None, "a slipstream that was sure"
    if is_first:
        assert told.slowest.is_certain
        assert (way.spot, way.slipstream_end) == (after.spot, after.slipstream_end)
        assert way.may_slipstream == after.may_slipstream
    left_open = {
        "probability",
        "aim",
        "spot",
        "spin_ends",
        "slipstream_end",
        "may_slipstream",
        "full",
        "instead",
    }
    for field in set(Outcome.__struct_fields__) - left_open:
        assert getattr(way, field) == getattr(after, field), field
    return way


FORECAST_PROPERTIES: tuple[type[Property], ...] = (ForecastsComeTrue,)
