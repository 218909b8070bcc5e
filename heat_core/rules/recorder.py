"""The recorder of the engine: appends an event to the log and applies it in one step."""

from __future__ import annotations

from typing import final

from heat_core.race.apply import APPLIERS
from heat_core.race.events import Event
from heat_core.race.state import Race


@final
class Recorder:
    """Collects the events of one step.

    Attributes:
        race: Already changed by every event recorded.
        events: In order.
    """

    __slots__ = ("events", "race")

    def __init__(self, race: Race) -> None:
        """Begin a step of a race."""
        self.race = race
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Write an event down and apply it."""
        self.events.append(event)
        APPLIERS[type(event)](self.race, event)

    def close(self) -> list[Event]:
        """Count the events of the step, and give them."""
        self.race.event_number += len(self.events)
        return self.events
