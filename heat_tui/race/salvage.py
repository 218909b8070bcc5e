"""Which cards of the discard pile a salvage is to take: half a choice, counted by kind of card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heat_core.cards import CardName
from heat_core.race import commands as c


@dataclass
class Salvage:
    """The cards chosen so far.

    Attributes:
        number: Place of the symbol among the turn's.
        pile: What can be taken, in hand order.
        most: How many at most.
        row: The kind that is selected.
        counts: How many of each kind are to be taken.
    """

    number: int
    pile: Sequence[CardName]
    most: int
    row: int = 0
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with nothing taken."""
        self.counts = self.counts or [0] * len(self.kinds)

    @property
    def kinds(self) -> tuple[CardName, ...]:
        """The kinds of cards there are."""
        return tuple(dict.fromkeys(self.pile))

    @property
    def cards(self) -> tuple[CardName, ...]:
        """What is taken, in hand order."""
        kinds = zip(self.kinds, self.counts, strict=True)
        return tuple(card for card, count in kinds for _ in range(count))

    def select(self, step: int) -> None:
        """Move along the kinds."""
        self.row = max(0, min(len(self.counts) - 1, self.row + step))

    def change(self, amount: int, *, is_step: bool) -> str:
        """Take another number of the selected kind.

        Returns:
            Why it cannot be so many, "" if it can.
        """
        there = self.pile.count(self.kinds[self.row])
        wanted = self.counts[self.row] + amount if is_step else amount
        others = sum(self.counts) - self.counts[self.row]
        self.counts[self.row] = max(0, min(wanted, there, self.most - others))
        if wanted > there:
            return f"Your discard pile has {there} of that."
        return f"You can take at most {self.most}." if wanted > self.most - others else ""

    def press(self) -> None:
        """Take one more of the selected kind; none of it once no more can be taken."""
        if self.change(1, is_step=True):
            self.counts[self.row] = 0

    def command(self) -> c.Command | str:
        """Say what is chosen, or what is missing."""
        if not self.cards:
            return "Choose at least one card, or take it back."
        return c.UseSymbol(self.number, len(self.cards), self.cards)
