"""Drivers that choose from a seat's observation alone (BOT-1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from heat_core.bots import planner, random, steady
from heat_core.drivers import BotName
from heat_core.race.commands import Command
from heat_core.rng import Stream
from heat_core.view.observation import Observation

BOTS: Final[dict[BotName, Callable[[Observation, Stream], Command]]] = {
    "easy": partial(planner.choose, "easy"),
    "normal": partial(planner.choose, "normal"),
    "hard": partial(planner.choose, "hard"),
    "steady": steady.choose,
    "random": random.choose,
}
"""By level, all of `heat_core.drivers.BOT_LEVELS`."""
