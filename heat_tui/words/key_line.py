"""Which keys are shown: at the foot of the race screen and the replay, and on the page of all keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rich.style import Style
from rich.text import Text

from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_tui.keys.table import USUAL, Keys
from heat_tui.race.presenter import SYMBOL_USES
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import GOLD

Key: TypeAlias = tuple[str, str, str]
"""A key, what it does, and the screen's action for a click ("" where a click says too little)."""

_ZOOM: Final[Key] = ("{map.zoom_in}/{map.zoom_out}", "zoom", "map('cycle_zoom')")
_ALWAYS: Final[tuple[Key, ...]] = (
    ("{race.log}", "log", "page('log')"),
    ("{view.help}", "keys", "page('help')"),
    ("{view.leave}", "leave", "leave"),
)
_WEATHER: Final[Key] = ("{view.weather}", "weather", "page('weather')")
_CARDS: Final[Key] = ("{view.cards}", "cards", "page('cards')")
_ARROWS: Final[Key] = ("arrows", "card", "")
_ADVICE: Final[Key] = ("{race.advice}", "advice", "advice")
_CHAT: Final[Key] = ("{race.chat}", "chat", "page('chat')")

_LETTERS: Final = ("race.cool", "race.boost", "race.adrenaline")
"""Those that the line has room for; each row of the list shows its own."""

_SPARED: Final = (
    "page('log')",
    "map('cycle_zoom')",
    "export",
    "plot",
    "leave",
    "take_back",
    "page('cards')",
)
"""What the line does without where chosen keys have long names: the first of these actions first."""


def keys_for(choice: Choice | None, *, is_chosen: bool, is_salvaging: bool = False) -> list[Key]:
    """List the keys for what is asked now, those of the player's choice by the name of their use.

    Args:
        is_salvaging: Whether cards of the discard pile are being chosen.
    """
    enter: Key = ("Enter", "change it" if is_chosen else "confirm", "confirm")
    keys: list[Key]
    match choice:
        case GearChoice():
            keys = [("arrows", "gear", ""), enter]
        case CardsChoice() | DiscardChoice():
            keys = [("1-9", "pick", ""), ("{race.take_back}", "back", "take_back"), enter]
        case ReactChoice() if is_salvaging:
            keys = [
                ("up/down", "card", ""),
                ("left/right", "count", ""),
                ("{race.take_back}", "back", "take_back"),
                enter,
            ]
        case ValueChoice():
            keys = [("up/down", "card", ""), ("left/right", "speed", ""), enter]
        case UnpaidChoice():
            keys = [("up/down", "select", ""), enter]
        case PickChoice():
            keys = [
                ("1-9", "look", ""),
                ("{view.cards}", "all explained", "page('cards')"),
                ("Enter", "pick", "confirm"),
            ]
        case SwapChoice():
            keys = [("up/down", "take", ""), ("left/right", "give", ""), enter]
        case ReactChoice():
            offered = {SYMBOL_USES.get(use.symbol.kind) for use in choice.symbols if use.most}
            letters = "/".join(f"{{{use}}}" for use in _LETTERS if use in offered)
            keys = [
                (f"up/down/{letters}" if letters else "up/down", "select", ""),
                ("Enter", "do it", "confirm"),
            ]
        case SlipstreamChoice():
            keys = [
                ("{race.slipstream}", "slipstream", "slipstream(True)"),
                ("{race.no_slipstream}", "not", "slipstream(False)"),
                enter,
            ]
        case None:
            keys = []
    return [*keys, _ZOOM, *_ALWAYS]


def with_modules(
    keys: Sequence[Key],
    width: int,
    *,
    has_chat: bool,
    has_weather: bool,
    has_cards: bool,
    has_arrows: bool = False,
    has_advice: bool = False,
    names: Keys = USUAL,
) -> list[Key]:
    """Name the keys for chat, weather, cards and advice too, in a race that has them, as far as they fit.

    Args:
        has_arrows: Whether arrows pick cards, as digits do.
        has_advice: Whether advice may be asked for.
        width: Of the line, in cells.
        names: The player's keys, which the line tells in the end.
    """
    named = [*keys]
    for key, is_there in (
        (_CHAT, has_chat),
        (_WEATHER, has_weather),
        (_CARDS, has_cards),
        (_ARROWS, has_arrows),
        (_ADVICE, has_advice),
    ):
        is_new = all(other[0] != key[0] for other in named)
        if is_there and is_new and _width([*named, key], names) <= width:
            named.insert(len(named) - len(_ALWAYS), key)
    return named


def told_line(keys: Sequence[Key], width: int, names: Keys = USUAL) -> tuple[Text, list[Hit]]:
    """Write a line of keys, without the least of them where the player's have long names.

    Args:
        width: Of the line, in cells.
        names: The player's keys.

    Returns:
        The line and what can be clicked in it.
    """
    left = [*keys]
    for action in _SPARED:
        if _width(left, names) <= width:
            break
        left = [key for key in left if key[2] != action]
    line, hits = Text(" "), []
    for key, what, action in left:
        first = len(line.plain)
        line.append(names.fill(key), Style(color=GOLD, bold=True))
        line.append(f" {what}  ")
        if action:
            hits.append(Hit((0, first, len(line.plain) - 2, action)))
    return line, hits


def _width(keys: Sequence[Key], names: Keys) -> int:
    return 1 + sum(len(names.fill(key)) + 1 + len(what) + 2 for key, what, _ in keys) - 2
