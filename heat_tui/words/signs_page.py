"""The signs of the map, the road and the standings explained, as this terminal shows them."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Text

from heat_tui.map import raster as painted
from heat_tui.map.palette import (
    HIGHLIGHT_GLYPHS,
    Cell,
    Mode,
    Role,
    car_style,
    kind_colour,
    mark_style,
    road_cell,
    spot_glyph,
    text_style,
)
from heat_tui.theme.glyphs import ASCII, UNICODE, Glyphs

_COLUMN: Final = 8
"""Cells for the signs before what they mean."""

_BLANK: Final = Cell(" ", Style())
_ROAD: Final = painted.SURFACE


class Sign(NamedTuple):
    """A sign, or a few that belong together, and what they mean."""

    cells: tuple[Cell, ...]
    meaning: str


Part: TypeAlias = tuple[str, tuple[Sign, ...]]
"""A heading and what stands under it."""


def signs_parts(mode: Mode) -> tuple[Part, ...]:
    """Explain all signs of a terminal that shows the map in this mode."""
    glyphs = ASCII if mode == "ascii" else UNICODE
    return (
        ("On the map", _map_signs(mode)),
        ("Above your cards and at the right", _panel_signs(glyphs)),
    )


def signs_lines(mode: Mode) -> list[Text]:
    """Write the page: a line for each sign."""
    lines: list[Text] = []
    for heading, signs in signs_parts(mode):
        lines.append(Text(heading, Style(bold=True)))
        for sign in signs:
            line = Text(" ")
            for cell in sign.cells:
                line.append(cell.glyph, cell.style)
            line.append(" " * max(1, _COLUMN - len(sign.cells)))
            lines.append(line.append(sign.meaning))
    return lines


def _map_signs(mode: Mode) -> tuple[Sign, ...]:
    changed = "" if mode in ("mono", "ascii") else "; yellow: changed"
    limit = "[3]" if mode == "ascii" else " 3 "
    return (
        Sign(
            tuple(Cell(glyph, text_style(mode, "sign", painted.GRASS)) for glyph in limit),
            f"the corner line's limit, not its number{changed}",
        ),
        Sign((_across(mode, painted.CORNER_LINE),), "corner line: faster than its limit costs Heat"),
        Sign(
            (_across(mode, painted.LEGENDS_LINE),),
            "Legends line: from here Legends keep to the limit",
        ),
        Sign(_chequers(mode), "start and finish; the arrow shows the driving direction"),
        Sign(
            (_spot(mode, "race spot"), _BLANK, _spot(mode, "other spot"), _BLANK, _spot(mode, "grid spot")),
            "a space: race line, other spot; the starting grid",
        ),
        Sign(
            (Cell("A", car_style(mode, "red", False)), _BLANK, Cell("B", car_style(mode, "blue", True))),
            "cars, by letter and colour; yours is underlined",
        ),
        Sign(
            _marks(mode, "target", "maybe", "slipstream", "danger"),
            "you end here; may end here; slipstream; spin-out",
        ),
        Sign(
            _marks(mode, "boost", "skid", "cursor"), "trail of a boost; of a spin-out; the space you look at"
        ),
    )


def _panel_signs(glyphs: Glyphs) -> tuple[Sign, ...]:
    corner, finish = glyphs.corner, glyphs.finish
    marks = " ".join((glyphs.active, glyphs.chosen, glyphs.waiting, glyphs.away))
    return (
        _written(f"{corner}3{corner} {glyphs.legends_line}", "corner line with its limit; Legends line"),
        _written(f"{finish} {finish * 3} 25", "start line; the finish; every fifth space has its number"),
        _written(marks, "drives now; has chosen; still chooses; is away"),
        _written("1/25 6", "lap and space, engine's Heat; spd: a Legend's last speed"),
        _written(f"1{glyphs.heat_full}", "after a gear: shifting to it costs 1 Heat"),
    )


def _written(text: str, meaning: str) -> Sign:
    return Sign(tuple(Cell(glyph, Style(bold=True)) for glyph in text), meaning)


def _across(mode: Mode, kind: int) -> Cell:
    """Show a line across the road as it lies where the road runs level."""
    if mode in ("mono", "ascii"):
        return road_cell(mode, kind, kind, "level")
    red, green, blue = kind_colour(mode, kind)
    return Cell("▐", Style.parse(f"rgb({red},{green},{blue})"))


def _chequers(mode: Mode) -> tuple[Cell, ...]:
    black, white = painted.CHEQUER_BLACK, painted.CHEQUER_WHITE
    return tuple(road_cell(mode, *pair, "level") for pair in ((black, white), (white, black), (black, white)))


def _spot(mode: Mode, role: Role) -> Cell:
    return Cell(spot_glyph(mode, role), text_style(mode, role, _ROAD))


def _marks(mode: Mode, *names: str) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for name in names:
        sign = HIGHLIGHT_GLYPHS[name][mode == "ascii"]
        cells += [Cell(sign, mark_style(mode, name, _ROAD)), _BLANK]
    return tuple(cells[:-1])
