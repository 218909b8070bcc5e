"""What events are made of: their base, the lines of a bill, symbols, standings, and the words for kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from heat_core.data.facts import SymbolKind

MoveReason: TypeAlias = Literal[
    "cards", "adrenaline", "boost", "direct", "accelerate", "draft", "unpaid", "slipstream", "legend"
]

HeatReason: TypeAlias = Literal["shift", "boost", "card", "corner"]

EndReason: TypeAlias = Literal["finished", "gave_up", "abandoned"]


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"):
    """Base of all events."""


class Part(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One line of a bill: which rule, and what it adds (or takes away).

    Attributes:
        card: Which card of the turn it is the value of; see `Symbol.card`. 0: of none that has a number.
    """

    rule: str
    amount: int
    card: int = 0


def total(parts: Iterable[Part]) -> int:
    """Add up the lines of a bill."""
    amount = 0
    for part in parts:
        amount += part.amount
    return amount


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A symbol that a turn has: what it does, how much, and where it comes from.

    Attributes:
        source: `"gear"`, `"adrenaline"`, `"sector"` or the name of the card.
        card: Which card of the turn it belongs to, counted from 1 as they turned up; 0 for none.
        line: For a sector's: progress of the corner line at which the sector begins.
    """

    kind: SymbolKind
    number: int
    source: str
    card: int = 0
    line: int | None = None


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A car's place at the end.

    Attributes:
        place: From 1.
        status: What it ended as.
    """

    car: int
    place: int
    status: Literal["finished", "racing", "gave_up", "spun_out"]
