"""The career: form, plot, streaks, boards, opponents, badges, and the last races to watch again."""

from __future__ import annotations

import asyncio

from rich.style import Style
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Static

from heat_core.record.record import BadRecord
from heat_tui.flow.career import CareerController
from heat_tui.flow.career_words import (
    LEVELS_EXPLAINED,
    NO_RACES,
    badge_text,
    board_rows,
    form_text,
    left_text,
    level_rows,
    plot_text,
    race_text,
    streak_texts,
    summary_text,
    table_lines,
)
from heat_tui.saved.finished import Finished
from heat_tui.screens.rows import FormScreen, MessageLine, is_ascii
from heat_tui.theme.colours import BOLD, DIM, GOLD, inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList

_GOLD = Style(color=GOLD, bold=True)


class RaceList(MarkedList, inherit_bindings=False):
    """All races that count; keys that turn pages are the screen's."""

    BINDINGS = [
        Binding("enter", "select", "Watch the race"),
        Binding("down", "cursor_down", "Choose", key_display="↑↓"),
        Binding("up", "cursor_up", "Up", show=False),
    ]


class CareerScreen(FormScreen):
    """All own races on a page; with room, races and badges are beside the figures, else below them."""

    BINDINGS = [
        Binding("escape", "back", "Home"),
        Binding("pagedown,space", "scroll(10)", "Page", key_display="PgDn"),
        Binding("pageup", "scroll(-10)", "Page up", show=False),
    ]

    controller: CareerController

    def compose(self) -> ComposeResult:
        """Title, page, keys."""
        yield Static("Career", id="title", classes="title", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            with Container(id="parts"):
                yield Static(id="form")
                with Vertical(id="last"):
                    yield Static("All races, the newest first", classes="heading")
                    yield RaceList(id="races", markup=False)
                yield Static(id="tables")
                yield Static(id="badges")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Read the races."""
        app = self.navigator
        self.controller = CareerController(app.folders, app.player_name)
        theme = self.app.current_theme
        races = self.query_one(RaceList)
        if self.controller.career.races:
            title = f"Career   {summary_text(self.controller.career)}"
            self.query_one("#title", Static).update(title)
            self.query_one("#form", Static).update(inked(self._form(), theme))
            self.query_one("#tables", Static).update(inked(self._tables(), theme))
            self.query_one("#badges", Static).update(inked(self._badges(), theme))
            races.add_options(map(self._race_line, self.controller.newest))
            races.highlighted = 0
            self.set_focus(races, scroll_visible=False)
            page = self.query_one("#page", VerticalScroll)
            # Behind the scrolling by which the list comes into view by itself.
            self.call_after_refresh(page.scroll_home, animate=False)
        else:
            self.query_one("#form", Static).update(NO_RACES)
            self.query_one("#last").display = False
        self.say(self.controller.fault)

    def _race_line(self, race: Finished) -> Text:
        """Write a race's line; dim where it cannot be watched."""
        line = Text(race_text(race), "" if self.controller.can_watch(race) else DIM)
        return inked(line, self.app.current_theme)

    def _form(self) -> Text:
        career = self.controller.career
        told = Text()
        told.append("Places of the last races, the newest last\n", BOLD)
        told.append(f"{plot_text(career.plotted, is_plain=is_ascii(self))}\n")
        told.append(f"last {len(career.form)}: {form_text(career.form)}\n\n")
        return told.append("\n".join(streak_texts(career)))

    def _tables(self) -> Text:
        career = self.controller.career
        told = Text()
        for rows, note in ((board_rows(career.boards), ""), (level_rows(career.levels), LEVELS_EXPLAINED)):
            heading, *lines = table_lines(rows)
            told.append(f"\n{heading}\n" if told else f"{heading}\n", BOLD)
            told.append("\n".join(lines) + "\n")
            if note:
                told.append(f"{note}\n", DIM)
        return told

    def _badges(self) -> Text:
        told = Text()
        told.append("Badges\n", BOLD)
        for badge in self.controller.won:
            name, _, about = badge_text(badge).partition(": ")
            told.append(name, _GOLD)
            told.append(f": {about}\n")
        if self.controller.left:
            told.append("\nStill to win\n", BOLD)
            told.append("\n".join(map(left_text, self.controller.left)), DIM)
        return told

    @on(RaceList.OptionSelected)
    def _watch(self, event: RaceList.OptionSelected) -> None:
        """Watch the race that was chosen."""
        self.say("Reading the record ...")
        self._open(self.controller.newest[event.option_index])

    @work(exclusive=True, group="open")
    async def _open(self, race: Finished) -> None:
        try:
            playback = await asyncio.to_thread(self.controller.playback, race)
        except BadRecord as error:
            self.say(f"{error}.")
            return
        if self.is_current:
            self.say("")
            self.navigator.show_replay(playback)
