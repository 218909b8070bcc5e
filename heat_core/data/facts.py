"""The fields of a line of card data, and their allowed values."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

SymbolKind: TypeAlias = Literal[
    "flip",
    "cooldown",
    "boost",
    "speed",
    "reduce_stress",
    "heat",
    "scrap",
    "salvage",
    "super_cool",
    "direct",
    "accelerate",
    "draft",
    "slipstream",
    "adjust",
    "refresh",
]
"""The words of the one effect language. docs/rules.md: Symbols. `speed` is adrenaline's +1."""


class CardFacts(NamedTuple):
    """One printed card.

    Attributes:
        name: Its identifier in commands, events and records.
        family: The kind of part that it shows.
        speeds: The values to choose from at the reveal; none for a plain Heat card.
        symbols: In printed order, each with its number.
    """

    name: str
    family: str
    speeds: tuple[int, ...]
    symbols: tuple[tuple[SymbolKind, int], ...] = ()


HEAT_FAMILY: Final = "heat"
"""An upgrade of this family is a plain Heat card once it is in a deck."""
