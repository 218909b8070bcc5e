"""Drivers that choose from a seat's sight alone (BOT-1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from heat_core.bots import random, steady
from heat_core.commands import Command
from heat_core.rng import Stream
from heat_core.view import Sight

BotName: TypeAlias = Literal["random", "steady"]

DriverName: TypeAlias = Literal["human"] | BotName
"""Who decides for a seat."""

BOTS: Final[dict[BotName, Callable[[Sight, Stream], Command]]] = {
    "random": random.choose,
    "steady": steady.choose,
}
"""A new bot is a function and a line here."""
