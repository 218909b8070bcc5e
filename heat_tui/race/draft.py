"""A half-made choice: what is picked but not yet said. It survives every update of the view.

The draft belongs to one kind of decision of one seat. A secret choice keeps its draft while it may still be
changed, though each answer gives its decision a new id.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from heat_core import commands as c
from heat_core.cards import CardName
from heat_core.choices import CardsChoice, Choice, DiscardChoice, GearChoice, ReactChoice, SlipstreamChoice
from heat_core.events import DecisionKind
from heat_core.view import OwnView

DONE = -1
"""The row of the reaction list that ends phase 5."""


@dataclass
class Draft:
    """What a seat has picked so far.

    Attributes:
        seat: Whose it is.
        kind: Of the decision that it answers.
        round: A new round begins with nothing picked.
        gear: The gear that the lever stands on.
        picked: Places in the hand.
        row: Selected symbol of the reaction list, or `DONE`.
        amount: For a symbol of "up to n".
        spaces: Of the slipstream.
    """

    seat: int
    kind: DecisionKind
    round: int
    gear: int = 1
    picked: list[int] = field(default_factory=list)
    row: int = DONE
    amount: int = 0
    spaces: int = 0

    @classmethod
    def begin(cls, own: OwnView, kind: DecisionKind, round_number: int, gear: int) -> Draft:
        """Begin with nothing picked: the gear as it is, done reacting; a slipstream is offered."""
        draft = cls(own.seat, kind, round_number, gear=gear)
        if isinstance(own.choice, GearChoice):
            gears = [option.gear for option in own.choice.options]
            draft.gear = min(gears, key=lambda other: (abs(other - gear), other))
        if isinstance(own.choice, SlipstreamChoice):
            draft.spaces = max(own.choice.spaces)
        return draft

    def fits(self, seat: int, kind: DecisionKind, round_number: int) -> bool:
        """Tell whether the draft is still about the decision that is open now."""
        return (self.seat, self.kind, self.round) == (seat, kind, round_number)

    def cards(self, own: OwnView) -> tuple[CardName, ...]:
        """Give the picked cards, in the order of picking."""
        return tuple(own.hand[place] for place in self.picked if place < len(own.hand))

    def toggle(self, own: OwnView, place: int) -> str:
        """Pick a card of the hand, or put it back.

        Returns:
            Why it cannot be picked, "" if it can.
        """
        if place in self.picked:
            self.picked.remove(place)
            return ""
        if place >= len(own.hand):
            return f"You hold {len(own.hand)} cards."
        match own.choice:
            case CardsChoice(is_cluttered=True):
                return "Your hand is cluttered: nothing can be played."
            case CardsChoice():
                if own.hand[place] not in own.choice.pool:
                    return "Heat cannot be played: cool it down in 1st or 2nd gear."
                if len(self.picked) == own.choice.count:
                    self.picked.pop(0)
            case DiscardChoice():
                if own.hand[place] not in own.choice.pool:
                    return "Heat and Stress stay in the hand."
            case _:
                return "No cards are asked for now."
        self.picked.append(place)
        return ""

    def shift(self, own: OwnView, step: int) -> str:
        """Move the gear lever one step.

        Returns:
            Why it does not move, "" if it does.
        """
        if not isinstance(own.choice, GearChoice):
            return "The gear lever is for phase 1."
        gears = [option.gear for option in own.choice.options]
        place = gears.index(self.gear) + step if self.gear in gears else 0
        if not 0 <= place < len(gears):
            return "No further gear is within reach."
        self.gear = gears[place]
        return ""

    def select(self, choice: ReactChoice, step: int) -> None:
        """Move along the rows of the reaction list that can be used; the last is done."""
        rows = [number for number, use in enumerate(choice.symbols) if use.most] + [DONE]
        place = rows.index(self.row) if self.row in rows else len(rows) - 1
        self.row = rows[max(0, min(len(rows) - 1, place + step))]
        self.amount = choice.symbols[self.row].most if self.row != DONE else 0

    def command(self, own: OwnView) -> c.Command | str:
        """Say what is picked.

        Returns:
            The command; or, if it is not complete, what is missing.
        """
        choice: Choice | None = own.choice
        match choice:
            case GearChoice():
                return c.ShiftGear(self.gear)
            case CardsChoice():
                missing = choice.count - len(self.picked)
                if missing > 0:
                    return f"Pick {missing} more {'card' if missing == 1 else 'cards'}."
                return c.PlayCards(self.cards(own))
            case ReactChoice():
                if self.row == DONE or not choice.symbols[self.row].most:
                    return c.EndReact()
                use = choice.symbols[self.row]
                return c.UseSymbol(self.row, max(use.least, min(self.amount, use.most)))
            case SlipstreamChoice():
                return c.Slipstream(self.spaces if self.spaces in choice.spaces else 0)
            case DiscardChoice():
                return c.Discard(self.cards(own))
            case None:
                return "Nothing is asked of you now."
            case _:
                assert_never(choice)


def only_answer(choice: Choice) -> c.Command | None:
    """Give the answer to a decision that leaves nothing to decide, None where there is something."""
    match choice:
        case CardsChoice(is_cluttered=True):
            return c.PlayCards(())
        case ReactChoice() if not any(use.most for use in choice.symbols):
            return c.EndReact()
        case SlipstreamChoice() if choice.spaces == (0,):
            return c.Slipstream(0)
        case DiscardChoice() if not choice.pool:
            return c.Discard(())
        case _:
            return None


def same_answer(chosen: c.Command | None, said: c.Command) -> bool:
    """Tell whether a secret choice is the one made already; the order of cards does not matter."""
    match chosen, said:
        case c.PlayCards(), c.PlayCards():
            return sorted(chosen.cards) == sorted(said.cards)
        case c.Discard(), c.Discard():
            return sorted(chosen.cards) == sorted(said.cards)
        case _:
            return chosen == said
