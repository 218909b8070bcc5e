"""Who can decide for a seat, by name: to know the bots' levels needs none of the bots."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

BotName: TypeAlias = Literal["easy", "normal", "hard", "steady", "random"]

BOT_LEVELS: Final[tuple[BotName, ...]] = get_args(BotName)
"""In the order in which they are offered. CONTRIBUTING.md, "Add a bot", lists what else a new one needs."""

DriverName: TypeAlias = Literal["human"] | BotName
"""Who decides for a seat."""
