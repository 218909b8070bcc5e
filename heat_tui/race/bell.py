"""When the terminal's bell rings: at what and how often, on the screens and in plain mode alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from heat_core.race import events as e
from heat_core.race.events import DecisionKind
from heat_tui.client.session import Session
from heat_tui.state import BellOccasion, Settings

STROKE_SECONDS: Final = 0.3
"""From one stroke to the next."""

SHORT_SECONDS: Final = 10
"""So little time left is worth a bell."""


class Ringing(NamedTuple):
    """How the bell rings.

    Attributes:
        strokes: How often.
        about: For what, behind "rings".
    """

    strokes: int
    about: str


RINGINGS: Final[dict[BellOccasion, Ringing]] = {
    "turn": Ringing(1, "at your turn"),
    "time": Ringing(2, f"{SHORT_SECONDS} seconds before your time is up"),
    "spin-out": Ringing(3, "when you spin out"),
    "end": Ringing(3, "at the end of a race"),
}


def strokes(settings: Settings, occasions: Collection[BellOccasion]) -> int:
    """Say how often the bell rings for what has happened at once; 0: it is silent."""
    chosen = [RINGINGS[one].strokes for one in occasions if one in settings.bell_at]
    return max(chosen, default=0) if settings.bell else 0


class Bell:
    """Remembers what it has rung for, so that it rings once for each.

    A reaction of several steps is one turn: it rings when the first of them is asked for. Who only watches
    hears the end alone.
    """

    def __init__(self, session: Session) -> None:
        """Make a bell that has not rung yet."""
        self._session = session
        self._rung: frozenset[tuple[int, int, DecisionKind]] = frozenset()
        self._is_over = False
        self._seen = session.view(None).event_number
        self._short: set[tuple[int, int, DecisionKind]] = set()

    def due(self) -> list[BellOccasion]:
        """List what has happened since the last time."""
        view, occasions = self._session.view(None), list[BellOccasion]()
        due, is_over = self._decisions(), view.status == "ended"
        if not due <= self._rung:
            occasions.append("turn")
        happened = self._session.events_since(self._seen, None)
        if any(isinstance(event, e.SpunOut) and event.seat in self._session.seats for event in happened):
            occasions.append("spin-out")
        if is_over and not self._is_over:
            occasions.append("end")
        self._rung, self._is_over, self._seen = due or self._rung, is_over, view.event_number
        return occasions

    def short_of_time(self) -> list[BellOccasion]:
        """Give `time` when the time of a decision here has become short."""
        short = {one for one in self._decisions() if self._is_short(one[1])}
        is_new, self._short = not short <= self._short, short
        return ["time"] if is_new else []

    def _is_short(self, seat: int) -> bool:
        seconds = self._session.seconds_left(seat)
        return seconds is not None and seconds <= SHORT_SECONDS

    def _decisions(self) -> frozenset[tuple[int, int, DecisionKind]]:
        """List what is asked here: round, seat, kind."""
        view = self._session.view(None)
        return frozenset(
            (view.round, decision.seat, decision.kind)
            for decision in view.decisions
            if decision.seat in self._session.seats and not decision.has_chosen
        )
