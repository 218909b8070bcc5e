"""256 colours: all cars and both themes have fixed numbers, and no two cars look the same."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor

from heat_core.race.setup import COLOURS
from heat_tui.theme.colours import BLUE, CAR_STYLES, CYAN, GOLD, GREEN, INK, RED, VIOLET
from heat_tui.theme.fixed_colours import FIXED, FixedColours
from heat_tui.theme.themes import THEMES

MOST_APART = 90
"""How far a fixed colour may be from the one it stands for, as a way through the cube of colours."""


def in_lists(colour: str) -> str:
    ground = CAR_STYLES[colour].bgcolor  # type: ignore[index]  # one of COLOURS
    assert ground is not None
    return ground.get_truecolor().hex


def test_every_car_has_a_colour_of_its_own() -> None:
    numbers = [FIXED[in_lists(colour)] for colour in COLOURS]
    assert len(set(numbers)) == len(COLOURS)
    assert FIXED[in_lists("red")] == 160, "not orange"


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme.name))
def test_every_colour_of_a_theme_has_a_number_and_the_grounds_differ(theme: object) -> None:
    names = ("primary", "secondary", "accent", "warning", "error", "success", "foreground")
    grounds = ("background", "surface", "panel")
    assert all(getattr(theme, name) in FIXED for name in names)
    assert len({FIXED[getattr(theme, name)] for name in grounds}) == len(grounds)
    assert all(ink in FIXED for ink in (INK, GOLD, GREEN, RED, VIOLET, CYAN, BLUE))


def test_no_number_is_far_from_its_colour() -> None:
    for colour, number in FIXED.items():
        wanted = Color.parse(colour).get_truecolor()
        given = Color.from_ansi(number).get_truecolor()
        apart = sum((one - other) ** 2 for one, other in zip(wanted, given, strict=True)) ** 0.5
        assert apart < MOST_APART, colour


def test_what_is_drawn_has_the_number_and_all_else_stays() -> None:
    drawn = FixedColours().apply(
        [
            Segment("A", Style.parse("bold white on #c8332b")),
            Segment("b", Style.parse("#123456 underline")),
            Segment(" "),
        ],
        ScreenColor(0, 0, 0),
    )
    car, other, blank = (segment.style for segment in drawn)
    assert car is not None
    assert car.bgcolor is not None
    assert car.bgcolor.downgrade(ColorSystem.EIGHT_BIT).number == 160
    assert car.bold
    assert other == Style.parse("#123456 underline")
    assert blank is None
