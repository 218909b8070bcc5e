"""What upgrades are worth in a deck: turns that each saves beside the 12 Speed cards."""

from __future__ import annotations

from typing import Final

from heat_core.cards import CardName

UPGRADE_WORTHS: Final[dict[CardName, float]] = {}


def upgrade_worth(card: CardName) -> float:
    """Give the turns that an upgrade saves in a race of usual length; below 0: it costs some."""
    return UPGRADE_WORTHS.get(card, 0.0)
