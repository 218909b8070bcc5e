"""What all kinds of choice share: their base, the row of a kind in the table, cards named from a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from heat_core.cards import CardName
from heat_core.decisions.choices import BaseChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import Command, DecisionKind
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream

ChoiceT = TypeVar("ChoiceT", bound=BaseChoice)
CommandT = TypeVar("CommandT", bound=Command)


class ChoiceKind(NamedTuple, Generic[ChoiceT, CommandT]):
    """A kind of choice: its struct and its functions.

    Attributes:
        name: The kind of decision.
        choice: The struct.
        make: Describes the open decision of a seat.
        verify: Raises `Refused` where a command, as `normalised` makes it, is none that the choice contains.
        list_commands: Lists every command that a choice contains, each multiset of cards once, in a fixed
            order.
        sample: Picks a command at random; each has a chance, not all the same.
        only_answer: Gives the answer to a choice that leaves nothing to decide, else None.
    """

    name: DecisionKind
    choice: type[ChoiceT]
    make: Callable[[Race, Seat], ChoiceT]
    verify: Callable[[Race, Seat, CommandT], None]
    list_commands: Callable[[ChoiceT], Iterable[CommandT]]
    sample: Callable[[ChoiceT, Stream], CommandT]
    only_answer: Callable[[ChoiceT], CommandT | None]


def always_asked(choice: Any) -> None:
    """Answer for nobody: the `only_answer` of the kinds that always leave something to decide."""


def multisets(pool: Sequence[CardName], count: int) -> Iterator[tuple[CardName, ...]]:
    """List the ways to take cards from a sorted pool, equal cards being one."""
    # The pool is sorted, so equal multisets come as equal tuples; a dict keeps their order.
    yield from dict.fromkeys(combinations(pool, count))


def verify_held(pool: Sequence[CardName], cards: tuple[CardName, ...]) -> None:
    """See that a pool holds the cards that a command names.

    Raises:
        Refused: It does not.
    """
    rest = list(pool)
    for card in cards:
        if card not in rest:
            raise Refused(
                RefusalCode.CARD_NOT_IN_HAND,
                f"You named the card {card!r} {cards.count(card)} times and have {pool.count(card)}.",
                pool,
            )
        rest.remove(card)
