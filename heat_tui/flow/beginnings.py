"""The moments of a round from which a position file can begin, and writing one (APP-13)."""

from __future__ import annotations

from collections.abc import Mapping

from heat_core.files import shown_path
from heat_core.positions.seen import NoPosition, is_beginning
from heat_core.race.phase import Phase
from heat_core.view.race_view import RaceView
from heat_tui.flow.race import RaceController
from heat_tui.saved.positions import write_position
from heat_tui.state import GUESTS_WRITE_NOTHING, Folders


class Beginnings:
    """Remembers what the seats here saw at the last moment from which a position can begin."""

    def __init__(self, race: RaceController) -> None:
        """Begin with no such moment seen."""
        self._race = race
        self._views: Mapping[int | None, RaceView] = {}

    def remember(self) -> None:
        """Note the newest view, if a position can begin there: cars drive off from there."""
        if is_beginning(self._race.view):
            session = self._race.session
            self._views = {seat: session.view(seat) for seat in {self._race.viewer, *session.seats}}

    def write(self, folders: Folders, key: str) -> list[str]:
        """Write where the present round began, as the viewer knows it; gives what to say about the file.

        Args:
            key: What this was asked for with.

        Raises:
            NoPosition: There is none at this moment, or it cannot be written; the text says why.
        """
        if folders.guest_of is not None:
            raise NoPosition(GUESTS_WRITE_NOTHING)
        race, viewer, session = self._race, self._race.viewer, self._race.session
        view = self._views.get(viewer)
        if view is None or race.view.status != "running" or view.round != race.view.round:
            raise NoPosition(
                f"A position begins in phase 1 or 2 of a round: press {key} again in the next round."
            )
        since = session.events_since(view.event_number, viewer)
        path = write_position(folders, session.setup, view, since, session.seats)
        whose = "a spectator" if viewer is None else race.labels.names[viewer]
        beginning = f"the beginning of phase {2 if view.phase is Phase.PLAY_CARDS else 1}"
        return [
            f"The position as {whose} knows it, from {beginning} of round {view.round}, is in the file",
            "",
            shown_path(path),
            "",
            "To race from there: heat-tui play --position FILE",
        ]
