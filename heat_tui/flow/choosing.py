"""What keys and clicks do to a half-made choice, one method for each.

Every method changes the draft and returns why something is refused or was changed otherwise than asked, in
one sentence; "" where there is nothing to say, and None where the key means nothing for what is asked.
"""

from __future__ import annotations

from typing import Final

from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    ValueChoice,
)
from heat_core.view.observation import Observation
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.keys.table import Keys
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.presenter import DIRECT_USE, SYMBOL_USES

_KINDS_OF_USE: Final[dict[str, tuple[SymbolKind, ...]]] = {
    use: tuple(kind for kind, other in SYMBOL_USES.items() if other == use) for use in SYMBOL_USES.values()
}


class Choosing:
    """A draft together with the choice that it is for.

    Attributes:
        observation: What the seat sees that chooses.
        draft: Is changed in place.
        choice: What is asked.
    """

    def __init__(self, observation: Observation, draft: Draft, choice: Choice) -> None:
        """Begin to change a draft."""
        self.observation = observation
        self.draft = draft
        self.choice = choice

    def number(self, number: int) -> str:
        """Pick card `number` of the hand, from 1, or put it back; in phase 1 the gear; in lists how many."""
        if (refusal := self.gear(number)) is not None:
            return refusal
        if isinstance(self.choice, PickChoice | SwapChoice):
            return self.select_row(number - 1)
        if self.draft.row != DONE:
            return self.draft.change(self.choice, number, is_step=False)
        return self.draft.toggle(self.observation.own, number - 1)

    def gear(self, gear: int) -> str | None:
        """Put the gear lever on a gear."""
        if not isinstance(self.choice, GearChoice):
            return None
        return self.draft.put_gear(self.observation, gear)

    def sideways(self, step: int) -> str:
        """Move the gear lever, or a cursor over the cards; in lists change how many, or which value."""
        if isinstance(self.choice, GearChoice):
            return self.draft.shift(self.observation.own, step)
        if isinstance(self.choice, CardsChoice | DiscardChoice):
            self.draft.move_cursor(self.observation.own, step)
            return ""
        return self.draft.change(self.choice, step, is_step=True)

    def select(self, step: int) -> str:
        """Move along a list; the lever a gear up or down; pick the card at the cursor, or put it back.

        Args:
            step: -1 is up.
        """
        if isinstance(self.choice, GearChoice):
            return self.draft.shift(self.observation.own, -step)
        if isinstance(self.choice, CardsChoice | DiscardChoice):
            return self.draft.lift(self.observation.own, is_up=step < 0)
        if isinstance(self.choice, SlipstreamChoice):
            spaces = sorted(self.choice.spaces, reverse=True)
            place = spaces.index(self.draft.spaces) + step
            return self.select_slipstream(spaces[max(0, min(len(spaces) - 1, place))])
        self.draft.select(self.choice, step)
        return ""

    def symbol(self, use: str) -> str | None:
        """Select the next thing to do of a kind.

        Args:
            use: The kind, as the table of keys calls it.
        """
        if not isinstance(self.choice, ReactChoice):
            return None
        symbols, direct = self.choice.symbols, self.choice.direct
        if use == DIRECT_USE:
            rows = [len(symbols) + number for number, card in enumerate(direct) if not card.reason]
            reasons = [card.reason for card in direct]
        else:
            kinds = _KINDS_OF_USE[use]
            rows = [n for n, one in enumerate(symbols) if one.symbol.kind in kinds and one.most]
            reasons = [one.reason for one in symbols if one.symbol.kind in kinds]
        if not rows:
            return reasons[0] if reasons else "You have nothing like that to use this turn."
        row = next((row for row in rows if row > self.draft.row), rows[0])
        # Where it is selected already, the amount chosen for it stays.
        return self.select_row(row) if row != self.draft.row else None

    def slipstream(self, *, wants: bool) -> str | None:
        """Choose the longest slipstream, or none."""
        if not isinstance(self.choice, SlipstreamChoice):
            return None
        return self.select_slipstream(max(self.choice.spaces) if wants else 0)

    def select_slipstream(self, spaces: int) -> str:
        """Choose a slipstream of so many spaces."""
        self.draft.spaces = spaces
        return ""

    def select_row(self, row: int) -> str:
        """Select a row of a list; in the garage the nearest one there is."""
        if row != DONE and isinstance(self.choice, PickChoice | SwapChoice):
            row = max(0, min(row, len(self.observation.view.offered) - 1))
        self.draft.salvage = None
        self.draft.select_row(self.choice, row)
        return ""

    def press_key(self, pressed: str, keys: Keys) -> str | None:
        """Select the row of a list that a key belongs to; what was chosen in it stays. None: there is none.

        Args:
            pressed: As it is shown.
            keys: The player's.
        """
        rows = reaction_rows(self.observation, self.draft, keys)
        row = next((row for row in rows if row.key == pressed), None)
        if row is None or row.is_selected:
            return None if row is None else ""
        if isinstance(self.choice, SlipstreamChoice):
            return self.select_slipstream(row.number)
        if self.draft.salvage is None:
            return self.select_row(row.number)
        self.draft.salvage.row = row.number
        return ""

    def take_back(self) -> str:
        """Put the card back that was picked last; in a list select what ends it."""
        del self.draft.picked[-1:]
        if isinstance(self.choice, ReactChoice):
            self.draft.select_first(self.choice)
        elif isinstance(self.choice, SwapChoice):
            self.draft.row = DONE
        return ""

    def done(self) -> str:
        """Select the end of phase 5; what must be used before is selected in its place."""
        if not isinstance(self.choice, ReactChoice):
            return ""
        self.draft.row, self.draft.salvage = DONE, None
        if self.choice.must:
            self.draft.select_first(self.choice)
        return self.choice.must

    def press(self, row: int) -> str | None:
        """Select a row; one that is selected already changes its card's speed, or takes one more card.

        Args:
            row: As `Row.number` gives it.

        Returns:
            None: it is selected already, and pressing it again confirms it.
        """
        draft = self.draft
        if isinstance(self.choice, ValueChoice):
            if draft.row == row:
                speeds = sorted(self.choice.speeds[row])
                following = (speeds.index(draft.values[row]) + 1) % len(speeds)
                draft.values[row] = speeds[following]
            draft.row = row
        elif draft.salvage is not None:
            if draft.salvage.row == row:
                draft.salvage.press()
            draft.salvage.row = row
        elif isinstance(self.choice, SlipstreamChoice):
            return self.select_slipstream(row) if draft.spaces != row else None
        else:
            return self.select_row(row) if draft.row != row else None
        return ""

    def give(self, place: int) -> str:
        """Choose the own upgrade to swap away."""
        self.draft.give = place
        return ""
