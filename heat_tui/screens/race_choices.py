"""How keys and clicks change a half-made choice; `RaceScreen` sends it."""

from __future__ import annotations

import time
from typing import Final

from textual import events
from textual.timer import Timer

from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
    CardsChoice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    ValueChoice,
)
from heat_core.view.race_view import Observation
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.keys.bindings import keys_of
from heat_tui.keys.table import pressed_key
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.enter_guard import EnterGuard
from heat_tui.race.presenter import DIRECT_USE, SYMBOL_USES
from heat_tui.race.rows import Row
from heat_tui.screens.race_pages import RacePages

_KINDS_OF_USE: Final[dict[str, tuple[SymbolKind, ...]]] = {
    use: tuple(kind for kind, other in SYMBOL_USES.items() if other == use) for use in SYMBOL_USES.values()
}


class RaceChoices(RacePages):
    """The part of the race screen that chooses.

    Attributes:
        draft: What is picked but not said, None while nothing is asked of the viewer.
        enters: Tells which Enters count.
    """

    draft: Draft | None
    enters: EnterGuard
    _enter_due: Timer | None = None

    @property
    def observation(self) -> Observation | None:
        """What the viewer sees, None while nobody looks."""
        raise NotImplementedError

    def changed_draft(self, refusal: str = "") -> None:
        """Show the draft as it is now, and why something cannot be so."""
        raise NotImplementedError

    def confirm_now(self) -> None:
        """Say what is picked; lift the curtain; at the end go on to the results."""
        raise NotImplementedError

    def action_confirm(self) -> None:
        """Take Enter, unless it is one of a key that is held down or was meant for before."""
        if self._enter_due is not None:
            self._enter_due.stop()
            self._enter_due = None
        seconds = self.enters.press(time.monotonic(), self.navigator.enter_gap_seconds)
        if seconds:
            self._enter_due = self.set_timer(seconds, self.confirm_what_is_due)
        elif seconds is not None:
            self.confirm_now()

    def confirm_what_is_due(self) -> None:
        """Confirm now what an Enter behind a skip is still waited with."""
        if self._enter_due is not None:
            self._enter_due.stop()
            self._enter_due = None
            self.confirm_now()

    def action_card(self, number: int) -> None:
        """Pick card `number` of the hand, from 1, or put it back; in phase 1 the gear; in lists how many."""
        own = self.race_view.own
        if own is None or own.choice is None or self.draft is None:
            self.look_at(number - 1)
        elif isinstance(own.choice, GearChoice):
            self.action_gear(number)
        elif isinstance(own.choice, PickChoice | SwapChoice):
            self._select_row(number - 1)
        elif self.draft.row != DONE:
            self.changed_draft(self.draft.change(own.choice, number, is_step=False))
        else:
            self.changed_draft(self.draft.toggle(own, number - 1))

    def action_gear(self, gear: int) -> None:
        """Put the gear lever on a gear."""
        observation = self.observation
        if (
            observation is not None
            and self.draft is not None
            and isinstance(observation.own.choice, GearChoice)
        ):
            self.changed_draft(self.draft.put_gear(observation, gear))

    def action_sideways(self, step: int) -> None:
        """Move the gear lever, or a cursor over the cards; in lists choose how many, or which value."""
        own = self.race_view.own
        if own is None or own.choice is None or self.draft is None:
            return
        if isinstance(own.choice, GearChoice):
            self.changed_draft(self.draft.shift(own, step))
        elif isinstance(own.choice, CardsChoice | DiscardChoice):
            self.draft.move_cursor(own, step)
            self.changed_draft()
        else:
            self.changed_draft(self.draft.change(own.choice, step, is_step=True))

    def action_select(self, step: int) -> None:
        """Move along a list; the lever a gear up or down; pick the card at the cursor, or put it back.

        Args:
            step: -1 is up.
        """
        own = self.race_view.own
        if own is None or own.choice is None or self.draft is None:
            self.look_at(self.looked_at + step)
            return
        if isinstance(own.choice, GearChoice):
            self.changed_draft(self.draft.shift(own, -step))
            return
        if isinstance(own.choice, CardsChoice | DiscardChoice):
            self.changed_draft(self.draft.lift(own, is_up=step < 0))
            return
        if isinstance(own.choice, SlipstreamChoice):
            spaces = sorted(own.choice.spaces, reverse=True)
            place = spaces.index(self.draft.spaces) + step
            self.draft.spaces = spaces[max(0, min(len(spaces) - 1, place))]
        else:
            self.draft.select(own.choice, step)
        self.changed_draft()

    def action_symbol(self, use: str) -> None:
        """Select the next thing to do of a kind.

        Args:
            use: The kind, as the table of keys calls it.
        """
        own = self.race_view.own
        if own is None or self.draft is None or not isinstance(own.choice, ReactChoice):
            return
        symbols, direct = own.choice.symbols, own.choice.direct
        if use == DIRECT_USE:
            rows = [len(symbols) + number for number, card in enumerate(direct) if not card.reason]
            reasons = [card.reason for card in direct]
        else:
            kinds = _KINDS_OF_USE[use]
            rows = [n for n, one in enumerate(symbols) if one.symbol.kind in kinds and one.most]
            reasons = [one.reason for one in symbols if one.symbol.kind in kinds]
        if not rows:
            self.changed_draft(reasons[0] if reasons else "This turn has none of that.")
        else:
            row = next((row for row in rows if row > self.draft.row), rows[0])
            if row != self.draft.row:  # else the amount chosen for it stays
                self._select_row(row)

    def _select_row(self, row: int) -> None:
        own = self.race_view.own
        if own is None or own.choice is None or self.draft is None:
            return
        if row != DONE and isinstance(own.choice, PickChoice | SwapChoice):
            row = max(0, min(row, len(self.race_view.offered) - 1))
        self.draft.salvage = None
        self.draft.select_row(own.choice, row)
        self.changed_draft()

    def action_slipstream(self, wants: bool) -> None:
        """Choose to slipstream, or not to."""
        own = self.race_view.own
        if own is None or self.draft is None or not isinstance(own.choice, SlipstreamChoice):
            return
        self._select_slipstream(max(own.choice.spaces) if wants else 0)

    def _select_slipstream(self, spaces: int) -> None:
        if self.draft is not None:
            self.draft.spaces = spaces
            self.changed_draft()

    def action_take_back(self) -> None:
        """Put the card back that was picked last; in a list select what ends it."""
        own = self.race_view.own
        if self.draft is None or own is None:
            return
        del self.draft.picked[-1:]
        if isinstance(own.choice, ReactChoice):
            self.draft.select_first(own.choice)
        elif isinstance(own.choice, SwapChoice):
            self.draft.row = DONE
        self.changed_draft()

    def action_done(self) -> None:
        """End phase 5 whatever is selected; else the same as `action_confirm`."""
        own = self.race_view.own
        if self.draft is not None and own is not None and isinstance(own.choice, ReactChoice):
            self.draft.row, self.draft.salvage = DONE, None
            if own.choice.must:
                self.draft.select_first(own.choice)
                self.changed_draft(own.choice.must)
                return
        self.action_confirm()

    def on_key(self, event: events.Key) -> None:
        """Select the row of a list that a key belongs to; what keys do elsewhere comes after that."""
        if event.key == "enter" or self.observation is None or self.draft is None:
            return
        keys = keys_of(self)
        pressed = keys.told_key(pressed_key(event.key, event.character))
        rows = reaction_rows(self.observation, self.draft, keys)
        if row := next((row for row in rows if row.key == pressed), None):
            event.stop()
            event.prevent_default()
            self._select_shown(row)

    def _select_shown(self, row: Row) -> None:
        """Select a row as it is shown; what was chosen in it stays."""
        assert self.draft is not None
        if row.is_selected:
            return
        own = self.race_view.own
        if own is not None and isinstance(own.choice, SlipstreamChoice):
            self._select_slipstream(row.number)
        elif self.draft.salvage is not None:
            self.draft.salvage.row = row.number
            self.changed_draft()
        else:
            self._select_row(row.number)

    def action_press_row(self, row: int) -> None:
        """Select a row, or use it if it is selected."""
        if self.draft is None:
            self.look_at(row)
        elif self.draft.row == row:
            self.action_confirm()
        else:
            self._select_row(row)

    def action_press_slipstream(self, spaces: int) -> None:
        """Select a slipstream, or take it if it is selected."""
        if self.draft is not None and self.draft.spaces == spaces:
            self.action_confirm()
        else:
            self._select_slipstream(spaces)

    def action_press_value(self, row: int) -> None:
        """Select a card that needs a value, or give it the next one if it is selected."""
        own = self.race_view.own
        if own is None or not isinstance(own.choice, ValueChoice) or self.draft is None:
            return
        if self.draft.row == row:
            speeds = sorted(own.choice.speeds[row])
            following = (speeds.index(self.draft.values[row]) + 1) % len(speeds)
            self.draft.values[row] = speeds[following]
        self.draft.row = row
        self.changed_draft()

    def action_press_salvage(self, row: int) -> None:
        """Select a kind of card to salvage, or take one more of it if it is selected."""
        if self.draft is None or self.draft.salvage is None:
            return
        if self.draft.salvage.row == row:
            self.draft.salvage.press()
        self.draft.salvage.row = row
        self.changed_draft()

    def action_give(self, place: int) -> None:
        """Choose the own upgrade to swap away."""
        if self.draft is not None:
            self.draft.give = place
            self.changed_draft()
