"""The picture engine: filled shapes, and the block that fits a cell best."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.style import Style

from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, fit_cell, lines
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import SHAPES, soften

SAMPLES = SAMPLES_ACROSS * SAMPLES_DOWN


def paint_at(canvas: Canvas[str], x: int, y: int) -> str | None:
    cell = canvas.cells(y // SAMPLES_DOWN)[x // SAMPLES_ACROSS]
    bit = SAMPLES_ACROSS * (y % SAMPLES_DOWN) + x % SAMPLES_ACROSS
    return next((paint for paint, bits in cell.items() if bits >> bit & 1), None)


@st.composite
def cell_samples(draw: st.DrawFn) -> dict[str, int]:
    """A cell whose samples have up to five paints, in blobs as pictures have them."""
    left = WHOLE_CELL
    samples: dict[str, int] = {}
    for paint in draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True))[:-1]:
        bits = draw(st.one_of(st.sampled_from(list(SHAPES.values())), st.integers(0, WHOLE_CELL))) & left
        if bits:
            samples[paint] = bits
            left &= ~bits
    if left:
        samples["ground"] = left
    return samples


WEIGHTS = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 1.5, "e": 1.0, "ground": 1.0}


def shown_by(samples: dict[str, int], fore: str, back: str, covered: int) -> float:
    """The weight of the samples that show their own paint."""
    inside = (samples[fore] & covered).bit_count() * WEIGHTS[fore]
    return inside + (samples[back] & ~covered & WHOLE_CELL).bit_count() * WEIGHTS[back]


@given(cell_samples())
def test_no_other_shape_in_no_other_paints_of_the_cell_comes_nearer(samples: dict[str, int]) -> None:
    fit = fit_cell(samples, WEIGHTS.__getitem__)
    best = shown_by(samples, fit.fore, fit.back, fit.covered)
    pairs = [*permutations(samples, 2), *((paint, paint) for paint in samples)]
    for mask in (0, WHOLE_CELL, *SHAPES.values()):
        for shape in (mask, WHOLE_CELL & ~mask):
            for fore, back in pairs:
                assert shown_by(samples, fore, back, shape) <= best + 1e-9


@given(st.sampled_from(sorted(SHAPES)), st.booleans())
def test_a_cell_that_is_a_shape_becomes_that_shape_either_way_round(glyph: str, is_swapped: bool) -> None:
    mask = SHAPES[glyph]
    one, other = ("b", "a") if is_swapped else ("a", "b")
    fit = fit_cell({one: mask, other: WHOLE_CELL & ~mask})
    assert (fit.glyph, fit.fore, fit.back) == (glyph, one, other)


def test_one_paint_is_a_blank_in_that_paint() -> None:
    fit = fit_cell({"a": WHOLE_CELL})
    assert (fit.glyph, fit.fore, fit.back) == (" ", "a", "a")
    assert soften(fit, {"a": WHOLE_CELL}, lambda _: (1, 2, 3)) == ((1, 2, 3), (1, 2, 3))


def test_38_shapes_all_of_them_block_elements() -> None:
    shapes = {*SHAPES.values(), *(WHOLE_CELL & ~mask for mask in SHAPES.values())}
    assert len(SHAPES) == 19
    assert len(shapes) == 38
    assert all(0x2580 <= ord(glyph) <= 0x259F for glyph in SHAPES)


def test_a_thin_line_that_counts_more_is_not_lost() -> None:
    line = SHAPES["▏"]
    noise = 1 << 70 | 1 << 90
    samples = {"line": line, "kerb": noise, "ground": WHOLE_CELL & ~line & ~noise}
    fit = fit_cell(samples, lambda paint: 3 if paint == "line" else 1)
    assert (fit.glyph, fit.fore, fit.back) == ("▏", "line", "ground")


@given(cell_samples())
def test_soft_colours_lie_between_the_paint_and_what_it_stands_for(samples: dict[str, int]) -> None:
    colours = {paint: (40 * number, 20, 255 - 40 * number) for number, paint in enumerate(WEIGHTS)}
    fit = fit_cell(samples)
    for colour in soften(fit, samples, colours.__getitem__):
        assert all(
            min(colours[paint][part] for paint in samples)
            <= colour[part]
            <= max(colours[paint][part] for paint in samples)
            for part in range(3)
        )


def test_what_is_drawn_first_lies_on_top_and_nothing_leaves_the_canvas() -> None:
    canvas: Canvas[str] = Canvas(3, 2)
    canvas.rectangle(-5, -5, 15, 13, "top")
    canvas.quad((-40, 4), (60, 4), (60, 50), (-40, 50), "below")
    canvas.fill("ground")
    assert paint_at(canvas, 9, 7) == "top"
    assert paint_at(canvas, 10, 7) == "below"
    assert paint_at(canvas, 10, 3) == "ground"
    for row in range(2):
        for cell in canvas.cells(row):
            assert sum(bits.bit_count() for bits in cell.values()) == SAMPLES
            assert sum(cell.values()) == WHOLE_CELL


@pytest.mark.parametrize(
    ("draw", "area"),
    [
        (lambda canvas: canvas.disc(20, 16, 12, "a"), 452),
        (lambda canvas: canvas.ring(20, 16, 12, 6, "a"), 339),
        (lambda canvas: canvas.sector((20, 16), 12, 6, -0.25, 0.25, "a"), 170),
        (lambda canvas: canvas.line((2, 3), (32, 25), 4, "a"), 149),
        (lambda canvas: canvas.polygon([(2, 2), (34, 10), (10, 30)], "a"), 416),
    ],
    ids=["disc", "ring", "sector", "line", "polygon"],
)
def test_shapes_cover_what_they_measure(draw: object, area: int) -> None:
    canvas: Canvas[str] = Canvas(5, 2)
    assert callable(draw)
    draw(canvas)
    covered = sum(cell.get("a", 0).bit_count() for row in range(2) for cell in canvas.cells(row))
    assert covered == pytest.approx(area, rel=0.04)


def test_words_lie_on_the_paint_of_their_cell() -> None:
    canvas: Canvas[str] = Canvas(4, 1)
    canvas.rectangle(0, 0, 2 * SAMPLES_ACROSS, SAMPLES_DOWN, "red")
    canvas.fill("blue")
    (line,) = lines(
        canvas, lambda fore, back: Style(color=fore, bgcolor=back), [Writing(1, 0, "AB", "white", bold=True)]
    )
    assert line.plain == " AB "
    styles = [Style.parse(span.style) if isinstance(span.style, str) else span.style for span in line.spans]
    assert [style.bgcolor.name for style in styles if style.bgcolor] == ["red", "red", "blue", "blue"]
    assert styles[1].bold


@given(st.integers(-20, 20), st.integers(-40, 40))
@example(0, 0)
@settings(max_examples=12)
def test_what_is_moved_is_what_it_was_elsewhere_and_cut_off_at_the_edge(right: int, down: int) -> None:
    canvas: Canvas[str] = Canvas(4, 3)
    canvas.quad((3.0, 9.0), (20.0, 2.0), (26.0, 30.0), (8.0, 35.0), "a")
    canvas.rectangle(0, 20, 32, 9, "b")
    canvas.disc(24.0, 36.0, 9.0, "a")
    moved = canvas.cells_moved(right, down)
    assert all(moved.values()), "no cell is empty"
    if (right, down) == (0, 0):
        cells = {(x, y): cell for y in range(3) for x, cell in enumerate(canvas.cells(y)) if cell}
        assert {place: [*cell.items()] for place, cell in moved.items()} == {
            place: [*cell.items()] for place, cell in cells.items()
        }
    for y in range(3 * SAMPLES_DOWN):
        for x in range(4 * SAMPLES_ACROSS):
            cell = moved.get((x // SAMPLES_ACROSS, y // SAMPLES_DOWN), {})
            bit = SAMPLES_ACROSS * (y % SAMPLES_DOWN) + x % SAMPLES_ACROSS
            there = next((paint for paint, bits in cell.items() if bits >> bit & 1), None)
            is_inside = 0 <= x - right < 4 * SAMPLES_ACROSS and 0 <= y - down < 3 * SAMPLES_DOWN
            assert there == (paint_at(canvas, x - right, y - down) if is_inside else None)
