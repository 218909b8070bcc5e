"""The last results and what they add up to, for Home on the screen and in lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from heat_core.text import counted, ordinal
from heat_tui.flow.career_words import summary_text
from heat_tui.saved.career import career_of
from heat_tui.saved.finished import Finished


class LastResult(NamedTuple):
    """A finished race in a few words.

    Attributes:
        place: From 1.
        board: As it is shown.
        laps: In words.
        gap: In spaces as `+9` or `-40`, in rounds as `-1 round`.
        when: `today`, `yesterday`, or the day.
    """

    place: int
    board: str
    laps: str
    gap: str
    when: str


def last_results(races: Sequence[Finished], now: datetime, most: int = 4) -> list[LastResult]:
    """Give the newest results, the newest first.

    Args:
        most: How many at most.
        now: With a time zone, whose days are meant.
    """
    return [
        LastResult(
            race.place,
            race.board_name,
            counted(race.laps, "lap"),
            _gap(race),
            _day(race.moment.astimezone(now.tzinfo), now),
        )
        for race in races[: -most - 1 : -1]
    ]


def last_result_told(races: Sequence[Finished]) -> str:
    """Say the newest result and what all add up to, in one line; empty where there is none."""
    if not races:
        return ""
    now = datetime.now(UTC).astimezone()
    result = last_results(races, now)[0]
    return (
        f"Your last race: {ordinal(result.place)} of {races[-1].cars} on {result.board}, {result.when}. "
        f"{summary_text(career_of(races))}."
    )


def _gap(race: Finished) -> str:
    if not race.is_raced_out:
        return "out"
    if race.gap_rounds:
        return f"{race.gap_rounds:+} {'round' if abs(race.gap_rounds) == 1 else 'rounds'}"
    return f"{race.gap_spaces:+}" if race.gap_spaces else "level"


def _day(moment: datetime, now: datetime) -> str:
    days = (now.date() - moment.date()).days
    if days in (0, 1):
        return ("today", "yesterday")[days]
    return f"{moment.day} {moment:%b}" if moment.year == now.year else f"{moment:%b %Y}"
