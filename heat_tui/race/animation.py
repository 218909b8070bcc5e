"""Moves as steps from space to space, so that the eye can follow a car along the road."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from heat_core import events as e
from heat_tui.map.widget import HighlightName

_DRIVE_SECONDS = 0.03
_SLIPSTREAM_SECONDS = 0.09
_BOOST_SECONDS = 0.05
_SPIN_SECONDS = 0.07
_LONGEST_MOVE_SECONDS = 0.6


class Step(NamedTuple):
    """A car stands on a place for a moment.

    Attributes:
        trail: How the place behind it is marked, None for not at all.
        seconds: How long.
    """

    car: int
    progress: int
    spot: int
    trail: HighlightName | None
    seconds: float


def steps(event: e.Event) -> Iterator[Step]:
    """Give the steps of an event that moves a car; a spin-out runs backwards and leaves a mark."""
    match event:
        case e.CarMoved() if event.end > event.start:
            trail: HighlightName | None = None
            seconds = _DRIVE_SECONDS
            if event.reason in ("slipstream", "draft"):
                trail, seconds = "slipstream", _SLIPSTREAM_SECONDS
            elif event.reason in ("boost", "direct", "accelerate"):
                trail, seconds = "boost", _BOOST_SECONDS
            yield from _along(
                event.car, range(event.start + 1, event.end + 1), event.end, event.spot, trail, seconds
            )
        case e.SpunOut():
            way = range(event.start - 1, event.end - 1, -1)
            yield from _along(event.seat, way, event.end, event.spot, "danger", _SPIN_SECONDS)
        case _:
            return


def _along(
    car: int, way: range, end: int, spot: int, trail: HighlightName | None, seconds: float
) -> Iterator[Step]:
    pause = min(seconds, _LONGEST_MOVE_SECONDS / max(1, len(way)))
    for progress in way:
        # On the way a car keeps to the race line: only where it ends does its spot matter.
        yield Step(car, progress, spot if progress == end else 0, trail, pause)
