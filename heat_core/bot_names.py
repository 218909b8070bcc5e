"""What bots are called: names of their own, with the level behind them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Final

from heat_core.drivers import BOT_LEVELS, BotName
from heat_core.names import name_key
from heat_core.rng import Stream

BOT_NAMES: Final = (
    "Henk", "Otto", "Rosa", "Hugo", "Ines", "Juri", "Lena", "Marc", "Alma", "Bruno", "Carla", "Dario",
    "Edda", "Fynn", "Greta", "Nina", "Ivo", "Kaia", "Luis", "Mona", "Nils", "Olga", "Pablo", "Ruth",
    "Sami", "Tilda", "Ugo", "Vera", "Wim", "Yara", "Zoe", "Theo",
)  # fmt: skip
"""At most 5 cells each: `Nina 2 (normal)`, with a number and a level behind it, still is a name."""


def level_of(name: str) -> BotName | None:
    """Read the level behind a bot's name; None: there is none."""
    return next((level for level in BOT_LEVELS if name.endswith(f" ({level})")), None)


def without_level(name: str) -> str:
    """Give what a bot is called where there is no room for its level; other names stay as they are."""
    return name if (level := level_of(name)) is None else name.removesuffix(f" ({level})")


def bot_name(level: str, seat: int, seed: str, taken: Iterable[str]) -> str:
    """Name a bot, such as `Nina (normal)`.

    Args:
        level: As in `heat_core.drivers.BOT_LEVELS`.
        seat: Where it sits, from 0.
        seed: The same seat and seed give the same name, as far as it is free.
        taken: The names of the others; no bot gets one of them with or without a level.
    """
    keys = {name_key(other.partition(" (")[0]) for other in taken}
    first = Stream(f"{seed}/bot names").below(len(BOT_NAMES)) + seat
    for number in count():
        circle, place = divmod(number, len(BOT_NAMES))
        name = BOT_NAMES[(first + place) % len(BOT_NAMES)]
        if circle:
            name = f"{name} {circle + 1}"
        if name_key(name) not in keys:
            return f"{name} ({level})"
    raise AssertionError("there is always another number")
