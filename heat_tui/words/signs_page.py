"""The signs of the map, the road and the standings explained, as this terminal shows them."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Text

from heat_tui.map import raster as painted
from heat_tui.map.palette import (
    HIGHLIGHT_GLYPHS,
    HIGHLIGHT_PAINTS,
    ROAD_GLYPHS,
    Cell,
    Look,
    Role,
    car_style,
    colourless,
    kind_paint,
    road_glyph,
    spot_glyph,
)
from heat_tui.map.shades import ROLE_PLATES
from heat_tui.theme import paints
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


def signs_parts(look: Look) -> tuple[Part, ...]:
    """Explain all signs of a terminal that shows the map in this look."""
    glyphs = ASCII if look.mode == "ascii" else UNICODE
    return (
        ("On the map", _map_signs(look)),
        ("Above your cards and at the right", _panel_signs(glyphs)),
    )


def signs_lines(look: Look) -> list[Text]:
    """Write the page: a line for each sign."""
    lines: list[Text] = []
    for heading, signs in signs_parts(look):
        lines.append(Text(heading, Style(bold=True)))
        for sign in signs:
            line = Text(" ")
            for cell in sign.cells:
                line.append(cell.glyph, cell.style)
            line.append(" " * max(1, _COLUMN - len(sign.cells)))
            lines.append(line.append(sign.meaning))
    return lines


def _map_signs(look: Look) -> tuple[Sign, ...]:
    changed = "; on blue: changed" if look.has_colours else ""
    limit = "[3]" if look.mode == "ascii" else " 3 "
    return (
        Sign(
            tuple(Cell(glyph, _role_style(look, "sign")) for glyph in limit),
            f"the corner line's limit, not its number{changed}",
        ),
        Sign((_across(look, painted.CORNER_LINE),), "corner line: faster than its limit costs Heat"),
        Sign(
            (_across(look, painted.LEGENDS_LINE),),
            "Legends line: from here Legends keep to the limit",
        ),
        Sign(_chequers(look), "start and finish; the arrow shows the driving direction"),
        Sign(
            (
                *(_spot(look, "race spot"), _BLANK, _spot(look, "other spot"), _BLANK),
                *(_spot(look, "grid spot"), *_water(look)),
            ),
            f"a space: race line, other; the grid{'; on blue: flooded' if look.has_colours else ''}",
        ),
        Sign(
            (Cell("A", car_style(look, "red", False)), _BLANK, Cell("B", car_style(look, "blue", True))),
            "cars, by letter and colour; yours is underlined",
        ),
        Sign(_marks(look, "target", "costs", "danger"), "you end here: free; for Heat; spun out"),
        Sign(_marks(look, "maybe", "slipstream"), "you may end here; slipstream"),
        Sign(
            _marks(look, "boost", "skid", "cursor"), "trail of a boost; of a spin-out; the space you look at"
        ),
    )


def _water(look: Look) -> tuple[Cell, ...]:
    """Show the ground of a flooded space, which only colour tells."""
    if not look.has_colours:
        return ()
    ground = kind_paint(painted.surface_kind(painted.FLOODED, 0, 0))
    return (_BLANK, Cell(" ", paints.style(look.theme, "road-ink", ground)))


def _panel_signs(glyphs: Glyphs) -> tuple[Sign, ...]:
    corner, finish = glyphs.corner, glyphs.finish
    marks = " ".join((glyphs.active, glyphs.chosen, glyphs.waiting, glyphs.away))
    return (
        _written(f"{corner}3{corner} {glyphs.legends_line}", "corner line with its limit; Legends line"),
        _written(
            f"{ROAD_GLYPHS['target'][glyphs is ASCII]} {ROAD_GLYPHS['slipstream'][glyphs is ASCII]}",
            "where your choice ends; where a slipstream would end",
        ),
        _written(f"{finish} {finish * 3} 25", "start line; the finish; every fifth space has its number"),
        _written(marks, "drives now; has chosen; still chooses; is away"),
        _written("1/25 2 6", "lap/space, gear, Heat; s11: a Legend's speed"),
        _written(f"1{glyphs.heat_full}", "after a gear: shifting to it costs 1 Heat"),
    )


def _written(text: str, meaning: str) -> Sign:
    return Sign(tuple(Cell(glyph, Style(bold=True)) for glyph in text), meaning)


def _role_style(look: Look, role: Role) -> Style:
    if not look.has_colours:
        return colourless(role)
    if role in ROLE_PLATES:
        return paints.style(look.theme, "plate-ink", ROLE_PLATES[role], bold=True)
    return paints.style(look.theme, "spot" if role != "grid spot" else "road-ink", kind_paint(_ROAD))


def _across(look: Look, kind: int) -> Cell:
    """Show a line across the road as it lies where the road runs level."""
    if not look.has_colours:
        return Cell(road_glyph(look.mode, kind, kind, "level"), Style())
    return Cell("▐", paints.style(look.theme, kind_paint(kind)))


def _chequers(look: Look) -> tuple[Cell, ...]:
    black, white = painted.CHEQUER_BLACK, painted.CHEQUER_WHITE
    pairs = ((black, white), (white, black), (black, white))
    if not look.has_colours:
        return tuple(Cell(road_glyph(look.mode, *pair, "level"), Style()) for pair in pairs)
    return tuple(
        Cell("▀", paints.style(look.theme, kind_paint(upper), kind_paint(lower))) for upper, lower in pairs
    )


def _spot(look: Look, role: Role) -> Cell:
    return Cell(spot_glyph(look.mode, role), _role_style(look, role))


def _marks(look: Look, *names: str) -> tuple[Cell, ...]:
    bold = Style(bold=True)
    cells: list[Cell] = []
    for name in names:
        sign = HIGHLIGHT_GLYPHS[name][look.mode == "ascii"]
        filled = paints.style(look.theme, "fill-ink", HIGHLIGHT_PAINTS[name], bold=True)
        cells += [Cell(sign, filled if look.has_colours else bold), _BLANK]
    return tuple(cells[:-1])
