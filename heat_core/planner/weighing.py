"""What each choice of an open decision is worth: the expected turns to the finish, fewer being better.

Gears and cards are weighed by every different way to play the hand, with the odds of flips, the places
where others will be, boost and adrenaline. What comes after the cards turn up is weighed by the forecasts.
With `depth` 2 the best of them are looked at one turn further: hands drawn from the own piles are played as
well as the table knows. Nothing is used but the observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from statistics import mean
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from heat_core.cards import HEAT, STRESS, CardName, playable_cards
from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
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
from heat_core.planner.hands import NextHands, without
from heat_core.planner.own_turn import OwnTurn, Play
from heat_core.planner.upgrade_worths import WorthOf, upgrade_worth
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import mean_of_card, ways_to_play
from heat_core.race import commands as c
from heat_core.rng import Stream
from heat_core.view.forecast import (
    forecast_direct,
    forecast_end_of_react,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast

Depth: TypeAlias = Literal[1, 2]
"""How many turns are looked ahead."""

_LOOKED_FURTHER: Final = 6
"""How many ways to play the hand are looked at one turn further."""
_DRAWS: Final = {1: 4, 2: 8}
_MOST_HANDS: Final = 120
"""Hands that a decision about discards may look at."""

_AT_ONCE: Final[frozenset[SymbolKind]] = frozenset(
    {"cooldown", "super_cool", "reduce_stress", "heat", "scrap"}
)
"""Symbols that are used in full as soon as they can be: they cost nothing, or must be used."""


class Weighed(NamedTuple):
    """A choice and what it is worth.

    Attributes:
        turns: Expected to the finish after it, this turn not counted; fewer are better.
    """

    command: c.Command
    turns: float


class WeighedPlay(NamedTuple):
    """A way to play the hand and what it is worth; see `Weighed`."""

    play: Play
    turns: float


class Weighing:
    """The choices of the own seat's open decision.

    Attributes:
        turn: What the own turn leads to.
        plays: The ways to play the hand that `choices` has weighed, where it is about gears or cards.
    """

    def __init__(
        self,
        observation: Observation,
        table: ValueTable,
        stream: Stream,
        depth: Depth,
        draws: int | None = None,
        worth_of: WorthOf = upgrade_worth,
    ) -> None:
        """Begin with what a seat sees.

        Args:
            table: That of `own_table_key`; drafts need none of their own, and any will do.
            stream: For the draws that are looked at.
            draws: Hands of the next turn that are looked at; None: as many as a bot has time for.
            worth_of: What upgrades are drafted by.
        """
        self._observation = observation
        self._table = table
        self._depth = depth
        self._draws = draws
        self._worth_of = worth_of
        self._hands = NextHands(observation, table, stream, draws or _DRAWS[depth])
        self.turn = OwnTurn(observation, table, self._hands)
        self.plays: tuple[WeighedPlay, ...] = ()

    def choices(self) -> tuple[Weighed, ...]:
        """List what may be chosen, the best first; of choices that come to the same only one.

        Raises:
            ValueError: The seat has nothing to decide.
        """
        choice = self._observation.choice
        if choice is None:
            raise ValueError(f"seat {self._observation.seat} has nothing to decide")
        weighed: Iterable[Weighed] = _WEIGHERS[type(choice)](self, choice)
        return tuple(sorted(weighed, key=lambda each: each.turns))

    def _forecast(self, forecast: Forecast) -> float:
        return self.turn.forecast(forecast, is_deep=self._depth > 1)

    def _gears(self, choice: GearChoice) -> list[Weighed]:
        observation = self._observation
        engine = observation.own_car.engine
        pool = playable_cards(observation.hand)
        ways = ways_to_play(pool)
        plays: list[Play] = []
        best: dict[int, float] = {}
        for option in choice.options:
            left = engine - option.heat
            if len(pool) < option.gear:
                best[option.gear] = self.turn.cluttered(left)
            else:
                plays += [Play(option.gear, left, way, cards) for way, cards in ways[option.gear].items()]
        for play, turns in zip(plays, self._weigh_plays(plays), strict=True):
            best[play.gear] = min(turns, best.get(play.gear, turns))
        return [Weighed(c.ShiftGear(gear), turns) for gear, turns in best.items()]

    def _cards(self, choice: CardsChoice) -> list[Weighed]:
        car = self._observation.own_car
        if choice.is_cluttered:
            return [Weighed(c.PlayCards(()), self.turn.cluttered(car.engine))]
        ways = ways_to_play(choice.pool)[choice.count]
        plays = [Play(car.gear, car.engine, way, cards) for way, cards in ways.items()]
        best: dict[tuple[CardName, ...], float] = {}
        for play, turns in zip(plays, self._weigh_plays(plays), strict=True):
            best[play.cards] = min(turns, best.get(play.cards, turns))
        return [Weighed(c.PlayCards(cards), turns) for cards, turns in best.items()]

    def _weigh_plays(self, plays: Sequence[Play]) -> list[float]:
        """Weigh ways to play the hand; those that look best one turn further, if that is wanted."""
        near = [self.turn.played(play) for play in plays]
        turns = near if self._depth == 1 or not plays else self._looked_further(plays, near)
        self.plays = tuple(map(WeighedPlay, plays, turns))
        return turns

    def _looked_further(self, plays: Sequence[Play], near: Sequence[float]) -> list[float]:
        order = sorted(range(len(plays)), key=near.__getitem__)[:_LOOKED_FURTHER]
        looked = {place: self.turn.rest_matters(plays[place]) for place in order}
        changes = {place: change for place, change in looked.items() if change is not None}
        # The others are moved as these are.
        usual = mean(changes.values()) if changes else 0.0
        return [turns + changes.get(place, usual) for place, turns in enumerate(near)]

    def _values(self, choice: ValueChoice) -> list[Weighed]:
        return [
            Weighed(c.ChooseValue(values), self._forecast(forecast_values(self._observation, values)))
            for values in product(*choice.speeds)
        ]

    def _reactions(self, choice: ReactChoice) -> list[Weighed]:
        observation = self._observation
        stop = self._forecast(forecast_end_of_react(observation))
        weighed: list[Weighed] = []
        for number, use in enumerate(choice.symbols):
            if not use.most:
                continue
            if use.symbol.kind in _AT_ONCE:
                return [Weighed(c.UseSymbol(number, use.most), stop)]
            if use.symbol.kind == "salvage":
                cards = fastest_of(choice.salvageable, use.most)
                return [Weighed(c.UseSymbol(number, use.most, cards), stop)]
            forecast = forecast_symbol(observation, number, use.most)
            weighed.append(Weighed(c.UseSymbol(number, use.most), self._forecast(forecast)))
        for direct in choice.direct:
            for speed in direct.speeds if not direct.reason else ():
                turns = self._forecast(forecast_direct(observation, direct, speed))
                weighed.append(Weighed(choice.play_directly(direct.card, speed), turns))
        if not choice.must:
            weighed.append(Weighed(c.EndReact(), stop))
        return weighed

    def _drops(self, choice: UnpaidChoice) -> list[Weighed]:
        return [
            Weighed(c.DropUnpaid(way), self._forecast(forecast_unpaid(self._observation, way)))
            for way in choice.ways
        ]

    def _slipstreams(self, choice: SlipstreamChoice) -> list[Weighed]:
        return [
            Weighed(c.Slipstream(spaces), self._forecast(forecast_slipstream(self._observation, spaces)))
            for spaces in choice.spaces
        ]

    def _discards(self, choice: DiscardChoice) -> list[Weighed]:
        observation = self._observation
        car, hand = observation.own_car, observation.hand
        pool = playable_cards(hand)
        # The best card first: where the hand has room for one alone, it is drawn.
        refresh = tuple(sorted(choice.refreshable, key=mean_of_card, reverse=True))
        clogs = tuple([card for card in choice.pool if card in (HEAT, STRESS)])
        ways = _discards_from_the_ends(choice)
        draws = self._draws or max(2, min(_DRAWS[self._depth], _MOST_HANDS // len(ways)))
        weighed = []
        for cards in ways:
            if any(cards.count(card) < min(clogs.count(card), choice.most) for card in set(clogs)):
                continue
            kept = without(pool, tuple([card for card in cards if card != HEAT]))
            heat = len(hand) - len(pool) - cards.count(HEAT)
            turns = self._hands.turns_with(car.progress, car.gear, car.engine, kept, heat, draws)
            weighed.append(Weighed(c.Discard(cards, refresh), turns))
        return weighed or [Weighed(c.Discard(clogs[: choice.most], refresh), 0.0)]

    def _picks(self, choice: PickChoice) -> list[Weighed]:
        return [Weighed(c.PickUpgrade(card), -self._worth_of(card)) for card in choice.offered]

    def _swaps(self, choice: SwapChoice) -> list[Weighed]:
        swaps = [Weighed(c.SwapUpgrade(None, None), 0.0)]
        for owned, left in product(choice.owned, choice.left):
            turns = self._worth_of(owned) - self._worth_of(left)
            swaps.append(Weighed(c.SwapUpgrade(owned, left), turns))
        return swaps


def _discards_from_the_ends(choice: DiscardChoice) -> list[tuple[CardName, ...]]:
    """List what a driver would discard: some of the slowest cards and some of the fastest."""
    pool = sorted(choice.pool, key=mean_of_card)
    order = {card: place for place, card in enumerate(choice.pool)}
    sets = {
        tuple(sorted([*pool[:slow], *pool[len(pool) - fast :]], key=order.__getitem__))
        for slow in range(choice.most + 1)
        for fast in range(choice.most + 1 - slow)
    }
    return sorted(sets, key=lambda cards: (len(cards), [order[card] for card in cards]))


def fastest_of(cards: Sequence[CardName], count: int) -> tuple[CardName, ...]:
    """Take the cards that bring the most speed, in the order in which they are given."""
    fastest = sorted(range(len(cards)), key=lambda place: -mean_of_card(cards[place]))[:count]
    return tuple([cards[place] for place in sorted(fastest)])


# Any: each function takes a choice of its own, which a dict cannot say.
_WEIGHERS: Final[dict[type, Callable[[Weighing, Any], list[Weighed]]]] = {
    GearChoice: Weighing._gears,
    CardsChoice: Weighing._cards,
    ValueChoice: Weighing._values,
    ReactChoice: Weighing._reactions,
    UnpaidChoice: Weighing._drops,
    SlipstreamChoice: Weighing._slipstreams,
    DiscardChoice: Weighing._discards,
    PickChoice: Weighing._picks,
    SwapChoice: Weighing._swaps,
}
