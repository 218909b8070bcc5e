"""The pen of the engine: writes an event down and applies it in the same moment."""

from __future__ import annotations

from heat_core.events import Event
from heat_core.folding import apply
from heat_core.race import Race


class Recorder:
    """Collects the events of one step.

    Attributes:
        race: Already changed by every event recorded.
        events: In order.
    """

    __slots__ = ("_append", "events", "race")

    def __init__(self, race: Race) -> None:
        """Begin with no events."""
        self.race = race
        self.events: list[Event] = []
        self._append = self.events.append

    def record(self, event: Event) -> None:
        """Write an event down and apply it."""
        self._append(event)
        apply(self.race, event)
