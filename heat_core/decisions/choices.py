"""The nine kinds of choice as values; each kind has a file with what is asked of it."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from heat_core.cards import CardName, Cards
from heat_core.race.commands import UseSymbol
from heat_core.race.events.parts import Amount, Amounts, Gear, Lines
from heat_core.rules.offers import DirectUse, GearOption, SymbolUse

MOST_WAYS: Final = 200
"""Ways, cards or symbols to choose from: more than any turn has."""


class BaseChoice(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"
):
    """Base of all choices."""


class GearChoice(BaseChoice, frozen=True):
    """The gears that can be shifted to: within reach, and paid.

    Attributes:
        options: In order of gears.
        withheld: Gears within reach that the hand cannot fill, where the rules withhold them.
    """

    options: Annotated[tuple[GearOption, ...], msgspec.Meta(max_length=4)]
    withheld: Annotated[tuple[Gear, ...], msgspec.Meta(max_length=4)] = ()

    def heat_of(self, gear: int) -> int:
        """Give what shifting to a gear costs; 0 for one that is not offered."""
        return next((option.heat for option in self.options if option.gear == gear), 0)


class CardsChoice(BaseChoice, frozen=True):
    """Exactly `count` of the pool.

    Attributes:
        pool: The cards that may be played.
        count: As many as the gear; 0 with a cluttered hand.
        is_cluttered: The hand cannot fill the gear.
    """

    pool: Cards
    count: Amount
    is_cluttered: bool


class ValueChoice(BaseChoice, frozen=True):
    """The played cards that offer a choice.

    Attributes:
        cards: In the order in which they lie.
        speeds: For each of them, the values to choose from.
    """

    cards: Cards
    speeds: Annotated[tuple[Amounts, ...], msgspec.Meta(max_length=MOST_WAYS)]


class ReactChoice(BaseChoice, frozen=True):
    """The turn's symbols, each with what may be done with it now.

    Attributes:
        symbols: In the order of the turn's list, by which `UseSymbol` names them.
        direct: The cards of the hand that may be played: `UseSymbol` names the number after the last symbol,
            the speed as amount, and the card.
        salvageable: What salvage may take, in hand order; empty where no such symbol can be used.
        must: Why the phase cannot be left yet, "" if it can.
        must_kind: The kind of symbol that has to be used before; None if the phase can be left.
        must_amount: How many cards have to be scrapped, or how much Heat has to be paid.
    """

    symbols: Annotated[tuple[SymbolUse, ...], msgspec.Meta(max_length=MOST_WAYS)]
    direct: Annotated[tuple[DirectUse, ...], msgspec.Meta(max_length=MOST_WAYS)] = ()
    salvageable: Cards = ()
    must: Annotated[str, msgspec.Meta(max_length=200)] = ""
    must_kind: Literal["scrap", "heat"] | None = None
    must_amount: Amount = 0

    def play_directly(self, card: CardName, speed: int) -> UseSymbol:
        """Make the command that plays a card of the hand: `UseSymbol` names it behind the last symbol."""
        return UseSymbol(len(self.symbols), speed, (card,))


class UnpaidChoice(BaseChoice, frozen=True):
    """The ways to drop the fewest cards that leave Heat for the others; each as cards in hand order."""

    ways: Annotated[tuple[Cards, ...], msgspec.Meta(max_length=MOST_WAYS)]


class SlipstreamChoice(BaseChoice, frozen=True):
    """How many spaces further.

    Attributes:
        spaces: Those to choose from; 0, no slipstream, is always among them.
        ends: The progress that each number of spaces leads to.
    """

    spaces: Amounts
    ends: Lines


class DiscardChoice(BaseChoice, frozen=True):
    """Cards for the discard pile.

    Attributes:
        pool: The hand but Heat and Stress, as tunnel and event card change it.
        most: How many at most.
        refreshable: Played cards that may go on top of the draw pile instead, in any order.
    """

    pool: Cards
    most: Amount
    refreshable: Cards = ()


class PickChoice(BaseChoice, frozen=True):
    """One of the open upgrades.

    Attributes:
        offered: Those.
    """

    offered: Cards


class SwapChoice(BaseChoice, frozen=True):
    """An own upgrade for one that was left, or none.

    Attributes:
        owned: What can be given.
        left: What can be taken.
    """

    owned: Cards
    left: Cards
