"""A sensible heuristic: fast on the straights, within the engine at corners, seldom off the road.

It weighs spaces gained against Heat paid. Heat is dearer the less of it is left, a spin-out costs more than
any turn can gain, and a place close before a tight corner in a high gear is worth less than it looks.
"""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias, assert_never

from heat_core import commands as c
from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, UPGRADES, CardName, playable_cards
from heat_core.choices import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.data.facts import SymbolKind
from heat_core.defaults import mean_speed
from heat_core.forecast import (
    Forecast,
    forecast_direct,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
)
from heat_core.rng import Stream
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.view import Sight

_SPIN_OUT = 25.0
_FAR_FROM_CORNER_SPACES = 12
_OPEN_ROAD = (40, 20)
"""As far as the bot looks ahead: what stands for the next line where there is none so near."""
_FLIP_RISK = 1.5
_COOLING = 0.9
_CLUTTERED = 12.0
_PRESSED = 0.9
_SLOW_CARDS: frozenset[CardName] = frozenset({"1", "start-0"})


class _Road:
    """The next corner lines ahead of the own car, as (spaces before the line, limit)."""

    def __init__(self, sight: Sight) -> None:
        track = sight.track
        car = sight.own_car
        self.engine = car.engine
        self.spaces_to_finish = sight.finish_line - car.progress
        self.lines: list[tuple[int, int]] = []
        line = track.next_line(car.progress)
        while line - car.progress < _OPEN_ROAD[0] and line <= sight.finish_line:
            self.lines.append((line - car.progress, track.corners[track.corner_at(line)].limit))
            line = track.next_line(line + 1)

    def score(self, speed: float, gear: int) -> float:
        """Weigh a move of so many spaces at that speed in a gear."""
        owed = 0.0
        for spaces, limit in self.lines:
            if spaces >= speed:
                break
            if speed > limit:
                owed += speed - limit
        else:
            spaces, limit = _OPEN_ROAD
        left = self.engine - owed
        if left < 0:
            return -_SPIN_OUT + left
        if speed > self.spaces_to_finish:
            return speed + 10.0
        # What the next turn will want: a gear that can slow down enough for the corner then close ahead.
        slowest_ahead = spaces - speed if spaces - speed > limit else limit
        pressed = 1.8 * (gear - 1) - slowest_ahead
        worth = speed - owed * heat_price(left) if owed else speed
        return worth - _PRESSED * pressed if pressed > 0 else worth


def heat_price(engine_left: float) -> float:
    """Give what one Heat is worth in spaces, by what is left."""
    return 1.0 if engine_left >= 3 else 1.6


def choose(sight: Sight, stream: Stream) -> c.Command:
    """Choose for the open decision; the stream is not needed, for it never guesses."""
    choice = sight.own.choice
    match choice:
        case GearChoice():
            return _choose_gear(sight, choice)
        case CardsChoice():
            ways = _ways_to_play(choice.pool, choice.count)
            return c.PlayCards(_best_of(_Road(sight), sight.own_car.gear, ways[choice.count])[1])
        case ValueChoice():
            return _choose_values(sight, choice)
        case ReactChoice():
            return _choose_reaction(sight, choice)
        case UnpaidChoice():
            return c.DropUnpaid(choice.ways[0])
        case SlipstreamChoice():
            best = max(choice.spaces, key=lambda spaces: _value(sight, forecast_slipstream(sight, spaces)))
            return c.Slipstream(best)
        case DiscardChoice():
            return _choose_discards(sight, choice)
        case PickChoice():
            return c.PickUpgrade(max(choice.offered, key=upgrade_worth))
        case SwapChoice():
            return _choose_swap(choice)
        case None:
            raise ValueError(f"seat {sight.own.seat} has nothing to decide")
        case _:
            assert_never(choice)


def _choose_gear(sight: Sight, choice: GearChoice) -> c.ShiftGear:
    road = _Road(sight)
    playable = playable_cards(sight.own.hand)
    heat_in_hand = len(sight.own.hand) - len(playable)
    ways = _ways_to_play(playable, choice.options[-1].gear)
    best_gear, best_score = choice.options[0].gear, float("-inf")
    for gear, heat in choice.options:
        if len(playable) < gear:
            score = -_CLUTTERED
        else:
            score, _ = _best_of(road, gear, ways[gear])
            score += _COOLING * min(heat_in_hand, GEAR_COOLDOWN.get(gear, 0))
        score -= heat * heat_price(road.engine - heat)
        if score > best_score:
            best_gear, best_score = gear, score
    return c.ShiftGear(best_gear)


_Ways: TypeAlias = dict[tuple[float, int], tuple[CardName, ...]]


def _ways_to_play(pool: tuple[CardName, ...], most: int) -> list[_Ways]:
    """List what a hand can do: by number of cards, then by mean speed and flips, one way to reach them.

    That is a few dozen instead of every combination.
    """
    ways: list[_Ways] = [{} for _ in range(most + 1)]
    ways[0][0.0, 0] = ()
    for card in pool:
        speed, flips = mean_speed(card), CARD_FLIPS[card]
        for size in range(most - 1, -1, -1):
            for (total, flipped), cards in ways[size].items():
                ways[size + 1].setdefault((total + speed, flipped + flips), (*cards, card))
    return ways


def _best_of(road: _Road, gear: int, ways: _Ways) -> tuple[float, tuple[CardName, ...]]:
    """Find the cards whose speed scores best: the score and the cards."""
    best: tuple[float, tuple[CardName, ...]] = (float("-inf"), ())
    for (speed, flips), cards in ways.items():
        score = road.score(speed, gear)
        if flips:
            risky = road.score(speed + _FLIP_RISK * flips, gear)
            score = (score + min(score, risky)) / 2 + 0.7 * flips
        if score > best[0]:
            best = (score, cards)
    return best


def _choose_values(sight: Sight, choice: ValueChoice) -> c.ChooseValue:
    """Take the values whose sum scores best on the road ahead."""
    turn = sight.view.turn
    known = (turn.speed or 0) if turn else 0
    road, gear = _Road(sight), sight.own_car.gear
    return c.ChooseValue(
        max(product(*choice.speeds), key=lambda values: road.score(known + sum(values), gear))
    )


def upgrade_worth(card: CardName) -> float:
    """Weigh an upgrade: its speed, what it cools and saves, less what it costs."""
    facts = UPGRADES[card]
    if not facts.speeds:
        return -1.0
    worth = sum(facts.speeds) / len(facts.speeds) / 2 + 0.8 * (len(facts.speeds) - 1)
    return worth + sum(_SYMBOL_WORTH[kind] * number for kind, number in facts.symbols)


_SYMBOL_WORTH: Final[dict[SymbolKind, float]] = {
    "flip": 0.8,
    "cooldown": 1.2,
    "boost": 0.5,
    "speed": 0.5,
    "reduce_stress": 0.3,
    "heat": -1.0,
    "scrap": -0.1,
    "salvage": 0.2,
    "super_cool": 1.2,
    "direct": 0.8,
    "accelerate": 0.6,
    "draft": 0.3,
    "slipstream": 0.3,
    "adjust": 0.9,
    "refresh": 0.5,
}


def _choose_swap(choice: SwapChoice) -> c.SwapUpgrade:
    worst = min(choice.owned, key=upgrade_worth, default=None)
    best = max(choice.left, key=upgrade_worth, default=None)
    if worst is None or best is None or upgrade_worth(best) <= upgrade_worth(worst):
        return c.SwapUpgrade(None, None)
    return c.SwapUpgrade(worst, best)


_AT_ONCE: Final[frozenset[SymbolKind]] = frozenset(
    {"cooldown", "super_cool", "reduce_stress", "heat", "scrap"}
)
"""Symbols that are used in full, or must be."""


def _choose_reaction(sight: Sight, choice: ReactChoice) -> c.Command:
    best: c.Command = c.EndReact()
    best_value = _value(sight, forecast_end_of_react(sight)) + 0.2
    for number, use in enumerate(choice.symbols):
        if not use.most:
            continue
        if use.symbol.kind in _AT_ONCE:
            return c.UseSymbol(number, use.most)
        if use.symbol.kind == "salvage":
            return c.UseSymbol(number, use.most, _best_cards(choice.salvageable, use.most))
        value = _value(sight, forecast_symbol(sight, number, use.most))
        if value > best_value:
            best, best_value = c.UseSymbol(number, use.most), value
    for direct in choice.direct:
        for speed in direct.speeds if not direct.reason else ():
            value = _value(sight, forecast_direct(sight, direct, speed))
            if value > best_value:
                best = choice.play_directly(direct.card, speed)
                best_value = value
    return best


def _best_cards(cards: tuple[CardName, ...], count: int) -> tuple[CardName, ...]:
    """Take the cards of most speed, in the order in which they are given."""
    fastest = sorted(range(len(cards)), key=lambda place: -mean_speed(cards[place]))[:count]
    return tuple([cards[place] for place in sorted(fastest)])


def _value(sight: Sight, forecast: Forecast) -> float:
    """Weigh where the outcomes lead: spaces against Heat, and a slipstream as a chance."""
    value = -forecast.heat * heat_price(sight.own_car.engine - forecast.heat)
    for outcome in forecast.outcomes:
        worth = float(outcome.end)
        if outcome.spins_out:
            worth -= _SPIN_OUT
        elif outcome.finishes:
            worth += 10.0
        else:
            worth -= outcome.owed * heat_price(outcome.engine_left)
        if outcome.slipstream_end is not None and not outcome.spins_out:
            worth += 0.8
        value += outcome.probability * worth
    return value


def _choose_discards(sight: Sight, choice: DiscardChoice) -> c.Discard:
    """Put slow cards away before a straight, and fast ones before a tight corner."""
    road = _Road(sight)
    spaces, limit = road.lines[0] if road.lines else _OPEN_ROAD
    if spaces >= _FAR_FROM_CORNER_SPACES:
        return c.Discard(tuple([card for card in choice.pool if card in _SLOW_CARDS][: choice.most]))
    if spaces <= 3 and limit <= 3:
        fast = [card for card in choice.pool if CARD_SPEEDS[card] > limit + 1]
        return c.Discard(tuple(fast[: min(2, choice.most)]))
    return c.Discard(())
