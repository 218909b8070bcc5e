"""What one can do from home: the same entries on the screen and in lines."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final, NamedTuple

from heat_tui.season_file import are_seasons_saved
from heat_tui.session_file import SavedSession
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
    Entry("hot_seat", "h", "Hot-seat", "Hot-seat", "several people around one keyboard"),
    Entry("championship", "c", "Season", "Championship", "three or four races with the same cars"),
    Entry("join", "j", "Join", "Join", "a race at a server, or open a room there"),
    Entry("host", "o", "Host", "Host", "start a server here, for friends to join"),
    Entry("replays", "r", "Replay", "Replays", "watch the races that are over"),
    Entry("learn", "l", "Learn", "First race", "short, each phase explained as it comes"),
    Entry("how_to_play", "p", "Rules", "How to play", "the round in nine phases, and the keys"),
    Entry("settings", "s", "Setup", "Settings", "name, colour, animation, keys"),
    Entry("quit", "q", "Quit", "Quit", ""),
)

REJOIN: Final = Entry("rejoin", "b", "Rejoin", "Rejoin", "")
"""Leads back into a room; what it is about says `seat_text`."""

GO_ON: Final = Entry("go_on", "g", "Go on", "Go on", "")
"""Leads back into a championship; what it is about says `seasons_to_go_on_with`."""

PLAYED_ELSEWHERE: Final = "That championship is being played in another window already."

SERVER_ENDS: Final = "The server on this machine ends too, and with it every race on it."
"""What it means to quit, where a server was started from here."""


def seat_text(saved: SavedSession) -> str:
    """Say which seat there is to go back to."""
    return f"room {saved.code} at {saved.address} as {saved.name}"


def forget_question(saved: SavedSession) -> str:
    """Ask before a seat is forgotten."""
    return f"Forget the seat of {saved.name} in room {saved.code}? There is no way back into it then."


class SavedSeason(NamedTuple):
    """A championship to go on with.

    Attributes:
        path: Where it is kept.
        text: Which one it is, and how far.
    """

    path: Path
    text: str


def seasons_to_go_on_with(folders: Folders) -> list[SavedSeason]:
    """List the championships to go on with, the one left last first; of several it is told who plays."""
    if not are_seasons_saved(folders):
        return []
    from heat_tui.championship import saved_championships

    found = []
    for championship in saved_championships(folders):
        with contextlib.closing(championship):
            view = championship.view()
            at = f"race {view.race} of {len(view.races)}" if view.status != "ended" else "the final table"
            people = championship.people()
            found.append((championship.path, f"{championship.name}, {at}", people))
    return [
        SavedSeason(path, f"{text}: {', '.join(people)}" if len(found) > 1 and people else text)
        for path, text, people in found
    ]


def kept_too(folders: Folders) -> str:
    """Say what stays saved where another championship begins; empty where nothing is."""
    match seasons_to_go_on_with(folders):
        case []:
            return ""
        case [season]:
            return f"Kept too: {season.text}. Home goes on with it."
        case several:
            return f"Kept too: {len(several)} others. Home goes on with any of them."
