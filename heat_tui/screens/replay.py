"""A replay on the race screen's own panels: event by event, turn by turn, round by round.

Theory of operation. Whatever is pressed changes the place or the viewpoint of the `ReplayController`, and
everything is shown again from the view that belongs to both. While the race plays, a worker is the
controller's clock, and cars drive as in the race itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from heat_core.race import events as e
from heat_core.record.figures import RaceFigures, race_figures
from heat_core.record.playback import Playback
from heat_tui.flow.analysis import AnalysisController
from heat_tui.flow.replay import ReplayController, Viewpoint, Walk, Whose
from heat_tui.flow.replay_start import ReplayStart
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.view_pages import PageName
from heat_tui.keys.bindings import keys_of
from heat_tui.keys.replay_bindings import REPLAY_BINDINGS
from heat_tui.map.widget import TrackMap
from heat_tui.race.animation import drive, steps
from heat_tui.race.presenter import RaceLabels
from heat_tui.saved.finished import own_cars
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.exporting import ask_for_export
from heat_tui.screens.log import LogScreen
from heat_tui.screens.map_keys import MapAct, Pointer, use_map
from heat_tui.screens.race_pages import show_view_page
from heat_tui.screens.race_panels import RacePanels
from heat_tui.screens.results import ResultsScreen
from heat_tui.theme.colours import GOLD
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.help_page import page_of_keys
from heat_tui.words.key_line import told_line
from heat_tui.words.log import LogLine, event_line
from heat_tui.words.replay_lines import (
    FIRST_KEYS,
    KEYS,
    NO_HANDS,
    hands_lines,
    happened_lines,
    rounds_line,
    transport_line,
)
from heat_tui.words.result_table import cars_key, lap_chart

_SCENE: Final = Style(bold=True, color=GOLD)


class ReplayScreen(HeatScreen[None]):
    """A race that is over, or a record of one."""

    # The race's own layout, under this screen's name.
    CSS: ClassVar[str] = (
        Path(__file__).with_name("race.tcss").read_text().replace("RaceScreen", "ReplayScreen")
        + """
        ReplayScreen #plot { display: none; height: 1fr; padding: 0 1; }
        ReplayScreen.-plot #plot { display: block; }
        ReplayScreen.-plot #map { display: none; }
        """
    )
    BINDINGS = REPLAY_BINDINGS

    def __init__(self, playback: Playback, start: ReplayStart) -> None:
        """Make the screen.

        Args:
            playback: The race.
            start: Where it begins, and what plays at once; see `ReplayController.play_scenes`.
        """
        super().__init__()
        self._scenes = start.scenes
        self.replay = ReplayController(playback, RaceLabels.of(playback.record.setup), start.place)
        if start.choice is not None:
            self.replay.walk("to_choice", start.choice)
        self._pointer = Pointer(self.replay.labels)
        self.is_drawn = False
        self._analysis = AnalysisController(playback)
        self._figures: list[RaceFigures] = race_figures(playback.record.setup, playback.record.events)

    def compose(self) -> ComposeResult:
        """The panels of the race."""
        yield from RacePanels.compose(self.navigator.folders.plain_way)

    def arrive(self) -> None:
        """Begin at the first moment."""
        self.panels = RacePanels(self, self.replay.labels)
        self.panels.start()
        self.query_one("#upper", Horizontal).mount(TextPanel(id="plot"), before=0)
        self._lines = [
            self._spelled(event_line(moment.event, text))
            for moment, text in zip(self.replay.playback.moments, self.replay.texts, strict=True)
        ]
        self.show_again()
        if self._scenes:
            self.replay.play_scenes(self._scenes)
            self._play()

    def _spelled(self, line: LogLine) -> LogLine:
        return line._replace(text=self.panels.spelled(line.text))

    # --- showing -------------------------------------------------------------------------------------------

    def show_keys(self) -> None:
        """Name keys again."""
        super().show_keys()
        self.show_again()

    def shown(self) -> ScreenModel:
        """Give all that the race's own panels show now."""
        return ScreenModel(
            view=self.replay.view,
            viewer=self.replay.viewpoint.seat,
            curtain=None,
            draft=None,
            observation=self.replay.observation,
            message="",
            seconds_left=None,
            connection="local",
            is_hot_seat=True,
        )

    def show_again(self) -> None:
        """Bring every panel up to date."""
        self.panels.set_skids(self.replay.skids)
        self.panels.show(self.shown())
        has_hand = self.replay.view.own is not None
        self.query_one("#hand").display = has_hand
        self.query_one("#reactions").display = False
        if not has_hand:
            self._panel("curtain").show_fitting(self._draw_hands)
        self._panel("log").show_fitting(self._draw_happened)
        self._panel("forecast").show_fitting(self._draw_transport)
        self._panel("keys").show_fitting(self._draw_keys)
        if self.has_class("-plot"):
            self._panel("plot").show_fitting(self._draw_plot)

    def _note_drawn(self) -> None:
        self.is_drawn = True

    def _panel(self, name: str) -> TextPanel:
        return self.query_one(f"#{name}", TextPanel)

    def _draw_hands(self) -> None:
        panel, size = self._panel("curtain"), self._panel("curtain").content_size
        lines = hands_lines(self.replay.hands, self.replay.labels, size.width, size.height)
        spectator = [Text(""), Text(f"  {NO_HANDS}", Style(dim=True))]
        panel.show_lines([self.panels.spelled(line) for line in lines or spectator])

    def _draw_happened(self) -> None:
        panel = self._panel("log")
        lines, hits = happened_lines(
            self._lines, self.replay.place, panel.size.width, panel.size.height, self.app.console
        )
        panel.show_lines(lines, hits)

    def _draw_transport(self) -> None:
        panel, replay = self._panel("forecast"), self.replay
        width = panel.size.width or 80
        if self._pointer.figures:
            first = Text(f" {self._pointer.figures}", Style(dim=True))
        else:
            first = Text.assemble(" ", (f"{replay.scene}  " if replay.scene else "", _SCENE))
            first.append_text(self._lines[replay.place].text)
        rounds, round_hits = rounds_line(replay.playback.rounds, replay.moment.round, width)
        transport, hits = transport_line(
            replay.count,
            self._named(replay.viewpoint),
            is_verified=replay.playback.is_verified,
            is_playing=replay.is_playing,
            speed=replay.speed,
            width=width,
        )
        panel.show_lines([self.panels.spelled(first), rounds, transport], [*round_hits, *hits])

    def _named(self, viewpoint: Viewpoint) -> str:
        if viewpoint.is_open:
            return "all hands"
        return "spectator" if viewpoint.seat is None else self.replay.labels.names[viewpoint.seat]

    def _draw_keys(self) -> None:
        panel = self._panel("keys")
        line, hits = told_line(FIRST_KEYS, panel.size.width or 80, keys_of(self))
        panel.show_lines([line], hits)

    def _draw_plot(self) -> None:
        panel = self._panel("plot")
        plot = lap_chart(
            self.replay.labels,
            self.replay.end,
            self._figures,
            panel.content_size.width,
            marked=self.replay.moment.round,
        )
        lines = [Text("Positions over the rounds", Style(bold=True)), Text(""), *plot.split("\n")]
        panel.show_lines([*lines, *cars_key(self.replay.labels, panel.content_size.width)])

    # --- walking -------------------------------------------------------------------------------------------

    def action_walk(self, way: Walk, number: int = 0) -> None:
        """Show another moment; stepping by hand stops playing."""
        self._pause()
        self.replay.walk(way, number)
        self._pointer.stop(self.track_map)
        self.show_again()

    def action_ask_round(self) -> None:
        """Ask for a round, and go there."""
        rounds = self.replay.playback.rounds
        if not rounds:
            return

        def answered(text: str | None) -> None:
            if not text:
                return
            number = int(text) if text.strip().isdecimal() and len(text) < 6 else None
            if number is None or self.replay.playback.round_problem(number):
                ask(f"There is no such round. {question}")
            else:
                self.action_walk("to_round", number)

        def ask(question: str) -> None:
            self.app.push_screen(AskScreen(question), answered)

        self._pause()
        question = f"Which round, {rounds[0]} to {rounds[-1]}?"
        ask(question)

    def action_list_events(self) -> None:
        """List all that happened, and go where one chooses."""

        def answered(place: int | None) -> None:
            if place is not None:
                self.action_walk("to_moment", place)

        self._pause()
        names, place = self.replay.labels.names, self.replay.place
        self.app.push_screen(LogScreen(self._lines, names, place, leads_on=True), answered)

    # --- playing -------------------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Let the race play, or pause it; at the end begin again."""
        self.replay.play()
        if self.replay.is_playing:
            self._play()
        else:
            self._pause()
        self.show_again()

    def _pause(self) -> None:
        self.replay.pause()
        self.workers.cancel_group(self, "play")

    @work(exclusive=True, group="play")
    async def _play(self) -> None:
        while self.replay.is_playing:
            await asyncio.sleep(self.replay.seconds)
            await self._drive(self.replay.next_moves)
            self.replay.advance()
            self.show_again()

    async def _drive(self, happened: Sequence[e.Event]) -> None:
        """Move the cars along their ways, as in the race; where motion is reduced they jump."""
        pace = self.navigator.pace / self.replay.speed
        if not pace:
            return
        for event in happened:
            self.panels.hear(event)
            for step in steps(event):
                await drive(step.seconds * pace, partial(self.panels.drive_cars, [step]))
                self.panels.place_car(step)

    def action_speed(self, step: int) -> None:
        """Play faster or slower; behind the fastest comes the slowest again."""
        self.replay.change_speed(step)
        self._draw_transport()

    # --- looking -------------------------------------------------------------------------------------------

    def action_look(self, whose: Whose, number: int = 0) -> None:
        """Show another view."""
        self.replay.look(whose, number)
        self.show_again()

    def action_plot(self) -> None:
        """Show the positions over the rounds in place of the map, or the map again."""
        self.toggle_class("-plot")
        self.show_again()

    def action_export(self) -> None:
        """Write the whole race as a text, or this moment as a picture."""
        self._pause()
        ask_for_export(self, self.replay.playback, "this moment")

    def action_results(self) -> None:
        """Show the table of results."""
        self._pause()
        replay = self.replay
        if replay.no_result:
            self._say(replay.no_result)
            return
        record = replay.playback.record
        own = own_cars(record, range(len(record.setup.cars)), self.navigator.player_name)
        walk = partial(self.action_walk, "to_moment")
        results = ResultsScreen(
            replay.labels, replay.end, record.events, own, playback=replay.playback, to_replay=walk
        )
        self.app.push_screen(results)

    def action_analysis(self) -> None:
        """Show what choices cost, and how much was luck."""
        self._pause()
        if self._analysis.fault:
            self._say(self._analysis.fault)
        else:
            self.app.push_screen(AnalysisScreen(self._analysis, self.replay.labels, (), self._watch_mistake))

    def _watch_mistake(self, choice: int) -> None:
        self.app.pop_screen()
        self.action_walk("to_choice", choice)

    def _say(self, text: str) -> None:
        self._pointer.figures = text
        self._draw_transport()

    @property
    def track_map(self) -> TrackMap:
        """The map."""
        return self.query_one(TrackMap)

    def action_map(self, act: MapAct, by: int = 0, rows: int = 0) -> None:
        """Look about on the map; see `use_map`."""
        use_map(self, act, by, rows)

    @on(TrackMap.SpotHovered)
    @on(TrackMap.SpotClicked)
    def point(self, message: TrackMap.SpotHovered | TrackMap.SpotClicked) -> None:
        """Show the figures of what is pointed at."""
        self._say(self._pointer.point(message, self.replay.view))

    def action_page(self, name: PageName) -> None:
        """Explain cards, piles, signs or the weather."""
        show_view_page(self, name, self.replay.view, self.replay.labels)

    def action_help(self) -> None:
        """Show every key."""
        self.app.push_screen(PageDialog("Keys", page_of_keys(KEYS, keys_of(self))))

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """Do what was clicked."""
        name = message.action.partition("(")[0]
        if hasattr(self, f"action_{name}"):
            await self.run_action(message.action)

    def action_close_or_leave(self) -> None:
        """Close the plot; else stop pointing; where nothing is pointed at, leave."""
        if self.has_class("-plot"):
            self.action_plot()
        elif self._pointer.figures:
            self._pointer.stop(self.track_map)
            self.show_again()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Go back to where one came from."""
        self._pause()
        self.go_back()

    def on_resize(self, event: events.Resize) -> None:
        """Open up where there is room; say what is needed where there is too little."""
        RacePanels.fit(self, event.size)
        self.call_after_refresh(self.show_again)
        self.call_after_refresh(self._note_drawn)
