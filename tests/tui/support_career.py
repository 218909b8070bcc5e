"""Finished races for the tests of what is made of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from heat_tui.saved.finished import Finished

BEGUN = datetime(2026, 11, 1, 12, tzinfo=UTC)


def race(number: int, **changed: Any) -> Finished:
    values: dict[str, Any] = {
        "race": f"race {number}", "moment": BEGUN + timedelta(days=number),
        "board": "usa", "board_name": "USA",
        "laps": 2, "car": 0, "name": "Ana", "colour": "red", "place": 2, "cars": 6, "status": "finished",
        "rounds": 14, "beyond": 3, "gap_rounds": 0, "gap_spaces": 4, "heat_paid": 9, "top_speed": 15,
        "opponents": ("hard", "Legend easy"), "record": f"{number}.jsonl",
    }  # fmt: skip
    return Finished(**(values | changed))
