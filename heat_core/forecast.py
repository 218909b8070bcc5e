"""What a choice leads to, from a seat's sight alone: speed, place, bills, and the odds of flips.

The others are taken to stand where they stand now. The same functions move cars and check corners as in the
engine, so a forecast without a flip is what then happens, unless somebody ahead moves first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from heat_core import events as e
from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    CATALOGUE,
    REACT_SYMBOLS,
    SPEED_VALUES,
    CardName,
    playable_cards,
)
from heat_core.choices import GearChoice, ReactChoice
from heat_core.data.facts import SymbolKind
from heat_core.rules.corners import CornerBill, settle_corners
from heat_core.rules.effects import slipstream_changes
from heat_core.rules.movement import end_of_move, end_of_slipstream, first_free_behind
from heat_core.rules.uses import DirectUse
from heat_core.view import Sight


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """One way in which a choice may turn out.

    Attributes:
        probability: In (0, 1].
        speed: What corners check.
        end: Progress where the car stands before corners are checked.
        bills: One for each corner line crossed this turn, up to one that spins the car out.
        owed: Heat that all of them ask for.
        engine_left: Heat in the engine after what can be paid.
        spin_end: Progress after a spin-out, None without one.
        stress: Stress cards that a spin-out brings.
        slipstream_end: Progress after the shortest slipstream from `end`, None where there is none.
        finishes: Whether the car ends beyond the finish line of the last lap.
    """

    probability: float
    speed: int
    end: int
    spot: int
    bills: tuple[CornerBill, ...]
    owed: int
    engine_left: int
    spin_end: int | None
    stress: int
    slipstream_end: int | None
    finishes: bool

    @property
    def spins_out(self) -> bool:
        """Tell whether the engine cannot pay."""
        return self.spin_end is not None


class Forecast(msgspec.Struct, frozen=True, gc=False):
    """All ways in which a choice may turn out.

    Attributes:
        heat: What the choice itself costs before any corner.
        outcomes: By speed, slowest first; never empty.
    """

    heat: int
    outcomes: tuple[Outcome, ...]

    @property
    def is_certain(self) -> bool:
        """Tell whether there is one outcome only."""
        return len(self.outcomes) == 1

    @property
    def slowest(self) -> Outcome:
        """The outcome of least speed."""
        return self.outcomes[0]

    @property
    def fastest(self) -> Outcome:
        """The outcome of greatest speed."""
        return self.outcomes[-1]

    @property
    def spin_out_probability(self) -> float:
        """Add up the chances of a spin-out, in [0, 1]."""
        return sum(outcome.probability for outcome in self.outcomes if outcome.spins_out)

    @property
    def slipstream_probability(self) -> float:
        """Add up the chances that a slipstream will be possible, in [0, 1]."""
        return sum(outcome.probability for outcome in self.outcomes if outcome.slipstream_end is not None)


class GearForecast(msgspec.Struct, frozen=True, gc=False):
    """What a gear makes possible with the present hand.

    Attributes:
        heat: What the shift costs.
        fills: Whether the hand has enough playable cards; if not, the hand will be cluttered.
        least_speed: Of the slowest cards, a flip counted as 1.
        most_speed: Of the fastest cards, a flip counted as 4.
    """

    gear: int
    heat: int
    fills: bool
    least_speed: int
    most_speed: int


def flip_odds(draw: Counter[int], discard: Counter[int], flips: int) -> dict[int, float]:
    """Work out the sum of so many flips: sum -> probability.

    Args:
        draw: Basic Speed values in the draw pile, whose order is unknown, and how many of each.
        discard: The same of the discard pile, which is shuffled in when the draw pile has none left.
        flips: At least 0. A flip that finds no card anywhere gives 0.
    """
    if flips == 0:
        return {0: 1.0}
    pile, rest = (draw, discard) if draw.total() else (discard, Counter[int]())
    total = pile.total()
    if not total:
        return {0: 1.0}
    odds: dict[int, float] = {}
    for value in sorted(pile):
        left = pile.copy()
        left[value] -= 1
        for further, probability in flip_odds(+left, rest, flips - 1).items():
            key = value + further
            odds[key] = odds.get(key, 0.0) + probability * pile[value] / total
    return odds


def _own_flip_odds(sight: Sight, flips: int) -> dict[int, float]:
    draw = Counter(SPEED_VALUES[card] for card in sight.own.draw_pile if card in SPEED_VALUES)
    discard = Counter(SPEED_VALUES[card] for card in sight.own_car.discard_pile if card in SPEED_VALUES)
    return dict(sorted(flip_odds(draw, discard, flips).items()))


def _outcome(
    sight: Sight,
    probability: float,
    *,
    speed: int,
    spaces: int,
    engine: int,
    gear: int,
    cards: Sequence[CardName] = (),
    slipstream: bool = False,
    dropped: frozenset[int] = frozenset(),
) -> Outcome:
    """Move the own car from where it stands, and check all corners of the turn.

    Args:
        cards: Those not played yet, whose symbols count besides those of the turn.
        slipstream: Whether this is one already.
        dropped: Numbers of the turn's cards that go, for which it is driven anew from where it began.
    """
    car = sight.own_car
    rules, track = sight.setup.rules, sight.track
    occupied = sight.occupied(car.number)
    turn = sight.view.turn
    start, spot = car.progress, car.spot
    lines = turn.lines if turn and turn.car == car.number else ()
    if dropped and turn:
        start, spot, lines = turn.start, turn.start_spot, ()
    end, spot = end_of_move(track, rules, occupied, start, spot, spaces)
    lines += track.lines_crossed(start, end, sight.finish_line)
    adjust = sum(_numbers(sight, "adjust", cards, dropped))
    settlement = settle_corners(
        track, lines, speed=speed, engine=engine, gear=gear, roads=sight.view.roads, adjust=adjust
    )
    spin_end = None
    if settlement.spin_line is not None:
        spin_end, _ = first_free_behind(track, occupied, settlement.spin_line)
    slipstream_end = None
    if not slipstream and _may_slipstream(sight, end, gear):
        for further in slipstream_changes(
            _numbers(sight, "slipstream", cards, dropped), sight.sector_effect(end)
        ):
            if moved := end_of_slipstream(track, rules, occupied, end, spot, sight.finish_line, further):
                slipstream_end = moved[0]
                break
    return Outcome(
        probability=probability,
        speed=speed,
        end=end,
        spot=spot,
        bills=settlement.bills,
        owed=sum(bill.owed for bill in settlement.bills),
        engine_left=settlement.engine_left,
        spin_end=spin_end,
        stress=settlement.stress,
        slipstream_end=slipstream_end,
        finishes=(end if spin_end is None else spin_end) > sight.finish_line,
    )


def _numbers(sight: Sight, kind: SymbolKind, cards: Sequence[CardName], dropped: frozenset[int]) -> list[int]:
    """List the numbers of a kind of symbol: the turn's that are not used, and those of cards to be played."""
    numbers = [number for card in cards for other, number in REACT_SYMBOLS[card] if other == kind]
    turn = sight.view.turn
    if turn and turn.car == sight.own_car.number:
        for symbol, used in zip(turn.symbols, turn.used, strict=True):
            if symbol.kind == kind and not used and symbol.card not in dropped:
                numbers.append(symbol.number)
    return numbers


def _may_slipstream(sight: Sight, progress: int, gear: int) -> bool:
    gears = sight.setup.event_card.slipstream_gears
    return (gears is None or gear in gears) and sight.sector_effect(progress) != "no_slipstream"


def forecast_cards(sight: Sight, cards: Sequence[CardName]) -> Forecast:
    """Say what playing these cards leads to.

    Args:
        cards: Any playable cards of the hand, as many as are picked so far. A card with a choice of values
            counts with its least.
    """
    car = sight.own_car
    known = sum(CARD_SPEEDS[card] for card in cards)
    flips = sum(CARD_FLIPS[card] for card in cards)
    return Forecast(
        0,
        tuple(
            _outcome(
                sight,
                probability,
                speed=known + flipped,
                spaces=known + flipped,
                engine=car.engine,
                gear=car.gear,
                cards=cards,
            )
            for flipped, probability in _own_flip_odds(sight, flips).items()
        ),
    )


def forecast_values(sight: Sight, values: Sequence[int]) -> Forecast:
    """Say what these speeds of the played cards that offer a choice lead to."""
    turn = sight.view.turn
    assert turn is not None
    car = sight.own_car
    speed = (turn.speed or 0) + sum(values)
    outcome = _outcome(
        sight, 1.0, speed=speed, spaces=speed, engine=car.engine, gear=car.gear, cards=car.played
    )
    return Forecast(0, (outcome,))


def forecast_unpaid(sight: Sight, cards: Sequence[CardName]) -> Forecast:
    """Say what giving up played cards that cannot be paid leads to: a flip for each, the turn driven anew."""
    turn = sight.view.turn
    assert turn is not None
    car = sight.own_car
    symbols = zip(turn.symbols, turn.used, strict=True)
    unpaid = {symbol.card for symbol, used in symbols if symbol.kind == "heat" and not used}
    parts = list(turn.parts)
    dropped = set()
    for card in cards:
        own = [part for part in parts if part.rule == card and part.card in unpaid]
        gone = min(own, key=lambda part: (part.amount, part.card))
        parts.remove(gone)
        dropped.add(gone.card)
    kept = e.total(parts)
    return Forecast(
        0,
        tuple(
            _outcome(
                sight,
                probability,
                speed=kept + flipped,
                spaces=kept + flipped,
                engine=car.engine,
                gear=car.gear,
                dropped=frozenset(dropped),
            )
            for flipped, probability in _own_flip_odds(sight, len(cards)).items()
        ),
    )


def forecast_end_of_react(sight: Sight) -> Forecast:
    """Say what follows when nothing more is used, and no slipstream taken."""
    turn = sight.view.turn
    car = sight.own_car
    speed = (turn.speed or 0) if turn else 0
    return Forecast(0, (_outcome(sight, 1.0, speed=speed, spaces=0, engine=car.engine, gear=car.gear),))


def forecast_symbol(sight: Sight, number: int, amount: int) -> Forecast:
    """Say what using a symbol leads to, if nothing more is used after it.

    Args:
        number: Its place in the turn's list.
        amount: Within the limits that the choice gives.
    """
    choice = sight.own.choice
    turn = sight.view.turn
    assert isinstance(choice, ReactChoice)
    assert turn is not None
    use = choice.symbols[number]
    car = sight.own_car
    speed, engine = turn.speed or 0, car.engine - use.heat
    gains = {0: 1.0}
    match use.symbol.kind:
        case "cooldown" | "super_cool":
            engine += amount
        case "boost":
            gains = _own_flip_odds(sight, 1)
        case "speed":
            gains = {use.symbol.number: 1.0}
        case "accelerate":
            gains = {amount * turn.flips: 1.0}
        case "draft":
            outcome = _outcome(sight, 1.0, speed=speed, spaces=amount, engine=engine, gear=car.gear)
            return Forecast(0, (outcome,))
        case _:
            pass
    return Forecast(
        use.heat,
        tuple(
            _outcome(sight, probability, speed=speed + gain, spaces=gain, engine=engine, gear=car.gear)
            for gain, probability in gains.items()
        ),
    )


def forecast_direct(sight: Sight, use: DirectUse, speed: int) -> Forecast:
    """Say what playing a card of the hand in phase 5 leads to, at one of its speeds."""
    turn = sight.view.turn
    assert turn is not None
    car = sight.own_car
    return Forecast(
        use.heat,
        tuple(
            _outcome(
                sight,
                probability,
                speed=(turn.speed or 0) + speed + flipped,
                spaces=speed + flipped,
                engine=car.engine + use.cooled - use.heat,
                gear=car.gear,
                cards=(use.card,),
            )
            for flipped, probability in _own_flip_odds(sight, CARD_FLIPS[use.card]).items()
        ),
    )


def forecast_slipstream(sight: Sight, spaces: int) -> Forecast:
    """Say what a slipstream of so many spaces leads to; 0: none."""
    turn = sight.view.turn
    car = sight.own_car
    speed = (turn.speed or 0) if turn else 0
    return Forecast(
        0,
        (
            _outcome(
                sight,
                1.0,
                speed=speed,
                spaces=spaces,
                engine=car.engine,
                gear=car.gear,
                slipstream=True,
            ),
        ),
    )


def forecast_gear(sight: Sight, gear: int) -> GearForecast:
    """Say what a gear of the open choice costs and makes possible."""
    heat = 0
    if isinstance(sight.own.choice, GearChoice):
        heat = next((option.heat for option in sight.own.choice.options if option.gear == gear), 0)
    playable = playable_cards(sight.own.hand)
    if len(playable) < gear:
        return GearForecast(gear, heat, False, 0, 0)
    least = sorted(CARD_SPEEDS[card] + CARD_FLIPS[card] for card in playable)[:gear]
    fastest = [max(CATALOGUE[card].speeds, default=0) + 4 * CARD_FLIPS[card] for card in playable]
    most = sorted(fastest, reverse=True)[:gear]
    return GearForecast(gear, heat, True, sum(least), sum(most))
