"""What is chosen is told apart from the rows around it: by a mark, whose contrast is enough to be seen."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from rich.color import Color
from rich.style import Style
from textual.pilot import Pilot
from textual.widgets import Input

from heat_tui.base_app import BaseApp
from heat_tui.screens.rows import ActionRow, ChoiceRow, TextRow
from heat_tui.state import Settings
from heat_tui.theme.paints import THEME_NAMES, Depth, ThemeName
from heat_tui.widgets.marked_list import MarkedList
from tests.eyes import contrast, shown_rgb
from tests.tui.scenes import SCENES, Scene
from tests.tui.scenes.scene import visit
from tests.tui.support_app import LARGE

LEAST_CONTRAST: Final = 3.0
"""That WCAG 2.2 asks of what shows where the focus is."""

LISTED: Final = [
    scene
    for scene in SCENES
    if scene.name
    in {
        "home",
        "home-come-back",
        "table-rules",
        "new-championship",
        "choose-keys",
        "join-rooms",
        "daily",
        "puzzles",
        "career",
        "replays",
        "settings",
        "log",
        "lobby-host",
    }
]
LOOKS: Final[tuple[tuple[ThemeName, Depth], ...]] = tuple(product(THEME_NAMES, ("true", "16")))


def focus_faults(pilot: Pilot[None], depth: Depth, arrow: str) -> list[str]:
    """Name what hides which row has the focus: no mark, more marks than one, too little contrast."""
    focused = pilot.app.screen.focused
    row = focused.parent if isinstance(focused, Input) else focused
    if not isinstance(row, (MarkedList, ChoiceRow, ActionRow, TextRow)):
        return [f"the focus is on {focused}"]
    strips = pilot.app.screen._compositor.render_strips()
    region = row.content_region
    first: list[tuple[str, Style]] = []
    for strip in strips[region.y : region.bottom]:
        segment = next(iter(strip.crop(region.x, region.x + 1)))
        first.append((segment.text, segment.style or Style()))
    marked = [style for sign, style in first if sign == arrow]
    if len(marked) != 1:
        return [f"{len(marked)} marks"]
    (mark,) = marked
    around = {style.bgcolor for sign, style in first if sign != arrow} or {mark.bgcolor}
    return [f"{mark} among rows on {ground}" for ground in around if not is_seen(mark, ground, depth)]


def is_seen(mark: Style, around: Color | None, depth: Depth) -> bool:
    """Whether a mark can be read on its ground, and it or that ground differs enough from the rows around."""
    ink, own = mark.color, mark.bgcolor
    assert ink is not None
    assert own is not None
    assert around is not None

    def differ(one: Color, other: Color) -> bool:
        return contrast(shown_rgb(one, depth), shown_rgb(other, depth)) >= LEAST_CONTRAST

    return differ(ink, own) and (differ(ink, around) or differ(own, around))


def look_at(scene: Scene, path: Path, settings: Settings, depth: Depth) -> list[str]:
    """Draw a scene and name what hides its focus."""
    arrow = ">" if settings.ascii else "▶"
    seen = visit(scene, (LARGE,), path, lambda pilot: focus_faults(pilot, depth, arrow), settings=settings)
    return asyncio.run(seen)[0]


@pytest.mark.parametrize("number", range(len(LISTED)), ids=lambda number: LISTED[number].name)
def test_the_chosen_row_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    theme, depth = LOOKS[number % len(LOOKS)]
    monkeypatch.setattr(BaseApp, "depth", depth)
    assert look_at(LISTED[number], tmp_path, Settings(theme=theme, ascii=number % 2 == 1), depth) == []
