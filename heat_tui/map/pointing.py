"""What lies under the mouse or the cursor on the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from textual.message import Message

from heat_core.track import RACE_LINE_SPOT, Track
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.marks import CarMark
from heat_tui.map.signs import Coordinates, Spot


class Found(NamedTuple):
    """What lies in a cell of the drawing.

    Attributes:
        space: The space, None beside the road.
        spot: 0 race line, 1 other, None beside the road.
        cars: Numbers of the cars there.
        corner: Number (from 0) of the corner whose line or sign is there, None elsewhere.
    """

    space: int | None
    spot: int | None
    cars: tuple[int, ...]
    corner: int | None


NOTHING: Final = Found(None, None, (), None)


class SpotMessage(Message):
    """Says what lies under the mouse or the cursor; the attributes are those of `Found`."""

    def __init__(self, found: Found) -> None:
        """Say what was found."""
        super().__init__()
        self.space, self.spot, self.cars, self.corner = found


def found_at(
    drawing: TrackDrawing, cars: Sequence[CarMark], cells: Mapping[int, Coordinates], cell: Coordinates
) -> Found:
    """Find what lies in a cell of a drawing.

    Args:
        drawing: Of the circuit.
        cars: On it.
        cells: The cell that each car is drawn in, by its number.
        cell: Column and row of the drawing.
    """
    spot = drawing.spot_at(*cell)
    cars = [car for car in cars if not car.is_ghost]
    numbers = tuple(car.number for car in cars if cells.get(car.number) == cell)
    if not numbers and spot is not None:
        numbers = tuple(car.number for car in cars if (drawing.track.space(car.progress), car.spot) == spot)
    space, side = (None, None) if spot is None else spot
    return Found(space, side, numbers, drawing.corner_at(*cell))


def spot_of(track: Track, cars: Sequence[CarMark], number: int | None) -> Spot:
    """Give the spot that a car is on, the first of the lap where there is no such car."""
    car = next((car for car in cars if car.number == number), None)
    return (1, RACE_LINE_SPOT) if car is None else (track.space(car.progress), car.spot)


def spot_ahead(track: Track, spot: Spot, spaces: int) -> Spot:
    """Give the spot so many spaces farther along the lap, on the same line where there is one."""
    space = track.space(spot[0] + spaces + track.spaces)
    return space, spot[1] if track.spots[space] == 2 else RACE_LINE_SPOT
