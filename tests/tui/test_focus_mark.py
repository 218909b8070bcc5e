"""What is chosen is told apart from what is around it: by a mark, whose contrast is enough to be seen.

Every scene that has something to choose is looked at in all themes, and in one theme at three sizes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
import pytest
from rich.color import Color
from rich.style import Style
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from heat_tui.base_app import BaseApp
from heat_tui.screens.dialogs import ConfirmDialog, NewsDialog, PageDialog
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.invitation import InvitationDialog
from heat_tui.screens.puzzles import AnswerDialog
from heat_tui.screens.qr import QrDialog
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.rows import TextRow
from heat_tui.screens.weather import WeatherDialog
from heat_tui.state import Settings, save_settings
from heat_tui.theme.paints import THEME_NAMES, Depth
from heat_tui.widgets.track_tiles import TrackTiles
from tests.eyes import contrast, shown_rgb
from tests.tui.scenes import SCENES, Scene, settled
from tests.tui.support_app import LARGE, SMALL, folders_in, shown

LEAST_CONTRAST: Final = 3.0
"""That WCAG 2.2 asks of what shows where the focus is."""
DEPTHS: Final[tuple[Depth, ...]] = ("true", "256", "16")
OTHER_SIZES: Final = (SMALL, (200, 60))

FORMS: Final = [scene for scene in SCENES if scene.screen not in (RaceScreen, ReplayScreen)]
"""Races and replays are driven by keys of their own: nothing there has a focus."""
ONLY_READ: Final = (
    PageDialog,
    NewsDialog,
    WeatherDialog,
    AnswerDialog,
    ConfirmDialog,
    QrDialog,
    InvitationDialog,
    HowToPlayScreen,
    ResultsScreen,
)
"""Pages on which nothing is chosen: a key does what it says."""


def focus_faults(pilot: Pilot[None], depth: Depth, arrow: str) -> list[str]:
    """Name what hides where the focus is: no mark, several, one elsewhere, too little contrast."""
    screen = pilot.app.screen
    if screen.focused is None:
        return [f"nothing has the focus of {screen.focus_chain}"] if screen.focus_chain else []
    if isinstance(screen.focused, Input) and not isinstance(screen.focused.parent, TextRow):
        return [] if len(screen.focus_chain) == 1 else ["a line to type in has no mark"]
    rows = [marked_row(widget) for widget in screen.focus_chain]
    marks = {row: found for row in rows if (found := marks_of(pilot, row, arrow))}
    if marked_row(screen.focused) not in marks and is_told_by_the_keys(pilot):
        return []
    if [*marks] != [marked_row(screen.focused)]:
        return [f"the focus is on {screen.focused}, marks are on {[*marks]}"]
    if not screen.focused.region.contains_point(pilot.app.cursor_position):
        return [f"the cursor is at {pilot.app.cursor_position}, not on {screen.focused}"]
    (found,) = marks.values()
    if len(found) != 1:
        return [f"{len(found)} marks"]
    return [
        f"{found[0]} beside {ground}"
        for ground in grounds_around(pilot, marked_row(screen.focused), found[0])
        if not is_seen(found[0], ground, depth)
    ]


def is_told_by_the_keys(pilot: Pilot[None]) -> bool:
    """Whether the row that has the focus is below what there is room for, and the keys say what Enter does.

    Between two races of a championship the table comes first.
    """
    focused = pilot.app.screen.focused
    assert focused is not None
    return focused.region.y >= pilot.app.screen.size.height and "Enter Race" in shown(pilot)


def marked_row(widget: Widget) -> Widget:
    """Give what has the mark of a widget: of a line to type in its row."""
    return widget.parent if isinstance(widget.parent, TextRow) else widget


def cells_of(pilot: Pilot[None], widget: Widget) -> list[tuple[str, Style]]:
    """Give the cells of a widget in which a mark can be: all of tiles, else the first of each line."""
    region = widget.content_region.intersection(pilot.app.screen.region)
    if not isinstance(widget, TrackTiles):
        region = region.crop_size((1, region.height))
    strips = pilot.app.screen._compositor.render_strips()
    return [
        (sign, segment.style or Style())
        for strip in strips[region.y : region.bottom]
        for segment in strip.crop(region.x, region.right)
        for sign in segment.text
    ]


def marks_of(pilot: Pilot[None], widget: Widget, arrow: str) -> list[Style]:
    """Give the looks of a widget's marks."""
    return [style for sign, style in cells_of(pilot, widget) if sign == arrow]


def grounds_around(pilot: Pilot[None], widget: Widget, mark: Style) -> set[Color | None]:
    """Give what a marked row is told apart from: the grounds of other lines, else of what is around it."""
    others = {style.bgcolor for sign, style in cells_of(pilot, widget) if style != mark}
    if others:
        return others
    x, y = widget.content_region.offset
    strips = pilot.app.screen._compositor.render_strips()
    (beside,) = strips[y - 1].crop(x, x + 1)
    return {(beside.style or Style()).bgcolor}


def is_seen(mark: Style, around: Color | None, depth: Depth) -> bool:
    """Whether a mark can be read on its ground, and it or that ground differs enough from what is around."""
    ink, own = mark.color, mark.bgcolor
    assert ink is not None
    assert own is not None
    assert around is not None

    def differ(one: Color, other: Color) -> bool:
        return contrast(shown_rgb(one, depth), shown_rgb(other, depth)) >= LEAST_CONTRAST

    return differ(ink, own) and (differ(ink, around) or differ(own, around))


async def faults_of(scene: Scene, path: Path, number: int, patch: pytest.MonkeyPatch) -> list[str]:
    """Look at a scene in all themes, with other colours in each, then in the last theme at other sizes."""
    patch.setattr(BaseApp, "depth", "true")
    settings = Settings(ascii=number % 2 == 1)
    arrow = ">" if settings.ascii else "▶"
    save_settings(folders_in(path), settings)
    app = scene.app(path)
    found: list[str] = []
    async with app.run_test(size=LARGE) as pilot:
        await scene.act(pilot)
        await settled(pilot, scene.screen)
        for turn, theme in enumerate(reversed(THEME_NAMES)):
            depth = DEPTHS[(number + turn) % len(DEPTHS)]
            patch.setattr(BaseApp, "depth", depth)
            app.change_settings(msgspec.structs.replace(app.settings, theme=theme))
            await settled(pilot, scene.screen)
            found += [f"{theme} {depth}: {fault}" for fault in focus_faults(pilot, depth, arrow)]
            assert issubclass(scene.screen, ONLY_READ) or app.screen.focused is not None, (
                "there is something to choose"
            )
        for size in OTHER_SIZES:
            await pilot.resize_terminal(*size)
            await settled(pilot, scene.screen)
            found += [f"{size}: {fault}" for fault in focus_faults(pilot, depth, arrow)]
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(len(FORMS)), ids=lambda number: FORMS[number].name)
async def test_what_has_the_focus_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    assert await faults_of(FORMS[number], tmp_path, number, monkeypatch) == []
