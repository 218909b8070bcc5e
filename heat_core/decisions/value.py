"""Phase 3: the speeds of the played cards that have several. docs/rules.md: Reveal and move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from heat_core.cards import VALUE_CHOICES
from heat_core.decisions.base import ChoiceKind, always_asked
from heat_core.decisions.choices import ValueChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import ChooseValue
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.turn import cards_to_choose


def _make(race: Race, seat: Seat) -> ValueChoice:
    cards = tuple([card for card, _ in cards_to_choose(seat)])
    return ValueChoice(cards, tuple([VALUE_CHOICES[card] for card in cards]))


def _verify(race: Race, seat: Seat, command: ChooseValue) -> None:
    choice = _make(race, seat)
    if len(command.values) != len(choice.cards):
        raise Refused(
            RefusalCode.WRONG_AMOUNT, f"Speeds needed: {len(choice.cards)}, given: {len(command.values)}."
        )
    for card, speeds, value in zip(choice.cards, choice.speeds, command.values, strict=True):
        if value not in speeds:
            raise Refused(
                RefusalCode.WRONG_AMOUNT, f"The card {card!r} cannot be played at speed {value}.", speeds
            )


def _list_commands(choice: ValueChoice) -> Iterator[ChooseValue]:
    return (ChooseValue(values) for values in product(*choice.speeds))


def _sample(choice: ValueChoice, stream: Stream) -> ChooseValue:
    return ChooseValue(tuple([stream.choose(speeds) for speeds in choice.speeds]))


VALUE: Final = ChoiceKind("value", ValueChoice, _make, _verify, _list_commands, _sample, always_asked)
