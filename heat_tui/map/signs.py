"""Where signs, numbers and spots are: each spot's cell, limit signs beside the corner lines, space numbers.

Cells are (column, row) of the drawing's grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from heat_tui.map.raster import CORNER_LINE, LEGENDS_LINE, Raster

Coordinates: TypeAlias = tuple[int, int]
"""Column and row of a cell."""
Spot: TypeAlias = tuple[int, int]
"""Space (from 1) and spot (0 race line, 1 other)."""

_FARTHEST_SHIFT: Final = 3
_FARTHEST_TOKEN: Final = 8
_NEAR_THE_START_LINE: Final = (1.5, 2.5, 3.5, 0.5, 4.5)
_SIGN_WAYS: Final = (2.2, 3.2, 4.5, 6.0, 8.0, 10.0)
"""Pixels from the road's surface to the middle of a sign, those tried first first."""
_LARGE_SPACE_PIXELS: Final = 5.0
"""Spaces of so many pixels have wide edges: signs begin one step farther away."""


def rings(centre: Coordinates, most: int) -> Iterator[Coordinates]:
    """Give cells around a cell, the nearest first (a row counts as two columns), up to some columns away."""
    column, row = centre
    offsets = [
        (abs(right) + 2 * abs(down), abs(down), right, down)
        for down in range(-(most // 2), most // 2 + 1)
        for right in range(-most, most + 1)
        if abs(right) + 2 * abs(down) <= most
    ]
    for _, _, right, down in sorted(offsets):
        yield column + right, row + down


def spot_cells(raster: Raster) -> dict[Spot, Coordinates]:
    """Give each spot a cell of its own where there is room within a few cells, else the cell it lies in."""
    track, layout = raster.track, raster.layout
    wanted: dict[Spot, Coordinates] = {}
    for space in range(1, track.spaces + 1):
        for spot in range(track.spots[space]):
            point = raster.centreline.spot_point(track, space, spot, layout.lane)
            column = min(max(int(point.x), 0), layout.columns - 1)
            row = min(max(int(point.y / 2), 0), layout.rows - 1)
            wanted[space, spot] = (column, row)
    owners: dict[Coordinates, Spot] = {}
    homeless = []
    for key, cell in wanted.items():
        if cell in owners:
            homeless.append(key)
        else:
            owners[cell] = key
    for key in homeless:
        for column, row in rings(wanted[key], _FARTHEST_SHIFT):
            if 0 <= column < layout.columns and 0 <= row < layout.rows and (column, row) not in owners:
                owners[column, row] = key
                wanted[key] = (column, row)
                break
    return wanted


class CornerNote(NamedTuple):
    """What lies at a corner besides its limit.

    Attributes:
        is_overheating: Whether who pays there pays one Heat more.
        sector: What the sector behind the corner does, in words from long to short; empty: nothing.
    """

    is_overheating: bool = False
    sector: tuple[str, ...] = ()


def sign_cells(raster: Raster, taken: set[Coordinates], widths: tuple[int, ...]) -> list[Coordinates | None]:
    """Find for each corner where its limit sign begins, None where there is no room at all.

    Args:
        raster: The painted circuit.
        taken: Cells that must stay free; the cells of the signs are added.
        widths: Cells that each corner's sign needs.
    """
    return [
        _place_beside(raster, taken, corner.after_space + 0.5, width)
        for corner, width in zip(raster.track.corners, widths, strict=True)
    ]


def token_cells(
    raster: Raster, taken: set[Coordinates], notes: Sequence[CornerNote]
) -> Iterator[tuple[int, Coordinates, str]]:
    """Find where the sectors behind corners say what they do: corner, first cell and words.

    The words are beside the first spaces of the sector. Where nothing has room there is nothing.

    Args:
        notes: Of each corner by number, or none at all.
    """
    lines = [corner.after_space for corner in raster.track.corners]
    for corner, note in enumerate(notes):
        length = (lines[(corner + 1) % len(lines)] - lines[corner]) % raster.track.spaces
        ways = [lines[corner] + behind for behind in range(2, max(3, min(length, _FARTHEST_TOKEN)))]
        found = (
            (corner, place, words)
            for words in note.sector
            for gap in (1, 0)  # two of one paint that touch are read as one
            for way in ways
            if (place := _place_beside(raster, taken, way, len(words), gap)) is not None
        )
        token = next(found, None)
        if token is not None:
            yield token


def _place_beside(
    raster: Raster, taken: set[Coordinates], at: float, width: int, gap: int = 0
) -> Coordinates | None:
    """Find free cells beside a place of the road, outside of the bend if possible, and take them.

    Args:
        gap: So many cells to the left and right of them must not be taken either.
    """
    point = raster.centreline.at(at)
    before, behind = raster.centreline.at(at - 2), raster.centreline.at(at + 2)
    turn = before.heading_x * behind.heading_y - before.heading_y * behind.heading_x
    ways = _SIGN_WAYS[1:] if raster.layout.space_pixels >= _LARGE_SPACE_PIXELS else _SIGN_WAYS
    outside = 1.0 if turn >= 0 else -1.0  # turning right on the screen leaves the outside on the left
    choices = [
        (way, side, shift) for way in ways for shift in (0.0, 2.5, -2.5) for side in (outside, -outside)
    ]
    for way, side, shift in choices:
        x, y = point.beside(side * (raster.layout.half_width + way))
        x, y = x + shift * point.heading_x, y + shift * point.heading_y
        # The middle moves away from the road as far as the words are wide.
        push = (width - 1) / 2 * (1 if x > point.x else -1) * min(abs(point.heading_y) * 1.2, 1.0)
        place = (round(x + push - width / 2), int(y // 2))
        sides = {(place[0] + shift, place[1]) for shift in (-gap, width - 1 + gap)}
        if _is_free(raster, taken, place, width) and sides.isdisjoint(taken):
            taken.update((place[0] + number, place[1]) for number in range(width))
            return place
    return None


def direction_cell(raster: Raster, taken: set[Coordinates]) -> tuple[Coordinates, Coordinates] | None:
    """Find where an arrow beside the start line says which way all drive, and the way as columns and rows.

    Returns:
        None where there is no room.
    """
    tried = ((at, _place_beside(raster, taken, at, 1)) for at in _NEAR_THE_START_LINE)
    at, place = next(((at, place) for at, place in tried if place is not None), (0.0, None))
    if place is None:
        return None
    point = raster.centreline.at(at)
    if abs(point.heading_x) >= abs(point.heading_y):
        return place, (1 if point.heading_x > 0 else -1, 0)
    return place, (0, 1 if point.heading_y > 0 else -1)


def number_cells(raster: Raster, taken: set[Coordinates]) -> dict[Coordinates, str]:
    """Place the numbers of the spaces: every space at close-up, every fifth elsewhere, beside the road."""
    every = 1 if raster.layout.space_pixels >= 7 else 5
    texts: dict[Coordinates, str] = {}
    for space in range(1, raster.track.spaces + 1):
        if space != 1 and space % every:
            continue
        text = str(space)
        point = raster.centreline.at(space)
        for way, side in ((1.8, -1), (1.8, 1), (2.8, -1), (2.8, 1)):
            x, y = point.beside(side * (raster.layout.half_width + way))
            push = (len(text) - 1) / 2 * (1 if x > point.x else -1) * abs(point.heading_y)
            start = (round(x + push - len(text) / 2), int(y // 2))
            if _is_free(raster, taken, start, len(text)):
                for number, digit in enumerate(text):
                    texts[start[0] + number, start[1]] = digit
                    taken.add((start[0] + number, start[1]))
                break
    return texts


def line_cells(raster: Raster, kind: int) -> Iterator[tuple[Coordinates, int]]:
    """Give the cells that a kind of line covers, each with the space of one of its pixels there."""
    assert kind in (CORNER_LINE, LEGENDS_LINE)
    for index, other in raster.kinds.items():
        if other == kind:
            row, column = divmod(index, raster.width)
            yield (column, row // 2), raster.spaces[index]


def _is_free(raster: Raster, taken: set[Coordinates], start: Coordinates, width: int) -> bool:
    column, row = start
    if column < 0 or row < 0 or column + width > raster.width or 2 * row + 1 >= raster.height:
        return False
    for number in range(width):
        index = 2 * row * raster.width + column + number
        if (column + number, row) in taken:
            return False
        if index in raster.kinds or index + raster.width in raster.kinds:
            return False
    return True
