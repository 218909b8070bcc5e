"""Setting up a race in this terminal: alone, or around one keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import msgspec
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from heat_core.bots import BotName
from heat_core.files import load_track, track_names
from heat_core.names import BadName
from heat_core.presets import LegendLevel, PresetName
from heat_core.setup import COLOURS, BadSetup, Colour
from heat_core.track import TrackFacts
from heat_core.track_file import BadTrack
from heat_tui.makerace import Wishes, make_table
from heat_tui.outline import draw_outline
from heat_tui.screens.rows import (
    ActionRow,
    ChoiceRow,
    FormScreen,
    MessageLine,
    TextRow,
    counted,
    is_ascii,
    swatch,
)

if TYPE_CHECKING:
    from heat_tui.app import HeatApp

LEVELS: Final[tuple[LegendLevel, ...]] = ("easy", "medium", "hard")
RULES: Final[tuple[PresetName, ...]] = ("standard", "rulebook")


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
    """A circuit's outline and facts."""

    def __init__(self, facts: TrackFacts, *, id: str) -> None:
        """Show a first circuit."""
        super().__init__(id=id)
        self.facts = facts

    def show(self, facts: TrackFacts) -> None:
        """Show another one."""
        self.facts = facts
        self.refresh()

    def render(self) -> Text:
        """Facts first, the picture in what is left."""
        facts = self.facts
        limits = " ".join(str(corner.limit) for corner in facts.corners)
        text = Text.assemble(
            (facts.name, "bold"),
            f"   {counted(facts.laps, 'lap')} of {facts.spaces} spaces\n",
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


class NewRaceScreen(FormScreen):
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
        self._tracks = {name: load_track(name) for name in track_names()}

    @property
    def _heat_app(self) -> HeatApp:
        return cast("HeatApp", self.app)

    def compose(self) -> ComposeResult:
        """The form at the left, the circuit at the right."""
        settings = self._heat_app.settings
        title = "Hot-seat: several people around one keyboard" if self._is_hot_seat else "New race"
        yield Static(title, classes="title")
        with Horizontal(classes="columns"):
            with VerticalScroll(id="form", can_focus=False):
                yield TrackList(
                    *(Option(_listed(facts), id=name) for name, facts in self._tracks.items()),
                    id="tracks",
                    markup=False,
                )
                yield ChoiceRow("Laps", self._lap_choices("usa"), None, id="laps")
                if self._is_hot_seat:
                    yield TextRow("Drivers", "", id="names", placeholder="Ana, Ben, Cleo", most=200)
                else:
                    yield TextRow("Your name", self._heat_app.player_name, id="names")
                colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
                yield ChoiceRow(
                    "First car" if self._is_hot_seat else "Your car", colours, settings.colour, id="colour"
                )
                yield ChoiceRow(
                    "Legends", [(n, str(n)) for n in range(8)], 2 if self._is_hot_seat else 5, id="legends"
                )
                yield ChoiceRow("their level", [(level, level) for level in LEVELS], "medium", id="level")
                yield ChoiceRow("Bots", [(n, str(n)) for n in range(8)], 0, id="bots")
                bots: list[tuple[BotName, str]] = [
                    ("steady", "steady"),
                    ("random", "random (any legal move)"),
                ]
                yield ChoiceRow("they drive", bots, "steady", id="bot")
                yield ChoiceRow("Rules", [(rules, rules) for rules in RULES], "standard", id="rules")
                yield ActionRow("Start the race", id="start")
            yield TrackPicture(self._tracks["usa"], id="picture")
        yield MessageLine("Legends: cars that drive by a card of their own. Up to 8 cars in all.")
        yield Footer()

    def on_mount(self) -> None:
        """Begin at the first thing that needs an answer."""
        self.query_one(TrackList).highlighted = 0
        self.set_focus(self.query_one("#names" if self._is_hot_seat else "#tracks"))

    def _lap_choices(self, track: str) -> list[tuple[int | None, str]]:
        usual = self._tracks[track].laps
        choices: list[tuple[int | None, str]] = [(None, f"{usual} (as printed)")]
        return choices + [(laps, str(laps)) for laps in range(1, 5) if laps != usual]

    @property
    def _track(self) -> str:
        return list(self._tracks)[self.query_one(TrackList).highlighted or 0]

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the circuit."""
        self.query_one(TrackPicture).show(self._tracks[self._track])
        self.query_one("#laps", ChoiceRow).set_choices(self._lap_choices(self._track))

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Make the table and race at it, or say why that does not work."""
        wishes = self._wishes()
        if isinstance(self.focused, TrackList | Input) and not wishes.names:
            self.say("Who drives? Type the names with commas between them.")
            return
        try:
            table = make_table(wishes)
        except (BadName, BadSetup, BadTrack) as error:
            self.say(str(error))
            return
        app = self._heat_app
        settings = msgspec.structs.replace(app.settings, colour=wishes.colour)
        if not self._is_hot_seat:
            settings = msgspec.structs.replace(settings, name=wishes.names[0])
        app.change_settings(settings)
        app.race_here(table)

    def _wishes(self) -> Wishes:
        typed = self.query_one("#names", Input).value
        names = tuple(name for name in typed.split(",") if name.strip()) if self._is_hot_seat else (typed,)
        return Wishes(
            names=names,
            colour=cast(Colour, self._value("colour")),
            track=self._track,
            laps=cast("int | None", self._value("laps")),
            legends=cast(int, self._value("legends")),
            level=cast(LegendLevel, self._value("level")),
            bots=cast(int, self._value("bots")),
            bot=cast(BotName, self._value("bot")),
            rules=cast(PresetName, self._value("rules")),
        )

    def _value(self, row: str) -> object:
        return self.query_one(f"#{row}", ChoiceRow).value


def _listed(facts: TrackFacts) -> str:
    return f"{facts.name:<15} {counted(facts.laps, 'lap'):<7} {len(facts.corners):>2} corners"
