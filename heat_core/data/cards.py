"""The cards that every deck starts with."""

from __future__ import annotations

from typing import Final

from heat_core.data.facts import CardFacts

SPEED_COPIES: Final = {1: 3, 2: 3, 3: 3, 4: 3}
"""Speed value -> copies in every starting deck."""

STARTING_UPGRADES: Final[tuple[CardFacts, ...]] = (
    CardFacts("start-0", "starting", (0,)),
    CardFacts("start-5", "starting", (5,)),
    CardFacts("start-heat", "heat", ()),
)
"""What a deck has in place of drafted upgrades."""
