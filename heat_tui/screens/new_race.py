"""Setting up a race in this terminal: alone, or around one keyboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_core.files import FoundTrack
from heat_core.options.option_table import LAPS, TRACK
from heat_core.text import counted
from heat_tui.flow.setup import NO_DRIVERS, SetupController
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormColumn, MessageLine, TextRow, is_ascii
from heat_tui.screens.table_form import TableForm
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.grid_picture import grid_picture
from heat_tui.widgets.marked_list import MarkedList
from heat_tui.widgets.track_tiles import TrackTile, TrackTiles
from heat_tui.words.labels import cut

_LIST_CELLS: Final = 34
_LEAST_WITH_TILES: Final = (116, 36)
"""Columns and rows from which on circuits are chosen by small drawings."""
_HINT: Final = "Legends are automated; bots play cards as you do. {form.rules}: rules, up to 8 cars."
_SHORT_HINT: Final = "{form.rules}: rules, up to 8 cars."


class TrackList(MarkedList):
    """The tracks; up and down lead on to the next row at its ends."""

    def action_cursor_down(self) -> None:
        """Go down, or out."""
        if self.highlighted == self.option_count - 1:
            self.screen.focus_next()
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go up, or out."""
        if self.highlighted == 0:
            self.screen.focus_previous()
        else:
            super().action_cursor_up()


class NewRaceScreen(TableForm):
    """Choose track, opponents and who drives; Enter starts."""

    BINDINGS = [
        Binding("enter", "start", "Start the race", priority=True),
    ]

    def __init__(self, *, is_hot_seat: bool) -> None:
        """Make the form.

        Args:
            is_hot_seat: Ask for several names instead of one.
        """
        super().__init__(SetupController.hot_seat if is_hot_seat else SetupController.race)
        self._is_hot_seat = is_hot_seat
        self._hint = _HINT

    def compose(self) -> ComposeResult:
        """The form at the left, the circuit at the right; with room tiles and panels in place of a list."""
        title = "Hot-seat: several people at one keyboard" if self._is_hot_seat else "New race"
        yield Static(title, classes="title")
        with Horizontal(classes="columns"):
            with FormColumn(id="form"):
                yield TrackList(id="tracks", markup=False)
                yield TrackTiles(id="tiles")
                with Container(id="groups"):
                    with Vertical(id="field"):
                        if self._is_hot_seat:
                            yield TextRow("Drivers", "", id="names", placeholder="Ana, Ben, Cleo", most=200)
                        else:
                            yield TextRow("Your name", self.navigator.player_name, id="names")
                        yield from self.driver_rows(colour="First car" if self._is_hot_seat else "Your car")
                    with Vertical(id="conditions"):
                        yield ChoiceRow(LAPS.label, self._lap_choices(), None, id=LAPS.field)
                        yield from self.rule_rows()
                        yield ActionRow("Start the race", id="start")
            with Vertical(id="sight"):
                yield TrackPicture(self.setup.facts[self.setup.options.track], id="picture")
                yield Static(id="grid", markup=False)
        yield MessageLine(_HINT)
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the first thing that needs an answer."""
        for panel, title in (("#field", "the field"), ("#conditions", "the rules"), ("#grid", "the grid")):
            self.query_one(panel).border_title = title
        self._list_tracks()
        self.query_one(TrackList).highlighted = 0
        self._find_own_tracks()
        self.take_rules(self.setup.rules)
        self.set_focus(self.query_one("#names") if self._is_hot_seat else self._chooser())

    # --- the room there is --------------------------------------------------------------------------------

    @property
    def _has_tiles(self) -> bool:
        """Whether there is room for drawings of the circuits, and colour."""
        is_large = self.size.width >= _LEAST_WITH_TILES[0] and self.size.height >= _LEAST_WITH_TILES[1]
        return is_large and self.navigator.map_look.has_colours

    def _chooser(self) -> Widget:
        return self.query_one("#tiles" if self._has_tiles else "#tracks")

    def on_resize(self, event: events.Resize) -> None:
        """Show tiles or a list; who chooses a circuit continues to do so."""
        is_choosing = self.focused in (self.query_one("#tiles"), self.query_one("#tracks"))
        self.set_class(self._has_tiles, "-tiled")
        if is_choosing:
            self.set_focus(self._chooser())
        self.call_after_refresh(self._show_choice)

    def _show_grid(self) -> None:
        """Show the cars that will start, where there is room for them."""
        panel = self.query_one("#grid", Static)
        if not panel.display or (columns := panel.content_size.width) < 1:
            return
        told = Text(f"\n{self.setup.field_text()} The grid is drawn at the start.\n")
        told.append(f"{self.setup.length_text()} {self.setup.heat_text()}".strip(), "dim")
        text = Text("\n").join([*grid_picture(self.setup.grid(), columns), told])
        panel.update(inked(text, self.app.current_theme))

    # --- circuits -----------------------------------------------------------------------------------------

    @on(TrackTiles.Chosen)
    def _tile_chosen(self, event: TrackTiles.Chosen) -> None:
        self.query_one(TrackList).highlighted = event.number

    @work(group="tracks")
    async def _find_own_tracks(self) -> None:
        """List the player's own tracks when they are read."""
        if await self.setup.find_own_tracks() and not self.is_gone:
            self._list_tracks()

    def _list_tracks(self) -> None:
        """Show all tracks; what is highlighted stays so."""
        tracks = self.query_one(TrackList)
        at = tracks.highlighted
        labels = self.setup.labels
        options = [Option(self._listed(track, labels)) for track in self.setup.tracks]
        with self.prevent(OptionList.OptionHighlighted):
            tracks.set_options(options)
            tracks.highlighted = at
        tiles = [TrackTile(labels.get(track.name, track.name), track.facts) for track in self.setup.tracks]
        self.query_one(TrackTiles).show(tiles, at or 0)

    def _listed(self, track: FoundTrack, labels: Mapping[str, str]) -> Text:
        """Write a track's line, as wide as the list."""
        if track.facts is None:
            return cut(track.name, _LIST_CELLS - 8, is_ascii=is_ascii(self)).append("  faulty")
        facts = track.facts
        tail = f" {counted(facts.laps, 'lap'):<7} {counted(len(facts.corners), 'corner'):>10}"
        name = cut(labels[track.name], _LIST_CELLS - len(tail), is_ascii=is_ascii(self))
        name.pad_right(_LIST_CELLS - len(tail) - name.cell_len)
        return name.append(tail)

    def read_rows(self) -> None:
        """Choose the track that is on the list's line, then the rest."""
        self.setup.change(TRACK.field, self.setup.tracks[self.query_one(TrackList).highlighted or 0].name)
        super().read_rows()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the circuit."""
        self.query_one(TrackTiles).choose(event.option_index)
        self.read_rows()
        if self.setup.track.facts is not None:
            self.query_one(f"#{LAPS.field}", ChoiceRow).set_choices(self._lap_choices())
        self._show_choice()

    @on(ChoiceRow.Changed)
    def _row_changed(self) -> None:
        self.read_rows()
        self.show_rows_in_use()
        self._show_choice()

    def _show_choice(self) -> None:
        """Show the circuit with the laps of the race, the grid, and what does not fit."""
        self._show_grid()
        track, picture = self.setup.track, self.query_one(TrackPicture)
        if track.facts is None:
            picture.show_fault(track)
            return
        picture.show(track.facts, self.setup.options.laps)
        problem = self.setup.problem()
        if problem == NO_DRIVERS or not problem:
            length = self.setup.length_text()
            is_said = self._has_tiles or not length  # beside the grid
            self._hint_once(_HINT if is_said else f"{length} {_SHORT_HINT}", names_keys=True)
        else:
            self._hint_once(problem)

    def _hint_once(self, text: str, *, names_keys: bool = False) -> None:
        """Say what goes with the choice unless it has been said: it must not cover a refusal."""
        if text != self._hint:
            self._hint = text
            self.say(text, names_keys=names_keys)

    def _lap_choices(self) -> list[tuple[object, str]]:
        return [(value.value, value.label) for value in self.setup.lap_values()]

    def begin(self) -> None:
        """Make the table and race at it."""
        self._show_choice()  # of the rows as they are: their messages may come after a refusal
        table = self.setup.begin_race()
        self.remember()
        self.navigator.race_here(table)
