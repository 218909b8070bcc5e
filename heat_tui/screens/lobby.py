"""The waiting room: who is there, what will be raced, and the line to pass on."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Final, cast

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from heat_core.files import box_tracks
from heat_core.options.table_options import change, settings_of, shown_rules, with_rules
from heat_core.race.presets import Rules
from heat_core.race.setup import COLOURS, Colour
from heat_core.wire import messages as m
from heat_tui.client.company import WHOM_A_BAN_STOPS, Company
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.option_changes import Change, OptionChanges
from heat_tui.keys.bindings import bound
from heat_tui.screens.ask import AskScreen, ChooseScreen
from heat_tui.screens.chat_box import ChatScreen, chat_lines
from heat_tui.screens.lobby_options import SEASON_ROWS, OptionColumn
from heat_tui.screens.lobby_places import PlaceList
from heat_tui.screens.option_rows import option_row
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, MessageLine
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import newest_rows, track_labels

_FOR_THE_HOST: Final = frozenset({"start", "bot", "lock", "kick"})
_FOR_DRIVERS: Final = frozenset({"ready", "rename", "colour"})


class LobbyScreen(FormScreen):
    """Places at the left, settings at the right; the host's keys are dead for everyone else."""

    BINDINGS = [
        bound("room.ready", "ready"),
        bound("room.start", "start"),
        bound("lobby.name", "rename", "Name"),
        bound("lobby.colour", "colour", "Car"),
        bound("lobby.bot", "bot('steady')", "+Bot"),
        bound("lobby.legend", "bot('legend')", "+Legend"),
        bound("lobby.clear", "bot('')", "Clear"),
        # The rows of these name their keys.
        bound("room.chat", "chat", show=False),
        bound("lobby.lock", "lock", show=False),
        bound("lobby.kick", "kick", show=False),
        bound("form.rules", "rules", "Rules", show=False),
        Binding("escape", "back", "Leave"),
    ]

    def __init__(self, stay: ServerStay) -> None:
        """Show a room.

        Args:
            visit: In a room.
        """
        super().__init__()
        self._stay = stay
        self._is_leaving = False
        self._changes = OptionChanges()
        self._asking = asyncio.Lock()
        self._company = Company(stay.link)
        self._facts = {track.name: track.facts for track in box_tracks() if track.facts is not None}
        self._names = {name: facts.name for name, facts in self._facts.items()}

    @property
    def _room(self) -> m.LobbyView | None:
        return self._stay.link.room

    @property
    def _is_host(self) -> bool:
        return self._room is not None and self._room.place == self._room.host

    def compose(self) -> ComposeResult:
        """Invitation, places, settings, answers, keys."""
        yield Static("Lobby", classes="title", id="title", markup=False)
        yield Static("", id="invitation", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(id="left"):
                yield Static("Places", classes="heading")
                yield PlaceList()
                for option in SEASON_ROWS:
                    yield option_row(option, m.RoomOptions(), self._names)
                with Horizontal(classes="actions"):
                    yield ActionRow("Ready", id="ready")
                    yield ActionRow("Start", id="start")
                    yield ActionRow("Leave", id="leave")
                with Horizontal(classes="actions"):
                    yield ActionRow("Chat ({room.chat})", id="chat")
                    yield ActionRow("Lock ({lobby.lock})", id="lock")
                    yield ActionRow("Remove ({lobby.kick})", id="kick")
                yield TextPanel(id="said")
            yield OptionColumn(self._facts, self._names)
        yield MessageLine(self._hint())
        yield KeyFooter(show_command_palette=False)

    def _hint(self) -> str:
        """Say what to do with the line that joins; a loopback address is of no use elsewhere."""
        invitation = self._room.invitation if self._room is not None else ""
        if "127.0.0.1" in invitation or "localhost" in invitation or "[::1]" in invitation:
            return "On other machines, replace the address above with this machine's own."
        return "Your friends type the line above to join."

    def arrive(self) -> None:
        """Show the room and follow it."""
        self._show()
        self.set_focus(self.query_one("#places"))
        self._follow()
        self._learn_tracks()

    def on_screen_suspend(self) -> None:
        """A sentence about an earlier key would be taken for the answer to what is asked now."""
        super().say(self._hint())

    # --- what the server says -----------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        link = self._stay.link
        state = link.state
        while not self._is_leaving and not self.is_gone:
            changes = link.changes
            if link.ended is not None:
                self.navigator.end_stay(self._stay)
                self.navigator.go_home(link.ended)
                return
            if RemoteSession.is_ready(link):
                if link.season is not None and self._room is not None and self._room.phase != "racing":
                    self._stay.race_session()  # its race is over: it says whether one can come back
                    self.navigator.season_there(self._stay)
                else:
                    self.navigator.race_there(self._stay)
                return
            if link.state != state:
                state = link.state
                self.say(
                    "Connected again."
                    if state == "connected"
                    else "The connection was lost; trying again ..."
                )
            self._show()
            await link.wait(changes)

    @work(group="tracks")
    async def _learn_tracks(self) -> None:
        """Ask the server what it has besides the tracks of the box."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then the box must do
            self._names |= {track.id: track.name for track in await self._stay.tracks()}
            self._show()

    @work(group="track", exclusive=True)
    async def _learn_track(self, name: str) -> None:
        """Ask the server for a track that is not in the box, to draw it."""
        with contextlib.suppress(RequestRefused, ConnectionLost):  # then there is no picture
            if (facts := await self._stay.track(name)) is not None:
                self._facts[name] = facts
                self._show()

    def _show(self) -> None:
        room = self._room
        if room is None or self.is_gone:
            return
        privacy = "private, " if room.is_private else ""
        title = f"Room {room.code}   {privacy}{self._stay.link.state}"
        self.query_one("#title", Static).update(Text(title))
        self.query_one("#invitation", Static).update(Text(f"To join: {room.invitation}"))
        self.query_one(PlaceList).show_room(room)
        self._show_options(room)
        said = self.query_one("#said", TextPanel)
        said.show_fitting(partial(self._show_chat, said))
        ready = self.query_one("#ready", ActionRow)
        ready.label = "Not ready" if room.own.is_ready else "Ready"
        ready.refresh(layout=True)
        ready.display = room.place is not None
        for row in ("start", "lock", "kick"):
            self.query_one(f"#{row}").display = self._is_host
        self.refresh_bindings()

    def _show_chat(self, said: TextPanel) -> None:
        """Show the last lines of the chat in the room that is left; the newest must be among them."""
        width, height = said.size
        if width < 2 or height < 1:
            return
        said.show_lines(newest_rows(chat_lines(self._company.chat.lines), width, height, self.app.console))
        self._company.chat.read()

    def _show_options(self, room: m.LobbyView) -> None:
        options = self._changes.applied(room)
        known = (options.track, *(options.season.tracks if options.season else ()))
        labels = track_labels(list(({track: track for track in known} | self._names).items()))
        facts = self._facts.get(options.track)
        self.query_one(OptionColumn).show_options(
            options,
            turn_milliseconds=room.turn_milliseconds,
            labels=labels,
            facts=facts,
            is_host=self._is_host,
        )
        if (open_rules := self._open_rules) is not None:
            open_rules.show(shown_rules(options), is_locked=not self._is_host)
        if facts is None:
            self._learn_track(options.track)

    # --- what the player does -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the host fills places and removes people; spectators have no place to be ready at."""
        if action in _FOR_THE_HOST:
            return self._is_host
        return action not in _FOR_DRIVERS or (self._room is not None and self._room.place is not None)

    @on(ActionRow.Pressed)
    def _pressed(self, event: ActionRow.Pressed) -> None:
        match event.row.id:
            case "ready":
                self.action_ready()
            case "start":
                self.action_start()
            case "settings":
                self.action_rules()
            case "chat":
                self.action_chat()
            case "lock":
                self.action_lock()
            case "kick":
                self.action_kick()
            case _:
                self.action_back()

    @work(group="ask")
    async def _ask(self, message: m.Request, done: str = "") -> None:
        """Send a request, once all before it are answered, and show the answer in one sentence."""
        async with self._asking:
            try:
                await self._stay.link.request(message)
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
                await self._stay.link.request(m.Configure(0, self._changes.applied(room, change)))
            except (RequestRefused, ConnectionLost) as error:
                self._changes.refused(change)
                self._show()
                self.say(error.text)
            else:
                self._changes.taken(change, self._room or room)
                self.say("")

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

    def action_rules(self) -> None:
        """Show all settings of the rules; the host changes them."""
        if (room := self._room) is None:
            return

        def take(rules: Rules) -> None:
            self._change_options(partial(with_rules, rules=rules))

        options = self._changes.applied(room)
        self.app.push_screen(
            TableRulesScreen(shown_rules(options), settings_of(options), take, is_locked=not self._is_host)
        )

    def action_ready(self) -> None:
        """Say that one is ready, or not any more."""
        if (room := self._room) is not None:
            is_ready = not room.own.is_ready
            self._ask(
                m.TakeSeat(0, ready=is_ready), "You are ready." if is_ready else "You are no longer ready."
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
        room = self._room
        if room is None:
            return
        chosen = self.query_one(PlaceList).chosen_place(room)
        if kind and (chosen is None or room.places[chosen].kind == "human"):
            free = [number for number, place in enumerate(room.places) if place.kind is None]
            if not free:
                self.say("All places are taken.")
                return
            chosen = free[0]
        if chosen is None:
            return
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
        self._change_options(partial(change, field=event.row.id, value=event.value))

    def action_chat(self) -> None:
        """Show the chat, to read and to write."""
        self.app.push_screen(ChatScreen(self._company))

    def action_lock(self) -> None:
        """Ask for a password and set it, or take it away."""

        def take(password: str | None) -> None:
            if password is None:
                return
            done = (
                "The room is private now. Tell your friends the password."
                if password
                else "Anybody can join now."
            )
            self._ask(m.Lock(0, password or None), done)

        self.app.push_screen(AskScreen("Password for the room (leave empty to let anybody join):"), take)

    def action_kick(self) -> None:
        """Ask, then remove the chosen person or spectator."""
        room = self._room
        name = self.query_one(PlaceList).chosen_person(room) if room is not None else None
        if room is None or name is None:
            self.say(
                "Choose a person in the list first. To remove a bot, press {lobby.clear}.", names_keys=True
            )
            return
        if name == room.own.name:
            self.say("You cannot remove yourself. Press Escape to leave the room.")
            return

        def answered(key: str | None) -> None:
            if key is not None:
                self._ask(m.Kick(0, name, key == "b"), f"{name} has been removed.")

        question = f"Remove {name} from the room? {WHOM_A_BAN_STOPS}"
        answers = [("y", "remove"), ("b", "remove and ban")]
        self.app.push_screen(ChooseScreen(question, answers), answered)

    def action_back(self) -> None:
        """Leave the room and go Home."""
        self._is_leaving = True
        self._leave()

    @work(group="leave", exclusive=True)
    async def _leave(self) -> None:
        await self.navigator.leave_stay(self._stay)
        self.navigator.go_home()
