"""The saved records: one line each, newest first; one is opened and watched."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.cells import set_cell_size
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from heat_core.files import shown_path
from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord
from heat_core.record.summary import RecordSummary
from heat_core.text import counted, ordinal
from heat_tui.keys.bindings import bound
from heat_tui.saved.records import (
    KeptRecord,
    delete_record,
    look_at_records,
    no_records,
    read_playback,
    record_folder,
)
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import FormScreen, MessageLine, is_ascii
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.colours import CAR_STYLES, inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList
from heat_tui.words.labels import cut

_TRACK_CELLS: Final = 15
_WINNER_CELLS: Final = 17
_HEADING: Final = f"{'date':<17} {'track':<{_TRACK_CELLS}} {'cars':>4}  {'winner':<{_WINNER_CELLS}} rounds"
_BATCH: Final = 20
_MOST_COLUMNS: Final = 80
"""Of the list: with a wider terminal the circuit is beside it, and the whole fault."""


class ReplaysScreen(FormScreen):
    """A list; what cannot be read is a line of it all the same."""

    BINDINGS = [
        Binding("enter", "open", "Watch", priority=True),
        bound("records.delete", "delete"),
        Binding("escape", "back", "Home"),
        bound("view.leave", "back", "Home", show=False),
    ]

    def __init__(self) -> None:
        """Make the screen; the records are looked at once it stands."""
        super().__init__()
        self._kept: list[KeptRecord] = []

    def compose(self) -> ComposeResult:
        """Heading, list and the chosen race's circuit, one line for answers, keys."""
        yield Static("Replays", classes="title")
        with Horizontal(classes="columns"):
            with Vertical(id="list"):
                yield Static(f"  {_HEADING}", classes="heading", markup=False)
                yield MarkedList(id="records", markup=False)
            yield TrackPicture(id="picture", classes="beside")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin to look."""
        self.query_one(OptionList).focus()
        self.say("Reading the records ...")
        self._look()

    @work(thread=True, exclusive=True, group="look")
    def _look(self) -> None:
        worker = get_current_worker()
        found: list[KeptRecord] = []
        for kept in look_at_records(self.navigator.folders):
            if worker.is_cancelled:
                return
            found.append(kept)
            if len(found) == _BATCH:
                self.app.call_from_thread(self._add, found)
                found = []
        self.app.call_from_thread(self._add, found, is_all=True)

    def _add(self, found: list[KeptRecord], *, is_all: bool = False) -> None:
        if self.is_gone:
            return
        self._kept += found
        records = self.query_one(OptionList)
        records.add_options(Option(inked(self._line(kept), self.app.current_theme)) for kept in found)
        if records.highlighted is None and self._kept:
            records.highlighted = 0
        if is_all:
            folders = self.navigator.folders
            kept = f"{counted(len(self._kept), 'race')} in {shown_path(record_folder(folders))}"
            self.say(kept if self._kept else no_records(folders))

    def _line(self, kept: KeptRecord) -> Text:
        plain = is_ascii(self)
        line = Text(f" {kept.moment.astimezone():%Y-%m-%d %H:%M}  ")
        if kept.summary is None:
            line.append(f"{shown_path(kept.path.name)}: {kept.fault}", "dim")
            return cut(line, min(self.size.width, _MOST_COLUMNS) - 4, is_ascii=plain)
        setup = kept.summary.setup
        line.append(_cell(setup.track.name, _TRACK_CELLS, is_ascii=plain), "bold")
        line.append(f" {len(setup.cars):>4}  ")
        style = "dim" if kept.summary.winner is None else "bold"
        line.append(_cell(kept.winner, _WINNER_CELLS, is_ascii=plain), style)
        line.append(f" {kept.summary.rounds:>6}")
        return line

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show where the chosen race was, and who came where."""
        self._show_chosen()

    def _show_chosen(self) -> None:
        kept, picture = self._chosen(), self.query_one(TrackPicture)
        if kept is None:
            picture.show(None, None)
        elif kept.summary is None:
            picture.show(None, None, notes=(shown_path(kept.path.name), kept.fault))
        else:
            setup = kept.summary.setup
            picture.show(setup.track, setup.laps, notes=_result_lines(kept.summary, is_ascii=is_ascii(self)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was chosen."""
        self.action_open()

    def _chosen(self) -> KeptRecord | None:
        at = self.query_one(OptionList).highlighted
        return self._kept[at] if at is not None and at < len(self._kept) else None

    def action_open(self) -> None:
        """Watch the chosen race."""
        if (kept := self._chosen()) is not None:
            self.say("Reading the record ...")
            self._open(kept.path)

    @work(thread=True, exclusive=True, group="open")
    def _open(self, path: Path) -> None:
        worker = get_current_worker()
        try:
            playback = read_playback(path)
        except BadRecord as error:
            self.app.call_from_thread(self.say, str(error))
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._watch, playback)

    def _watch(self, playback: Playback) -> None:
        if self.app.screen is self:
            self.say("")
            self.navigator.show_replay(playback)

    def action_delete(self) -> None:
        """Ask, then delete the chosen record."""
        kept = self._chosen()
        if kept is None:
            return

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._delete(kept)

        question = f"Delete {shown_path(kept.path.name)}? You cannot undo this."
        self.app.push_screen(ConfirmDialog(question), answered)

    def _delete(self, kept: KeptRecord) -> None:
        if refusal := delete_record(kept):
            self.say(refusal)
            return
        at = self._kept.index(kept)
        del self._kept[at]
        records = self.query_one(OptionList)
        records.remove_option_at_index(at)
        if self._kept:
            records.highlighted = min(at, len(self._kept) - 1)
        self._show_chosen()
        self.say("Deleted.")


def _result_lines(summary: RecordSummary, *, is_ascii: bool) -> list[Text]:
    """List who came where; of a race that stops before its end who drove."""
    cars = summary.setup.cars
    if summary.end is None:
        places = [("", car) for car in cars]
    else:
        places = [(f"{ordinal(standing.place):<4}", cars[standing.car]) for standing in summary.end.standings]
    sign = "#" if is_ascii else "■"
    lines = [Text.assemble(place, (sign, CAR_STYLES[car.colour]), f" {car.name}") for place, car in places]
    return [Text(f"{counted(summary.rounds, 'round')}"), *lines]


def _cell(text: str, cells: int, *, is_ascii: bool) -> str:
    return set_cell_size(cut(text, cells, is_ascii=is_ascii).plain, cells)
