"""The table of paints: whole, unmistakable, and readable in each theme and at each depth."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Final, get_args

import pytest
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color as ScreenColor

from heat_core.race.setup import COLOURS
from heat_tui.theme.colours import CAR_STYLES, GOLD, ON_RED, car_paints, inked
from heat_tui.theme.depth import FewerColours
from heat_tui.theme.paints import PAINTS, THEME_NAMES, Depth, Paint, ThemeName, colour, rgb, style, value
from heat_tui.theme.themes import THEMES
from tests.eyes import BLINDNESS, Rgb, as_seen, contrast, distance, shown_rgb

LEAST_CONTRAST: Final = 4.5
LEAST_APART: Final = 15.0
"""Distance in CIELAB of two colours side by side; one of 2.3 can just be seen."""

TEXTS: Final[tuple[Paint, ...]] = (
    "ink",
    "soft",
    "gold",
    "red",
    "green",
    "amber",
    "violet",
    "cyan",
    "upgrade-text",
    "sponsorship-text",
)
GROUNDS: Final[tuple[Paint, ...]] = ("ground", "panel", "raised")
LAND: Final = tuple(paint for paint in PAINTS if paint.startswith(("grass", "tree")) or paint == "gravel")
ROAD: Final = tuple(
    paint for paint in PAINTS if paint.startswith(("asphalt", "flooded", "tunnel-e", "tunnel-o"))
)
PAIRS: Final[tuple[tuple[Paint, Paint], ...]] = (
    *((text, ground) for text in TEXTS for ground in GROUNDS),
    ("fill-ink", "gold-fill"),
    ("fill-ink", "green-fill"),
    ("fill-ink", "amber-fill"),
    ("fill-ink", "cyan-fill"),
    ("red-ink", "red-fill"),
    ("plate-ink", "plate"),
    ("card-ink", "card"),
    ("card-ink", "card-shade"),
    ("stress-ink", "stress"),
    ("heat-ink", "heat-dark"),
    ("upgrade-ink", "upgrade"),
    ("sponsorship-ink", "sponsorship"),
    *((letter, body) for body, letter in map(car_paints, COLOURS)),
    *(("land-ink", land) for land in LAND if land != "gravel"),
    *(("road-ink", road) for road in ROAD),
)
"""Text and what it is written on."""

DEPTHS: Final[tuple[Depth, ...]] = ("true", "256", "16")
EACH_THEME = pytest.mark.parametrize("theme", THEME_NAMES)


def seen(theme: ThemeName, paint: Paint, depth: Depth) -> Rgb:
    (segment,) = FewerColours(depth).apply([Segment("x", style(theme, paint))], ScreenColor(0, 0, 0))
    assert segment.style is not None
    assert segment.style.color is not None
    return shown_rgb(segment.style.color, depth)


def test_every_paint_is_in_the_table_once() -> None:
    assert list(get_args(Paint)) == list(dict.fromkeys(get_args(Paint)))
    assert set(get_args(Paint)) == set(PAINTS)
    assert {theme.name for theme in THEMES} == set(THEME_NAMES)
    assert all(set(PAINTS) <= set(theme.variables) for theme in THEMES)


def test_a_true_colour_has_one_number_at_each_depth_whatever_it_means() -> None:
    numbers = defaultdict(set)
    for values in PAINTS.values():
        for each in values:
            assert 16 <= each.of_256 < 256
            assert 0 <= each.of_16 < 16
            numbers[each.true].add(each[1:])
    assert {true: several for true, several in numbers.items() if len(several) > 1} == {}


@EACH_THEME
@pytest.mark.parametrize("depth", DEPTHS)
def test_text_can_be_read_on_what_it_is_written_on(theme: ThemeName, depth: Depth) -> None:
    found = {
        pair: round(contrast(seen(theme, pair[0], depth), seen(theme, pair[1], depth)), 2) for pair in PAIRS
    }
    assert {pair: least for pair, least in found.items() if least < LEAST_CONTRAST} == {}


@EACH_THEME
@pytest.mark.parametrize("depth", DEPTHS)
def test_no_two_cars_have_one_colour(theme: ThemeName, depth: Depth) -> None:
    assert len({seen(theme, car_paints(car)[0], depth) for car in COLOURS}) == len(COLOURS)


@EACH_THEME
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_cars_are_apart_for_colour_blind_eyes(theme: ThemeName, blindness: str) -> None:
    bodies = {car: as_seen(rgb(theme, car_paints(car)[0]), blindness) for car in COLOURS}
    apart = {
        (one, other): round(distance(bodies[one], bodies[other]), 1) for one, other in combinations(bodies, 2)
    }
    assert {pair: gap for pair, gap in apart.items() if gap < LEAST_APART} == {}


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_what_is_free_costs_or_spins_out_is_apart_for_colour_blind_eyes(blindness: str) -> None:
    fills: tuple[Paint, ...] = ("green-fill", "amber-fill", "red-fill")
    eyes = {fill: as_seen(rgb("contrast", fill), blindness) for fill in fills}
    apart = {pair: distance(eyes[pair[0]], eyes[pair[1]]) for pair in combinations(fills, 2)}
    assert min(apart.values()) > LEAST_APART, apart


@EACH_THEME
def test_a_text_is_shown_in_the_paints_of_the_theme(theme: ThemeName) -> None:
    (shown_as,) = [each for each in THEMES if each.name == theme]
    text = Text.assemble(
        ("gold", Style(color=GOLD)), ("red", ON_RED), ("A", CAR_STYLES["red"]), ("dim", "dim")
    )
    styles = [span.style for span in inked(text, shown_as).spans]
    assert styles == [
        style(theme, "gold"),
        style(theme, "red-ink", "red-fill", bold=True),
        style(theme, "car-red-ink", "car-red", bold=True),
        Style(color=colour(theme, "soft"), dim=False),
    ]
    assert text.spans[0].style == Style(color=GOLD), "the text itself is left as it is"


@pytest.mark.parametrize(("depth", "number"), [("256", 160), ("16", 1)])
def test_paints_have_their_numbers_and_all_else_stays(depth: Depth, number: int) -> None:
    given = [Segment("A", CAR_STYLES["red"]), Segment("b", Style.parse("#123456 underline")), Segment(" ")]
    car, other, blank = (each.style for each in FewerColours(depth).apply(given, ScreenColor(0, 0, 0)))
    assert car is not None
    assert car.bgcolor is not None
    assert car.bgcolor.number == number == getattr(value("night", "car-red"), f"of_{depth}")
    assert car.bold
    assert other == Style.parse("#123456 underline")
    assert blank is None
    assert FewerColours("true").apply(given, ScreenColor(0, 0, 0)) == given
