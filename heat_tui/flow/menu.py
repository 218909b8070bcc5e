"""What one can do from home: the same entries on the screen and in lines."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from heat_tui.client.session_file import SavedSession
from heat_tui.saved.file import are_any_saved
from heat_tui.state import Folders


class Entry(NamedTuple):
    """A line of the menu.

    Attributes:
        name: By which the program knows it.
        key: A letter that chooses it.
        short: A word for the line of keys.
        label: What it is called.
        about: What it is, behind its label; may be empty.
    """

    name: str
    key: str
    short: str
    label: str
    about: str


ENTRIES: Final = (
    Entry("new_race", "n", "Race", "New race", "against Legends and bots, at once"),
    Entry("hot_seat", "h", "Hot-seat", "Hot-seat", "several people at one keyboard"),
    Entry("championship", "c", "Season", "Championship", "three or four races with the same cars"),
    Entry("join", "j", "Join", "Join", "a room on a server, or open one there"),
    Entry("host", "o", "Host", "Host", "start a server here for your friends"),
    Entry("replays", "r", "Replay", "Replays", "watch finished races"),
    Entry("learn", "l", "Learn", "First race", "short, explains each phase when it comes"),
    Entry("how_to_play", "p", "Rules", "How to play", "the round in nine phases, and the keys"),
    Entry("settings", "s", "Setup", "Settings", "name, colour, animation, keys"),
    Entry("quit", "q", "Quit", "Quit", ""),
)

REJOIN: Final = Entry("rejoin", "b", "Rejoin", "Rejoin", "")
"""Leads back into a room; what it is about says `seat_text`."""

CONTINUE: Final = Entry("continue", "g", "Continue", "Continue", "")
"""Leads back into a race or a championship; what it is about says `saved_here`."""

PLAYED_ELSEWHERE: Final = "It is already open in another window."

SERVER_ENDS: Final = "The server on this machine and all its races end too."
"""What it means to quit, where a server was started from here."""


def seat_text(saved: SavedSession) -> str:
    """Say which seat there is to go back to."""
    return f"room {saved.code} at {saved.address} as {saved.name}"


def go_back_question(saved: SavedSession) -> str:
    """Ask whether somebody who comes to a server or a room takes the seat that they have there."""
    return f"Go back to room {saved.code} as {saved.name}?"


def forget_question(saved: SavedSession) -> str:
    """Ask before a seat is forgotten."""
    return f"Forget the seat of {saved.name} in room {saved.code}? You cannot go back to it then."


class Saved(NamedTuple):
    """A race or a championship to continue.

    Attributes:
        path: Where it is saved.
        text: Which one it is, and how far.
        is_race: It belongs to no championship.
    """

    path: Path
    text: str
    is_race: bool


def saved_here(folders: Folders, tell: Callable[[str], object]) -> list[Saved]:
    """List what can be continued, the one left last first; where there are several, with who plays.

    Args:
        tell: See `heat_tui.saved.continuing.saved_games`.
    """
    if not are_any_saved(folders):
        return []
    from heat_tui.saved.continuing import saved_games
    from heat_tui.saved.own_race import OwnRace

    found = []
    for game in saved_games(folders, tell):
        with contextlib.closing(game):
            found.append((Saved(game.path, game.text, isinstance(game, OwnRace)), game.people()))
    return [
        saved._replace(text=f"{saved.text}: {', '.join(people)}") if len(found) > 1 and people else saved
        for saved, people in found
    ]


def saved_too(folders: Folders, tell: Callable[[str], object]) -> str:
    """Say which championships stay saved where another begins; empty where there are none."""
    match [saved for saved in saved_here(folders, tell) if not saved.is_race]:
        case []:
            return ""
        case [saved]:
            return f"Also saved: {saved.text}. Continue it from home."
        case several:
            return f"Also saved: {len(several)} others. Continue any of them from home."


def another_race_question(saved: str) -> str:
    """Ask before a race begins while one is saved.

    Args:
        saved: Which one, and how far.
    """
    return f"There is a saved {saved}. Continue it, or start another race? That removes the saved one."
