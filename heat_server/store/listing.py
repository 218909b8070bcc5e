"""What `heat-server matches` and `export` show of a store: its matches in lines, a race as a record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from heat_core.record.record import encode_record
from heat_core.shapes import printable
from heat_server.store.contract import ListedMatch, RecordedRace, Store
from heat_server.store.encoding import decode_events, decode_setup
from heat_server.store.errors import StoreFailed
from heat_server.text_table import text_table

_HEADINGS: Final = ("match", "code", "started", "state", "details")


class NotExported(Exception):
    """A race that cannot be exported, or not yet; the text says why in one sentence."""


def matches_text(matches: Sequence[ListedMatch], zone: tzinfo | None = None) -> str:
    """Write each match in a line, under a line of headings.

    Args:
        matches: In the order of the lines.
        zone: For the times; None: that of this machine.
    """
    if not matches:
        return "No match has been saved yet."
    return text_table([_HEADINGS, *(_row(match, zone) for match in matches)])


def _row(match: ListedMatch, zone: tzinfo | None) -> tuple[str, ...]:
    details = [match.title, match.result or "", match.reason or "" if match.outcome != "ended" else ""]
    return (
        printable(match.match),
        printable(match.code),
        _time(match.begun_at_ms, zone),
        printable(match.outcome or match.phase),
        printable(" | ".join(text for text in details if text)),
    )


def _time(at_ms: int, zone: tzinfo | None) -> str:
    try:
        return datetime.fromtimestamp(at_ms / 1000, zone).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


def export_race(store: Store, match: str, race: int | None, version: str) -> bytes:
    """Write a race of a match as a record, with the seed and all that was hidden.

    Args:
        store: Where the match is.
        match: Its name.
        race: Which of its races, from 1 in the order in which they began; None: the only one.
        version: Of the program, for people.

    Raises:
        NotExported: The race or its season may still run, or there is no such race.
        NoSuchMatch: There is no such match.
        StoreFailed: The file cannot be read, or the race is damaged.
    """
    listed = store.find(match)
    record = _race_of(match, store.races(match), race)
    setup = decode_setup(record.setup)
    if listed.outcome is None:  # its players may not see what the record reveals
        if record.reason is None:
            raise NotExported("the race is still running; export it when it has finished")
        if setup.season is not None and listed.phase != "ended":
            raise NotExported("the championship is still running; export its races when it has finished")
    events = [event for step in record.steps for event in decode_events(step.events)]
    if len(events) != sum(step.count for step in record.steps):
        raise StoreFailed(f"match {match!r} is damaged: the number of its events is wrong")
    return encode_record(setup, events, version)


def _race_of(match: str, records: Sequence[RecordedRace], race: int | None) -> RecordedRace:
    if not records:
        raise NotExported(f"match {match!r} has no race")
    if race is None and len(records) > 1:
        raise NotExported(
            f"match {match!r} has {len(records)} races; choose one with --race 1 to {len(records)}"
        )
    if race is not None and not 1 <= race <= len(records):
        raise NotExported(f"match {match!r} has no race {race}; its races are 1 to {len(records)}")
    return records[(race or 1) - 1]
