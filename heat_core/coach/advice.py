"""Advice on an open decision: the best choice, why in one sentence, and what each choice is worth.

It is what the hard planner sees, from the seat's observation alone; docs/playing.md says how to read it.
"""

from __future__ import annotations

import msgspec

from heat_core.cards import DIRECT_CARDS
from heat_core.coach.sentences import Sentences
from heat_core.decisions import CardsChoice
from heat_core.decisions.base import multisets
from heat_core.planner.hands import without
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.upgrade_worths import worths_in
from heat_core.planner.value_table import ValueTable
from heat_core.planner.ways import sum_of, ways_to_play
from heat_core.planner.weighing import Weighed, WeighedPlay, Weighing
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.rng import Stream
from heat_core.view.observation import Observation


class Worth(msgspec.Struct, frozen=True, gc=False):
    """What a choice is worth.

    Attributes:
        command: With its cards in hand order.
        spaces: Against the best choice: 0 for the best, below 0 for the others.
    """

    command: c.Command
    spaces: float


class Advice(msgspec.Struct, frozen=True, gc=False):
    """What a strong driver would choose.

    Attributes:
        command: The best choice.
        sentence: What it is, what it leads to, and why it is better than the next of another kind.
        worths: Of the choices offered, the best first. Those that a driver makes at once whatever is chosen
            besides, as to cool Heat, are alone while there are some.
    """

    command: c.Command
    sentence: str
    worths: tuple[Worth, ...]


def advise(observation: Observation, table: ValueTable, stream: Stream, draws: int | None = None) -> Advice:
    """Give advice on the own seat's open decision.

    Args:
        table: That of `own_table_key`.
        stream: For the draws that are looked at: the same stream gives the same advice.
        draws: How many hands of the next turn are looked at; None: as many as a bot has time for.

    Raises:
        ValueError: The seat has nothing to decide.
    """
    weighing = Weighing(observation, table, stream, 2, draws, worths_in(observation.setup).of)
    weighed = weighing.choices()
    choice = observation.own.choice
    sentence = Sentences(observation, table, weighing, weighed).of(choice)
    if isinstance(choice, CardsChoice) and not choice.is_cluttered:
        weighed = _every_cards(choice, weighing.plays)
    best = weighed[0]
    worths = [Worth(normalised(each.command), _spaces(best, each)) for each in weighed]
    return Advice(best.command, sentence, tuple(worths))


def _spaces(best: Weighed, other: Weighed) -> float:
    return min(0.0, (best.turns - other.turns) * SPACES_A_TURN)


def _every_cards(choice: CardsChoice, plays: tuple[WeighedPlay, ...]) -> tuple[Weighed, ...]:
    """List all cards that may be picked, those too that come to the same as others."""
    by_way = {play.way: turns for play, turns in plays}
    weighed = []
    for cards in multisets(choice.pool, choice.count):
        direct = tuple(card for card in without(choice.pool, cards) if card in DIRECT_CARDS)
        turns = min(
            by_way[sum_of((own, added))]
            for own in ways_to_play(cards)[choice.count]
            for added in ways_to_play(direct)[0]
        )
        weighed.append(Weighed(c.PlayCards(cards), turns))
    return tuple(sorted(weighed, key=lambda each: each.turns))
