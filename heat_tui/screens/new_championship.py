"""Setting up a championship in this terminal: a printed season, or three or four tracks of one's choice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final, cast

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from heat_core.files import FoundTrack, box_tracks, own_track_folder, own_tracks
from heat_core.names import BadName
from heat_core.season_setup import RACES_OF_A_SEASON, YEARS, PlannedRace
from heat_core.settings import SETTINGS
from heat_core.setup import BadSetup, Modules, length_of
from heat_core.track import TrackFacts
from heat_tui.labels import cut, track_labels
from heat_tui.makerace import SeasonWishes, make_season_of, plan_races
from heat_tui.outline import draw_outline
from heat_tui.race.season_table import event_lines
from heat_tui.screens.rows import ActionRow, ChoiceRow, MessageLine, TextRow, counted, is_ascii
from heat_tui.screens.table_form import TableForm
from heat_tui.widgets.footer import KeyFooter

_LAPS: Final[list[tuple[int | None, str]]] = [
    (None, "as printed"),
    *((number, counted(number, "lap")) for number in range(1, 5)),
]
_SEASONS: Final[list[tuple[int | None, str]]] = [
    *((year, str(year)) for year in YEARS),
    (None, "tracks of your choice"),
]
_EVENTS: Final = [(True, "a card for each race"), (False, "none")]
_SPONSORSHIPS: Final = [(False, "none"), (True, "Sponsorship cards")]

_MOST_RACES: Final = RACES_OF_A_SEASON[-1]


class NewChampionshipScreen(TableForm):
    """Choose the season, who drives and by which rules; Enter begins."""

    BINDINGS = [Binding("enter", "start", "Begin", priority=True)]

    settings = SETTINGS

    def __init__(self) -> None:
        """Make the form."""
        super().__init__()
        self._tracks = _raceable(box_tracks())

    def compose(self) -> ComposeResult:
        """The form at the left, the plan of the races at the right."""
        yield Static("Championship: three or four races with the same cars", classes="title")
        with Horizontal(classes="columns"):
            with VerticalScroll(id="form", can_focus=False):
                yield ChoiceRow("Season", _SEASONS, YEARS[0], id="season")
                yield from self._track_rows()
                yield ChoiceRow("Events", _EVENTS, True, id="events")
                yield ChoiceRow("Laps", _LAPS, None, id="laps")
                yield TextRow(
                    "Drivers", self.heat_app.player_name, id="names", placeholder="Ana, Ben, Cleo", most=200
                )
                yield from self.driver_rows(colour="First car", legends=5)
                yield from self.rule_rows(
                    ChoiceRow("Sponsorships", _SPONSORSHIPS, False, id="sponsorships"),
                )
                yield ActionRow("Begin the championship", id="start")
            with VerticalScroll(id="plan", can_focus=False):
                yield Static(id="races", markup=False)
        yield MessageLine("Several drivers: type their names with commas, and take turns at the keyboard.")
        yield KeyFooter()

    def _track_rows(self) -> Iterator[ChoiceRow[str]]:
        for number in range(_MOST_RACES):
            choices = self._track_choices(number)
            first = "" if _may_be_left_out(number) else choices[number][0]
            yield ChoiceRow(f"Race {number + 1}", choices, first, id=f"race{number + 1}")

    def _track_choices(self, number: int) -> list[tuple[str, str]]:
        choices = list(track_labels([(name, facts.name) for name, facts in self._tracks.items()]).items())
        return [*choices, ("", "none")] if _may_be_left_out(number) else choices

    @work(group="tracks")
    async def _find_own_tracks(self) -> None:
        """Offer the player's own tracks when they are read: a folder can be large, and a disk slow."""
        own = _raceable(await asyncio.to_thread(own_tracks, own_track_folder()))
        if own and not self.is_gone:
            self._tracks |= own
            for number in range(_MOST_RACES):
                self.query_one(f"#race{number + 1}", ChoiceRow).set_choices(self._track_choices(number))

    def arrive(self) -> None:
        """Begin at the first row."""
        self.take_rules(self.rules)
        self._show_plan()
        self._find_own_tracks()
        self.set_focus(self.query_one("#season"))

    @on(ChoiceRow.Changed)
    def _show_plan(self) -> None:
        """Show the races as they are planned; only a season of one's own has tracks and events to choose."""
        is_own = self._year is None
        for name in (*(f"race{number + 1}" for number in range(_MOST_RACES)), "events"):
            self.query_one(f"#{name}", ChoiceRow).display = is_own
        races = plan_races(self._year, self._chosen_tracks(), self._laps)
        plan = self.query_one("#plan").content_size
        text = self._plan_text(races)
        rows = plan.height - len(text.wrap(self.app.console, max(1, plan.width))) - 1
        if rows >= _LEAST_PICTURE_ROWS and plan.width >= _LEAST_PICTURE_CELLS * len(races):
            text.append_text(self._pictures(races, plan.width // len(races), rows))
        self.query_one("#races", Static).update(text)

    def on_resize(self) -> None:
        """Draw the circuits where there is room for them."""
        self.call_after_refresh(self._show_plan)

    def _pictures(self, races: Sequence[PlannedRace], columns: int, rows: int) -> Text:
        """Draw the circuits side by side."""
        drawn = [
            draw_outline(race.track, columns - 2, min(rows - 1, columns // 2), is_ascii=is_ascii(self))
            for race in races
        ]
        names = [
            cut(f"{number}. {race.track.name}", columns - 2, is_ascii=is_ascii(self))
            for number, race in enumerate(races, start=1)
        ]
        text = Text(no_wrap=True)
        for parts in (names, *zip(*(picture.split("\n") for picture in drawn), strict=True)):
            for part in parts:
                text.append_text(part)
                text.append(" " * (columns - part.cell_len))
            text.append("\n")
        return text

    @property
    def _year(self) -> int | None:
        return cast("int | None", self.value_of("season"))

    @property
    def _laps(self) -> int | None:
        return cast("int | None", self.value_of("laps"))

    def _chosen_tracks(self) -> tuple[TrackFacts, ...]:
        names = (cast(str, self.value_of(f"race{number + 1}")) for number in range(_MOST_RACES))
        return tuple(self._tracks[name] for name in names if name)

    def _plan_text(self, races: tuple[PlannedRace, ...]) -> Text:
        text = Text()
        has_sponsorships = cast(bool, self.value_of("sponsorships"))
        for number, race in enumerate(races, start=1):
            laps = length_of(race.laps or race.track.laps, Modules(event=race.event))
            text.append(f"{number}. {race.track.name}", "bold")
            text.append(f"  {counted(laps, 'lap')}\n")
            if race.event is not None:
                told = event_lines(race.event, has_sponsorships=has_sponsorships)
            elif self._draws_events:
                told = ["Its event card is drawn once the race before is over."]
            else:
                told = ["No event."]
            text.append("\n".join(told) + "\n\n")
        return text

    @property
    def _draws_events(self) -> bool:
        return self._year is None and cast(bool, self.value_of("events"))

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Begin the championship, or say why that does not work."""
        if self.is_for_rules():
            return
        wishes = self._wishes()
        if not wishes.names:
            self.say("Who drives? Type the names with commas between them.")
            return
        try:
            season = make_season_of(wishes)
        except (BadName, BadSetup) as error:
            self.say(str(error))
            return
        self.remember(wishes, is_named=len(wishes.names) == 1)
        self.heat_app.begin_championship(season)

    def _wishes(self) -> SeasonWishes:
        garage, expansion = self.garage
        return SeasonWishes(
            **self.grid_wishes(are_many=True),
            modules=Modules(
                garage,
                expansion,
                weather=self.has_weather,
                sponsorships=cast(bool, self.value_of("sponsorships")),
            ),
            year=self._year,
            tracks=self._chosen_tracks(),
            laps=self._laps,
            draws_events=self._draws_events,
        )


_LEAST_PICTURE_ROWS: Final = 10
_LEAST_PICTURE_CELLS: Final = 24


def _may_be_left_out(number: int) -> bool:
    """Tell of a race, counted from 0, whether a season goes without it."""
    return number >= RACES_OF_A_SEASON[0]


def _raceable(found: Sequence[FoundTrack]) -> dict[str, TrackFacts]:
    """Leave out what cannot be raced on; New race shows the faults."""
    return {track.name: track.facts for track in found if track.facts is not None}
