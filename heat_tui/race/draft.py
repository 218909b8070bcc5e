"""A half-made choice: picked but not yet sent. It survives every update of the view.

The draft belongs to one kind of decision of one seat. A secret choice keeps its draft while it may still be
changed, though each answer gives its decision a new id.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, assert_never

from heat_core.cards import HEAT, STRESS, CardName
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
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race import commands as c
from heat_core.race.events import DecisionKind
from heat_core.rules.offers import DirectUse
from heat_core.sentences.card_words import card_name
from heat_core.view.observation import Observation
from heat_core.view.race_view import OwnView
from heat_tui.race.refusal_text import why_no_gear
from heat_tui.race.salvage import Salvage

DONE = -1
"""The row that ends phase 5, or keeps all upgrades."""

_MUST_BE_USED: Final[frozenset[SymbolKind]] = frozenset({"heat", "scrap"})
_SILENT: Final[frozenset[SymbolKind]] = frozenset({"flip", "direct"})
"""Symbols that phase 5 has nothing to say about."""


@dataclass
class Draft:
    """What a seat has picked so far.

    Attributes:
        seat: Whose it is.
        kind: Of the decision that it answers.
        round: A new round begins with nothing picked.
        gear: The gear that the lever is on.
        picked: Places in the hand; behind its last those of the cards that may be refreshed.
        row: Selected row of a list: a symbol, behind the last one a card to play directly, a card that needs
            a value, a way to drop cards, an open upgrade; or `DONE`.
        amount: For a symbol of "up to n", the speed of a card to play directly.
        spaces: Of the slipstream.
        values: The speeds chosen for the cards that offer a choice.
        salvage: The cards to salvage, while these are being chosen.
        give: Place of the own upgrade to swap away.
        decision: Its id; in phase 5 each has a selection of its own.
        cursor: Place of the card that arrows have come to; None: none have been pressed.
    """

    seat: int
    kind: DecisionKind
    round: int
    gear: int = 1
    picked: list[int] = field(default_factory=list)
    row: int = DONE
    amount: int = 0
    spaces: int = 0
    values: list[int] = field(default_factory=list)
    salvage: Salvage | None = None
    give: int = 0
    decision: int | None = None
    cursor: int | None = None

    @classmethod
    def begin(cls, own: OwnView, kind: DecisionKind, round_number: int, gear: int) -> Draft:
        """Begin with nothing picked: the gear as it is, done reacting; a slipstream is offered."""
        draft = cls(own.seat, kind, round_number, gear=gear)
        if isinstance(own.choice, GearChoice):
            gears = [option.gear for option in own.choice.options]
            draft.gear = min(gears, key=lambda other: (abs(other - gear), other))
        if isinstance(own.choice, SlipstreamChoice):
            draft.spaces = max(own.choice.spaces)
        if isinstance(own.choice, ValueChoice):
            draft.values = [min(speeds) for speeds in own.choice.speeds]
        if isinstance(own.choice, ValueChoice | UnpaidChoice | PickChoice):
            draft.row = 0
        if isinstance(own.choice, ReactChoice):
            draft.select_first(own.choice)
        draft.decision = own.decision
        return draft

    def copy(self) -> Draft:
        """Give another one that says the same, to be changed without this one."""
        return deepcopy(self)

    def fits(self, seat: int, kind: DecisionKind, round_number: int) -> bool:
        """Tell whether the draft is still about the decision that is open now."""
        return (self.seat, self.kind, self.round) == (seat, kind, round_number)

    def cards(self, own: OwnView) -> tuple[CardName, ...]:
        """Give the picked cards, in the order of picking."""
        return tuple(own.hand[place] for place in self.picked if place < len(own.hand))

    def toggle(self, own: OwnView, place: int) -> str:
        """Pick a card of the hand, or put it back; one card too many puts back the first.

        Returns:
            A sentence for the player: why it cannot be picked, or which card has gone back for it; "" else.
        """
        if place in self.picked:
            self.picked.remove(place)
            return ""
        if place >= _cards_shown(own):
            return f"You hold {len(own.hand)} cards."
        match own.choice:
            case CardsChoice(is_cluttered=True):
                return "Your hand is cluttered: you can play nothing."
            case CardsChoice():
                if own.hand[place] not in own.choice.pool:
                    return "Heat cannot be played. Cool it down in 1st or 2nd gear."
                if len(self.picked) == own.choice.count:
                    back = card_name(own.hand[self.picked.pop(0)])
                    self.picked.append(place)
                    return f"The {back} went back to your hand: you can play only {own.choice.count}."
            case DiscardChoice() if place < len(own.hand):
                if own.hand[place] not in own.choice.pool:
                    return _why_it_stays(own.choice, own.hand[place])
                if len(self.cards(own)) == own.choice.most:
                    return f"You can discard at most {own.choice.most}."
            case DiscardChoice():
                pass
            case _:
                return "You have no cards to choose now."
        self.picked.append(place)
        return ""

    def move_cursor(self, own: OwnView, step: int) -> None:
        """Move along the cards; it comes from the end that it moves away from."""
        last = _cards_shown(own) - 1
        if last < 0:
            return
        if self.cursor is None:
            self.cursor = 0 if step > 0 else last
        else:
            self.cursor = max(0, min(last, self.cursor + step))

    def lift(self, own: OwnView, *, is_up: bool) -> str:
        """Pick the card at the cursor, or put it back; what is so already stays so.

        Returns:
            As `toggle` does; or that no card is pointed at.
        """
        if self.cursor is None:
            return "Left and right choose a card; up picks it, down puts it back."
        return self.toggle(own, self.cursor) if is_up != (self.cursor in self.picked) else ""

    def refreshed(self, own: OwnView) -> tuple[CardName, ...]:
        """Give the played cards that are to go on top of the draw pile, in the order of picking."""
        if not isinstance(own.choice, DiscardChoice):
            return ()
        cards = own.choice.refreshable
        first = len(own.hand)
        return tuple(cards[place - first] for place in self.picked if first <= place < first + len(cards))

    def shift(self, own: OwnView, step: int) -> str:
        """Move the gear lever one step.

        Returns:
            Why it does not move, "" if it does.
        """
        if not isinstance(own.choice, GearChoice):
            return "You can shift only in phase 1."
        gears = [option.gear for option in own.choice.options]
        place = gears.index(self.gear) + step if self.gear in gears else 0
        if not 0 <= place < len(gears):
            return "You cannot shift any further."
        self.gear = gears[place]
        return ""

    def put_gear(self, observation: Observation, gear: int) -> str:
        """Put the gear lever on a gear.

        Returns:
            Why it does not go there, "" if it does.
        """
        choice, car = observation.own.choice, observation.own_car
        if not isinstance(choice, GearChoice):
            return "You can shift only in phase 1."
        if all(option.gear != gear for option in choice.options):
            is_flooded = observation.track.is_flooded[car.space]
            return why_no_gear(car.gear, gear, car.engine, observation.own.hand, is_flooded=is_flooded)
        self.gear = gear
        return ""

    def select(self, choice: Choice, step: int) -> None:
        """Move along the rows: in phase 5 what can be used, done, then what cannot be used now."""
        if self.salvage is not None:
            self.salvage.select(step)
        elif rows := rows_of(choice):
            place = rows.index(self.row) if self.row in rows else len(rows) - 1
            self.select_row(choice, rows[max(0, min(len(rows) - 1, place + step))])

    def select_first(self, choice: ReactChoice) -> None:
        """Select what must be used before phase 5 can be left, where there is such a thing, else done."""
        uses = enumerate(choice.symbols) if choice.must else ()
        self.salvage = None
        self.select_row(
            choice, next((row for row, use in uses if use.most and use.symbol.kind in _MUST_BE_USED), DONE)
        )

    def select_row(self, choice: Choice, row: int) -> None:
        """Select a row, with as much of it as there is."""
        self.row = row
        if not isinstance(choice, ReactChoice):
            return
        direct = self.direct(choice)
        if direct is not None:
            self.amount = max(direct.speeds)
        else:
            self.amount = choice.symbols[row].most if row != DONE else 0

    def direct(self, choice: ReactChoice) -> DirectUse | None:
        """Give the card to play directly that is selected, None where something else is."""
        place = self.row - len(choice.symbols)
        return choice.direct[place] if 0 <= place < len(choice.direct) else None

    def begin_salvage(self, choice: Choice) -> bool:
        """Begin to choose cards where a salvage is selected, or take the first; returns whether it began."""
        if self.salvage is not None and not self.salvage.cards:
            self.salvage.press()
            return True
        if self.salvage is not None or not isinstance(choice, ReactChoice):
            return False
        if not 0 <= self.row < len(choice.symbols):
            return False
        use = choice.symbols[self.row]
        if use.symbol.kind != "salvage" or not use.most:
            return False
        self.salvage = Salvage(self.row, choice.salvageable, use.most)
        return True

    def change(self, choice: Choice, amount: int, *, is_step: bool) -> str:
        """Change how much of the selected row is used, or which value it has.

        Args:
            amount: The new one; a difference where `is_step`.

        Returns:
            Why it cannot be so, "" where there is nothing to say.
        """
        if self.salvage is not None:
            return self.salvage.change(amount, is_step=is_step)
        match choice:
            case ValueChoice() if 0 <= self.row < len(choice.cards):
                speeds = sorted(choice.speeds[self.row])
                now = self.values[self.row]
                if is_step:
                    place = max(0, min(len(speeds) - 1, speeds.index(now) + amount))
                    self.values[self.row] = speeds[place]
                elif amount in speeds:
                    self.values[self.row] = amount
                else:
                    return f"The speeds to choose from are {', '.join(str(speed) for speed in speeds)}."
            case ReactChoice() if self.row != DONE:
                wanted = self.amount + amount if is_step else amount
                direct = self.direct(choice)
                if direct is not None:
                    self.amount = min(direct.speeds, key=lambda speed: (abs(speed - wanted), speed))
                else:
                    use = choice.symbols[self.row]
                    self.amount = max(use.least, min(use.most, wanted)) if use.most else 0
            case SwapChoice() if is_step and choice.owned:
                self.give = (self.give + amount) % len(choice.owned)
            case _:
                pass
        return ""

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
            case ValueChoice():
                return c.ChooseValue(tuple(self.values))
            case ReactChoice():
                return self._reaction(choice)
            case UnpaidChoice():
                return c.DropUnpaid(choice.ways[max(0, self.row)])
            case SlipstreamChoice():
                return c.Slipstream(self.spaces if self.spaces in choice.spaces else 0)
            case DiscardChoice():
                return c.Discard(self.cards(own), self.refreshed(own))
            case PickChoice():
                return c.PickUpgrade(choice.offered[max(0, self.row)])
            case SwapChoice():
                if self.row == DONE:
                    return c.SwapUpgrade(None, None)
                return c.SwapUpgrade(choice.owned[self.give], choice.left[self.row])
            case None:
                return "You have nothing to decide now."
            case _:
                assert_never(choice)

    def _reaction(self, choice: ReactChoice) -> c.Command | str:
        if self.salvage is not None:
            return self.salvage.command()
        direct = self.direct(choice)
        if direct is not None:
            return direct.reason or choice.play_directly(direct.card, self.amount)
        if self.row == DONE:
            return choice.must or c.EndReact()
        use = choice.symbols[self.row]
        if not use.most:
            return use.reason
        return c.UseSymbol(self.row, max(use.least, min(self.amount, use.most)))


def usable_rows(choice: Choice) -> list[int]:
    """List the rows of a choice that can be selected, from the top."""
    match choice:
        case ReactChoice():
            rows = [number for number, use in enumerate(choice.symbols) if use.most]
            first = len(choice.symbols)
            return [*rows, *(first + n for n, use in enumerate(choice.direct) if not use.reason), DONE]
        case ValueChoice():
            return list(range(len(choice.cards)))
        case UnpaidChoice():
            return list(range(len(choice.ways)))
        case PickChoice():
            return list(range(len(choice.offered)))
        case SwapChoice():
            return [*range(len(choice.left)), DONE]
        case _:
            return []


def rows_of(choice: Choice) -> list[int]:
    """List all rows of a choice as they are shown: behind those that can be used the others."""
    rows = usable_rows(choice)
    if isinstance(choice, ReactChoice):
        uses = enumerate(choice.symbols)
        idle = [
            row for row, use in uses if not use.most and not use.is_used and use.symbol.kind not in _SILENT
        ]
        first = len(choice.symbols)
        return [*rows, *idle, *(first + n for n, use in enumerate(choice.direct) if use.reason)]
    return rows


def _cards_shown(own: OwnView) -> int:
    """Count the cards side by side: the hand, and behind it those that may be refreshed."""
    return len(own.hand) + (len(own.choice.refreshable) if isinstance(own.choice, DiscardChoice) else 0)


def _why_it_stays(choice: DiscardChoice, card: CardName) -> str:
    if card in (HEAT, STRESS):
        return "Heat and Stress stay in the hand."
    return "You cannot discard in a tunnel."


def same_answer(chosen: c.Command | None, said: c.Command) -> bool:
    """Tell whether a secret choice is the one made already; the order of cards does not matter."""
    match chosen, said:
        case c.PlayCards(), c.PlayCards():
            return sorted(chosen.cards) == sorted(said.cards)
        case c.Discard(), c.Discard():
            return sorted(chosen.cards) == sorted(said.cards) and chosen.refresh == said.refresh
        case _:
            return chosen == said
