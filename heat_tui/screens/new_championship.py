"""Setting up a championship in this terminal: a printed season, or three or four tracks of your choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from heat_core.options.option_table import EVENTS, LAPS, RACE_TRACKS, SEASON, SPONSORSHIPS
from heat_core.options.table_options import (
    OWN_TRACKS,
    LocalOptions,
    SeasonOptions,
    change,
)
from heat_core.race.setup import Modules, length_of
from heat_core.season.setup import YEARS, PlannedRace
from heat_core.text import counted
from heat_tui.flow.setup import SetupController
from heat_tui.screens.circuit_row import CircuitRow
from heat_tui.screens.option_rows import choices, option_row
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormColumn, MessageLine, TextRow
from heat_tui.screens.table_form import TableForm
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.season_table import event_lines

_YEAR: Final = LocalOptions(season=SeasonOptions(year=YEARS[0]))
_OWN: Final = change(_YEAR, SEASON.field, OWN_TRACKS)
"""What the rows of a season of your own begin with."""


class NewChampionshipScreen(TableForm):
    """Choose the season, who drives and by which rules; Enter begins."""

    BINDINGS = [Binding("enter", "start", "Begin", priority=True)]

    def __init__(self) -> None:
        """Make the form."""
        super().__init__(SetupController.championship)

    def compose(self) -> ComposeResult:
        """The form at the left, the plan of the races at the right."""
        yield Static("Championship: three or four races with the same cars", classes="title")
        with Horizontal(classes="columns"):
            with FormColumn(id="form"):
                yield option_row(SEASON, _YEAR)
                for option in (*RACE_TRACKS, EVENTS, LAPS):
                    yield option_row(option, _OWN, self.setup.labels)
                yield TextRow(
                    "Drivers", self.navigator.player_name, id="names", placeholder="Ana, Ben, Cleo", most=200
                )
                yield from self.driver_rows(colour="First car")
                yield from self.rule_rows(option_row(SPONSORSHIPS, _YEAR))
                yield ActionRow("Begin the championship", id="start")
            with VerticalScroll(id="plan", can_focus=False):
                yield Static(id="races", markup=False)
                yield CircuitRow(id="circuits")
        yield MessageLine("Several drivers: type names separated by commas, and share the keyboard.")
        yield KeyFooter()

    @work(group="tracks")
    async def _find_own_tracks(self) -> None:
        """Offer the player's own tracks when they are read."""
        if await self.setup.find_own_tracks() and not self.is_gone:
            for option in RACE_TRACKS:
                row = self.query_one(f"#{option.field}", ChoiceRow)
                row.set_choices(choices(option, _OWN, self.setup.labels))

    def arrive(self) -> None:
        """Begin at the first row."""
        self.take_rules(self.setup.rules)
        self._show_plan()
        self._find_own_tracks()
        self.set_focus(self.query_one("#season"))

    @on(ChoiceRow.Changed)
    def _show_plan(self) -> None:
        """Show the races as they are planned; only a season of your own has tracks and events to choose."""
        self.read_rows()
        options = self.setup.options
        self.show_rows_in_use()
        races = self.setup.planned_races()
        self.query_one("#races", Static).update(inked(_plan_text(options, races), self.app.current_theme))
        self.query_one(CircuitRow).show(
            [(race.track, f"{number}. {race.track.name}") for number, race in enumerate(races, start=1)]
        )

    def begin(self) -> None:
        """Begin the championship."""
        season = self.setup.begin_season()
        self.remember()
        self.navigator.begin_championship(season)


def _plan_text(options: LocalOptions, races: Sequence[PlannedRace]) -> Text:
    text = Text()
    season = options.season
    assert season is not None
    for number, race in enumerate(races, start=1):
        laps = length_of(race.laps or race.track.laps, Modules(event=race.event))
        text.append(f"{number}. {race.track.name}", "bold")
        text.append(f"  {counted(laps, 'lap')}\n")
        if race.event is not None:
            told = event_lines(race.event, has_sponsorships=season.sponsorships)
        elif season.events:
            told = ["Its event card is drawn after the previous race."]
        else:
            told = ["No event."]
        text.append("\n".join(told) + "\n\n")
    return text
