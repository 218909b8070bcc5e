"""Moments worth a stamp over the map: the start, the lead, the last lap, places won, the finish.

They are shown beside what is asked and never in its way; what a stamp says stands in the log as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Phase
from heat_core.text import counted
from heat_core.view.race_view import RaceView

Look: TypeAlias = Literal["dark", "gold", "green"]

LIGHTS: Final = 5
_LIGHT_SECONDS: Final = 0.2
_HOLD_SECONDS: Final = 0.5
_GO_SECONDS: Final = 0.4
_STAMP_SECONDS: Final = 0.8
_FLAG_SECONDS: Final = 0.35
_PLACE_SECONDS: Final = 1.2


class Frame(NamedTuple):
    """One picture of a moment.

    Attributes:
        text: What stands on it.
        look: How it is painted.
        seconds: How long it is shown at the usual pace.
    """

    text: str
    look: Look
    seconds: float


class Moment(NamedTuple):
    """What is shown, and what stands in the log instead where nothing moves.

    Attributes:
        frames: One after the other.
        line: "" where the log has a line of the event itself.
    """

    frames: tuple[Frame, ...]
    line: str = ""


def start_lights() -> Moment:
    """Give the lights of the start: five go on one by one, all go out."""
    frames = [
        Frame("  ".join("●" * lit + "○" * (LIGHTS - lit)), "dark", _LIGHT_SECONDS) for lit in range(1, LIGHTS)
    ]
    all_lit = Frame("  ".join("●" * LIGHTS), "dark", _LIGHT_SECONDS + _HOLD_SECONDS)
    return Moment((*frames, all_lit, Frame("GO", "green", _GO_SECONDS)), "The lights go out.")


def moments_between(
    before: RaceView, after: RaceView, events: Sequence[e.Event], seat: int | None, setup: RaceSetup
) -> tuple[Moment, ...]:
    """Find what deserves a stamp between two views.

    Args:
        before: What was shown last.
        after: What is shown now.
        events: What happened between them.
        seat: Whose keyboard it is; None: a watcher's, who sees the start alone.
        setup: Of the race.
    """
    moments = []
    starts = any(isinstance(event, e.RoundStarted) and event.round == 1 for event in events)
    if starts and after.phase is Phase.SHIFT_GEARS and after.round == 1:
        moments.append(start_lights())
    if seat is None or after.status == "set_up" or before.status == "set_up":
        return tuple(moments)
    place, place_before = after.ranking.index(seat) + 1, before.ranking.index(seat) + 1
    if any(isinstance(event, e.CarFinished) and event.car == seat for event in events):
        return (*moments, _finish(after, seat, place, setup))
    if 1 <= before.cars[seat].lap < setup.laps == after.cars[seat].lap:
        moments.append(_stamp("LAST LAP", "Your last lap begins."))
    has_driven = any(isinstance(event, e.CarMoved) and event.car == seat for event in events)
    if has_driven and place < place_before:
        text = "YOU LEAD" if place == 1 else f"P{place_before} > P{place}"
        line = "You take the lead." if place == 1 else f"You gain places: P{place_before} to P{place}."
        moments.append(_stamp(text, line))
    return tuple(moments)


def _stamp(text: str, line: str = "") -> Moment:
    return Moment((Frame(text, "gold", _STAMP_SECONDS),), line)


def _finish(view: RaceView, seat: int, place: int, setup: RaceSetup) -> Moment:
    """Show the flag, then the place with the margin to the car before, or of the winner to the next."""
    other = view.ranking[place - 2] if place > 1 else view.ranking[1]
    spaces = abs(view.cars[other].progress - view.cars[seat].progress)
    side = "behind" if place > 1 else "ahead of"
    margin = (
        f", {counted(spaces, 'space')} {side} {setup.cars[other].name}"
        if view.cars[other].is_on_track
        else ""
    )
    flag = Frame("▓ ▓ ▓  FINISH  ▓ ▓ ▓", "dark", _FLAG_SECONDS)
    return Moment((flag, Frame(f"P{place} of {len(view.ranking)}{margin}", "gold", _PLACE_SECONDS)))
