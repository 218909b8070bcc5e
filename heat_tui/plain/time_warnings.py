"""Warnings before the time for a decision is over."""

from __future__ import annotations

from typing import Final

from heat_tui.flow.race import RaceController
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.words.silence import silence_text

WARNING_SECONDS: Final = (30, 10)
"""When a warning is due: seconds before a decision's time is over."""


class TimeWarnings:
    """Says each warning about the viewer's open decision once."""

    def __init__(self, race: RaceController, terminal: LineTerminal) -> None:
        """Begin with none said."""
        self._race = race
        self._terminal = terminal
        self._ahead: dict[int, list[int]] = {}

    def seconds_to_next(self) -> float | None:
        """Say when the next warning is due, None where none will be."""
        left, ahead = self._time_and_warnings()
        return max(0.0, left - ahead[0]) if left is not None and ahead else None

    def warn(self) -> None:
        """Say the time where a warning is due, and what happens without an answer."""
        left, ahead = self._time_and_warnings()
        observation = self._race.observation
        if left is not None and ahead and left <= ahead[0] + 0.05 and observation is not None:
            self._terminal.alert(f"{ahead.pop(0)} seconds left, then {silence_text(observation)}.")

    def _time_and_warnings(self) -> tuple[float | None, list[int]]:
        """Give the seconds left of the viewer's open decision, and at how many warnings are still to come."""
        race = self._race
        left = race.session.seconds_left(race.viewer) if race.viewer in race.session.seats else None
        if left is None or race.open_decision is None or not race.owes_a_choice:
            return None, []
        usual = [limit for limit in WARNING_SECONDS if limit < left]
        return left, self._ahead.setdefault(race.open_decision[1], usual)
