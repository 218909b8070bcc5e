"""What a guest reads besides the game."""

from __future__ import annotations

from typing import Final

from heat_tui.doors.messages import Guest

IDLE_WARNING_SECONDS: Final = 60
"""How long before an idle login ends it is warned."""


def word_text(guest: Guest) -> str:
    """Say by which word a guest without a key finds the seat again."""
    return f"Your word is {guest.word}. Come back as {guest.name} and give it, and you have your seat again."


def idle_text() -> str:
    """Warn somebody who does nothing."""
    return (
        f"You have done nothing for a long time. Press a key within {IDLE_WARNING_SECONDS} seconds, or this "
        "login ends. Your seat is kept."
    )
