"""What a choice offers, as values: gears, symbols, cards played directly. docs/rules.md: React (TURN-10)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from heat_core.cards import CardName
from heat_core.race.events import Symbol
from heat_core.race.events.parts import Amount, Amounts, Gear

_Reason: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class GearOption(msgspec.Struct, frozen=True, gc=False):
    """A gear and the Heat that shifting to it costs."""

    gear: Gear
    heat: Amount


class SymbolUse(msgspec.Struct, frozen=True, gc=False):
    """A symbol of the turn and what may be done with it now.

    Attributes:
        least: Smallest amount that it can be used with.
        most: Greatest amount; 0: it cannot be used now.
        heat: What using it costs.
        reason: Why it cannot be used, "" if it can.
    """

    symbol: Symbol
    is_used: bool
    least: Amount
    most: Amount
    heat: Amount
    reason: _Reason


class DirectUse(msgspec.Struct, frozen=True, gc=False):
    """A card of the hand that may be played in phase 5.

    Attributes:
        speeds: The values that it can be played at.
        heat: What playing it costs.
        cooled: Heat that its own cooldown brings back first, for it could not be paid otherwise.
        reason: Why it cannot be played now, "" if it can.
    """

    card: CardName
    speeds: Amounts
    heat: Amount
    cooled: Amount
    reason: _Reason
