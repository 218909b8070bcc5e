"""The kinds of choice: what a seat may be asked, phase by phase, and what it is told of it (CORE-13)."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec

from heat_core.cards import CardName, Cards
from heat_core.race.commands import UseSymbol
from heat_core.race.events.parts import Amount, Amounts, Gear, Lines
from heat_core.rules.shifting import GearOption
from heat_core.rules.uses import DirectUse, SymbolUse

_MOST_WAYS: Final = 200
"""Ways, cards or symbols to choose from: more than any turn has."""


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"):
    """Base of all choices."""


class GearChoice(_Choice, frozen=True):
    """Phase 1: the gears that can be shifted to.

    Attributes:
        options: In order of gears.
        withheld: Gears within reach that the hand cannot fill, where the rules withhold them.
    """

    options: Annotated[tuple[GearOption, ...], msgspec.Meta(max_length=4)]
    withheld: Annotated[tuple[Gear, ...], msgspec.Meta(max_length=4)] = ()


class CardsChoice(_Choice, frozen=True):
    """Phase 2: exactly `count` of the pool; a cluttered hand has the count 0."""

    pool: Cards
    count: Amount
    is_cluttered: bool


class ValueChoice(_Choice, frozen=True):
    """Phase 3: the played cards that offer a choice, in the order in which they lie, and their values."""

    cards: Cards
    speeds: Annotated[tuple[Amounts, ...], msgspec.Meta(max_length=_MOST_WAYS)]


class ReactChoice(_Choice, frozen=True):
    """Phase 5: the turn's symbols, each with what may be done with it now.

    Attributes:
        direct: The cards of the hand that may be played; see `play_directly`.
        salvageable: What salvage may take, in hand order; empty where no such symbol can be used.
        must: Why the phase cannot be left yet, "" if it can.
    """

    symbols: Annotated[tuple[SymbolUse, ...], msgspec.Meta(max_length=_MOST_WAYS)]
    direct: Annotated[tuple[DirectUse, ...], msgspec.Meta(max_length=_MOST_WAYS)] = ()
    salvageable: Cards = ()
    must: Annotated[str, msgspec.Meta(max_length=200)] = ""

    def play_directly(self, card: CardName, speed: int) -> UseSymbol:
        """Make the command that plays a card of the hand: `UseSymbol` names it behind the last symbol."""
        return UseSymbol(len(self.symbols), speed, (card,))


class UnpaidChoice(_Choice, frozen=True):
    """Phase 5: which played cards go, for their Heat cannot be paid; each way as cards in hand order."""

    ways: Annotated[tuple[Cards, ...], msgspec.Meta(max_length=_MOST_WAYS)]


class SlipstreamChoice(_Choice, frozen=True):
    """Phase 6: how many spaces further; 0, no slipstream, is always among them.

    Attributes:
        ends: The progress that each number of spaces leads to.
    """

    spaces: Amounts
    ends: Lines


class DiscardChoice(_Choice, frozen=True):
    """Phase 8: cards of the pool for the discard pile.

    Attributes:
        most: How many at most.
        refreshable: Played cards that may go on top of the draw pile instead, in any order.
    """

    pool: Cards
    most: Amount
    refreshable: Cards = ()


class PickChoice(_Choice, frozen=True):
    """Before the race: one of the open upgrades."""

    offered: Cards


class SwapChoice(_Choice, frozen=True):
    """Before the race: an own upgrade for one that was left, or none."""

    owned: Cards
    left: Cards


Choice: TypeAlias = (
    GearChoice
    | CardsChoice
    | ValueChoice
    | ReactChoice
    | UnpaidChoice
    | SlipstreamChoice
    | DiscardChoice
    | PickChoice
    | SwapChoice
)
