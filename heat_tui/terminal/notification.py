"""A notification on the desktop, asked for by the terminal's own sequence: OSC 9 or OSC 777.

A terminal that knows neither shows nothing, so which one to send is for the player to try. In tmux the
sequence is wrapped for the terminal that tmux runs in; tmux hands it on where `allow-passthrough` is on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from heat_tui.terminal.environment import CONSOLE

Notification: TypeAlias = Literal["off", "osc9", "osc777"]
"""Which sequence asks for a notification."""

_MOST_CHARACTERS: Final = 120
_TITLE: Final = "Heat"


def notification(kind: Notification, text: str, environment: Mapping[str, str]) -> str:
    """Give what asks a terminal for a notification; empty where nothing is asked for or nothing could come.

    Args:
        text: One sentence. What could end or change the sequence is left out of it.
    """
    if kind == "off" or environment.get("TERM") == CONSOLE:
        return ""
    # A semicolon would begin another field, and behind a number OSC 9 is another command of some terminals.
    told = "".join(sign for sign in text if sign.isprintable() and sign != ";")[:_MOST_CHARACTERS]
    asked = f"9;{_TITLE}: {told}" if kind == "osc9" else f"777;notify;{_TITLE};{told}"
    return through_tmux(f"\x1b]{asked}\x1b\\") if environment.get("TMUX") else f"\x1b]{asked}\x1b\\"


def through_tmux(sequence: str) -> str:
    """Wrap a sequence so that tmux hands it on to the terminal that it runs in."""
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
