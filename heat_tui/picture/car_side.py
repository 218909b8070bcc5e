"""A racing car of the 1960s seen from its side, as shapes on a canvas."""

from __future__ import annotations

from typing import Final, Generic, NamedTuple

from heat_tui.picture.canvas import Canvas, PaintT, Point

LENGTH: Final = 96.0
HEIGHT: Final = 48.0
"""In samples, at the scale of 1: 12 cells and 3 rows."""

_WHEELS: Final = ((20.0, 35.0, 12.5), (76.0, 36.0, 11.5))
"""Of each wheel the middle and the radius, the rear one first."""
_HULL: Final[tuple[Point, ...]] = (
    (2, 24), (12, 17), (62, 17), (88, 25), (95, 31), (90, 36), (64, 40), (8, 40), (2, 34),
)  # fmt: skip
_SCREEN: Final[tuple[Point, ...]] = ((56, 18), (56, 9), (60, 9), (66, 18))
_HELMET: Final = (46.0, 9.0, 7.0)
_EXHAUST: Final = (-4.0, 24.0, 8.0, 6.0)
_BELOW_DECK: Final[tuple[Point, ...]] = (
    (2, 26), (64, 26), (86, 32), (90, 36), (64, 40), (8, 40), (2, 34),
)  # fmt: skip


class CarPaints(NamedTuple, Generic[PaintT]):
    """What the parts of a car are painted in.

    Attributes:
        deck: Of the upper side of a body that could not be seen on its ground; None: as the body.
    """

    body: PaintT
    tyre: PaintT
    hub: PaintT
    metal: PaintT
    helmet: PaintT
    deck: PaintT | None = None


def draw_car_side(
    canvas: Canvas[PaintT], left: float, top: float, paints: CarPaints[PaintT], scale: float = 1.0
) -> None:
    """Draw a car that drives to the right.

    Args:
        left: Sample where it begins.
        top: Sample of the driver's helmet.
        scale: Of 1 it is `LENGTH` by `HEIGHT` samples.
    """

    def at(x: float, y: float) -> Point:
        return left + x * scale, top + y * scale

    for x, y, radius in _WHEELS:
        canvas.disc(*at(x, y), 0.4 * radius * scale, paints.hub)
        canvas.disc(*at(x, y), radius * scale, paints.tyre)
    x, y, radius = _HELMET
    canvas.disc(*at(x, y), radius * scale, paints.helmet)
    canvas.polygon([at(*point) for point in _SCREEN], paints.metal)
    x, y, width, height = _EXHAUST
    canvas.rectangle(*at(x, y), width * scale, height * scale, paints.metal)
    if paints.deck is not None:
        canvas.polygon([at(*point) for point in _BELOW_DECK], paints.body)
    canvas.polygon([at(*point) for point in _HULL], paints.deck or paints.body)


def draw_small_car_side(canvas: Canvas[PaintT], left: float, top: float, paints: CarPaints[PaintT]) -> None:
    """Draw a car of 9 x 2 cells that begins at a cell; all its edges are on halves of cells."""
    for x in (8, 48):
        canvas.rectangle(left + x + 4, top + 24, 8, 8, paints.hub)
        canvas.rectangle(left + x, top + 16, 16, 16, paints.tyre)
    canvas.rectangle(left + 32, top, 8, 8, paints.helmet)
    canvas.rectangle(left, top + 16, 8, 8, paints.metal)
    edge = paints.deck or paints.body
    canvas.rectangle(left + 12, top + 8, 44, 8, edge)
    canvas.rectangle(left + 24, top + 16, 24, 12, paints.body)
    canvas.rectangle(left + 64, top + 16, 8, 8, edge)
