"""Moves as steps from space to space, so that the eye can follow a car along the road."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Final, NamedTuple

from heat_core.race import events as e
from heat_core.track import RACE_LINE_SPOT
from heat_tui.map.marks import HighlightName, Skid, Way

_FRAME_SECONDS: Final = 1 / 60
_DRIVE_SECONDS: Final = 0.06
_SLIPSTREAM_SECONDS: Final = 0.25
"""Of the whole way; the others are of a space."""
_BOOST_SECONDS: Final = 0.05
_BRAKE_SECONDS: Final = 0.24
_SPIN_SECONDS: Final = 0.38
"""Of the whole way back."""
_LONGEST_MOVE_SECONDS: Final = 0.6
_OWN_SECONDS: Final = 0.12
_LONGEST_OWN_SECONDS: Final = 0.9
_LONGEST_LEGEND_SECONDS: Final = 0.4
_FLAME_SPACES: Final = 2


class Step(NamedTuple):
    """A car drives from where it is to the next space.

    Attributes:
        progress: Where it comes to.
        spot: The same; None: as before.
        trail: How the spaces of its wake are marked, None for not at all.
        seconds: How long it takes.
        wake: The places that are marked, as progress; none of them is its own.
        spaces: How many the move has come so far.
        turns: By how much it is turned out of the road's direction when it begins and ends, in whole turns.
    """

    car: int
    progress: int
    spot: int | None
    trail: HighlightName | None
    seconds: float
    wake: tuple[int, ...] = ()
    spaces: int = 0
    turns: tuple[float, float] = (0.0, 0.0)

    def way(self, share: float, spot: int) -> Way:
        """Give where the car is after a share of the time; `spot` is the one that it came from."""
        start, end = self.turns
        return Way(
            self.progress,
            spot if self.spot is None else self.spot,
            min(share, 1.0),
            start + (end - start) * share,
        )


def steps(event: e.Event, own: int | None = None) -> Iterator[Step]:
    """Give the steps of an event that moves a car; each kind of move has a mark of its own.

    A slipstream is a streak from where the car was drawn along, a boost a short flame behind the car. A
    spin-out brakes, then turns once round on its way back and leaves a skid mark all the way.

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
                longest = event.end - event.start
                trail, seconds = "slipstream", _SLIPSTREAM_SECONDS / longest
            elif event.reason in ("boost", "direct", "accelerate"):
                trail, seconds, longest = "boost", _BOOST_SECONDS, _FLAME_SPACES
            way = range(event.start, event.end + 1)
            yield from _along(event.car, way, event.spot, trail, min(seconds, most / (len(way) - 1)), longest)
        case e.SpunOut():
            way = range(event.start, event.end - 1, -1)
            spaces = len(way) - 1
            yield Step(event.seat, event.start, None, "skid", _BRAKE_SECONDS)
            for step in _along(event.seat, way, event.spot, "skid", _SPIN_SECONDS / max(1, spaces), len(way)):
                yield step._replace(turns=((step.spaces - 1) / spaces, step.spaces / spaces))
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


def skids_after(skids: tuple[Skid, ...], event: e.Event) -> tuple[Skid, ...]:
    """Give the skid marks on the road behind an event: a spin-out leaves some, a new round has none."""
    match event:
        case e.RoundStarted():
            return ()
        case e.SpunOut():
            return (*skids, Skid(event.start, event.end, RACE_LINE_SPOT))
        case _:
            return skids


async def _only_wait(seconds: float) -> bool:
    await asyncio.sleep(seconds)
    return False


async def drive(
    seconds: float, draw: Callable[[float], None], is_over: Callable[[float], Awaitable[bool]] = _only_wait
) -> bool:
    """Draw a step frame by frame, but for its first and last, and return whether it was ended early.

    Frames that the terminal is too slow for are left out: where a car is goes by the clock.

    Args:
        seconds: How long it takes.
        draw: Shows the car after a share of its way, in (0.0, 1.0).
        is_over: Waits for some seconds, and tells whether to end at once; the usual one only waits.
    """
    end, left = monotonic() + seconds, seconds
    while left > 0:
        if await is_over(min(left, _FRAME_SECONDS)):
            return True
        left = end - monotonic()
        if left > 0:
            draw(1 - left / seconds)
    return False
