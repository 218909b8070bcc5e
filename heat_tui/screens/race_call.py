"""Calls a player back to a race: by the terminal's bell, and at a server by a notification of the desktop."""

from __future__ import annotations

from collections.abc import Collection

from heat_tui.client.session import Session
from heat_tui.race.bell import STROKE_SECONDS, Bell, strokes
from heat_tui.screens.base import HeatScreen
from heat_tui.state import BellOccasion


class RaceCall:
    """What calls to a race screen."""

    def __init__(self, screen: HeatScreen[None], session: Session) -> None:
        """Begin with nothing that has been called for."""
        self._screen = screen
        self._session = session
        self._bell = Bell(session)

    def look(self) -> None:
        """Call for what has happened since the last time."""
        occasions = self._bell.due()
        self._ring(occasions)
        if self._session.company is None:
            return
        if "end" in occasions:
            self._screen.navigator.notify_desktop("The race is over.")
        elif "turn" in occasions:
            self._screen.navigator.notify_desktop("It is your turn.")

    def look_at_the_time(self) -> None:
        """Call where the player's time has become short."""
        self._ring(self._bell.short_of_time())

    def _ring(self, occasions: Collection[BellOccasion]) -> None:
        for number in range(strokes(self._screen.navigator.settings, occasions)):
            if number:
                self._screen.set_timer(number * STROKE_SECONDS, self._screen.app.bell)
            else:
                self._screen.app.bell()
