"""The Sponsorship cards: facts of the printed cards, one line each (CHAMP-4)."""

from __future__ import annotations

from typing import Final

from heat_core.data.facts import CardFacts

SPONSORSHIP_COPIES: Final = 7
"""Copies of each Sponsorship card in the game."""

SPONSORSHIPS: Final[tuple[CardFacts, ...]] = (
    CardFacts("sponsor-1", "sponsorship", (1, 2, 3, 4), ()),
    CardFacts("sponsor-2", "sponsorship", (4,), (("cooldown", 2),)),
    CardFacts("sponsor-3", "sponsorship", (1,), (("slipstream", 2),)),
    CardFacts("sponsor-4", "sponsorship", (6,), ()),
    CardFacts("sponsor-5", "sponsorship", (3,), (("adjust", 1),)),
)

EXPANSION_SPONSORSHIPS: Final[tuple[CardFacts, ...]] = (
    CardFacts("sponsor-6", "sponsorship", (0,), (("super_cool", 2),)),
    CardFacts("sponsor-7", "sponsorship", (5,), (("draft", 2),)),
)
