"""The cards of the base game."""

from __future__ import annotations

from typing import Final, Literal

SPEED_COPIES: Final = {1: 3, 2: 3, 3: 3, 4: 3}
"""Speed value -> copies in every starting deck."""

STARTING_UPGRADES: Final[tuple[tuple[str, tuple[int, ...], tuple[tuple[Literal["flip"], int], ...]], ...]] = (
    ("start-0", (0,), ()),
    ("start-5", (5,), ()),
)
"""Name, speeds to choose from, symbols."""

STARTING_HEAT: Final = 1
"""The third starting upgrade is a plain Heat card in the draw pile."""
