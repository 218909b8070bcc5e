"""What one can do from home: the same entries on the screen and in lines."""

from __future__ import annotations

import contextlib
from typing import Final, NamedTuple

from heat_tui.season_file import are_seasons_saved
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


SERVER_ENDS: Final = "The server on this machine ends too, and with it every race on it."
"""What it means to quit, where a server was started from here."""


def season_to_go_on_with(folders: Folders) -> str:
    """Say which championship there is to go on with; empty where there is none."""
    if not are_seasons_saved(folders):
        return ""
    from heat_tui.championship import newest_championship

    championship = newest_championship(folders)
    if championship is None:
        return ""
    with contextlib.closing(championship):
        view = championship.view()
        if view.status == "ended":
            return f"{championship.name}, the final table"
        return f"{championship.name}, race {view.race} of {len(view.races)}"
