"""Why a guest does not come in, or is inside no more, when it was not the guest who chose to leave."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core.text import counted

Reason: TypeAlias = Literal["name", "full", "fault", "closed", "removed", "elsewhere", "idle"]


class Goodbye(NamedTuple):
    """What a guest reads last.

    Attributes:
        reason: For a program that does something about it.
        text: Whole sentences, printable.
    """

    reason: Reason
    text: str


CLOSED: Final = Goodbye("closed", "This door has closed. If you were in a race, your seat is kept.")
REMOVED: Final = Goodbye("removed", "The host has removed you.")
ELSEWHERE: Final = Goodbye("elsewhere", "You have logged in elsewhere.")
NO_ROOM: Final = Goodbye("full", "This door has no room for another player now. Try again later.")
FAULT: Final = Goodbye("fault", "This door has a fault. Its host has been told.")


def idled(seconds: float) -> Goodbye:
    """Tell a guest who did nothing for so long."""
    minutes = counted(round(seconds / 60), "minute")
    text = (
        f"You pressed no key for {minutes}, so you were logged out. If you were in a race, your seat is kept."
    )
    return Goodbye("idle", text)


class Refused(Exception):
    """Somebody who cannot come in."""

    def __init__(self, reason: Reason, text: str) -> None:
        """Say why; with no text there is nobody to read it."""
        super().__init__(text)
        self.goodbye = Goodbye(reason, text)
