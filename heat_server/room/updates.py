"""The parts of an update of a race, besides the view. No I/O."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from heat_core.race.events import Event
from heat_core.view.race_view import RaceView
from heat_core.wire.codec import MOST_SERVER_BYTES
from heat_core.wire.messages import OpenDecision, Standstill
from heat_server.room.holding import Held

MOST_EVENTS: Final = 3000
"""In one part of a record, and always in one update; more might not fit in a frame."""

MOST_EVENT_BYTES: Final = MOST_SERVER_BYTES * 3 // 4
"""Of an update; the rest of a frame is for the view. A race of more events than that has yet to be seen."""

_ENCODE: Final = msgspec.msgpack.Encoder().encode


class Shared(NamedTuple):
    """The part of an update that is the same for everybody.

    Attributes:
        decisions: The open ones, with the time that is left.
        away: Seats that somebody else drives for now.
        standstill: Why no time runs.
    """

    decisions: tuple[OpenDecision, ...]
    away: tuple[int, ...]
    standstill: Standstill | None


def newest_that_fit(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Leave out the oldest events where all together would not fit into one update."""
    if len(events) <= MOST_EVENTS:
        return events
    left = MOST_EVENT_BYTES
    for number in range(len(events) - 1, -1, -1):
        left -= len(_ENCODE(events[number]))
        if left < 0:
            return events[number + 1 :]
    return events


def with_answer(view: RaceView, shared: Shared, held: Held) -> tuple[RaceView, Shared]:
    """Show a held answer to the seat that gave it, and to nobody else."""
    assert view.own is not None
    replace = msgspec.structs.replace
    view = replace(
        view,
        own=replace(view.own, chosen=held.command, is_asked=False, default=None),
        decisions=tuple(
            replace(decision, has_chosen=True) if decision.seat == held.seat else decision
            for decision in view.decisions
        ),
    )
    decisions = tuple(
        replace(decision, has_chosen=True, milliseconds_left=None) if decision.seat == held.seat else decision
        for decision in shared.decisions
    )
    return view, shared._replace(decisions=decisions)
