"""A recorded race on the race screen's own panels: walked event by event, turn by turn, round by round.

Theory of operation. The screen keeps a place among the moments of a playback. Whatever is pressed changes the
place or the eyes, and everything is shown anew from the view that belongs to both. Playing is a worker that
goes one moment on at a time, with the cars driving as in the race itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.worker import Worker

from heat_core import events as e
from heat_core.card_words import card_name
from heat_core.cards import CATALOGUE
from heat_core.figures import RaceFigures, race_figures
from heat_core.playback import Moment, Playback
from heat_core.view import RaceView, Sight
from heat_tui.map import TrackMap
from heat_tui.race.animation import steps
from heat_tui.race.garage import explained_lines
from heat_tui.race.looking import spot_text
from heat_tui.race.palette import GOLD
from heat_tui.race.panels import RacePanels
from heat_tui.race.presenter import Cast, discard_pile_lines
from heat_tui.race.replay_lines import (
    KEYS,
    SPEEDS,
    Eyes,
    all_eyes,
    hands_lines,
    happened_lines,
    rounds_line,
    transport_line,
)
from heat_tui.race.result_table import lap_chart
from heat_tui.race.road_text import weather_lines
from heat_tui.race.season_table import event_lines
from heat_tui.race.shown import Shown
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.event_list import EventListScreen
from heat_tui.screens.map_keys import MapScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.widgets.panel import Hit, TextPanel

_MOMENT_SECONDS: Final = 1.0
"""How long a moment is looked at, at the speed of 1."""
_HEADING_SECONDS: Final = 0.4
"""The same where there is nothing to see but a heading."""
_SLOWEST_DRIVE: Final = 2.0
"""Faster than at this speed cars jump."""


class ReplayScreen(MapScreen):
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
    BINDINGS = [
        Binding("right", "step(1)", "Next event"),
        Binding("left", "step(-1)", "Event before"),
        Binding("down", "step_turn(1)", "Next turn"),
        Binding("up", "step_turn(-1)", "Turn before"),
        Binding("pagedown", "step_round(1)", "Next round"),
        Binding("pageup", "step_round(-1)", "Round before"),
        Binding("home", "to_start", "Beginning"),
        Binding("end", "to_end", "End"),
        Binding("g", "ask_round", "Go to a round"),
        Binding("space", "play", "Play, pause"),
        Binding("s", "speed(1)", "Faster"),
        Binding("S,upper_s", "speed(-1)", "Slower"),
        Binding("tab", "other_eyes(1)", "Next view"),
        Binding("shift+tab", "other_eyes(-1)", "View before", show=False),
        Binding("0", "all_hands", "All hands"),
        *(Binding(str(number), f"seat({number})", f"View {number}", show=False) for number in range(1, 9)),
        Binding("9", "spectator", "Spectator's view"),
        Binding("e,l", "list_events", "What happened"),
        Binding("p", "plot", "Positions over the rounds"),
        Binding("t,enter", "results", "Results"),
        Binding("plus,equals_sign", "zoom(True)", "Zoom in", key_display="+"),
        Binding("minus,underscore", "zoom(False)", "Zoom out", key_display="-"),
        Binding("shift+left", "scroll_map(-6,0)", "Scroll left", show=False),
        Binding("shift+right", "scroll_map(6,0)", "Scroll right", show=False),
        Binding("shift+up", "scroll_map(0,-3)", "Scroll up", show=False),
        Binding("shift+down", "scroll_map(0,3)", "Scroll down", show=False),
        Binding("f", "follow", "Follow the cars"),
        Binding("comma", "look(-1)", "Look back along the road", key_display=",", show=False),
        Binding("full_stop", "look(1)", "Look ahead along the road", key_display=".", show=False),
        Binding("v", "whole_map", "Whole map"),
        Binding("number_sign", "numbers", "Space numbers", key_display="#"),
        Binding("i", "cards", "Cards explained"),
        Binding("o", "discard_pile", "Piles"),
        Binding("w", "weather", "Weather and road"),
        Binding("h", "app.how_to_play", "How to play"),
        Binding("question_mark", "help", "All keys", key_display="?"),
        Binding("q,escape", "leave", "Back", key_display="q"),
    ]

    def __init__(self, playback: Playback, *, animate: bool = True, place: int = 0) -> None:
        """Make the screen.

        Args:
            animate: Whether cars move space by space while it plays.
            place: Of the moment to begin with.
        """
        super().__init__()
        self.playback = playback
        self.cast = Cast.of(playback.record.setup)
        self.place = place
        self.eyes = Eyes(is_open=True)
        self.speed = 1.0
        self.hint = ""
        self.race_view: RaceView = playback.view(place, None)
        self._is_animated = animate
        self._playing: Worker[None] | None = None
        self._figures: list[RaceFigures] = race_figures(playback.record.setup, playback.record.events)

    def compose(self) -> ComposeResult:
        """The panels of the race."""
        yield from RacePanels.compose()

    def on_mount(self) -> None:
        """Begin at the first moment."""
        self.panels = RacePanels(self, self.cast, self.cast.track)
        self.panels.start()
        self.query_one("#upper", Horizontal).mount(TextPanel(id="plot"), before=0)
        self._texts = [self._told(moment) for moment in self.playback.moments]
        self._show()

    def _told(self, moment: Moment) -> Text:
        return self.panels.log_line(moment.event, self.cast.told(moment.event) or moment.text)

    # --- showing -------------------------------------------------------------------------------------------

    def shown(self) -> Shown:
        """Give all that the race's own panels show now."""
        view = self.race_view
        return Shown(
            view=view,
            viewer=self.eyes.seat,
            curtain=None,
            draft=None,
            sight=Sight(self.cast.setup, view) if view.own is not None else None,
            message="",
            seconds_left=None,
            connection="local",
            is_hot_seat=True,
        )

    def _show(self) -> None:
        """Bring every panel up to date."""
        self.race_view = self.playback.view(self.place, self.eyes.seat)
        self.panels.show(self.shown())
        has_hand = self.race_view.own is not None
        self.query_one("#hand").display = has_hand
        self.query_one("#reactions").display = False
        if not has_hand:
            self._panel("curtain").show_fitting(self._draw_hands)
        self._panel("log").show_fitting(self._draw_happened)
        self._panel("forecast").show_fitting(self._draw_transport)
        self._panel("keys").show_fitting(self._draw_keys)
        if self.has_class("-plot"):
            self._panel("plot").show_fitting(self._draw_plot)

    def _panel(self, name: str) -> TextPanel:
        return self.query_one(f"#{name}", TextPanel)

    def _draw_hands(self) -> None:
        panel = self._panel("curtain")
        if self.eyes.is_open:
            size = panel.content_size
            lines = hands_lines(self.playback.race_at(self.place), self.cast, size.width, size.height)
        else:
            lines = [Text(""), Text("  A spectator sees no hands.", Style(dim=True))]
        panel.show_lines([self.panels.spelled(line) for line in lines])

    def _draw_happened(self) -> None:
        panel = self._panel("log")
        lines, hits = happened_lines(
            self._texts, self.place, panel.size.width, panel.size.height, self.app.console
        )
        panel.show_lines(lines, hits)

    def _draw_transport(self) -> None:
        panel = self._panel("forecast")
        width = panel.size.width or 80
        now = self.playback.moments[self.place]
        if self.hint:
            first = Text(f" {self.hint}", Style(dim=True))
        else:
            first = Text(" ").append_text(self._texts[self.place])
        rounds, round_hits = rounds_line(self.playback.rounds, now.round, width)
        transport, hits = transport_line(
            self.playback,
            self.place,
            self.eyes,
            self.cast,
            is_playing=self.is_playing,
            speed=self.speed,
            width=width,
        )
        panel.show_lines([self.panels.spelled(first), rounds, transport], [*round_hits, *hits])

    def _draw_keys(self) -> None:
        line = Text(" ")
        hits = []
        for key, what, action in (
            ("left/right", "event", ""),
            ("up/down", "turn", ""),
            ("space", "play", "play"),
            ("e", "list", "list_events"),
            ("p", "plot", "plot"),
            ("?", "keys", "help"),
            ("q", "back", "leave"),
        ):
            first = len(line.plain)
            line.append(key, Style(color=GOLD, bold=True))
            line.append(f" {what}  ")
            if action:
                hits.append(Hit((0, first, len(line.plain) - 2, action)))
        self._panel("keys").show_lines([line], hits)

    def _draw_plot(self) -> None:
        panel = self._panel("plot")
        now = self.playback.moments[self.place].round
        view = self.playback.view(self.playback.last, None)
        plot = lap_chart(self.cast, view, self._figures, panel.content_size.width, marked=now)
        lines = [Text("Positions over the rounds", Style(bold=True)), Text(""), *plot.split("\n")]
        panel.show_lines(lines)

    # --- walking -------------------------------------------------------------------------------------------

    def _go(self, place: int) -> None:
        """Show another moment; whoever walks is not played to."""
        self._pause()
        self.place = place
        self.hint = ""
        self._show()

    def action_step(self, steps: int) -> None:
        """Go some events on or back."""
        self._go(self.playback.step(self.place, steps))

    def action_step_turn(self, turns: int) -> None:
        """Go some turns on or back."""
        self._go(self.playback.step_turns(self.place, turns))

    def action_step_round(self, rounds: int) -> None:
        """Go some rounds on or back."""
        self._go(self.playback.step_rounds(self.place, rounds))

    def action_to_start(self) -> None:
        """Go to the beginning."""
        self._go(0)

    def action_to_end(self) -> None:
        """Go to the end."""
        self._go(self.playback.last)

    def action_to_round(self, number: int) -> None:
        """Go to the beginning of a round."""
        self._go(self.playback.place_of_round(number))

    def action_to_moment(self, place: int) -> None:
        """Go to a moment of the list."""
        self._go(self.playback.step(place, 0))

    def action_ask_round(self) -> None:
        """Ask for a round, and go there."""
        rounds = self.playback.rounds
        if not rounds:
            return

        def answered(text: str | None) -> None:
            if text and text.strip().isdecimal() and len(text) < 6:
                self.action_to_round(int(text))

        self._pause()
        self.app.push_screen(AskScreen(f"Which round, {rounds[0]} to {rounds[-1]}?"), answered)

    def action_list_events(self) -> None:
        """List all that happened, and go where one chooses."""

        def answered(place: int | None) -> None:
            if place is not None:
                self._go(place)

        self._pause()
        self.app.push_screen(EventListScreen(self._texts, self.place), answered)

    # --- playing -------------------------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        """Whether the race plays by itself."""
        return self._playing is not None

    def action_play(self) -> None:
        """Let the race play, or pause it; at the end begin anew."""
        if self.is_playing:
            self._pause()
            self._show()
            return
        if self.place == self.playback.last:
            self.place = 0
        self._playing = self._play()
        self._show()

    def _pause(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    @work(exclusive=True, group="play")
    async def _play(self) -> None:
        while self.place < self.playback.last:
            await asyncio.sleep(self._seconds(self.playback.moments[self.place].event) / self.speed)
            await self._drive(self.playback.events_of(self.place + 1))
            self.place += 1
            self._show()
        self._playing = None
        self._show()

    def _seconds(self, event: e.Event) -> float:
        is_heading = isinstance(event, e.TurnStarted | e.DecisionsOpened | e.RoundStarted)
        return _HEADING_SECONDS if is_heading else _MOMENT_SECONDS

    async def _drive(self, happened: Sequence[e.Event]) -> None:
        """Move the cars along their ways, as in the race."""
        if not self._is_animated or self.speed > _SLOWEST_DRIVE:
            return
        for event in happened:
            for step in steps(event):
                self.panels.place_car(step)
                await asyncio.sleep(step.seconds / self.speed)

    def action_speed(self, step: int) -> None:
        """Play faster or slower; behind the fastest comes the slowest again."""
        self.speed = SPEEDS[(SPEEDS.index(self.speed) + step) % len(SPEEDS)]
        self._draw_transport()

    # --- looking -------------------------------------------------------------------------------------------

    def _look_through(self, eyes: Eyes) -> None:
        if eyes in all_eyes(self.cast):
            self.eyes = eyes
            self._show()

    def action_other_eyes(self, step: int) -> None:
        """Take the next view."""
        known = all_eyes(self.cast)
        self._look_through(known[(known.index(self.eyes) + step) % len(known)])

    def action_all_hands(self) -> None:
        """Lay all hands open."""
        self._look_through(Eyes(is_open=True))

    def action_spectator(self) -> None:
        """See what everybody sees."""
        self._look_through(Eyes())

    def action_seat(self, number: int) -> None:
        """See what a seat sees; they are counted from 1, Legends left out."""
        seats = [eyes for eyes in all_eyes(self.cast) if eyes.seat is not None]
        if number <= len(seats):
            self._look_through(seats[number - 1])

    def action_plot(self) -> None:
        """Show the positions over the rounds in place of the map, or the map again."""
        self.toggle_class("-plot")
        self._show()

    def action_results(self) -> None:
        """Show the table of results."""
        self._pause()
        view = self.playback.view(self.playback.last, None)
        if view.status == "ended":
            self.app.push_screen(ResultsScreen(self.cast, view, self.playback.record.events, ()))
        else:
            self._say(f"The record stops in round {view.round}: there is no result.")

    def _say(self, text: str) -> None:
        self.hint = text
        self._draw_transport()

    def on_track_map_spot_hovered(self, message: TrackMap.SpotHovered) -> None:
        """Tell the figures of what mouse or cursor have come to."""
        self._say(
            spot_text(
                self.race_view,
                self.cast.names,
                self.cast.track,
                space=message.space,
                cars=message.cars,
                corner=message.corner,
                where=self.cast.setup.rules.weather_sectors,
            )
        )

    def action_cards(self) -> None:
        """Explain the cards of the seat whose view it is, or the open upgrades."""
        own = self.race_view.own
        cards = (*own.hand, *self.race_view.cars[own.seat].played) if own else self.race_view.offered
        if cards:
            lines = [self.panels.spelled(line) for line in explained_lines(cards)]
            self.app.push_screen(PageDialog("Cards", lines))

    def action_discard_pile(self) -> None:
        """Show the piles of the seat whose view it is."""
        if self.eyes.seat is not None:
            names = {card: card_name(card) for card in CATALOGUE}
            lines = discard_pile_lines(self.race_view, self.eyes.seat, names)
            title = f"Piles of {self.cast.names[self.eyes.seat]}"
            self.app.push_screen(PageDialog(title, [self.panels.spelled(line) for line in lines]))

    def action_weather(self) -> None:
        """Explain weather and road, and in a championship the event card."""
        view, setup = self.race_view, self.cast.setup
        lines = weather_lines(self.cast.track, view.roads, view.weather, setup.rules.weather_sectors)
        if setup.modules.event is not None:
            told = event_lines(setup.modules.event, has_sponsorships=setup.modules.sponsorships)
            lines = [*told, "", *lines]
        pages = [self.panels.spelled(Text(line)) for line in lines]
        self.app.push_screen(PageDialog("Weather and road", pages))

    def action_help(self) -> None:
        """Show every key."""
        lines = [Text.assemble((f"{key:<18}", f"bold {GOLD}"), text) for key, text in KEYS]
        self.app.push_screen(PageDialog("Keys", lines))

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """Do what was clicked."""
        name = message.action.partition("(")[0]
        if hasattr(self, f"action_{name}"):
            await self.run_action(message.action)

    def action_leave(self) -> None:
        """Go back to where one came from."""
        self._pause()
        self.app.pop_screen()

    def on_resize(self, event: events.Resize) -> None:
        """Open up where there is room; say what is needed where there is too little."""
        self.set_class(event.size.width < 80 or event.size.height < 24, "-small")
        self.set_class(event.size.width >= 110, "-wide")
        self.set_class(event.size.height >= 34, "-tall")
        self.call_after_refresh(self._show)
