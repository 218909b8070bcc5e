"""Every text of every screen can be read, in each theme and with any number of colours.

A screen is drawn as it is in a terminal of a depth: the map is fitted for it, and numbers take the place of
paints. The usual run looks at each scene in one theme at one depth, so that all nine are seen several times;
the soak looks at every scene in all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from rich.style import Style
from textual.pilot import Pilot
from textual.screen import ModalScreen

from heat_tui.base_app import BaseApp
from heat_tui.state import Settings
from heat_tui.theme.paints import THEME_NAMES, Depth, ThemeName
from tests.eyes import contrast, shown_rgb
from tests.tui.scenes import SCENES, Scene
from tests.tui.scenes.scene import visit
from tests.tui.support_app import LARGE, SMALL

LEAST_CONTRAST: Final = 4.5
DEPTHS: Final[tuple[Depth, ...]] = ("true", "256", "16")
LOOKS: Final = tuple(product(THEME_NAMES, DEPTHS))


class Cell(NamedTuple):
    """One character of a screen.

    Attributes:
        row: Counted from the top, from 0.
        sign: The character.
        style: With both colours.
    """

    row: int
    sign: str
    style: Style


def is_text(sign: str) -> bool:
    """Whether a character says something, so that it has to have the contrast of text.

    What is not counted draws only: blanks; lines and blocks (U+2500 to U+259F) and dots of braille (U+2800 to
    U+28FF), of which frames, the map, cards and charts are made; the dots of empty spots and of rows that are
    filled up; and the pips of a meter, whose number stands beside them.
    """
    return not (
        sign.isspace() or "\u2500" <= sign <= "\u259f" or "\u2800" <= sign <= "\u28ff" or sign in "·•▮▯"
    )


def cells(pilot: Pilot[None]) -> Iterator[Cell]:
    """Give what is on the screen on top, of a dialog without what lies below it."""
    screen = pilot.app.screen
    region = screen.children[0].region if isinstance(screen, ModalScreen) else screen.region
    strips = screen._compositor.render_strips()
    for row in range(region.y, region.bottom):
        for segment in strips[row].crop(region.x, region.right):
            for sign in segment.text:
                yield Cell(row, sign, segment.style or Style())


def faults(pilot: Pilot[None], depth: Depth) -> list[str]:
    """Name what is wrong with the colours of a screen, once for each row and style."""
    found: dict[tuple[int, Style, str], str] = {}
    for cell in cells(pilot):
        if fault := fault_of(cell.style, depth, says_something=is_text(cell.sign)):
            found[cell.row, cell.style, fault] = found.get((cell.row, cell.style, fault), "") + cell.sign
    return [f"row {row}: {text!r} {style}: {fault}" for (row, style, fault), text in found.items()]


@cache
def fault_of(style: Style, depth: Depth, *, says_something: bool) -> str:
    """Say what is wrong with the colours of a character, which is text or not; empty: nothing."""
    ink, ground = style.color, style.bgcolor
    if ink is None or ground is None:
        return "no colour of its own" if says_something else ""
    if depth != "true" and (ink.number is None or ground.number is None):
        return "a colour that no paint has"
    if not says_something:
        return ""
    if style.dim:
        return "dim: each terminal shows that as it likes"
    seen = contrast(shown_rgb(ink, depth), shown_rgb(ground, depth))
    return "" if seen >= LEAST_CONTRAST else f"contrast {seen:.2f}"


def look_at(scene: Scene, theme: ThemeName, depth: Depth, path: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """Draw a scene in a theme at a depth, in two sizes, and name what is wrong with its colours."""
    patch.setattr(BaseApp, "depth", depth)
    sizes = (LARGE, SMALL)
    looked = visit(scene, sizes, path, lambda pilot: faults(pilot, depth), settings=Settings(theme=theme))
    return [
        f"{columns}x{rows} {fault}"
        for (columns, rows), found in zip(sizes, asyncio.run(looked), strict=True)
        for fault in found
    ]


@pytest.mark.spec("LOOK-8")
@pytest.mark.parametrize("number", range(len(SCENES)), ids=lambda number: SCENES[number].name)
def test_every_text_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    theme, depth = LOOKS[number % len(LOOKS)]
    assert look_at(SCENES[number], theme, depth, tmp_path, monkeypatch) == []


@pytest.mark.soak
@pytest.mark.parametrize(("theme", "depth"), LOOKS)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_text_can_be_read_in_every_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: Scene, theme: ThemeName, depth: Depth
) -> None:
    assert look_at(scene, theme, depth, tmp_path, monkeypatch) == []
