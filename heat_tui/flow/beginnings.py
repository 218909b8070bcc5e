"""Where in a round a position file can begin, and writing one (APP-13)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heat_core.positions.seen import is_beginning
from heat_core.race.state import Phase
from heat_core.view.race_view import RaceView
from heat_tui.client.session import Session
from heat_tui.saved.positions import write_position
from heat_tui.state import Folders


class Beginnings:
    """Remembers what the seats here saw at the last moment from which a position can begin."""

    def __init__(self, session: Session) -> None:
        """Begin with no such moment seen."""
        self._session = session
        self._views: Mapping[int | None, RaceView] = {}

    def remember(self, view: RaceView, viewer: int | None) -> None:
        """Note the newest view, if a position can begin there: cars drive off from there."""
        if is_beginning(view):
            seats = {viewer, *self._session.seats}
            self._views = {seat: self._session.view(seat) for seat in seats}

    def view_for(self, now: RaceView, viewer: int | None) -> RaceView | None:
        """Give what the viewer saw at the beginning of the present round; None where that was not seen."""
        view = self._views.get(viewer)
        return view if now.status == "running" and view is not None and view.round == now.round else None

    def write(self, folders: Folders, view: RaceView, viewer: int | None) -> Path:
        """Write the position file of such a view, as the viewer knows it.

        Raises:
            NoPosition: There is none at this moment, or it cannot be written; the text says why.
        """
        since = self._session.events_since(view.event_number, viewer)
        return write_position(folders, self._session.setup, view, since, self._session.seats)


def position_lines(view: RaceView, whose: str, path: str) -> list[str]:
    """Say what a position file holds and how to race on from it.

    Args:
        whose: Who knows of the race what is in it.
    """
    beginning = f"the beginning of phase {2 if view.phase is Phase.PLAY_CARDS else 1}"
    return [
        f"The position as {whose} knows it, from {beginning} of round {view.round}, is in the file",
        "",
        path,
        "",
        "Start from it: heat-tui play --position FILE",
    ]
