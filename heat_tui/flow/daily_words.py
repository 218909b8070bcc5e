"""The daily race in words, and its result as one line to paste."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, Literal, TypeAlias

from heat_core.race import events as e
from heat_core.record.record import Record
from heat_core.text import counted, listed, ordinal, with_article
from heat_core.track_facts import TrackFacts
from heat_tui.daily import BOTS, LEGENDS, LEVEL
from heat_tui.saved.finished import Finished

RoundSign: TypeAlias = Literal["free", "heat", "spin_out"]
"""What a round was like: without Heat paid, with some, with a spin-out."""

SIGNS: Final[Mapping[RoundSign, str]] = {"free": "▪", "heat": "▲", "spin_out": "✗"}
PLAIN_SIGNS: Final[Mapping[RoundSign, str]] = {"free": ".", "heat": "^", "spin_out": "x"}

RULES: Final = (
    "Everybody gets the same cards today, and bots answer the same choices in the same way. Your first "
    "finish counts; later races are practice."
)
NO_RESULT: Final = "You have not finished it yet."
PRACTICE: Final = "Race it again for practice; the result above stays."


def round_signs(record: Record, car: int) -> tuple[RoundSign, ...]:
    """Say what each round of a car was like, from its record alone."""
    signs: list[RoundSign] = []
    is_heat_paid = False
    for event in record.events:
        match event:
            case e.RoundStarted():
                is_heat_paid = False
            case e.TurnStarted() if event.car == car:
                signs.append("heat" if is_heat_paid else "free")  # a shift is paid before the turn
            case e.HeatPaid() if event.seat == car:
                is_heat_paid = True
                if event.reason != "shift" and signs[-1] == "free":
                    signs[-1] = "heat"
            case e.SpunOut() if event.seat == car:
                signs[-1] = "spin_out"
            case _:
                pass
    return tuple(signs)


def result_line(finished: Finished, signs: Sequence[RoundSign] = (), *, is_plain: bool = False) -> str:
    """Write a result as one line to paste.

    Args:
        signs: Of its rounds; empty where the record is gone.
        is_plain: In ASCII only.
    """
    parts = [f"Heat daily {finished.daily}", finished.board_name, place_text(finished)]
    parts.append(counted(finished.rounds, "round"))
    parts.append(f"{finished.heat_paid} Heat")
    if finished.spin_outs:
        parts.append(counted(finished.spin_outs, "spin-out"))
    shown = PLAIN_SIGNS if is_plain else SIGNS
    row = "".join(shown[sign] for sign in signs)
    return " ".join(filter(None, [(", " if is_plain else " · ").join(parts), row]))


def day_line(finished: Finished) -> str:
    """Write the result of an earlier day: `2026-11-28 Japan: 1st of 6`."""
    return f"{finished.daily} {finished.board_name}: {place_text(finished)}"


def place_text(finished: Finished) -> str:
    """Say a place: `2nd of 6`; of a car that did not finish why not."""
    match finished.status:
        case "gave_up":
            return "gave up"
        case "spun_out":
            return "spun out of the race"
        case _:
            return f"{ordinal(finished.place)} of {finished.cars}"


def daily_title(day: date, track: TrackFacts) -> str:
    """Say which race it is: `Daily race of 2026-11-29: USA, 2 laps`."""
    return f"Daily race of {day.isoformat()}: {track.name}, {counted(track.laps, 'lap')}"


def field_text() -> str:
    """Say who races."""
    bots = listed([f"{with_article(bot)} bot" for bot in BOTS], "and")
    return f"Standard rules, against {bots}, and {LEGENDS} Legends ({LEVEL})."


def streak_text(days: int) -> str:
    """Say for how many days in a row there is a result; empty for none."""
    return f"{counted(days, 'day')} in a row." if days else ""
