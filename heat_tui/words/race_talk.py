"""What a race says to who plays: on the screen a line above the keys, in plain mode a line of its own."""

from __future__ import annotations

from typing import Final

from heat_tui.client.connection_state import ConnectionState

CHOSEN: Final = "Chosen. You can change it until everyone has chosen."
NO_GIVING_UP: Final = "You cannot give up now."
NO_VOTE_NEEDED: Final = "A race at one keyboard needs no pause: it waits for you."
SAVED_AGAIN: Final = "It is saved again."
ANSWERS_AGAIN: Final = "The server answers again."
HAS_GONE_BACK: Final = "The server has lost the last moments of this race. It continues from an earlier one."

CONNECTION_NEWS: Final[dict[ConnectionState, str]] = {
    "local": "",
    "connecting": "",
    "connected": "Connected again.",
    "moving": "The room moves to another server, and you with it.",
    "reconnecting": "The connection was lost; trying again.",
    "offline": "Offline.",
}


def give_up_question(name: str) -> str:
    """Ask whether a driver really gives up, and say what that means."""
    return f"Does {name} give up this race? The car leaves the track."
