"""What a guest reads besides the game."""

from __future__ import annotations

from typing import Final

from heat_tui.doors.messages import Guest

IDLE_WARNING_SECONDS: Final = 60
"""How long before an idle login ends it is warned."""


def word_text(guest: Guest) -> str:
    """Say by which word a guest without a key finds the seat again."""
    told = f"Your word is {guest.word}. Come back as {guest.name} and give it, and you have your seat again."
    if guest.has_namesake:
        told += (
            f" Somebody named {guest.name} has been here before, with another word. If that was you, a "
            "seat that you had is under that one: leave, log in again and give it."
        )
    return told


def idle_text() -> str:
    """Warn somebody who does nothing."""
    return (
        f"You have done nothing for a long time. Press a key within {IDLE_WARNING_SECONDS} seconds, or this "
        "login ends. If you are in a race, your seat is kept."
    )
