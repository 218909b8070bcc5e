"""What single choices of an open decision are worth, looked at more closely than a bot has time for.

The planner weighs every choice by a few draws (`heat_core.planner.weighing`). Here its best ones and the one
that was taken are weighed once more, each by itself and by the same many draws, so that neither profits from
the luck of a draw. Reactions are weighed as sets: using one symbol is worth what it and the best of the
others come to, for their order hardly matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, combinations
from statistics import mean
from typing import Final, NamedTuple

import msgspec

from heat_core.cards import DIRECT_CARDS, HEAT, CardName, playable_cards
from heat_core.data.facts import SymbolKind
from heat_core.decisions import CardsChoice, GearChoice, ReactChoice
from heat_core.planner.hands import NextHands, without
from heat_core.planner.own_turn import OwnTurn, Play
from heat_core.planner.upgrade_worths import upgrade_worth
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import Way, sum_of, ways_to_play
from heat_core.planner.weighing import Weighing
from heat_core.race import commands as c
from heat_core.rng import Stream
from heat_core.rules.offers import DirectUse
from heat_core.view.forecast import (
    forecast_reactions,
    forecast_slipstream,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast

DRAWS: Final = 16
"""Hands of the next turn that each choice is weighed by, unless more are wanted."""

_CONSIDERED: Final = 4
"""How many of the planner's best choices are weighed once more."""

_LOOKED_FURTHER: Final = 8
"""How many ways to play the hand are weighed with the hand that they leave."""

_MOST_REACTIONS: Final = 6
"""Reactions that are combined; more are hardly ever there."""

_WEIGHED: Final[frozenset[SymbolKind]] = frozenset(
    {"cooldown", "super_cool", "boost", "speed", "accelerate", "draft"}
)
"""Symbols that a forecast shows the use of."""


class _Reaction(NamedTuple):
    """A reaction that is open.

    Attributes:
        number: Its place in the turn's list; of a card that is played directly the number after the last.
        direct: That card; None for a symbol.
    """

    number: int
    amount: int
    kind: SymbolKind
    direct: DirectUse | None = None

    @property
    def command(self) -> c.UseSymbol:
        cards = () if self.direct is None else (self.direct.card,)
        return c.UseSymbol(self.number, self.amount, cards)


class Appraised(NamedTuple):
    """A command and the turns expected to the finish after it, fewer being better."""

    command: c.Command
    turns: float


class Appraisal:
    """The open decision of a seat."""

    def __init__(self, observation: Observation, table: ValueTable, luck: str, draws: int = DRAWS) -> None:
        """Take what the seat sees.

        Args:
            luck: What the draws come from; it must not come from the race's seed.
            draws: Hands of the next turn that each choice is weighed by.
        """
        self._observation = observation
        self._table = table
        self._luck = luck
        self._draws = draws
        self._hands = NextHands(observation, table, Stream(f"{luck}/appraisal"), draws)
        self._turn = OwnTurn(observation, table, self._hands)

    def best(self, taken: c.Command) -> tuple[Appraised, Appraised]:
        """Weigh a command that was taken, and the best one.

        Returns:
            The taken one, and the best; the taken one twice where nothing is better.
        """
        choice = self._observation.own.choice
        if isinstance(choice, ReactChoice):
            return self._best_reaction(choice, taken)
        ours = Appraised(taken, self.turns(taken))
        weighing = Weighing(self._observation, self._table, Stream(f"{self._luck}/weighing"), 2)
        others = [weighed.command for weighed in weighing.choices()[:_CONSIDERED]]
        best = min(
            [Appraised(command, self.turns(command)) for command in others], key=lambda each: each.turns
        )
        return ours, best if best.turns < ours.turns else ours

    def turns(self, command: c.Command) -> float:
        """Give the expected turns to the finish after any command but a reaction."""
        observation, choice = self._observation, self._observation.own.choice
        match command:
            case c.ShiftGear():
                assert isinstance(choice, GearChoice)
                return self._gear(choice, command.gear)
            case c.PlayCards():
                assert isinstance(choice, CardsChoice)
                return min(self._plays(choice.pool, command.cards), default=self._cluttered())
            case c.ChooseValue():
                return self._forecast(forecast_values(observation, command.values))
            case c.DropUnpaid():
                return self._forecast(forecast_unpaid(observation, command.cards))
            case c.Slipstream():
                return self._forecast(forecast_slipstream(observation, command.spaces))
            case c.Discard():
                return self._discarded(command.cards)
            case c.PickUpgrade():
                return -upgrade_worth(command.card)
            case c.SwapUpgrade() if command.give is not None and command.take is not None:
                return upgrade_worth(command.give) - upgrade_worth(command.take)
            case _:
                return 0.0

    def _forecast(self, forecast: Forecast) -> float:
        return self._turn.forecast(forecast, is_deep=True)

    # --- gears and cards -----------------------------------------------------------------------------------

    def _cluttered(self) -> float:
        return self._turn.cluttered(self._observation.own_car.engine)

    def _gear(self, choice: GearChoice, gear: int) -> float:
        plays = self._plays_in(choice, gear)
        if not plays:
            heat = choice.heat_of(gear)
            return self._turn.cluttered(self._observation.own_car.engine - heat)
        return min(map(self._played, plays))

    def _plays_in(self, choice: GearChoice, gear: int) -> list[Play]:
        """List the ways to play the hand in a gear; there are none that it cannot fill."""
        pool = playable_cards(self._observation.own.hand)
        heat = choice.heat_of(gear)
        if len(pool) < gear:
            return []
        engine = self._observation.own_car.engine - heat
        return [Play(gear, engine, way, cards) for way, cards in ways_to_play(pool)[gear].items()]

    def _plays(self, pool: tuple[CardName, ...], cards: tuple[CardName, ...]) -> Iterator[float]:
        """Weigh every way to play just these cards in phase 2."""
        car = self._observation.own_car
        return map(self._played, plays_of(pool, cards, car.gear, car.engine))

    def _played(self, play: Play) -> float:
        """Weigh a way to play the hand; one of the best with the hand that it leaves, others as usual."""
        ways, usual = self._looked_further
        change = self._turn.rest_matters(play) if (play.gear, play.way) in ways else None
        return self._turn.played(play) + (usual if change is None else change)

    @cached_property
    def _looked_further(self) -> tuple[frozenset[tuple[int, Way]], float]:
        """Find the ways that look best without the hand that they leave, and how much that matters there.

        What it matters is judged where a play most likely ends, which says little of one that is a gamble.
        """
        choice = self._observation.own.choice
        plays: list[Play] = []
        if isinstance(choice, GearChoice):
            plays = [play for option in choice.options for play in self._plays_in(choice, option.gear)]
        elif isinstance(choice, CardsChoice):
            car = self._observation.own_car
            ways = ways_to_play(choice.pool)[choice.count]
            plays = [Play(car.gear, car.engine, way, cards) for way, cards in ways.items()]
        best = sorted(plays, key=self._turn.played)[:_LOOKED_FURTHER]
        changes = [change for play in best if (change := self._turn.rest_matters(play)) is not None]
        return frozenset((play.gear, play.way) for play in best), mean(changes) if changes else 0.0

    # --- reactions -----------------------------------------------------------------------------------------

    def _best_reaction(self, choice: ReactChoice, taken: c.Command) -> tuple[Appraised, Appraised]:
        open_ones = self._open_reactions(choice)
        sets: dict[tuple[_Reaction, ...], float] = {
            used: self._reacted(used) for used in _sets_of(open_ones) if not choice.must or used
        }
        if not sets:
            return Appraised(taken, 0.0), Appraised(taken, 0.0)
        best = min(sets, key=sets.__getitem__)
        wanted = Appraised(best[0].command if best else c.EndReact(), sets[best])
        if isinstance(taken, c.EndReact):
            ours = Appraised(taken, sets.get((), wanted.turns))
        else:
            assert isinstance(taken, c.UseSymbol)
            ours = Appraised(taken, self._with_reaction(choice, open_ones, taken, wanted.turns))
        return ours, wanted if wanted.turns < ours.turns else ours

    def _open_reactions(self, choice: ReactChoice) -> list[_Reaction]:
        reactions = [
            _Reaction(number, use.most, use.symbol.kind)
            for number, use in enumerate(choice.symbols)
            if use.most and use.symbol.kind in _WEIGHED
        ]
        for direct in choice.direct:
            for speed in direct.speeds if not direct.reason else ():
                reactions.append(_Reaction(len(choice.symbols), speed, "direct", direct))
        return reactions[:_MOST_REACTIONS]

    def _with_reaction(
        self, choice: ReactChoice, open_ones: list[_Reaction], taken: c.UseSymbol, best: float
    ) -> float:
        """Give the turns after a reaction and the best of the others; what has no forecast costs nothing."""
        if taken.number < len(choice.symbols):
            use = choice.symbols[taken.number]
            if use.symbol.kind not in _WEIGHED:
                return best
            ours = _Reaction(taken.number, taken.amount, use.symbol.kind)
        else:
            direct = next(use for use in choice.direct if (use.card,) == taken.cards)
            ours = _Reaction(taken.number, taken.amount, "direct", direct)
        others = [each for each in open_ones if not _excludes(each, ours)]
        return min(self._reacted((ours, *used)) for used in _sets_of(others))

    def _reacted(self, used: tuple[_Reaction, ...]) -> float:
        """Give the turns after reactions that are used together, and nothing more."""
        hot = heat = self._observation.own.hand.count(HEAT)
        symbols: dict[int, int] = {}
        direct, speed = None, 0
        for each in used:
            if each.direct is not None:
                direct, speed = each.direct, each.amount
            elif each.kind == "cooldown":
                # Two symbols may each cool all the Heat there is, but only one of them will.
                symbols[each.number] = min(each.amount, hot)
                hot -= symbols[each.number]
            else:
                symbols[each.number] = each.amount
        forecast = forecast_reactions(self._observation, symbols, direct, speed)
        played = () if direct is None else (direct.card,)
        return self._turn.forecast(forecast, is_deep=True, cooled=heat - hot, played=played)

    # --- discards ------------------------------------------------------------------------------------------

    def _discarded(self, cards: tuple[CardName, ...]) -> float:
        observation = self._observation
        car, hand = observation.own_car, observation.own.hand
        pool = playable_cards(hand)
        kept = without(pool, tuple([card for card in cards if card != HEAT]))
        heat = len(hand) - len(pool) - cards.count(HEAT)
        return self._hands.turns_with(car.progress, car.gear, car.engine, kept, heat, self._draws)

    # --- flips ---------------------------------------------------------------------------------------------

    def flips(self, taken: c.Command) -> dict[int, Chance]:
        """Say what each speed that a command may lead to would mean; empty where nothing is flipped."""
        forecast = self._forecast_of(taken)
        if forecast is None or forecast.has_one_speed:
            return {}
        chances = {}
        for outcome in forecast.outcomes:
            sure = msgspec.structs.replace(outcome, probability=1.0)
            turns = self._forecast(msgspec.structs.replace(forecast, outcomes=(sure,)))
            chances[outcome.speed] = Chance(outcome.probability, turns)
        return chances

    def _forecast_of(self, taken: c.Command) -> Forecast | None:
        observation, choice = self._observation, self._observation.own.choice
        if isinstance(taken, c.DropUnpaid):
            return forecast_unpaid(observation, taken.cards)
        if isinstance(taken, c.UseSymbol) and isinstance(choice, ReactChoice):
            if taken.number < len(choice.symbols):
                return forecast_reactions(observation, {taken.number: taken.amount})
            direct = next(use for use in choice.direct if (use.card,) == taken.cards)
            return forecast_reactions(observation, {}, direct, taken.amount)
        return None


class Chance(NamedTuple):
    """One way in which flips may turn out.

    Attributes:
        probability: In (0, 1].
        turns: Expected to the finish then.
    """

    probability: float
    turns: float


def plays_of(pool: tuple[CardName, ...], cards: tuple[CardName, ...], gear: int, engine: int) -> list[Play]:
    """List the ways to play just these cards in phase 2, without or with cards that phase 5 can add.

    Args:
        pool: The playable cards of the hand, these among them.
        cards: In hand order; none: the hand is cluttered, and there is no way.
    """
    if not cards:
        return []
    more = tuple([card for card in without(pool, cards) if card in DIRECT_CARDS])
    return [
        Play(gear, engine, sum_of((way, added)), cards)
        for way in ways_to_play(cards)[len(cards)]
        for added in ways_to_play(more)[0]
    ]


def _sets_of(reactions: list[_Reaction]) -> Iterable[tuple[_Reaction, ...]]:
    """List the sets of reactions that can be used together."""
    sets = chain.from_iterable(combinations(reactions, count) for count in range(len(reactions) + 1))
    return (used for used in sets if not any(_excludes(one, two) for one, two in combinations(used, 2)))


def _excludes(one: _Reaction, two: _Reaction) -> bool:
    """Tell whether two are the same, or two cards that would be played directly: one at a time will do."""
    return one.number == two.number
