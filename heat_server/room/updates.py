"""The updates of a race that people in a room are sent. No I/O."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.race.events import Event
from heat_core.table import Table
from heat_core.view.secrecy import seats_told_more
from heat_core.wire.codec import MOST_SERVER_BYTES
from heat_core.wire.encoded_update import EncodedUpdate, EncodedView, encode_part
from heat_core.wire.messages import MOST_EVENTS, OpenDecision, Standstill, Update
from heat_server.room.held_answers import HeldAnswer

MOST_RECORD_EVENTS: Final = 3_000
"""In one part of a record, and always in one update; more might not fit in a frame."""

MOST_EVENT_BYTES: Final = MOST_SERVER_BYTES * 3 // 4
"""Of an update; the rest of a frame is for the view. A race of more events than that has yet to be seen."""


def newest_that_fit(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Leave out the oldest events where all together would not fit into one update."""
    if len(events) <= MOST_RECORD_EVENTS:
        return events
    events, left = events[-MOST_EVENTS:], MOST_EVENT_BYTES
    for number in range(len(events) - 1, -1, -1):
        left -= len(encode_part(events[number]))
        if left < 0:
            return events[number + 1 :]
    return events


class SharedUpdate:
    """An update for all who are in a room.

    Theory of operation. What a seat alone may know are its own part of the view, and what some events say to
    it alone: these are encoded for each receiver. All the rest are the same bytes for everybody, those that
    a spectator is sent.
    """

    def __init__(
        self,
        table: Table,
        decisions: tuple[OpenDecision, ...],
        away: tuple[int, ...],
        standstill: Standstill | None,
    ) -> None:
        """Take a race as it is now; nothing may change until all is sent.

        Args:
            table: The race.
            decisions: The open ones, with the time that is left.
            away: Seats that somebody else drives for now.
            standstill: Why no time runs.
        """
        self._table = table
        self._number = table.event_number
        self._decisions = decisions
        self._away = away
        self._standstill = standstill
        self._view = EncodedView(table.view(None))
        self._encoded_decisions = msgspec.Raw(encode_part(decisions))
        self._encoded_away = msgspec.Raw(encode_part(away))
        self._events: dict[int, tuple[msgspec.Raw, frozenset[int]]] = {}

    def sent_to(self, seat: int | None, since: int) -> EncodedUpdate:
        """Make what a seat, or with None a spectator, is sent.

        Args:
            since: The last event that they have.
        """
        return EncodedUpdate(
            self._number,
            self._encoded_events(seat, min(since, self._number)),
            self._view.with_own(None if seat is None else self._table.timed_own(seat)),
            self._encoded_decisions,
            self._encoded_away,
            self._standstill,
        )

    def _encoded_events(self, seat: int | None, since: int) -> msgspec.Raw:
        if since not in self._events:
            told_more = seats_told_more(self._table.log[since:])
            self._events[since] = msgspec.Raw(encode_part(self._seen_events(None, since))), told_more
        for_all, told_more = self._events[since]
        return msgspec.Raw(encode_part(self._seen_events(seat, since))) if seat in told_more else for_all

    def _seen_events(self, seat: int | None, since: int) -> tuple[Event, ...]:
        return newest_that_fit(self._table.events_since(since, seat))

    def with_answer(self, held: HeldAnswer, since: int) -> Update:
        """Make what the seat is sent that gave a held answer, which nobody else sees.

        Args:
            held: The answer.
            since: The last event that the seat has.
        """
        replace, seat = msgspec.structs.replace, held.seat
        view = self._table.view(seat)
        assert view.own is not None
        view = replace(
            view,
            own=replace(view.own, chosen=held.command, is_asked=False),
            decisions=tuple(
                replace(decision, has_chosen=True) if decision.seat == seat else decision
                for decision in view.decisions
            ),
        )
        decisions = tuple(
            replace(decision, has_chosen=True, milliseconds_left=None) if decision.seat == seat else decision
            for decision in self._decisions
        )
        events = self._seen_events(seat, min(since, self._number))
        return Update(self._number, events, view, decisions, self._away, self._standstill)
