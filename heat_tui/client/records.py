"""The records of a room's races, as its server sends them part by part."""

from __future__ import annotations

import contextlib
from typing import Final

from heat_core.race.events import Event
from heat_core.record.record import Record, record_setup_problems
from heat_core.season.setup import RACES_OF_A_SEASON
from heat_core.wire import messages as m
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.server_link import ServerLink

MOST_EVENTS: Final = 100_000
"""Of one race: many times the longest that could be raced."""


async def records_of(link: ServerLink) -> tuple[Record, ...]:
    """Ask for the room's races, part by part.

    Returns:
        Whole races only; none before the server sends them, or without a connection.
    """
    races: list[Record] = []
    with contextlib.suppress(RequestRefused, ConnectionLost):
        while len(races) < (RACES_OF_A_SEASON[-1] if link.season is not None else 1):
            races.append(await _record(link, len(races)))
    return tuple(races)


async def _record(link: ServerLink, race: int) -> Record:
    """Ask for one race.

    Raises:
        RequestRefused: There is no such race, or it may not be sent yet.
        ConnectionLost: The line dropped in between.
    """
    events: list[Event] = []
    while True:
        part = await link.request(m.AskRecord(0, race, len(events)))
        if not isinstance(part, m.Record) or part.first != len(events) + 1 or not part.events:
            raise ConnectionLost("The server sent a record with gaps.")
        if part.last > MOST_EVENTS or record_setup_problems(part.setup):
            raise ConnectionLost("The server sent a record of an impossible race.")
        known = [event for event in part.events if not isinstance(event, m.UnknownEvent)]
        if len(known) < len(part.events):
            raise ConnectionLost("The server sent a record that only a newer program can read.")
        events += known
        if len(events) >= part.last:
            return Record(part.setup, tuple(events))
