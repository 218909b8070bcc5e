"""Phase 5: played cards to drop if their Heat cannot be paid. docs/rules.md: Heat that cannot be paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.decisions.base import ChoiceKind
from heat_core.decisions.choices import UnpaidChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import DropUnpaid
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.effects import ways_to_drop


def _make(race: Race, seat: Seat) -> UnpaidChoice:
    return UnpaidChoice(ways_to_drop(race, seat))


def _verify(race: Race, seat: Seat, command: DropUnpaid) -> None:
    if command.cards not in ways_to_drop(race, seat):
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS, "Drop as few as possible of the cards that you cannot pay for."
        )


def _list_commands(choice: UnpaidChoice) -> Iterator[DropUnpaid]:
    return (DropUnpaid(cards) for cards in choice.ways)


def _sample(choice: UnpaidChoice, stream: Stream) -> DropUnpaid:
    return DropUnpaid(stream.choose(choice.ways))


def _only_answer(choice: UnpaidChoice) -> DropUnpaid | None:
    return DropUnpaid(choice.ways[0]) if len(choice.ways) == 1 else None


UNPAID: Final = ChoiceKind("unpaid", UnpaidChoice, _make, _verify, _list_commands, _sample, _only_answer)
