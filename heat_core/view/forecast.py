"""What a choice will lead to, from a seat's observation alone: speed, place, bills, and the odds of flips.

The same functions move cars and check corners as in the engine. What cars that drive before the own one may
change is kept apart from what is certain; see `heat_core.view.traffic`.

A screen asks for the words, the marks and the figures of one choice, and after each pick for all choices that
are still open: `remember_forecasts` has each of them worked out once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    CATALOGUE,
    HEAT,
    REACT_SYMBOLS,
    VALUE_CHOICES,
    CardName,
    playable_cards,
)
from heat_core.decisions import GearChoice, ReactChoice
from heat_core.race.bills import total
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.rules.offers import DirectUse
from heat_core.view.endings import outcome_of, way_of
from heat_core.view.observation import Observation
from heat_core.view.odds import own_flip_odds
from heat_core.view.outcomes import Forecast, GearForecast
from heat_core.view.traffic import Traffic, traffic_before

_TRAFFIC: Final = "traffic"


def remember_forecasts(observation: Observation) -> None:
    """Work out each forecast of an observation once, as long as the observation exists.

    Args:
        observation: Nothing in it may change, as it does in a roll-out.
    """
    observation.memory = {}


def _forecast(
    observation: Observation,
    gains: Mapping[int, float],
    *,
    speed: int = 0,
    spaces: int = 0,
    heat: int = 0,
    cooled: int = 0,
    cards: Sequence[CardName] = (),
    unpaid: int = 0,
    slipstream: bool = False,
    dropped: frozenset[int] = frozenset(),
) -> Forecast:
    """Say what comes of a choice that moves the own car.

    Args:
        gains: What flips, or a symbol, add to speed and spaces -> probability.
        speed: Of the turn without the gain.
        spaces: How far the choice goes without the gain.
        heat: What it costs.
        cooled: Heat that it brings back first.
        cards: Those not played yet, whose symbols count besides those of the turn.
        unpaid: Heat that the turn's cards still ask for when the choice is made.
        slipstream: Whether this is one already.
        dropped: Numbers of the turn's cards that go, for which it is driven again from where it began.
    """
    memory = {} if observation.memory is None else observation.memory
    asked = (
        *gains.items(), speed, spaces, heat, cooled, tuple(sorted(cards)), unpaid, slipstream, dropped
    )  # fmt: skip
    forecast: Forecast | None = memory.get(asked)
    if forecast is None:
        traffic: Traffic = memory.get(_TRAFFIC) or traffic_before(observation)
        memory[_TRAFFIC] = traffic
        engine = observation.own_car.engine + cooled - heat - unpaid
        way = way_of(observation, max(0, engine), cards, dropped, is_slipstream=slipstream)
        outcomes = tuple(
            [
                outcome_of(observation, traffic, way, probability, speed + gain, spaces + gain)
                for gain, probability in gains.items()
            ]
        )
        forecast = memory[asked] = Forecast(heat, outcomes, unpaid, max(0, -engine))
    return forecast


_NOTHING_GAINED: Final[Mapping[int, float]] = {0: 1.0}


def heat_of_cards(cards: Sequence[CardName]) -> int:
    """Add up the Heat that cards ask for when they are played."""
    return sum(number for card in cards for kind, number in REACT_SYMBOLS[card] if kind == "heat")


def forecast_cards(
    observation: Observation,
    cards: Sequence[CardName],
    values: Sequence[int] | None = None,
    *,
    cooled: int = 0,
) -> Forecast:
    """Say what playing these cards leads to.

    Args:
        cards: Any playable cards of the hand, as many as are picked so far.
        values: What is chosen for those that have a choice, in their order; None: the least of each.
        cooled: Heat that will be cooled before corners are checked.
    """
    if values is None:
        values = [min(VALUE_CHOICES[card]) for card in cards if card in VALUE_CHOICES]
    known = sum(CARD_SPEEDS[card] for card in cards if card not in VALUE_CHOICES) + sum(values)
    flips = sum(CARD_FLIPS[card] for card in cards)
    odds = own_flip_odds(observation, flips)
    unpaid = heat_of_cards(cards)
    return _forecast(observation, odds, speed=known, spaces=known, cooled=cooled, cards=cards, unpaid=unpaid)


def sure_cooling(observation: Observation, cards: Sequence[CardName]) -> int:
    """Say how much Heat can be cooled in the turn to come for sure, by the gear and by these cards.

    Adrenaline may come on top, and a sector may forbid it all where the car ends.
    """
    gear = GEAR_COOLDOWN.get(observation.own_car.gear, 0)
    printed = sum(number for card in cards for kind, number in REACT_SYMBOLS[card] if kind == "cooldown")
    return min(observation.hand.count(HEAT), gear + printed)


def forecast_each_value(
    observation: Observation, cards: Sequence[CardName], *, cooled: int = 0
) -> tuple[Forecast, ...]:
    """Say what playing these cards leads to by what is chosen once they have turned up.

    Args:
        cooled: Heat that will be cooled before corners are checked.

    Returns:
        One forecast for each sum that the cards with a choice can have, least first; one alone without such.
    """
    choices = [VALUE_CHOICES[card] for card in cards if card in VALUE_CHOICES]
    by_sum = {sum(values): values for values in product(*choices)}
    return tuple(forecast_cards(observation, cards, by_sum[total], cooled=cooled) for total in sorted(by_sum))


def forecast_values(observation: Observation, values: Sequence[int]) -> Forecast:
    """Say what these speeds of the played cards that offer a choice lead to."""
    turn = observation.turn
    assert turn is not None
    played = observation.own_car.played
    speed = (turn.speed or 0) + sum(values)
    unpaid = heat_of_cards(played)
    return _forecast(observation, _NOTHING_GAINED, speed=speed, spaces=speed, cards=played, unpaid=unpaid)


def forecast_unpaid(observation: Observation, cards: Sequence[CardName]) -> Forecast:
    """Say what giving up played cards that cannot be paid leads to: a flip for each, the turn again."""
    turn = observation.turn
    assert turn is not None
    unpaid = _unpaid_heat(observation)
    parts = list(turn.parts)
    dropped = set()
    for card in cards:
        own = [part for part in parts if part.rule == card and part.card in unpaid]
        gone = min(own, key=lambda part: (part.amount, part.card))
        parts.remove(gone)
        dropped.add(gone.card)
    kept = total(parts)
    return _forecast(
        observation,
        own_flip_odds(observation, len(cards)),
        speed=kept,
        spaces=kept,
        unpaid=sum(heat for card, heat in unpaid.items() if card not in dropped),
        dropped=frozenset(dropped),
    )


def _unpaid_heat(observation: Observation) -> dict[int, int]:
    """List the cards of the own turn whose Heat is not paid yet: number of the card -> Heat."""
    turn = observation.turn
    if turn is None or turn.car != observation.own_car.number:
        return {}
    symbols = zip(turn.symbols, turn.used, strict=True)
    return {symbol.card: symbol.number for symbol, used in symbols if symbol.kind == "heat" and not used}


def _speed(observation: Observation) -> int:
    turn = observation.turn
    return (turn.speed or 0) if turn else 0


def forecast_end_of_react(observation: Observation) -> Forecast:
    """Say what follows when nothing more is used but what must be, and no slipstream taken."""
    unpaid = sum(_unpaid_heat(observation).values())
    return _forecast(observation, _NOTHING_GAINED, speed=_speed(observation), unpaid=unpaid)


def forecast_symbol(observation: Observation, number: int, amount: int) -> Forecast:
    """Say what using a symbol leads to, if nothing more is used after it but what must be.

    Args:
        number: Its place in the turn's list.
        amount: Within the limits that the choice gives.
    """
    return forecast_reactions(observation, {number: amount})


def forecast_direct(observation: Observation, use: DirectUse, speed: int) -> Forecast:
    """Say what playing a card of the hand in phase 5 leads to, at one of its speeds."""
    return forecast_reactions(observation, {}, use, speed)


def forecast_reactions(
    observation: Observation, symbols: Mapping[int, int], direct: DirectUse | None = None, speed: int = 0
) -> Forecast:
    """Say what several reactions lead to together, if nothing more is used after them but what must be.

    Args:
        symbols: Their places in the turn's list, each with the amount, within the limits of the choice.
        direct: A card of the hand that is played besides.
        speed: Its speed.
    """
    choice = observation.choice
    turn = observation.turn
    assert isinstance(choice, ReactChoice)
    assert turn is not None
    unpaid = _unpaid_heat(observation)
    flips = gained = spaces = heat = cooled = 0
    for number, amount in symbols.items():
        use = choice.symbols[number]
        heat += use.heat
        match use.symbol.kind:
            case "cooldown" | "super_cool":
                cooled += amount
            case "boost":
                flips += 1
            case "speed":
                gained += use.symbol.number
            case "accelerate":
                gained += amount * turn.flips
            case "draft":
                spaces += amount
            case "heat":
                unpaid.pop(use.symbol.card, None)
            case _:
                pass
    if direct is not None:
        flips += CARD_FLIPS[direct.card]
        gained += speed
        heat += direct.heat
        cooled += direct.cooled
    return _forecast(
        observation,
        {gained + flipped: chance for flipped, chance in own_flip_odds(observation, flips).items()},
        speed=_speed(observation),
        spaces=spaces,
        heat=heat,
        cooled=cooled,
        cards=() if direct is None else (direct.card,),
        unpaid=sum(unpaid.values()),
    )


def forecast_slipstream(observation: Observation, spaces: int) -> Forecast:
    """Say what a slipstream of so many spaces leads to; 0: none."""
    return _forecast(observation, _NOTHING_GAINED, speed=_speed(observation), spaces=spaces, slipstream=True)


def forecast_gear(observation: Observation, gear: int) -> GearForecast:
    """Say what a gear of the open choice costs and makes possible."""
    heat = 0
    if isinstance(observation.choice, GearChoice):
        heat = observation.choice.heat_of(gear)
    playable = playable_cards(observation.hand)
    if len(playable) < gear:
        return GearForecast(gear, heat, False, 0, 0)
    least = sorted(CARD_SPEEDS[card] + CARD_FLIPS[card] for card in playable)[:gear]
    fastest = [max(CATALOGUE[card].speeds, default=0) + 4 * CARD_FLIPS[card] for card in playable]
    most = sorted(fastest, reverse=True)[:gear]
    return GearForecast(gear, heat, True, sum(least), sum(most))
