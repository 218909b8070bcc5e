"""The lobby of a room: who is there, the settings, and the invitation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from heat_core.options.table_options import change, settings_of, shown_rules, with_rules
from heat_core.race.presets import Rules
from heat_core.wire import messages as m
from heat_tui.client.company import WHOM_A_BAN_STOPS
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.first_race import first_race, first_track
from heat_tui.flow.lobby import LobbyController, Way, remove_question
from heat_tui.flow.option_changes import Change
from heat_tui.flow.room_rights import Action
from heat_tui.flow.room_rows import grid_cars, readiness
from heat_tui.keys.bindings import bound, keys_of
from heat_tui.screens.ask import AskScreen, ChooseScreen
from heat_tui.screens.chat_box import ChatScreen, chat_lines
from heat_tui.screens.lobby_lights import StartLights
from heat_tui.screens.lobby_options import SEASON_ROWS, OptionColumn
from heat_tui.screens.lobby_places import PlaceList
from heat_tui.screens.option_rows import option_row
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, MessageLine
from heat_tui.screens.stay_end import leave_ended
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.grid_picture import grid_picture
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import newest_rows

_RIGHTS: Final[Mapping[str, Action]] = {
    "ready": "ready",
    "start": "start",
    "rename": "rename",
    "colour": "colour",
    "bot": "fill",
    "lock": "lock",
    "kick": "remove",
}
"""What each of the screen's actions needs."""


class LobbyScreen(FormScreen):
    """Places at the left, settings at the right; a key that is not for this person says why."""

    BINDINGS = [
        bound("room.ready", "ready"),
        bound("room.start", "start"),
        bound("lobby.name", "rename", "Name"),
        bound("lobby.colour", "colour", "Car"),
        bound("lobby.bot", "bot('bot')", "+Bot"),
        bound("lobby.legend", "bot('legend')", "+Legend"),
        bound("lobby.clear", "bot('')", "Clear"),
        # The rows of these name their keys.
        bound("room.chat", "chat", show=False),
        bound("lobby.lock", "lock", show=False),
        bound("lobby.kick", "kick", show=False),
        bound("lobby.time", "more_time", show=False),
        bound("form.rules", "rules", "Rules", show=False),
        Binding("escape", "back", "Leave"),
    ]

    VERTICAL_BREAKPOINTS = [(0, "-low"), (50, "-tall")]

    def __init__(self, stay: ServerStay) -> None:
        """Show the room that a stay is in."""
        super().__init__()
        self._stay = stay
        self._is_leaving = False
        self._lobby = LobbyController(stay)

    def compose(self) -> ComposeResult:
        """Invitation, places, settings, answers, keys."""
        yield Static("Lobby", classes="title", id="title", markup=False)
        yield Static("", id="invitation", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(id="left"):
                yield Static("Places", classes="heading", id="places-heading")
                yield PlaceList()
                for option in SEASON_ROWS:
                    yield option_row(option, m.RoomOptions(), self._lobby.tracks)
                with Horizontal(classes="actions"):
                    yield ActionRow("Ready", id="ready")
                    yield ActionRow("Start", id="start")
                    yield ActionRow("Leave", id="leave")
                with Horizontal(classes="actions"):
                    yield ActionRow("Chat ({room.chat})", id="chat")
                    yield ActionRow("Lock ({lobby.lock})", id="lock")
                    yield ActionRow("Remove ({lobby.kick})", id="kick")
                yield StartLights(id="lights")
                yield TextPanel(id="grid")
                yield TextPanel(id="said")
            yield OptionColumn(self._lobby.facts, self._lobby.tracks)
        yield MessageLine(self._lobby.invitation_hint)
        yield KeyFooter(show_command_palette=False)

    def arrive(self) -> None:
        """Show the room and follow it."""
        self._show()
        self.set_focus(self.query_one("#places"))
        self._follow()
        self._learn_tracks()

    def on_screen_suspend(self) -> None:
        """A sentence about an earlier key would be taken for the answer to what is asked now."""
        super().say(self._lobby.invitation_hint)

    # --- what the server says -----------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        link = self._stay.link
        while not self._is_leaving and not self.is_gone:
            changes = link.changes
            if (way := self._lobby.way()) != "here":
                self._go(way)
                return
            if news := self._lobby.connection_news() or self._lobby.ready_news():
                self.say(news)
            self._show()
            await link.wait(changes)

    def _go(self, way: Way) -> None:
        match way:
            case "ended":
                leave_ended(self, self._stay)
            case "season":
                self._stay.race_session()  # its race is over: it says whether one can come back
                self.navigator.season_there(self._stay)
            case _:
                self.navigator.race_there(self._stay)

    @work(group="tracks")
    async def _learn_tracks(self) -> None:
        await self._lobby.learn_tracks()
        self._show()

    @work(group="track", exclusive=True)
    async def _learn_track(self, name: str) -> None:
        await self._lobby.learn_track(name)
        if name in self._lobby.facts:
            self._show()

    def _show(self) -> None:
        room = self._lobby.room
        if room is None or self.is_gone:
            return
        privacy = "private, " if room.is_private else ""
        title = f"Room {room.code}   {privacy}{self._stay.link.state}"
        self.query_one("#title", Static).update(Text(title))
        self.query_one("#invitation", Static).update(Text(f"To join: {room.invitation}"))
        self.query_one(PlaceList).show_rows(self._lobby.rows(), room.place or 0, is_host=self._lobby.is_host)
        lights = self.query_one(StartLights)
        lights.show_fitting(lambda: lights.show_readiness(readiness(self._lobby.rows())))
        self._show_options(room)
        grid = self.query_one("#grid", TextPanel)
        grid.show_fitting(partial(self._show_grid, grid))
        said = self.query_one("#said", TextPanel)
        said.show_fitting(partial(self._show_chat, said))
        ready = self.query_one("#ready", ActionRow)
        ready.label = "Not ready" if room.own.is_ready else "Ready"
        ready.refresh(layout=True)
        ready.display = room.place is not None
        for row in ("start", "lock", "kick"):
            self.query_one(f"#{row}").display = self._lobby.is_host
        heading = "Places ({lobby.time}: more time for a driver)" if self._lobby.is_host else "Places"
        self.query_one("#places-heading", Static).update(keys_of(self).fill(heading))
        self.refresh_bindings()

    def _show_grid(self, grid: TextPanel) -> None:
        """Show the cars that will start, where there is room for them."""
        if (width := grid.size.width) and grid.has_pictures:
            told = Text("Starting places are drawn when the race starts.", "dim")
            grid.show_lines([*grid_picture(grid_cars(self._lobby.rows()), width), told])

    def _show_chat(self, said: TextPanel) -> None:
        """Show the last lines of the chat in the room that is left; the newest must be among them."""
        chat = self._lobby.company.chat
        width, height = said.size
        if width < 2 or height < 1:
            return
        said.show_lines(newest_rows(chat_lines(chat.lines), width, height, self.app.console))
        chat.read()

    def _show_options(self, room: m.LobbyView) -> None:
        options, is_host = self._lobby.options, self._lobby.is_host
        race = first_race(options, self._lobby.facts)
        self.query_one(OptionColumn).show_options(
            options,
            turn_milliseconds=room.turn_milliseconds,
            labels=self._lobby.track_labels,
            race=race,
            is_host=is_host,
        )
        if (open_rules := self._open_rules) is not None:
            open_rules.show(shown_rules(options), is_locked=not is_host)
        if race is None:
            self._learn_track(first_track(options)[0])

    # --- what the player does -----------------------------------------------------------------------------

    def why_not(self, action: str) -> str:
        """Some keys are the host's, some are for drivers."""
        return self._lobby.why_not(_RIGHTS[action]) if action in _RIGHTS else ""

    @work(group="ask")
    async def _do(self, action: Callable[[], Awaitable[str]], done: str = "") -> None:
        """Do something, and show in one sentence why not, or what is so now."""
        refusal = await action()
        if refusal:
            self._show()
        self.say(refusal or done)

    def _change_options(self, change: Change) -> None:
        """Show a change of the settings at once, and send it."""
        refusal = self._lobby.propose(change)
        self._show()
        if refusal:
            self.say(refusal)
        else:
            self._do(partial(self._lobby.send, change))

    def say(self, text: str, *, names_keys: bool = False) -> None:
        """Answer where the player looks."""
        super().say(text, names_keys=names_keys)
        if (open_rules := self._open_rules) is not None and text:
            open_rules.say(text, names_keys=names_keys)

    @property
    def _open_rules(self) -> TableRulesScreen | None:
        """The list of settings, where it lies above the lobby."""
        above = (screen for screen in self.app.screen_stack if isinstance(screen, TableRulesScreen))
        return next((screen for screen in above if not screen.is_gone), None)

    @on(ActionRow.Pressed, "#settings")
    def action_rules(self) -> None:
        """Show all settings of the rules; the host changes them."""

        def take(rules: Rules) -> None:
            self._change_options(partial(with_rules, rules=rules))

        options, is_locked = self._lobby.options, not self._lobby.is_host
        race = first_race(options, self._lobby.facts)
        self.app.push_screen(
            TableRulesScreen(shown_rules(options), settings_of(options), take, race, is_locked=is_locked)
        )

    @on(ActionRow.Pressed, "#ready")
    def action_ready(self) -> None:
        """Say that one is ready, or not any more."""
        if (room := self._lobby.room) is not None:
            is_ready = not room.own.is_ready
            done = "You are ready." if is_ready else "You are no longer ready."
            self._do(partial(self._lobby.set_ready, is_ready), done)

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Begin the race."""
        self._do(self._lobby.start)

    def action_to_settings(self) -> None:
        """Go to the first row at the right that has something to choose."""
        rows = self.query_one(OptionColumn).query(Widget)
        self.set_focus(next((row for row in rows if row.focusable), None))

    def action_rename(self) -> None:
        """Ask for another name and take it."""

        def take(name: str | None) -> None:
            if name:
                self._do(partial(self._lobby.rename, name))

        if (room := self._lobby.room) is not None:
            self.app.push_screen(AskScreen("Your name in this room:", room.own.name), take)

    def action_colour(self) -> None:
        """Take the next colour that no other person drives."""
        self._do(self._lobby.take_next_colour)

    def action_bot(self, kind: str) -> None:
        """Fill the chosen place or clear it; where a person sits, fill the first free one instead."""
        row = self.query_one(PlaceList).chosen
        place = row.place if row is not None else None
        match kind:
            case "legend":
                self._do(partial(self._lobby.add_legend, place=place))
            case "bot":
                self._do(partial(self._lobby.add_bot, place=place))
            case _:
                self._do(partial(self._lobby.clear, place))

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Change the option of a row."""
        self._change_options(partial(change, field=str(event.row.id), value=event.value))

    @on(ActionRow.Pressed, "#chat")
    def action_chat(self) -> None:
        """Show the chat, to read and to write."""
        self.app.push_screen(ChatScreen(self._lobby.company))

    @on(ActionRow.Pressed, "#lock")
    def action_lock(self) -> None:
        """Ask for a password and set it, or take it away."""

        def take(password: str | None) -> None:
            if password is not None:
                told = "The room is private now. Tell your friends the password."
                done = told if password else "Anybody can join now."
                self._do(partial(self._lobby.lock, password), done)

        self.app.push_screen(AskScreen("Password for the room (leave empty to let anybody join):"), take)

    @on(ActionRow.Pressed, "#kick")
    def action_kick(self) -> None:
        """Ask, then remove the chosen person or spectator."""
        row = self.query_one(PlaceList).chosen
        refusal = self._lobby.why_not_remove(row)
        if refusal or row is None:
            to_clear = "" if row is None or not row.driver else " To remove a bot, press {lobby.clear}."
            self.say(refusal + to_clear, names_keys=True)
            return
        name = row.name

        def answered(key: str | None) -> None:
            if key is not None:
                remove = partial(self._lobby.remove, name, is_banned=key == "b")
                self._do(remove, f"{name} has been removed.")

        question = f"{remove_question(name)} {WHOM_A_BAN_STOPS}"
        answers = [("y", "remove"), ("b", "remove and ban")]
        self.app.push_screen(ChooseScreen(question, answers), answered)

    def action_more_time(self) -> None:
        """Give the chosen driver more time for each decision."""
        self._do(partial(self._lobby.give_more_time, self.query_one(PlaceList).chosen))

    @on(ActionRow.Pressed, "#leave")
    def action_back(self) -> None:
        """Leave the room and go Home."""
        self._is_leaving = True
        self._leave()

    @work(group="leave", exclusive=True)
    async def _leave(self) -> None:
        await self.navigator.stays.leave(self._stay)
        self.navigator.go_home()
