"""A car seen from above as samples of the cells around its letter."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, pi, sin
from typing import Final, Literal, NamedTuple, TypeAlias

from heat_tui.map.signs import Coordinates
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Point

Part: TypeAlias = Literal["body", "wheel", "halo"]
CarCell: TypeAlias = tuple[tuple[Part, int], ...]
"""Which samples of a cell have which part of a car; none has two."""

_SAMPLES_IN_PIXEL: Final = 8
_LENGTH_SHARE: Final = 0.8
_WIDTH_SHARE: Final = 0.36
"""Of the length of a space."""
_LEAST: Final = (17.0, 12.0)
_MOST: Final = (96.0, 46.0)
"""Length and width in samples."""
_WHEELED_PIXELS: Final = 6.0
"""Spaces of fewer pixels have cars without wheels."""
_HALO: Final = 2.6
_HEADINGS: Final = 32
"""Turned finer than that, cars would not look different, but few shapes would be drawn twice."""


class CarPose(NamedTuple):
    """How a car stands around the cell of its letter; cars of one pose have one shape.

    Attributes:
        space_pixels: How long a space is, in pixels of the layout, rounded.
        heading: Where it points, in 32nds of a turn.
        shift: Samples to the right and downwards from the middle of the letter's cell.
        has_halo: Whether it has an outline.
    """

    space_pixels: float
    heading: int
    shift: tuple[int, int]
    has_halo: bool


def car_pose(
    space_pixels: float,
    heading_x: float,
    heading_y: float,
    *,
    turn: float = 0.0,
    shift: tuple[int, int] = (0, 0),
    has_halo: bool,
) -> CarPose:
    """Give the pose of a car.

    Args:
        space_pixels: How long a space is, in pixels of the layout.
        heading_x: Where it drives, of length 1.
        heading_y: The same, downwards.
        turn: By how much it is turned out of that, in whole turns.
        shift: See `CarPose`.
        has_halo: See `CarPose`.
    """
    heading = round((atan2(heading_y, heading_x) / (2 * pi) + turn) * _HEADINGS) % _HEADINGS
    return CarPose(round(space_pixels, 1), heading, shift, has_halo)


@lru_cache(maxsize=2048)
def car_shape(pose: CarPose) -> dict[Coordinates, CarCell]:
    """Draw a car whose letter is in the cell (0, 0): what is in each cell; not to be changed.

    To move a drawn car by samples is less work than to draw it there.
    """
    canvas = _car(pose.space_pixels, pose.heading, pose.has_halo)
    reach_x, reach_y = canvas.columns // 2, canvas.rows // 2
    return {
        (column - reach_x, row - reach_y): tuple(cell.items())
        for (column, row), cell in canvas.cells_moved(*pose.shift).items()
    }


@lru_cache(maxsize=256)
def _car(space_pixels: float, heading: int, has_halo: bool) -> Canvas[Part]:
    unit = space_pixels * _SAMPLES_IN_PIXEL
    length = min(max(_LENGTH_SHARE * unit, _LEAST[0]), _MOST[0])
    width = min(max(_WIDTH_SHARE * unit, _LEAST[1]), _MOST[1])
    reach_x, reach_y = int(length / 2 / SAMPLES_ACROSS) + 2, int(length / 2 / SAMPLES_DOWN) + 2
    canvas: Canvas[Part] = Canvas(2 * reach_x + 1, 2 * reach_y + 1)
    turn = 2 * pi * heading / _HEADINGS
    middle_x, middle_y = SAMPLES_ACROSS * (reach_x + 0.5), SAMPLES_DOWN * (reach_y + 0.5)

    def at(along: float, across: float) -> Point:
        return (
            middle_x + along * cos(turn) - across * sin(turn),
            middle_y + along * sin(turn) + across * cos(turn),
        )

    def box(back: float, front: float, half: float, front_half: float, part: Part) -> None:
        canvas.quad(at(back, -half), at(back, half), at(front, front_half), at(front, -front_half), part)

    half = width / 2
    if space_pixels < _WHEELED_PIXELS:
        box(-length / 2, length / 2, half, 0.7 * half, "body")
    else:
        box(-0.5 * length, -0.4 * length, 0.8 * half, 0.8 * half, "body")
        box(-0.4 * length, 0.16 * length, 0.62 * half, 0.55 * half, "body")
        box(0.16 * length, 0.42 * length, 0.4 * half, 0.26 * half, "body")
        box(0.42 * length, 0.5 * length, 0.75 * half, 0.75 * half, "body")
        for back, front in ((-0.42, -0.2), (0.18, 0.36)):
            for side in (-1, 1):
                inner, outer = side * 0.5 * half, side * half
                canvas.quad(
                    at(back * length, inner),
                    at(back * length, outer),
                    at(front * length, outer),
                    at(front * length, inner),
                    "wheel",
                )
    if has_halo:
        ends = length / 2 + _HALO, half + _HALO
        box(-ends[0], ends[0], ends[1], ends[1], "halo")
    return canvas
