"""The home screen and its menu."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets import OptionList, Static

from heat_tui.client.session_file import SavedSession
from heat_tui.flow.home import (
    CONTINUE,
    ENTRIES,
    PLAYED_ELSEWHERE,
    REJOIN,
    MenuLine,
    forget_question,
    going_back_text,
)
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.widgets.footer import KeyFooter

_LEAST_WITH_RESULTS: Final = 104
"""Columns from which on the last results are beside the menu."""

_LOGO: Final = """\
█  █ █▀▀ ▄▀▀▄ ▀█▀
█▀▀█ █▀▀ █▀▀█  █
█  █ ▀▀▀ ▀  ▀  ▀"""
_ASCII_LOGO: Final = """\
H  H  EEEE   A   TTTTT
HHHH  EEE   A A     T
H  H  EEEE A   A    T"""


class HomeScreen(HeatScreen[None]):
    """The menu; every other screen returns here."""

    BINDINGS = [
        Binding("enter", "choose", "Choose", priority=True),
        # The menu names their keys.
        *(
            Binding(entry.key, f"pick('{entry.name}')", entry.label, show=False)
            for entry in (*ENTRIES, CONTINUE, REJOIN)
        ),
        Binding("x", "forget", "Forget"),
    ]
    AUTO_FOCUS = "#menu"

    def compose(self) -> ComposeResult:
        """Logo, menu, one line for answers, keys."""
        with Vertical(id="middle"):
            yield Static(id="logo", markup=False)
            yield Static("pedal down, engine cool: a race for the terminal", id="subtitle")
            with Horizontal(id="menu-box"):
                yield OptionList(id="menu", markup=False)
                yield Static(id="own", markup=False)
        yield MessageLine()
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Look again for a race to come back to, and say what a screen left for here."""
        if self.app.screen is not self:
            return  # the answer to a dialog led on to another screen at once
        home = self.navigator.home
        self.navigator.end_stays()
        home.close_game()
        home.refresh()
        self.query_one("#logo", Static).update(_ASCII_LOGO if is_ascii(self) else _LOGO)
        menu = self.query_one(OptionList)
        at = menu.highlighted
        menu.clear_options()
        menu.add_options(_text(line) for line in home.lines)
        menu.highlighted = at if at is not None and at < menu.option_count else 0
        self.query_one(MessageLine).say(home.take_news())
        self.refresh_bindings()
        self.navigator.show_faults()
        self._show_results()

    @work(exclusive=True, group="results")
    async def _show_results(self) -> None:
        """Show the last results beside the menu, where there is room."""
        from heat_tui.screens.own_panel import own_panel

        app = self.navigator
        races = await asyncio.to_thread(app.home.finished, app.player_name)
        panel = self.query_one("#own", Static)
        panel.set_class(bool(races), "-known")
        if races:
            panel.update(own_panel(races, self.app.current_theme, is_ascii=is_ascii(self)))

    def on_resize(self, event: Resize) -> None:
        """Show the last results only where the menu leaves room for them."""
        self.query_one("#own").set_class(event.size.width < _LEAST_WITH_RESULTS, "-cramped")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what was chosen."""
        self._go(self.navigator.home.lines[event.option_index])

    def action_choose(self) -> None:
        """Go where the chosen line leads."""
        self.query_one(OptionList).action_select()

    def action_pick(self, name: str) -> None:
        """Go where a menu entry leads."""
        if (line := self.navigator.home.line(name)) is not None:
            self._go(line)

    def _go(self, line: MenuLine) -> None:
        app = self.navigator
        if line.seat is not None:
            self._rejoin(line.seat)
        elif line.saved is not None:
            self._continue(line.saved.path)
        else:
            ways: dict[str, Callable[[], object]] = {
                "new_race": partial(app.show_new_race, is_hot_seat=False),
                "hot_seat": partial(app.show_new_race, is_hot_seat=True),
                "championship": app.show_new_championship,
                "daily": app.show_daily,
                "puzzles": app.show_puzzles,
                "join": app.show_join,
                "host": self._host,
                "replays": app.show_replays,
                "career": app.show_career,
                "learn": app.action_learn,
                "how_to_play": app.action_how_to_play,
                "settings": app.action_settings,
                "quit": self._quit,
            }
            ways[line.entry.name]()

    def _continue(self, path: Path) -> None:
        """Continue a saved race or championship, unless another window was faster."""
        if not self.navigator.continue_saved(path):
            self._back_with(PLAYED_ELSEWHERE)

    def _back_with(self, news: str) -> None:
        self.navigator.home.leave_news(news)
        self.on_screen_resume()

    def _quit(self) -> None:
        """End the program; ask first where a server started from here would end with it."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.app.exit()

        if question := self.navigator.home.quit_question:
            self.app.push_screen(ConfirmDialog(question), answered)
        else:
            self.app.exit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to rejoin, forget or continue."""
        home = self.navigator.home
        if parameters == ("continue",):
            return bool(home.saved)
        return bool(home.seats) if action == "forget" or parameters == ("rejoin",) else True

    def action_forget(self) -> None:
        """Ask, then offer the chosen saved session no more; the newest, where another line is chosen."""
        home = self.navigator.home
        seat = home.lines[self.query_one(OptionList).highlighted or 0].seat or home.seats[0]

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                home.forget(seat)
                self.on_screen_resume()

        self.app.push_screen(ConfirmDialog(forget_question(seat)), answered)

    @work(exclusive=True, group="network")
    async def _rejoin(self, seat: SavedSession) -> None:
        from heat_tui.flow.way_back import rejoin

        self._say(going_back_text(seat))
        stay = await rejoin(self.navigator.folders, seat)
        if isinstance(stay, str):
            if self.query(MessageLine):
                self._back_with(stay)
            return
        if self.app.screen is self:
            self.navigator.enter_lobby(stay)
        else:
            await stay.close()  # the player went elsewhere while the server was slow

    @work(exclusive=True, group="network")
    async def _host(self) -> None:
        self._say("Starting a server on this machine ...")
        self._say(await self.navigator.host() or "")

    def _say(self, text: str) -> None:
        for line in self.query(MessageLine):
            line.say(text)


def _text(line: MenuLine) -> Text:
    """Show a line of the menu; in front stands its letter, of several of a kind the first one's alone."""
    key, label = (line.entry.key, line.entry.label) if line.number == 1 else ("", "")
    return Text.assemble((f" {key:<3}", "bold"), (f"{label:<14}", "bold"), line.about)
