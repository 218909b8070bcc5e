"""Setting up a race in this terminal: alone, or around one keyboard."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from typing import Final

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from heat_core.files import FoundTrack, box_tracks, own_track_folder, own_tracks, shown_path
from heat_core.names import BadName
from heat_core.options.option_table import LAPS
from heat_core.options.table_options import LocalOptions
from heat_core.race.setup import BadSetup
from heat_core.text import counted
from heat_core.track import TrackFacts
from heat_tui.flow.table_factory import make_table
from heat_tui.outline import draw_outline
from heat_tui.screens.option_rows import choices
from heat_tui.screens.rows import ActionRow, ChoiceRow, MessageLine, TextRow, is_ascii
from heat_tui.screens.table_form import TableForm
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.labels import cut, track_labels

_LIST_CELLS: Final = 34


class TrackList(OptionList):
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


class TrackPicture(Widget):
    """A circuit's outline and facts.

    Attributes:
        laps: That are to be raced; None: as many as printed.
        fault: ScreenModel instead of the circuit; None: all is well.
    """

    def __init__(self, facts: TrackFacts, *, id: str) -> None:
        """Show a first circuit."""
        super().__init__(id=id)
        self.facts = facts
        self.laps: int | None = None
        self.fault: Text | None = None

    def show(self, facts: TrackFacts, laps: int | None) -> None:
        """Show another one, or other laps of it."""
        self.facts = facts
        self.laps = laps
        self.fault = None
        self.refresh()

    def show_fault(self, track: FoundTrack) -> None:
        """Show why a file cannot be raced on, and how to see all its faults."""
        path = shown_path(track.path)
        self.fault = Text.assemble(
            (track.name, "bold"),
            f"\ncannot be raced on:\n{track.faults[0]}\n\n",
            f"All its faults:\npython -m heat_core check-track {shlex.quote(path)}",
        )
        self.refresh()

    def render(self) -> Text:
        """Facts first, the picture in what is left."""
        if self.fault is not None:
            return self.fault
        facts = self.facts
        limits = " ".join(str(corner.limit) for corner in facts.corners)
        text = Text.assemble(
            (facts.name, "bold"),
            f"   {counted(self.laps or facts.laps, 'lap')} of {facts.spaces} spaces\n",
            f"corner limits {limits}\n",
            f"engine {facts.heat} Heat   deck {facts.stress} Stress\n",
        )
        columns, rows = self.content_size.width, self.content_size.height - 3
        if columns >= 12 and rows >= 4:
            text.append_text(draw_outline(facts, columns, min(rows, columns // 2), is_ascii=is_ascii(self)))
        return text

    def on_resize(self, event: events.Resize) -> None:
        """Draw it to the new size."""
        self.refresh()


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
        super().__init__()
        self._is_hot_seat = is_hot_seat
        self._tracks = box_tracks()

    def compose(self) -> ComposeResult:
        """The form at the left, the circuit at the right."""
        title = "Hot-seat: several people at one keyboard" if self._is_hot_seat else "New race"
        yield Static(title, classes="title")
        with Horizontal(classes="columns"):
            with VerticalScroll(id="form", can_focus=False):
                yield TrackList(id="tracks", markup=False)
                yield ChoiceRow(LAPS.label, _lap_choices(_facts_of(self._tracks[0])), None, id="laps")
                if self._is_hot_seat:
                    yield TextRow("Drivers", "", id="names", placeholder="Ana, Ben, Cleo", most=200)
                else:
                    yield TextRow("Your name", self.navigator.player_name, id="names")
                yield from self.driver_rows(
                    colour="First car" if self._is_hot_seat else "Your car",
                    legends=2 if self._is_hot_seat else 5,
                )
                yield from self.rule_rows()
                yield ActionRow("Start the race", id="start")
            yield TrackPicture(_facts_of(self._tracks[0]), id="picture")
        yield MessageLine(
            "Legends: cars that drive by a card of their own. {form.rules}: rules, up to 8 cars."
        )
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the first thing that needs an answer."""
        self._list_tracks()
        self.query_one(TrackList).highlighted = 0
        self._find_own_tracks()
        self.set_focus(self.query_one("#names" if self._is_hot_seat else "#tracks"))
        self.take_rules(self.rules)

    @work(group="tracks")
    async def _find_own_tracks(self) -> None:
        """List the player's own tracks when they are read: a folder can be large, and a disk slow."""
        own = await asyncio.to_thread(own_tracks, own_track_folder())
        if own and not self.is_gone:
            self._tracks += own
            self._list_tracks()

    def _list_tracks(self) -> None:
        """Show all tracks; what is highlighted stays so."""
        tracks = self.query_one(TrackList)
        at = tracks.highlighted
        labels = track_labels([(track.name, track.facts.name) for track in self._tracks if track.facts])
        options = [Option(self._listed(track, labels)) for track in self._tracks]
        with self.prevent(OptionList.OptionHighlighted):
            tracks.set_options(options)
            tracks.highlighted = at

    def _listed(self, track: FoundTrack, labels: Mapping[str, str]) -> Text:
        """Write a track's line, as wide as the list."""
        if track.facts is None:
            return cut(track.name, _LIST_CELLS - 8, is_ascii=is_ascii(self)).append("  faulty")
        facts = track.facts
        tail = f" {counted(facts.laps, 'lap'):<7} {counted(len(facts.corners), 'corner'):>10}"
        name = cut(labels[track.name], _LIST_CELLS - len(tail), is_ascii=is_ascii(self))
        name.pad_right(_LIST_CELLS - len(tail) - name.cell_len)
        return name.append(tail)

    @property
    def _track(self) -> FoundTrack:
        return self._tracks[self.query_one(TrackList).highlighted or 0]

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the circuit."""
        track = self._track
        if track.facts is None:
            self.query_one(TrackPicture).show_fault(track)
            return
        self.query_one("#laps", ChoiceRow).set_choices(_lap_choices(track.facts))
        self._show_picture(track.facts)

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Tell the laps below the circuit's name too."""
        if event.row.id == "laps" and self._track.facts is not None:
            self._show_picture(self._track.facts)

    def _show_picture(self, facts: TrackFacts) -> None:
        self.query_one(TrackPicture).show(facts, self.query_one("#laps", ChoiceRow).value)

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Make the table and race at it, or say why that does not work."""
        if self.is_for_rules():
            return
        track = self._track
        if track.facts is None:
            self.say(f"{track.name} cannot be raced on: {track.faults[0]}")
            return
        facts = track.facts
        options = self.chosen(are_many=self._is_hot_seat)
        if isinstance(self.focused, TrackList | Input) and not options.names:
            self.say("Who drives? Type the names with commas between them.")
            return
        try:
            table = make_table(options, lambda name: facts)
        except (BadName, BadSetup) as error:
            self.say(str(error))
            return
        self.remember(options, is_named=not self._is_hot_seat)
        self.navigator.race_here(table)


def _facts_of(track: FoundTrack) -> TrackFacts:
    assert track.facts is not None
    return track.facts


def _lap_choices(facts: TrackFacts) -> list[tuple[object, str]]:
    """List the laps, those of the track first."""
    others = [
        (laps, label) for laps, label in choices(LAPS, LocalOptions()) if laps not in (None, facts.laps)
    ]
    return [(None, f"{facts.laps} (as printed)"), *others]
