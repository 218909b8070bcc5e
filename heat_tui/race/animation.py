"""Moves as steps from space to space, so that the eye can follow a car along the road."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from heat_core.race import events as e
from heat_tui.map.marks import HighlightName

_DRIVE_SECONDS: Final = 0.03
_SLIPSTREAM_SECONDS: Final = 0.09
_BOOST_SECONDS: Final = 0.05
_SPIN_SECONDS: Final = 0.07
_LONGEST_MOVE_SECONDS: Final = 0.6
_OWN_SECONDS: Final = 0.12
_LONGEST_OWN_SECONDS: Final = 0.9
_LONGEST_LEGEND_SECONDS: Final = 0.4
_FLAME_SPACES: Final = 2


class Step(NamedTuple):
    """A car is on a place for a moment.

    Attributes:
        trail: How the spaces of its wake are marked, None for not at all.
        seconds: How long.
        wake: The places that are marked, as progress; none of them is its own.
        spaces: How many the move has come so far.
    """

    car: int
    progress: int
    spot: int
    trail: HighlightName | None
    seconds: float
    wake: tuple[int, ...] = ()
    spaces: int = 0


def steps(event: e.Event, own: int | None = None) -> Iterator[Step]:
    """Give the steps of an event that moves a car; each kind of move has a mark of its own.

    A slipstream is a streak from where the car was drawn along, a boost a short flame behind the car. A
    spin-out runs backwards and leaves a skid mark all the way.

    Args:
        event: Any; most move nothing.
        own: Number of the own car, whose moves the eye follows longer.
    """
    match event:
        case e.CarMoved() if event.end > event.start:
            trail: HighlightName | None = None
            is_own = event.car == own
            seconds, longest = _OWN_SECONDS if is_own else _DRIVE_SECONDS, 0
            most = _LONGEST_OWN_SECONDS if is_own else _LONGEST_MOVE_SECONDS
            if event.reason == "legend":
                most = _LONGEST_LEGEND_SECONDS
            if event.reason in ("slipstream", "draft"):
                trail, seconds, longest = "slipstream", _SLIPSTREAM_SECONDS, event.end - event.start
            elif event.reason in ("boost", "direct", "accelerate"):
                trail, seconds, longest = "boost", _BOOST_SECONDS, _FLAME_SPACES
            way = range(event.start, event.end + 1)
            yield from _along(event.car, way, event.spot, trail, min(seconds, most / (len(way) - 1)), longest)
        case e.SpunOut():
            way = range(event.start, event.end - 1, -1)
            pause = min(_SPIN_SECONDS, _LONGEST_MOVE_SECONDS / max(1, len(way) - 1))
            yield from _along(event.seat, way, event.spot, "skid", pause, len(way))
        case _:
            return


def _along(
    car: int, way: range, spot: int, trail: HighlightName | None, seconds: float, longest: int
) -> Iterator[Step]:
    """Step along a way that begins where the car stands, with a wake of at most so many spaces."""
    for number, progress in enumerate(way[1:], start=1):
        wake = tuple(way[max(0, number - longest) : number])
        # On the way a car keeps to the race line: only where it ends does its spot matter.
        yield Step(car, progress, spot if progress == way[-1] else 0, trail, seconds, wake, number)
