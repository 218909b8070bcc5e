"""When the terminal's bell rings, if it is on: at your turn and at the finish."""

from __future__ import annotations

from collections.abc import Sequence

from heat_core.race.events import DecisionKind
from heat_core.view.race_view import RaceView


class Bell:
    """Remembers what it has rung for, so that it rings once for each.

    A reaction of several steps is one turn: it rings when the first of them is asked for.
    """

    def __init__(self) -> None:
        """Make a bell that has not rung yet."""
        self._rung: frozenset[tuple[int, int, DecisionKind]] = frozenset()
        self._is_over = False

    def rings_for(self, view: RaceView, seats: Sequence[int]) -> bool:
        """Tell whether it rings now.

        Args:
            view: The newest, of whichever seat.
            seats: Those played at this terminal; none: somebody watches, and hears the finish alone.
        """
        due = frozenset(
            (view.round, decision.seat, decision.kind)
            for decision in view.decisions
            if decision.seat in seats and not decision.has_chosen
        )
        is_over = view.status == "ended"
        rings = not due <= self._rung or (is_over and not self._is_over)
        self._rung, self._is_over = due or self._rung, is_over
        return rings
