"""The career: form, plot, streaks, boards, opponents and badges."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from heat_tui.flow.career import CareerController
from heat_tui.flow.career_words import (
    LEVELS_EXPLAINED,
    NO_RACES,
    badge_text,
    board_rows,
    form_text,
    level_rows,
    missing_text,
    plot_text,
    streak_texts,
    summary_text,
    table_lines,
)
from heat_tui.screens.rows import FormScreen, MessageLine, is_ascii
from heat_tui.theme.colours import BOLD, DIM, GOLD, inked
from heat_tui.widgets.footer import KeyFooter

_GOLD = Style(color=GOLD, bold=True)


class CareerScreen(FormScreen):
    """All own races on a page; with room, the badges are beside the tables, else below them."""

    BINDINGS = [
        Binding("escape", "back", "Home"),
        Binding("down", "scroll(1)", "Scroll", key_display="↑↓"),
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("pagedown,space", "scroll(10)", "Page", key_display="PgDn"),
        Binding("pageup", "scroll(-10)", "Page up", show=False),
    ]

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]

    controller: CareerController

    def compose(self) -> ComposeResult:
        """Title, page, keys."""
        yield Static("Career", id="title", classes="title", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            with Container(id="parts"):
                yield Static(id="figures")
                yield Static(id="badges")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Read the races."""
        app = self.navigator
        self.controller = CareerController(app.folders, app.player_name)
        theme = self.app.current_theme
        if self.controller.career.races:
            self.query_one("#figures", Static).update(inked(self._figures(), theme))
            self.query_one("#badges", Static).update(inked(self._badges(), theme))
        else:
            self.query_one("#figures", Static).update(NO_RACES)
        self.say(self.controller.fault)

    def _figures(self) -> Text:
        career = self.controller.career
        told = Text()
        told.append(f"{summary_text(career)}\n\n", _GOLD)
        told.append("Places of the last races, the newest last\n", BOLD)
        told.append(f"{plot_text(career.plotted, is_plain=is_ascii(self))}\n")
        told.append(f"last {len(career.form)}: {form_text(career.form)}\n\n")
        for streak in streak_texts(career):
            told.append(f"{streak}\n")
        for rows, note in ((board_rows(career.boards), ""), (level_rows(career.levels), LEVELS_EXPLAINED)):
            heading, *lines = table_lines(rows)
            told.append(f"\n{heading}\n", BOLD)
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
        told.append(missing_text(self.controller.left), DIM)
        return told

    def action_scroll(self, lines: int) -> None:
        """Scroll the page."""
        self.query_one("#page", VerticalScroll).scroll_relative(y=lines, animate=False)
