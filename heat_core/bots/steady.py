"""A steady bot: fast on the straights, within its engine's Heat at corners, rarely spins out.

It weighs spaces gained against Heat paid. Heat is dearer the less of it is left, a spin-out costs more than
any turn can gain, and a place close before a tight corner in a high gear is worth less than it looks.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias, assert_never

from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    CATALOGUE,
    HEAT,
    REACT_SYMBOLS,
    STRESS,
    UPGRADES,
    CardName,
    playable_cards,
)
from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.planner.ways import MOST_CARDS
from heat_core.race import commands as c
from heat_core.race.events.parts import Roads
from heat_core.rng import Stream
from heat_core.rules.corners import OVERHEAT, limit_at
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.rules.sectors import corner_token
from heat_core.track import Track
from heat_core.view.defaults import mean_speed
from heat_core.view.forecast import (
    forecast_direct,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast

# What things are worth, in spaces; tuned by tournaments of the bot against itself.
_SPIN_OUT: Final = 25.0
_FINISH: Final = 10.0
_HEAT: Final = 1.0
_SCARCE_HEAT: Final = 1.6
_COOLING: Final = 0.9
_CLUTTERED: Final = 12.0
_FLIP: Final = 0.7
_SLIPSTREAM_CHANCE: Final = 0.8
_LEAST_GAIN: Final = 0.2
"""What a reaction must gain to be worth it."""
_PRESSED: Final = 0.9
"""For each space by which the next corner comes too close for the gear."""
_UNPAID: Final = 2.0
"""For each Heat that played cards ask for and the engine does not have."""

_ENOUGH_HEAT: Final = 3
"""An engine with less is short of it."""
_FLIP_RISK: Final = 1.5
"""A flip may turn out so much faster than on average."""
_SLOWEST_PER_CARD: Final = 1.8
"""What a card of the next turn will add to the speed even where the hand is played slowly."""

_FAR_FROM_CORNER_SPACES: Final = 12
_CLOSE_TO_CORNER_SPACES: Final = 3
_TIGHT_LIMIT: Final = 3
_MOST_FAST_DISCARDS: Final = 2
_SLOW_CARDS: Final[frozenset[CardName]] = frozenset({"1", "start-0"})
_CLOGS: Final[frozenset[CardName]] = frozenset({HEAT, STRESS})
"""Cards that nobody keeps who may put them away."""


class _Line(NamedTuple):
    """A corner line ahead.

    Attributes:
        spaces: How many are free before it.
        limit: With its road token.
        surcharge: Heat that is owed besides where any is.
    """

    spaces: int
    limit: int
    surcharge: int = 0


_OPEN_ROAD: Final = _Line(40, 20)
"""As far as the bot looks ahead: what stands for the next line where there is none so near."""


_Way: TypeAlias = tuple[float, int, int, int]
"""What some cards come to when they are played: mean speed, flips in it, adjust symbols, Heat to pay.

Thousands are made in a roll-out, so it is a plain tuple.
"""
_NO_CARDS: Final[_Way] = (0.0, 0, 0, 0)


def _way_of(card: CardName) -> _Way:
    symbols = dict(REACT_SYMBOLS[card])
    return mean_speed(card), CARD_FLIPS[card], symbols.get("adjust", 0), symbols.get("heat", 0)


_WAYS: Final = {card: _way_of(card) for card in CATALOGUE}


@lru_cache(maxsize=1024)
def _lines_ahead(track: Track, roads: Roads, progress: int, finish_line: int) -> tuple[_Line, ...]:
    """List the corner lines that the bot looks at from a place."""
    lines = []
    line = track.next_line(progress)
    while line - progress < _OPEN_ROAD.spaces and line <= finish_line:
        corner = track.corner_at(line)
        surcharge = OVERHEAT if corner_token(track, roads, corner) == "overheat" else 0
        limit = limit_at(track, roads, corner) if roads else track.corners[corner].limit
        lines.append(_Line(line - progress, limit, surcharge))
        line = track.next_line(line + 1)
    return tuple(lines)


class _Road:
    """The next corner lines ahead of the own car."""

    def __init__(self, observation: Observation) -> None:
        car = observation.own_car
        self.engine = car.engine
        self.spaces_to_finish = observation.finish_line - car.progress
        self.lines = _lines_ahead(observation.track, observation.roads, car.progress, observation.finish_line)

    def next_line(self) -> _Line:
        """Give the first of them, or what stands for it."""
        return self.lines[0] if self.lines else _OPEN_ROAD

    def score(self, speed: float, gear: int, adjust: int = 0, heat: int = 0) -> float:
        """Weigh a move of so many spaces at that speed in a gear.

        Args:
            adjust: By how much the limits change for this turn.
            heat: What the cards cost before any corner.
        """
        owed = 0.0
        ahead, limit_ahead = _OPEN_ROAD.spaces, _OPEN_ROAD.limit
        for spaces, limit, surcharge in self.lines:
            if spaces >= speed:
                ahead, limit_ahead = spaces, limit
                break
            adjusted = max(0, limit + adjust) if adjust else limit
            if speed > adjusted:
                owed += speed - adjusted + surcharge
        lacking = max(0, heat - self.engine) if heat else 0
        left = self.engine - (heat - lacking) - owed
        if left < 0:
            return -_SPIN_OUT + left
        if speed > self.spaces_to_finish:
            return speed + _FINISH - lacking * _UNPAID
        # What the next turn will want: a gear that can slow down enough for the corner then close ahead.
        pressed = _SLOWEST_PER_CARD * (gear - 1) - max(ahead - speed, limit_ahead)
        cost = (owed + heat - lacking) * heat_price(left) + lacking * _UNPAID
        return speed - cost - _PRESSED * pressed if pressed > 0 else speed - cost


def heat_price(engine_left: float) -> float:
    """Give what one Heat is worth in spaces, by what is left."""
    return _HEAT if engine_left >= _ENOUGH_HEAT else _SCARCE_HEAT


def choose(observation: Observation, stream: Stream) -> c.Command:
    """Choose for the open decision; the stream is not needed, for it never guesses."""
    choice: Choice | None = observation.choice
    match choice:
        case GearChoice():
            return _choose_gear(observation, choice)
        case CardsChoice():
            ways = _ways_to_play(choice.pool)
            return c.PlayCards(_best_of(_Road(observation), observation.own_car.gear, ways[choice.count])[1])
        case ValueChoice():
            return _choose_values(observation, choice)
        case ReactChoice():
            return _choose_reaction(observation, choice)
        case UnpaidChoice():
            return c.DropUnpaid(
                max(choice.ways, key=lambda way: _value(observation, forecast_unpaid(observation, way)))
            )
        case SlipstreamChoice():
            best = max(
                choice.spaces,
                key=lambda spaces: _value(observation, forecast_slipstream(observation, spaces)),
            )
            return c.Slipstream(best)
        case DiscardChoice():
            return _choose_discards(observation, choice)
        case PickChoice():
            return c.PickUpgrade(max(choice.offered, key=upgrade_worth))
        case SwapChoice():
            return _choose_swap(choice)
        case None:
            raise ValueError(f"seat {observation.seat} has nothing to decide")
        case _:
            assert_never(choice)


def _choose_gear(observation: Observation, choice: GearChoice) -> c.ShiftGear:
    road = _Road(observation)
    playable = playable_cards(observation.hand)
    heat_in_hand = len(observation.hand) - len(playable)
    ways = _ways_to_play(playable)
    best_gear, best_score = choice.options[0].gear, float("-inf")
    for option in choice.options:
        gear, heat = option.gear, option.heat
        if len(playable) < gear:
            score = -_CLUTTERED
        else:
            score, _ = _best_of(road, gear, ways[gear])
            score += _COOLING * min(heat_in_hand, GEAR_COOLDOWN.get(gear, 0))
        score -= heat * heat_price(road.engine - heat)
        if score > best_score:
            best_gear, best_score = gear, score
    return c.ShiftGear(best_gear)


_Ways: TypeAlias = dict[_Way, tuple[CardName, ...]]


@lru_cache(maxsize=256)
def _ways_to_play(pool: tuple[CardName, ...]) -> tuple[_Ways, ...]:
    """List what a hand can do: by number of cards, then by what they come to, one choice of cards for each.

    That is a few dozen instead of every combination. A hand is asked about twice, for gear and cards, and in
    roll-outs again and again.
    """
    ways: list[dict[_Way, tuple[CardName, ...]]] = [{} for _ in range(MOST_CARDS + 1)]
    ways[0][_NO_CARDS] = ()
    for card in pool:
        speed, flips, adjust, heat = _WAYS[card]
        for size in range(MOST_CARDS - 1, -1, -1):
            for way, cards in ways[size].items():
                more = way[0] + speed, way[1] + flips, way[2] + adjust, way[3] + heat
                ways[size + 1].setdefault(more, (*cards, card))
    return tuple(ways)


def _best_of(road: _Road, gear: int, ways: _Ways) -> tuple[float, tuple[CardName, ...]]:
    """Find the cards whose speed scores best: the score and the cards."""
    best: tuple[float, tuple[CardName, ...]] = (float("-inf"), ())
    for (speed, flips, adjust, heat), cards in ways.items():
        score = road.score(speed, gear, adjust, heat)
        if flips:
            risky = road.score(speed + _FLIP_RISK * flips, gear, adjust, heat)
            score = (score + min(score, risky)) / 2 + _FLIP * flips
        if score > best[0]:
            best = (score, cards)
    return best


def _choose_values(observation: Observation, choice: ValueChoice) -> c.ChooseValue:
    """Take the values whose sum scores best on the road ahead."""
    turn = observation.turn
    known = (turn.speed or 0) if turn else 0
    road, gear = _Road(observation), observation.own_car.gear
    adjust = sum(_WAYS[card][2] for card in observation.own_car.played)
    heat = sum(_WAYS[card][3] for card in observation.own_car.played)
    return c.ChooseValue(
        max(
            product(*choice.speeds),
            key=lambda values: road.score(known + sum(values), gear, adjust, heat),
        )
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


def _choose_reaction(observation: Observation, choice: ReactChoice) -> c.Command:
    usable = [(number, use) for number, use in enumerate(choice.symbols) if use.most]
    for number, use in usable:
        if use.symbol.kind in _AT_ONCE:
            return c.UseSymbol(number, use.most)
        if use.symbol.kind == "salvage":
            return c.UseSymbol(number, use.most, _best_cards(choice.salvageable, use.most))
    best: c.Command = c.EndReact()
    best_value = _value(observation, forecast_end_of_react(observation)) + _LEAST_GAIN
    for number, use in usable:
        value = _value(observation, forecast_symbol(observation, number, use.most))
        if value > best_value:
            best, best_value = c.UseSymbol(number, use.most), value
    for direct in choice.direct:
        for speed in direct.speeds if not direct.reason else ():
            value = _value(observation, forecast_direct(observation, direct, speed))
            if value > best_value:
                best = choice.play_directly(direct.card, speed)
                best_value = value
    return best


def _best_cards(cards: tuple[CardName, ...], count: int) -> tuple[CardName, ...]:
    """Take the cards of most speed, in the order in which they are given."""
    fastest = sorted(range(len(cards)), key=lambda place: -mean_speed(cards[place]))[:count]
    return tuple([cards[place] for place in sorted(fastest)])


def _value(observation: Observation, forecast: Forecast) -> float:
    """Weigh where the outcomes lead: spaces against Heat, and a slipstream as a chance."""
    value = -forecast.heat * heat_price(observation.own_car.engine - forecast.heat)
    for outcome in forecast.outcomes:
        worth = float(outcome.end)
        if outcome.spins_out:
            worth -= _SPIN_OUT
        elif outcome.finishes:
            worth += _FINISH
        else:
            worth -= outcome.owed * heat_price(outcome.engine_left)
        if outcome.slipstream_end is not None and not outcome.spins_out:
            worth += _SLIPSTREAM_CHANCE
        value += outcome.probability * worth
    return value


def _choose_discards(observation: Observation, choice: DiscardChoice) -> c.Discard:
    """Put slow cards away before a straight, and fast ones before a tight corner; what clogs, always."""
    ahead = _Road(observation).next_line()
    is_far = ahead.spaces >= _FAR_FROM_CORNER_SPACES
    is_tight = ahead.spaces <= _CLOSE_TO_CORNER_SPACES and ahead.limit <= _TIGHT_LIMIT
    cards = [card for card in choice.pool if card in _CLOGS]
    if is_far:
        cards += [card for card in choice.pool if card in _SLOW_CARDS]
    elif is_tight:
        fast = [card for card in choice.pool if CARD_SPEEDS[card] > ahead.limit + 1]
        cards += fast[:_MOST_FAST_DISCARDS]
    refresh = [card for card in choice.refreshable if not is_tight or CARD_SPEEDS[card] <= ahead.limit]
    # The first is drawn first; where the hand has room for one only, it is the best.
    refresh.sort(key=upgrade_worth, reverse=True)
    return c.Discard(tuple(cards[: choice.most]), tuple(refresh))
