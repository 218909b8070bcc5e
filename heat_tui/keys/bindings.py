"""Bindings whose keys the player may choose, and the keys that apply now."""

from __future__ import annotations

from typing import Protocol, cast

from textual.binding import Binding
from textual.message_pump import MessagePump

from heat_tui.keys.table import KEY_USES, Keys


class _HasKeys(Protocol):
    """The program, as far as bindings know it."""

    keys: Keys


def bound(use: str, action: str, description: str = "", *, show: bool = True) -> Binding:
    """Bind what is named in the table of keys to an action of a screen.

    Args:
        description: For the screen's footer; empty: as in the table.
        show: Whether the footer has it.
    """
    found = KEY_USES[use]
    keys = ",".join(binding_key(key) for key in found.usual)
    return Binding(keys, action, description or found.what, show=show, id=use)


def binding_key(key: str) -> str:
    """Give a key as bindings have it: several of them stand behind each other with commas between."""
    return "comma" if key == "," else key


def keys_of(part: MessagePump) -> Keys:
    """Give the keys that hold in the program that a screen or widget belongs to."""
    return cast("_HasKeys", part.app).keys
