"""Who is in a room, as plain mode says it."""

from __future__ import annotations

from heat_tui.flow.room_rows import Row
from heat_tui.plain.people import people_told


def test_free_places_in_a_row_are_one_sentence() -> None:
    rows = [
        Row(0, "Ana", "red", marks=("host", "you")),
        Row(1),
        Row(2, "Legend 1", "blue", "easy Legend"),
        Row(3),
        Row(4),
        Row(5),
        Row(None, "Kim", marks=("watching",)),
    ]
    assert people_told(rows) == [
        "1: Ana, red, host, you.",
        "2: free.",
        "3: Legend 1, blue, an easy Legend.",
        "4 to 6: free.",
        "Kim is watching.",
    ]
