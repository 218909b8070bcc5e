"""Phase 2: the cards of this round. docs/rules.md: Play cards (TURN-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heat_core.cards import HEAT, playable_cards
from heat_core.decisions.base import ChoiceKind, multisets, verify_held
from heat_core.decisions.choices import CardsChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import PlayCards
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream


def cards_choice(race: Race, seat: Seat) -> CardsChoice:
    """Describe what a seat may play, whether it is asked for it now or not."""
    pool = playable_cards(seat.hand)
    if len(pool) < seat.gear:
        return CardsChoice(pool, 0, True)
    return CardsChoice(pool, seat.gear, False)


def _verify(race: Race, seat: Seat, command: PlayCards) -> None:
    choice = cards_choice(race, seat)
    cards = command.cards
    if HEAT in cards:
        raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "Heat cannot be played.", choice.pool)
    if len(cards) != choice.count:
        text = (
            f"Your hand is cluttered: it cannot fill gear {seat.gear}, so you play nothing."
            if choice.is_cluttered
            else f"Gear {seat.gear} takes {choice.count} cards, not {len(cards)}."
        )
        raise Refused(RefusalCode.WRONG_NUMBER_OF_CARDS, text, (choice.count,))
    verify_held(choice.pool, cards)


def _list_commands(choice: CardsChoice) -> Iterator[PlayCards]:
    return (PlayCards(cards) for cards in multisets(choice.pool, choice.count))


def _sample(choice: CardsChoice, stream: Stream) -> PlayCards:
    return PlayCards(stream.combination(choice.pool, choice.count))


def _only_answer(choice: CardsChoice) -> PlayCards | None:
    return PlayCards(()) if choice.is_cluttered else None


CARDS: Final = ChoiceKind("cards", CardsChoice, cards_choice, _verify, _list_commands, _sample, _only_answer)
