"""Drivers that choose from a seat's observation alone (BOT-1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal, TypeAlias

from heat_core.bots import planner, random, steady
from heat_core.race.commands import Command
from heat_core.rng import Stream
from heat_core.view.observation import Observation

BotName: TypeAlias = Literal["easy", "normal", "hard", "steady", "random"]

DriverName: TypeAlias = Literal["human"] | BotName
"""Who decides for a seat."""

BOTS: Final[dict[BotName, Callable[[Observation, Stream], Command]]] = {
    "easy": partial(planner.choose, "easy"),
    "normal": partial(planner.choose, "normal"),
    "hard": partial(planner.choose, "hard"),
    "steady": steady.choose,
    "random": random.choose,
}
"""In the order in which they are offered. CONTRIBUTING.md, "Add a bot", lists what else a new one needs."""
