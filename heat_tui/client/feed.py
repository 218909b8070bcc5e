"""The events of a race as a server sent them, put together across lost connections."""

from __future__ import annotations

import asyncio
from typing import Final

from heat_core.race.events import Event
from heat_core.wire import messages as m
from heat_core.wire.messages import SeenEvent, UnknownEvent

MOST_COMPARED: Final = 20
"""How many known events a client that comes back asks for again: they show whether it is the same race."""


class Feed:
    """A race as the server has sent it so far.

    Attributes:
        started: Set-up and the own seat.
        update: The newest; None before the first.
        received: When that one came, by the event loop's clock.
    """

    def __init__(self, started: m.Started) -> None:
        """Begin with the message that a race has started."""
        self.started = started
        self.update: m.Update | None = None
        self.received = 0.0
        self._events: list[SeenEvent] = []
        self._missing = 0
        self._before_gap: tuple[int, list[SeenEvent]] | None = None
        self._was_asked_for = False

    @property
    def number(self) -> int:
        """The number of the last event received, 0 before the first."""
        return self._missing + len(self._events)

    @property
    def known(self) -> int:
        """The number of the event up to which nothing is missing, 0 where the beginning is."""
        missing, events = self._before_gap or (self._missing, self._events)
        return 0 if missing else len(events)

    @property
    def ask_since(self) -> int:
        """The number of the event since which a client that comes back asks."""
        return max(0, self.known - MOST_COMPARED)

    @property
    def is_whole(self) -> bool:
        """Tell whether no event is missing, or the server was asked for them and gave what it has."""
        return self.known == self.number or self._was_asked_for

    @property
    def race(self) -> int:
        """Which race of a championship it is, from 0."""
        season = self.started.setup.season
        return season.race if season is not None else 0

    def receive(self, update: m.Update) -> None:
        """Take an update in; events that are known already are ignored.

        If the update is older than what is known, or its events are others, the server has lost events, and
        the race may have continued without them: all that is known is dropped, to be asked for again.
        """
        if update.number < self.number or self._is_another(update):
            self._events, self._missing = [], update.number - len(update.events)
            self._before_gap, self._was_asked_for = None, False
        self.update = update
        self.received = asyncio.get_running_loop().time()
        first = update.number - len(update.events) + 1
        if first > self.number + 1:
            # Some were lost with the last connection; what `view` brings may yet close the gap.
            self._before_gap = self._before_gap or (self._missing, self._events)
            self._events, self._missing = [], first - 1
        elif first <= self._missing:
            self._events[:0] = update.events[: self._missing - first + 1]
            self._missing = first - 1
            self._close_gap()
        self._events.extend(update.events[self.number + 1 - first :])

    def _is_another(self, update: m.Update) -> bool:
        """Tell whether events of an update are not those that are known by their numbers."""
        first = update.number - len(update.events) + 1
        for missing, known in ((self._missing, self._events), self._before_gap or (0, [])):
            begin = max(first, missing + 1)
            both = zip(known[begin - missing - 1 :], update.events[begin - first :], strict=False)
            if any(one != other for one, other in both):
                return True
        return False

    def note_asked(self) -> None:
        """Note that what comes after this is all that the server has."""
        self._was_asked_for = True

    def _close_gap(self) -> None:
        """Put what came before a gap back in front, if nothing is missing between."""
        if self._before_gap is None:
            return
        missing, events = self._before_gap
        if missing <= self._missing <= missing + len(events):
            self._events[:0] = events[: self._missing - missing]
            self._missing = missing
            self._before_gap = None

    def events_since(self, number: int) -> tuple[Event, ...]:
        """List the events behind event `number`, as far as they were received and are known here."""
        events = self._events[max(0, number - self._missing) :]
        return tuple(event for event in events if not isinstance(event, UnknownEvent))
