"""Who is in a room, in sentences: its places, those that are free in a row as one, then who watches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from heat_core.text import with_article
from heat_tui.flow.room_rows import Row


def people_told(rows: Sequence[Row]) -> list[str]:
    """Tell the rows of a room: `1: Ana, red, host, you.`, `3 to 6: free.`, `Kim is watching.`"""
    told: list[str] = []
    for is_free, group in groupby(rows, lambda row: not row.name):
        if is_free:
            numbers = [row.place + 1 for row in group if row.place is not None]
            told.append(f"{' to '.join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))}: free.")
        else:
            told += map(_row_text, group)
    return told


def driver_text(row: Row) -> str:
    """Say what drives, with its article; empty for a person."""
    return with_article(row.driver) if row.driver else ""


def _row_text(row: Row) -> str:
    if row.place is None:
        return f"{row.name} is watching."
    more_time = f"{row.more_seconds} seconds more" if row.more_seconds else ""
    details = [row.colour or "", driver_text(row), *row.marks, more_time]
    return f"{row.place + 1}: {row.name}, {', '.join(detail for detail in details if detail)}."
