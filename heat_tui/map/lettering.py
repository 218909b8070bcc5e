"""What is written on a drawing: limits, spots, numbers of spaces, the driving direction, what sectors do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heat_core.track import RACE_LINE_SPOT
from heat_tui.map.palette import Look, Role, spot_glyph
from heat_tui.map.raster import CORNER_LINE, Raster, is_surface
from heat_tui.map.signs import (
    Coordinates,
    CornerNote,
    Spot,
    direction_cell,
    line_cells,
    number_cells,
    sign_cells,
    token_cells,
)

ARROWS: Final[dict[Coordinates, tuple[str, str]]] = {
    (1, 0): ("→", ">"),
    (-1, 0): ("←", "<"),
    (0, -1): ("↑", "^"),
    (0, 1): ("↓", "v"),
}
"""By the driving direction in columns and rows: in Unicode and in ASCII."""


class Lettering:
    """The letters of a drawing, and which cells belong to corners.

    Attributes:
        text: By cell, a letter and what it is of.
        corners: By cell, the number (from 0) of the corner whose line, plate or words are there.
        plates: By corner, where its limit begins and its text, a blank on either side.
        roles: By corner, whether its limit is printed or changed.
    """

    def __init__(
        self,
        raster: Raster,
        look: Look,
        spots: Mapping[Spot, Coordinates],
        limits: tuple[int, ...],
        notes: tuple[CornerNote, ...],
        *,
        has_numbers: bool,
    ) -> None:
        """Find room for everything.

        Args:
            raster: The painted circuit.
            look: How the terminal shows it.
            spots: The cell of each spot; nothing else is written there.
            limits: The limit to show at each corner.
            notes: What else lies at each corner; empty: nothing.
            has_numbers: Whether spaces show their numbers.
        """
        self._raster = raster
        self._look = look
        self._spots = spots
        self.text: dict[Coordinates, tuple[str, Role]] = {}
        self.corners: dict[Coordinates, int] = {}
        self.plates: dict[int, tuple[Coordinates, str]] = {}
        self.roles: dict[int, Role] = {}
        taken = set(spots.values())
        self._write_spots()
        self._write_limits(taken, limits, notes)
        self._write_beside(taken, notes, has_numbers)

    def _write_spots(self) -> None:
        raster = self._raster
        for cell, space in line_cells(raster, CORNER_LINE):
            self.corners.setdefault(cell, self._nearest_corner(space))
        track = raster.track
        # Where there is no room for brackets on the road, the starting places have a sign of their own.
        grid = {(space, track.spot_on(space, side)) for space, side in track.facts.grid}
        if raster.has_grid_marks:
            grid = set()
        for (space, spot), cell in self._spots.items():
            column, row = cell
            upper = 2 * row * raster.width + column
            kinds = raster.kind_at(upper), raster.kind_at(upper + raster.width)
            if any(is_surface(kind) for kind in kinds):
                empty: Role = "race spot" if spot == RACE_LINE_SPOT else "other spot"
                if (space, spot) in grid:
                    empty = "grid spot"
                self.text[cell] = (spot_glyph(self._look.mode, empty), empty)

    def _write_limits(
        self, taken: set[Coordinates], limits: tuple[int, ...], notes: tuple[CornerNote, ...]
    ) -> None:
        raster = self._raster
        hot = [bool(notes) and notes[number].is_overheating for number in range(len(limits))]
        texts = [f"{limit}!" if is_hot else f"{limit}" for limit, is_hot in zip(limits, hot, strict=True)]
        texts = [f"[{text}]" if self._look.mode == "ascii" else f" {text} " for text in texts]
        places = sign_cells(raster, taken, tuple(len(text) for text in texts))
        for number, (place, text) in enumerate(zip(places, texts, strict=True)):
            if place is None:
                self._write_sign_on_line(number, limits[number])
                continue
            is_printed = limits[number] == self._raster.track.corners[number].limit and not hot[number]
            role: Role = "sign" if is_printed else "changed sign"
            self.plates[number] = place, text
            for shift, glyph in enumerate(text):
                cell = (place[0] + shift, place[1])
                self.corners[cell] = number
                if glyph != " " or not self._look.has_colours:  # else the plate's shape is seen there
                    self.text[cell] = (glyph, role)
            self.roles[number] = role

    def _write_beside(
        self, taken: set[Coordinates], notes: tuple[CornerNote, ...], has_numbers: bool
    ) -> None:
        """Write what sectors do, the driving direction and the numbers of spaces."""
        raster = self._raster
        for number, place, words in token_cells(raster, taken, notes):
            for shift, glyph in enumerate(words):
                cell = (place[0] + shift, place[1])
                self.text[cell] = (glyph, "token")
                self.corners[cell] = number
        if (found := direction_cell(raster, taken)) is not None:
            place, way = found
            self.text[place] = (ARROWS[way][self._look.mode == "ascii"], "arrow")
        if has_numbers:
            for cell, digit in number_cells(raster, taken).items():
                self.text[cell] = (digit, "number")

    def _write_sign_on_line(self, number: int, limit: int) -> None:
        """Write a limit on the road where there is no room beside it."""
        point = self._raster.centreline.at(self._raster.track.corners[number].after_space + 0.5)
        cell = (
            min(max(int(point.x), 0), self._raster.layout.columns - 1),
            min(max(int(point.y / 2), 0), self._raster.layout.rows - 1),
        )
        if cell in self._spots.values() or limit > 9:
            return
        changed = limit != self._raster.track.corners[number].limit
        self.plates[number] = cell, str(limit)
        role: Role = "changed sign" if changed else "sign"
        self.roles[number] = role
        self.text[cell] = (str(limit), role)
        self.corners[cell] = number

    def _nearest_corner(self, space: int) -> int:
        """Give the corner whose line is at an end of a space."""
        for number, corner in enumerate(self._raster.track.corners):
            if space in (corner.after_space, corner.after_space % self._raster.track.spaces + 1):
                return number
        return self._raster.track.corner_at(space) % len(self._raster.track.corners)
