"""The analysis of a race: chances of winning, accuracy, luck, and the largest mistakes to look at again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_core.coach.analysis import Analysis
from heat_core.coach.rounds import JudgedChoice
from heat_tui.flow.analysis import AnalysisController
from heat_tui.keys.bindings import bound
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.rows import is_ascii
from heat_tui.theme.colours import inked
from heat_tui.theme.glyphs import spelled
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList
from heat_tui.words.analysis_text import (
    EXPLAINED,
    chances_chart,
    mistake_text,
    mistakes_of,
    own_first,
    seats_table,
)

_MISTAKES: Final = "The largest mistakes: Enter shows the moment"
_NO_MISTAKES: Final = "Nobody made a mistake worth naming."


class AnalysisScreen(HeatScreen[None]):
    """What the analysis says, or how far it has come."""

    DEFAULT_CSS = """
    AnalysisScreen #page { height: auto; max-height: 70%; padding: 0 1; }
    AnalysisScreen #heading { height: auto; padding: 0 1; text-style: bold; }
    AnalysisScreen #mistakes { height: 1fr; border: none; padding: 0; background: transparent; }
    AnalysisScreen #mistakes > .option-list--option { padding: 0 1 0 0; }
    """
    BINDINGS = [
        Binding("escape", "back", "Back"),
        bound("view.leave", "back", "Back", show=False),
        # Before the list of mistakes takes them: the page above it is what may not fit.
        Binding("enter", "watch", "Watch the moment", priority=True),
        Binding("pagedown", "scroll(0, 1)", "Page", key_display="PgDn", priority=True),
        Binding("pageup", "scroll(0, -1)", "Page up", show=False, priority=True),
    ]

    def __init__(
        self,
        controller: AnalysisController,
        labels: RaceLabels,
        own: Collection[int],
        watch: Callable[[int], None],
    ) -> None:
        """Make the screen.

        Args:
            own: The seats played here, whose mistakes come first.
            watch: Shows the replay where a choice was open, by the number of the choice's event.
        """
        super().__init__()
        self.controller = controller
        self._labels = labels
        self._own = own
        self._watch = watch
        self._mistakes: list[JudgedChoice] = []

    def compose(self) -> ComposeResult:
        """Title, figures, mistakes, keys."""
        yield Static("Analysis", classes="title")
        with VerticalScroll(id="page", can_focus=False):
            yield Static(id="figures", markup=False)
        yield Static(id="heading", markup=False)
        yield MarkedList(id="mistakes", markup=False)
        yield KeyFooter()

    def arrive(self) -> None:
        """Analyse, or show what was found before."""
        self.query_one(OptionList).display = False
        self._follow()
        self._analyse()

    @work(exclusive=True, group="analyse")
    async def _analyse(self) -> None:
        await self.controller.run()

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        while not self._is_shown():
            await self.controller.changed()

    def _is_shown(self) -> bool:
        """Show how far it has come; returns whether no more will follow."""
        controller, figures = self.controller, self.query_one("#figures", Static)
        if controller.analysis is None:
            figures.update(controller.fault or f"{controller.progress} ...")
            return bool(controller.fault)
        self._show(controller.analysis)
        return True

    def _show(self, analysis: Analysis) -> None:
        seats = own_first(analysis.seats, self._own)
        text = Text("Chances of winning over the rounds, and the best of each\n", "bold")
        width = self.app.size.width - 4
        text.append_text(chances_chart(self._labels, analysis.rounds, width, is_ascii=is_ascii(self)))
        text.append("\n")
        text.append_text(seats_table(self._labels, seats))
        text.append(EXPLAINED, "dim")
        self._mistakes = mistakes_of(seats)
        self.query_one("#figures", Static).update(inked(text, self.app.current_theme))
        self.query_one("#heading", Static).update(_MISTAKES if self._mistakes else _NO_MISTAKES)
        mistakes = self.query_one(OptionList)
        rows = [Text(mistake_text(self._labels, each)) for each in self._mistakes]
        mistakes.set_options([Option(spelled(row, is_ascii=is_ascii(self))) for row in rows])
        mistakes.display = bool(rows)
        if rows:
            mistakes.highlighted = 0
            mistakes.focus()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a mistake can be watched."""
        return action != "watch" or bool(self._mistakes)

    @on(OptionList.OptionSelected)
    def watch_chosen(self, message: OptionList.OptionSelected) -> None:
        """Show the moment of a mistake, by key or by mouse."""
        mistake = self._mistakes[message.option_index]
        self._watch(mistake.event)

    def action_watch(self) -> None:
        """Show the moment of the mistake that is marked."""
        self.query_one(OptionList).action_select()

    def action_back(self) -> None:
        """Go back to where one came from; what is done is kept."""
        self.go_back()
