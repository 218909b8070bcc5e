"""The waiting room: who is there, what will be raced, and the line to pass on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, cast

import msgspec
from rich.cells import cell_len
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from heat_core.files import box_tracks
from heat_core.presets import PRESETS, Rules
from heat_core.settings import RACE_SETTINGS, SETTINGS, BadSetting, Setting, changes_of, make_rules
from heat_core.setup import COLOURS, MAX_CARS, MIN_CARS, Colour
from heat_core.wire import messages as m
from heat_tui.connection import ConnectionLost, RequestRefused
from heat_tui.labels import track_labels
from heat_tui.remote import RemoteSession
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.modules import GARAGE_CHOICES, NO_GARAGE, WEATHER_CHOICES, Garage
from heat_tui.screens.new_race import TrackList, TrackPicture
from heat_tui.screens.option_changes import Change, OptionChanges
from heat_tui.screens.rows import (
    ActionRow,
    ChoiceRow,
    FormScreen,
    MessageLine,
    is_ascii,
    swatch,
)
from heat_tui.screens.season_rows import (
    SEASON_CHOICES,
    SINGLE,
    changed_season,
    is_of_season,
    season_rows,
    season_values,
    set_season_tracks,
    shown_season_rows,
)
from heat_tui.screens.table_form import LEVELS
from heat_tui.screens.table_rules import RULES, TableRulesScreen, tell_changes
from heat_tui.visit import Visit

if TYPE_CHECKING:
    from heat_tui.app import HeatApp

_KINDS: Final[dict[str, str]] = {
    "human": "person",
    "steady": "bot steady",
    "random": "bot random",
    "legend:easy": "Legend easy",
    "legend:medium": "Legend medium",
    "legend:hard": "Legend hard",
}
_TURN_SECONDS: Final = (15, 30, 60, 90, 120, 300, 3600)
_NAME_CELLS: Final = 16


class LobbyScreen(FormScreen):
    """Places at the left, settings at the right; the host's keys are dead for everyone else."""

    BINDINGS = [
        Binding("r", "ready", "Ready"),
        Binding("s", "start", "Start"),
        Binding("n", "rename", "Name"),
        Binding("c", "colour", "Car"),
        Binding("b", "bot('steady')", "+Bot"),
        Binding("l", "bot('legend')", "+Legend"),
        Binding("x", "bot('')", "Clear"),
        Binding("f3", "rules", "Rules", show=False),  # its row names the key
        Binding("escape", "back", "Leave"),
    ]

    def __init__(self, visit: Visit, *, animate: bool) -> None:
        """Show a room.

        Args:
            visit: In a room.
            animate: For the race that follows.
        """
        super().__init__()
        self._visit = visit
        self._is_animated = animate
        self._is_leaving = False
        self._changes = OptionChanges()
        self._asking = asyncio.Lock()
        self._facts = {track.name: track.facts for track in box_tracks() if track.facts is not None}
        self._names = {name: facts.name for name, facts in self._facts.items()}

    @property
    def _heat_app(self) -> HeatApp:
        return cast("HeatApp", self.app)

    @property
    def _room(self) -> m.RoomState | None:
        return self._visit.link.room

    @property
    def _is_host(self) -> bool:
        return self._room is not None and self._room.place == self._room.host

    def compose(self) -> ComposeResult:
        """Invitation, places, settings, answers, keys."""
        options = m.RoomOptions()
        yield Static("Lobby", classes="title", id="title", markup=False)
        yield Static("", id="invitation", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(id="left"):
                yield Static("Places", classes="heading")
                yield TrackList(id="places", markup=False)
                yield ChoiceRow("Season", SEASON_CHOICES, SINGLE, id="season")
                yield from season_rows(self._names)
                with Horizontal(id="actions"):
                    yield ActionRow("Ready", id="ready")
                    yield ActionRow("Start", id="start")
                    yield ActionRow("Leave", id="leave")
            with Vertical(id="right"):
                yield Static("Settings", classes="heading", id="settings-heading")
                yield ChoiceRow("Track", list(self._names.items()), options.track, id="track")
                laps: list[tuple[int | None, str]] = [
                    (None, "as printed"),
                    *((n, str(n)) for n in range(1, 5)),
                ]
                yield ChoiceRow("Laps", laps, options.laps, id="laps")
                yield ChoiceRow(
                    "Places", [(n, str(n)) for n in range(MIN_CARS, MAX_CARS + 1)], options.cars, id="cars"
                )
                fill = [(n, f"up to {n} Legends" if n else "nobody") for n in range(MAX_CARS)]
                yield ChoiceRow("Empty: add", fill, options.legends, id="legends")
                yield ChoiceRow(
                    "their level", [(level, level) for level in LEVELS], options.level, id="level"
                )
                yield ChoiceRow("Rules", [(rules, rules) for rules in RULES], options.rules, id="rules")
                yield ChoiceRow("Garage", GARAGE_CHOICES, NO_GARAGE, id="garage")
                yield ChoiceRow("Weather", WEATHER_CHOICES, options.weather, id="weather")
                yield ActionRow("Single settings (F3)", id="settings")
                yield Static("", id="changes", markup=False)
                yield ChoiceRow("Turn time", _turn_choices(None, 60_000), None, id="turn_milliseconds")
                yield TrackPicture(self._facts[options.track], id="map")
        yield MessageLine(self._hint())
        yield Footer(compact=True)

    def _hint(self) -> str:
        """Say what to do with the line that joins; a loopback address is of no use elsewhere."""
        invitation = self._room.invitation if self._room is not None else ""
        if "127.0.0.1" in invitation or "localhost" in invitation or "[::1]" in invitation:
            return "On other machines, type this machine's own address in the line above."
        return "Pass the line above on to your friends."

    def on_mount(self) -> None:
        """Show the room and follow it."""
        self._show()
        self.set_focus(self.query_one("#places"))
        self._follow()
        self._learn_tracks()

    # --- what the server says -----------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        link = self._visit.link
        state = link.state
        while not self._is_leaving and not self.is_gone:
            changes = link.changes
            if link.ended is not None:
                self._heat_app.end_visit(self._visit)
                self._heat_app.go_home(link.ended)
                return
            if RemoteSession.is_ready(link):
                if link.season is not None and self._room is not None and self._room.phase != "racing":
                    self._visit.race_session()  # its race is over: it says whether one can come back
                    self._heat_app.season_there(self._visit)
                else:
                    self._heat_app.race_there(self._visit, animate=self._is_animated)
                return
            if link.state != state:
                state = link.state
                self.say(
                    "Connected again." if state == "connected" else "The connection dropped; trying again ..."
                )
            self._show()
            await link.wait(changes)

    @work(group="tracks")
    async def _learn_tracks(self) -> None:
        """Ask the server what it has besides the tracks of the box."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then the box must do
            self._names |= {track.id: track.name for track in await self._visit.tracks()}
            self._show()

    @work(group="track", exclusive=True)
    async def _learn_track(self, name: str) -> None:
        """Ask the server for a track that is not in the box, to draw it."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then there is no picture
            if (facts := await self._visit.track(name)) is not None:
                self._facts[name] = facts
                self._show()

    def _show(self) -> None:
        room = self._room
        if room is None or self.is_gone:
            return
        self.query_one("#title", Static).update(Text(f"Room {room.code}   {self._visit.link.state}"))
        self.query_one("#invitation", Static).update(Text(f"To join: {room.invitation}"))
        self._show_places(room)
        self._show_options(room)
        ready = self.query_one("#ready", ActionRow)
        ready.label = "Not ready" if room.own.is_ready else "Ready"
        ready.refresh(layout=True)
        self.query_one("#start").display = self._is_host
        self.refresh_bindings()

    def _show_places(self, room: m.RoomState) -> None:
        places = self.query_one("#places", OptionList)
        at = places.highlighted
        places.clear_options()
        for number, place in enumerate(room.places):
            places.add_option(Option(self._describe(number, place, room), id=str(number)))
        places.highlighted = min(at if at is not None else room.place or 0, len(room.places) - 1)

    def _describe(self, number: int, place: m.PlaceState, room: m.RoomState) -> Text:
        if place.kind is None:
            return Text(f"{number + 1}  -- free --", "dim")
        text = Text(f"{number + 1}  ")
        text.append_text(Text(place.name, "bold"))
        text.append(" " * (_NAME_CELLS + 1 - cell_len(place.name)))
        car = swatch(place.colour or "grey", ascii_only=is_ascii(self))
        car.pad_right(9 - car.cell_len)
        text.append_text(car)
        if place.kind != "human":
            return text.append(_KINDS[place.kind])
        marks = ["host"] if number == room.host else []
        marks += ["you"] if number == room.place else []
        if not place.is_connected:
            marks.append("gone")
        elif place.is_ready:
            marks.append("READY")
        elif number != room.host:
            marks.append("not yet")
        return text.append(", ".join(marks))

    def _show_options(self, room: m.RoomState) -> None:
        options = self._changes.applied(room)
        rules = _rules_of(options)
        known = (options.track, *(options.season.tracks if options.season else ()))
        names = track_labels(list(({track: track for track in known} | self._names).items()))
        self.query_one("#track", ChoiceRow).set_choices(list(names.items()))
        set_season_tracks(self, names)
        places = [(number, str(number)) for number in range(MIN_CARS, rules.most_cars + 1)]
        self.query_one("#cars", ChoiceRow).set_choices(places)
        self.query_one("#turn_milliseconds", ChoiceRow).set_choices(
            _turn_choices(options.turn_milliseconds, room.turn_milliseconds)
        )
        fields = ("track", "laps", "cars", "legends", "level", "rules", "weather", "turn_milliseconds")
        values = {field: getattr(options, field) for field in fields}
        values["garage"] = (options.garage, options.expansion)
        self._show_season(options.season)
        for field, value in values.items():
            row = self.query_one(f"#{field}", ChoiceRow)
            row.show(value)
            row.lock_to(not self._is_host)
        heading = "Settings (yours to change)" if self._is_host else "Settings (the host's)"
        self.query_one("#settings-heading", Static).update(heading)
        changes = self.query_one("#changes", Static)
        told = tell_changes(rules, _settings_of(options))
        changes.update(told)
        changes.display = bool(told)
        if (open_rules := self._open_rules) is not None:
            open_rules.show(rules, is_locked=not self._is_host)
        facts = self._facts.get(options.track)
        self.query_one("#map").display = facts is not None and options.season is None
        if facts is not None:
            self.query_one("#map", TrackPicture).show(facts)
        else:
            self._learn_track(options.track)

    def _show_season(self, season: m.SeasonOptions | None) -> None:
        values = season_values(season)
        for field, is_shown in shown_season_rows(season).items():
            row = self.query_one(f"#{field}", ChoiceRow)
            row.display = is_shown
            row.lock_to(not self._is_host)
            if field in values:
                row.show(values[field])

    # --- what the player does -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the host starts and fills places."""
        if action in ("start", "bot"):
            return self._is_host
        return True

    @on(ActionRow.Pressed)
    def _pressed(self, event: ActionRow.Pressed) -> None:
        match event.row.id:
            case "ready":
                self.action_ready()
            case "start":
                self.action_start()
            case "settings":
                self.action_rules()
            case _:
                self.action_back()

    @work(group="ask")
    async def _ask(self, message: m.Request, done: str = "") -> None:
        """Send a request, once all before it are answered, and show the answer in one sentence."""
        async with self._asking:
            try:
                await self._visit.link.request(message)
            except (RequestRefused, ConnectionLost) as error:
                self._show()
                self.say(error.text)
            else:
                self.say(done)

    def _change_options(self, change: Change) -> None:
        """Show a change of the settings at once, and send it."""
        self._changes.add(change)
        self._show()
        self._send_options(change)

    @work(group="ask")
    async def _send_options(self, change: Change) -> None:
        async with self._asking:
            room = self._room
            assert room is not None
            try:
                await self._visit.link.request(m.Configure(0, self._changes.applied(room, change)))
            except (RequestRefused, ConnectionLost) as error:
                self._changes.refused(change)
                self._show()
                self.say(error.text)
            else:
                self._changes.taken(change, self._room or room)
                self.say("")

    def say(self, text: str) -> None:
        """Answer where the player looks."""
        super().say(text)
        if (open_rules := self._open_rules) is not None and text:
            open_rules.say(text)

    @property
    def _open_rules(self) -> TableRulesScreen | None:
        """The list of settings, where it lies above the lobby."""
        above = (screen for screen in self.app.screen_stack if isinstance(screen, TableRulesScreen))
        return next((screen for screen in above if not screen.is_gone), None)

    def action_rules(self) -> None:
        """Show all settings of the rules; the host changes them."""
        if (room := self._room) is None:
            return

        def change(rules: Rules) -> None:
            self._change_options(partial(_with, rules=rules.preset, settings=changes_of(rules)))

        options = self._changes.applied(room)
        self.app.push_screen(
            TableRulesScreen(_rules_of(options), _settings_of(options), change, is_locked=not self._is_host)
        )

    def action_ready(self) -> None:
        """Say that one is ready, or not any more."""
        if (room := self._room) is not None:
            is_ready = not room.own.is_ready
            self._ask(
                m.TakeSeat(0, ready=is_ready), "You are ready." if is_ready else "You are not ready any more."
            )

    def action_start(self) -> None:
        """Begin the race."""
        self._ask(m.Start(0))

    def action_rename(self) -> None:
        """Ask for another name and take it."""

        def take(name: str | None) -> None:
            if name:
                self._ask(m.TakeSeat(0, name=name))

        room = self._room
        if room is not None:
            self.app.push_screen(AskScreen("Your name in this room:", room.own.name), take)

    def action_colour(self) -> None:
        """Take the next colour that no other person drives."""
        room = self._room
        if room is None:
            return
        own = room.own.colour or "red"
        taken = {place.colour for place in room.places if place.kind == "human"}
        around: list[Colour] = [*COLOURS[COLOURS.index(own) :], *COLOURS]
        free = next((colour for colour in around if colour not in taken), None)
        if free is None:
            self.say("All eight colours are taken.")
        else:
            self._ask(m.TakeSeat(0, colour=free))

    def action_bot(self, kind: str) -> None:
        """Fill the chosen place or clear it; where a person sits, fill the first free one instead."""
        room, chosen = self._room, self.query_one("#places", OptionList).highlighted
        if room is None or chosen is None:
            return
        if kind and room.places[chosen].kind == "human":
            free = [number for number, place in enumerate(room.places) if place.kind is None]
            if not free:
                self.say("All places are taken.")
                return
            chosen = free[0]
        bot: m.BotKind | None = None
        if kind == "legend":
            bot = cast(m.BotKind, f"legend:{room.options.level}")
        elif kind:
            bot = "steady"
        self._ask(m.PlaceBot(0, chosen, bot))

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Tell the server what the host has changed."""
        if self._room is None or event.row.id is None:
            return
        if event.row.id == "garage":
            garage, expansion = cast(Garage, event.value)
            change: Change = partial(_with, garage=garage, expansion=expansion)
        elif is_of_season(event.row.id):
            change = partial(_with_season, row=event.row.id, value=event.value)
        elif event.row.id == "rules":
            change = partial(_with, rules=event.value, settings={})
        else:
            change = partial(_with, **{event.row.id: event.value})
        self._change_options(change)

    def action_back(self) -> None:
        """Leave the room and go Home."""
        self._is_leaving = True
        self._leave()

    @work(group="leave", exclusive=True)
    async def _leave(self) -> None:
        await self._heat_app.leave_visit(self._visit)
        self._heat_app.go_home()


def _rules_of(options: m.RoomOptions) -> Rules:
    """Make rules of a room's options; a server that names settings which are none does not end the client."""
    try:
        return make_rules(options.rules, options.settings)
    except BadSetting:
        return PRESETS[options.rules]


def _settings_of(options: m.RoomOptions) -> Sequence[Setting]:
    """List the settings that mean something in a room's race or championship."""
    return RACE_SETTINGS if options.season is None else SETTINGS


def _with(options: m.RoomOptions, **values: object) -> m.RoomOptions:
    return _fitting(msgspec.structs.replace(options, **values))


def _with_season(options: m.RoomOptions, row: str, value: object) -> m.RoomOptions:
    if options.season is None and row != "season":
        return options  # the championship that the row belonged to was refused
    return _with(options, season=changed_season(options.season, row, value))


def _fitting(options: m.RoomOptions) -> m.RoomOptions:
    """Take back as many places and Legends as the rules no longer have room for."""
    cars = min(options.cars, _rules_of(options).most_cars)
    return msgspec.structs.replace(options, cars=cars, legends=min(options.legends, cars - 1))


def _turn_choices(wanted: int | None, present: int) -> list[tuple[int | None, str]]:
    """List turn times: the server's own, usual ones, and whatever is set."""
    usual = f"{present / 1000:g} s (usual)" if wanted is None else "the server's usual"
    choices: list[tuple[int | None, str]] = [(None, usual)]
    choices += [(seconds * 1000, _time(seconds)) for seconds in _TURN_SECONDS]
    if wanted is not None and wanted not in {value for value, _ in choices}:
        choices.append((wanted, f"{wanted / 1000:g} s"))
    return choices


def _time(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
