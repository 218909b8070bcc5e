"""The ten Legend cards and the helmets that read them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Helmet: TypeAlias = Literal["black", "blue", "green", "red", "grey", "yellow"]

HELMETS: Final[tuple[Helmet, ...]] = ("black", "blue", "green", "red", "grey", "yellow")

LEGEND_CARDS: Final[tuple[dict[Helmet, tuple[int, int]], ...]] = (
    {"black": (2, 16), "blue": (3, 18), "green": (2, 15), "red": (1, 13), "grey": (1, 14), "yellow": (0, 11)},
    {"black": (3, 18), "blue": (2, 16), "green": (1, 12), "red": (2, 17), "grey": (3, 19), "yellow": (1, 13)},
    {"black": (2, 17), "blue": (1, 14), "green": (0, 10), "red": (0, 11), "grey": (1, 13), "yellow": (2, 15)},
    {"black": (1, 14), "blue": (1, 12), "green": (3, 18), "red": (2, 15), "grey": (2, 16), "yellow": (2, 17)},
    {"black": (1, 13), "blue": (2, 17), "green": (2, 16), "red": (0, 10), "grey": (1, 12), "yellow": (3, 19)},
    {"black": (3, 19), "blue": (0, 10), "green": (1, 13), "red": (1, 14), "grey": (3, 18), "yellow": (1, 12)},
    {"black": (2, 15), "blue": (1, 13), "green": (3, 19), "red": (3, 18), "grey": (0, 11), "yellow": (1, 14)},
    {"black": (0, 11), "blue": (3, 19), "green": (1, 14), "red": (1, 12), "grey": (0, 10), "yellow": (2, 16)},
    {"black": (1, 12), "blue": (0, 11), "green": (2, 17), "red": (3, 19), "grey": (2, 15), "yellow": (0, 10)},
    {"black": (0, 10), "blue": (2, 15), "green": (0, 11), "red": (2, 16), "grey": (2, 17), "yellow": (3, 18)},
)
"""One dict a card: helmet -> (diamond, top speed)."""
