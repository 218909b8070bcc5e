"""The turn after this one: what hand there may be, and what it is worth."""

from __future__ import annotations

from collections import Counter
from typing import Final

from heat_core.cards import HAND_ORDER, STRESS, CardName, playable_cards
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import mean_of_card
from heat_core.rng import Stream
from heat_core.view.observation import Observation

_SLOW: Final = 2
_FAST: Final = 4


class NextHands:
    """Draws from the own piles, whose cards are known and whose order is not."""

    def __init__(self, observation: Observation, table: ValueTable, stream: Stream, draws: int) -> None:
        """Shuffle the piles so many times; all choices are weighed by the same draws."""
        self._table = table
        self._track = observation.track
        self._size = observation.setup.hand_size
        own, car = observation.own, observation.own_car
        later = [*car.discard_pile, *car.played, *own.face_down]
        self._orders = [
            stream.sample(own.draw_pile, len(own.draw_pile)) + stream.sample(later, len(later))
            for _ in range(draws)
        ]
        self._known: dict[tuple[object, ...], float] = {}

    def turns(self, progress: int, gear: int, engine: int, pool: tuple[CardName, ...], heat: int) -> float:
        """Give the expected turns to the finish at the end of a turn, with what is left of the hand.

        The slow cards may be discarded, or the fast ones, or none.

        Args:
            pool: Its playable cards, in hand order.
            heat: How much Heat is in it besides.
        """
        asked = (progress, gear, engine, pool, heat)
        found = self._known.get(asked)
        if found is None:
            kept = [pool]
            if not self._track.is_tunnel[self._track.space(progress)]:
                slow = tuple([card for card in pool if mean_of_card(card) > _SLOW or card == STRESS])
                fast = tuple([card for card in pool if mean_of_card(card) < _FAST or card == STRESS])
                kept += [each for each in dict.fromkeys((slow, fast)) if each != pool]
            found = self._known[asked] = min(
                self.turns_with(progress, gear, engine, each, heat, len(self._orders)) for each in kept
            )
        return found

    def turns_with(
        self, progress: int, gear: int, engine: int, kept: tuple[CardName, ...], heat: int, draws: int
    ) -> float:
        """Give the same where just these cards are kept, by the first so many draws."""
        missing = max(0, self._size - len(kept) - heat)
        hands = Counter(tuple(order[:missing]) for order in self._orders[:draws])
        total = 0.0
        for drawn, count in hands.items():
            cards = sorted([*kept, *drawn], key=HAND_ORDER.__getitem__)
            pool = playable_cards(cards)
            total += count * self._table.best_turn(
                progress, gear, engine, pool, heat + len(cards) - len(pool)
            )
        return total / draws


def without(pool: tuple[CardName, ...], cards: tuple[CardName, ...]) -> tuple[CardName, ...]:
    """Take cards out of a hand."""
    rest = list(pool)
    for card in cards:
        rest.remove(card)
    return tuple(rest)
