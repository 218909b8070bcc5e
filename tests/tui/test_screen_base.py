"""Screens that are taken down while something they began goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static
from textual.worker import WorkerFailed

from heat_tui.app import HeatApp
from heat_tui.screens.base import HeatScreen
from tests.tui.support_app import folders_in, until

pytestmark = pytest.mark.asyncio


MOST_TURNS = 1_000_000


class Waiting(HeatScreen[None]):
    """A screen whose news come right when its row has gone; a worker of the screen shows them there.

    Attributes:
        news: Set when they are there.
        is_watching: Whether the going of the row will be seen.
        was_shown: Whether the worker went through.
        was_late: Whether it came when the screen was on its way out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()
        self.is_watching = self.was_shown = self.was_late = False

    def compose(self) -> ComposeResult:
        yield Static(id="row")

    def arrive(self) -> None:
        self._show_news()

    @work(group="show")
    async def _show_news(self) -> None:
        await self.news.wait()
        self.was_late = self.is_gone
        self.query_one("#row", Static).update("news")
        self.was_shown = True

    @work(group="tell")
    async def tell_when_the_row_goes(self) -> None:
        self.is_watching = True
        for _ in range(MOST_TURNS):  # of the event loop: the moment is over in a few
            if not self.query("#row"):
                break
            await asyncio.sleep(0)
        self.news.set()


def app_with(path: Path, screen: Waiting) -> HeatApp:
    def opening(app: HeatApp) -> None:
        app.push_screen(screen)

    return HeatApp(folders_in(path), opening=opening, player_name="Ana")


async def test_work_that_finds_the_rows_gone_is_over(tmp_path: Path) -> None:
    screen = Waiting()
    app = app_with(tmp_path, screen)
    async with app.run_test() as pilot:
        await until(lambda: app.screen is screen)
        await pilot.pause()
        screen.tell_when_the_row_goes()
        await until(lambda: screen.is_watching)
        app.pop_screen()
        await until(screen.news.is_set)
        await pilot.pause()
    assert screen.was_late
    assert not screen.was_shown


async def test_work_that_misses_a_row_of_a_standing_screen_is_a_fault(tmp_path: Path) -> None:
    screen = Waiting()
    app = app_with(tmp_path, screen)

    async def misses() -> None:
        async with app.run_test() as pilot:
            await until(lambda: app.screen is screen)
            await pilot.pause()
            await screen.query_one("#row").remove()
            screen.news.set()
            await pilot.pause()

    with pytest.raises(WorkerFailed, match="No nodes match '#row'"):
        await misses()


class Page(HeatScreen[None]):
    """A page of many lines."""

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static("line\n" * 500)


async def test_keys_pressed_faster_than_the_screen_is_drawn_add_up(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Page())
        await pilot.pause()
        page = app.screen.query_one("#page")
        for _ in range(3):
            await app.screen.run_action("scroll(10)")
        assert page.scroll_offset.y == 30
        await app.screen.run_action("scroll(-1, -1)")
        assert page.scroll_offset.y == 30 - 1 - page.size.height
