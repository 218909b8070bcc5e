"""What each choice is worth by the advice, as it stands beside it: also with the cards picked so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from heat_core.cards import CardName
from heat_core.coach.advice import Advice
from heat_core.coach.wording import spaces_text
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    ReactChoice,
    SlipstreamChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.view.race_view import OwnView
from heat_tui.race.draft import DONE, Draft

_AS_GOOD: Final = 0.05


class Worths(NamedTuple):
    """The advice on an open decision beside its half-made choice."""

    advice: Advice
    own: OwnView
    draft: Draft

    @property
    def choice(self) -> Choice | None:
        """What is asked."""
        return self.own.choice

    def gears(self) -> dict[int, str]:
        """Say what each gear is worth."""
        if not isinstance(self.choice, GearChoice):
            return {}
        told = {gear: self._best(_is_gear(gear)) for gear in range(1, 5)}
        return {gear: text for gear, text in told.items() if text}

    def cards(self) -> tuple[str, ...]:
        """Say what each card of the hand is worth: the best choice that has it beside those picked so far.

        A picked card has the worth of the picked ones. Of cards to discard, just these are gone.
        """
        if not isinstance(self.choice, CardsChoice | DiscardChoice):
            return ()
        picked = [place for place in self.draft.picked if place < len(self.own.hand)]
        return tuple(
            self._with_cards([self.own.hand[other] for other in {*picked, place}], card)
            for place, card in enumerate(self.own.hand)
        )

    def _with_cards(self, cards: Sequence[CardName], card: CardName) -> str:
        choice = self.choice
        if not isinstance(choice, CardsChoice | DiscardChoice) or card not in choice.pool:
            return ""
        if isinstance(choice, DiscardChoice):
            return self._best(
                lambda command: isinstance(command, c.Discard) and Counter(command.cards) == Counter(cards)
            )
        if len(cards) > choice.count:  # the first card goes back
            cards = [*[self.own.hand[place] for place in self.draft.picked[1:]], card]
        return self._best(
            lambda command: isinstance(command, c.PlayCards) and Counter(cards) <= Counter(command.cards)
        )

    def row(self, number: int) -> str:
        """Say what a row of a list is worth, by the number that it has in the draft."""
        match self.choice:
            case ReactChoice() as choice if number == DONE:
                return "" if choice.must else self._best(lambda command: isinstance(command, c.EndReact))
            case ReactChoice() as choice if number >= len(choice.symbols):
                card = choice.direct[number - len(choice.symbols)].card
                return self._best(lambda command: isinstance(command, c.UseSymbol) and card in command.cards)
            case ReactChoice():
                return self._best(
                    lambda command: isinstance(command, c.UseSymbol) and command.number == number
                )
            case SlipstreamChoice():
                return self._best(
                    lambda command: isinstance(command, c.Slipstream) and command.spaces == number
                )
            case UnpaidChoice(ways=ways):
                return self._best(lambda command: command == c.DropUnpaid(ways[number]))
            case ValueChoice():
                return self.chosen()
            case _:
                return ""

    def chosen(self) -> str:
        """Say what the half-made choice is worth, "" as long as it is not whole."""
        command = self.draft.command(self.own)
        if isinstance(command, str):
            return ""
        wanted = normalised(command)
        return self._best(lambda other: other == wanted)

    def chosen_told(self) -> str:
        """Say by how much the half-made choice is worse, "" where it is as good or advice says it."""
        command = self.draft.command(self.own)
        if isinstance(command, str) or self.chosen() in ("", "0"):
            return ""
        wanted = normalised(command)
        behind = -max(worth.spaces for worth in self.advice.worths if worth.command == wanted)
        worse = f"is {spaces_text(behind)} worse"
        return "" if self.advice.sentence.endswith((worse, f"{worse}.")) else f"Your choice {worse}."

    def _best(self, fits: Callable[[c.Command], bool]) -> str:
        spaces = [worth.spaces for worth in self.advice.worths if fits(worth.command)]
        return worth_text(max(spaces)) if spaces else ""


def _is_gear(gear: int) -> Callable[[c.Command], bool]:
    return lambda command: command == c.ShiftGear(gear)


def worth_text(spaces: float) -> str:
    """Say a worth in spaces against the best choice: `0`, `-1.2`, `-12`."""
    if spaces > -_AS_GOOD:
        return "0"
    return f"{spaces:.1f}" if spaces > -9.95 else f"{spaces:.0f}"
