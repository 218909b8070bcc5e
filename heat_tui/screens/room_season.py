"""A server's championship between its races, and at its end: the table, who is ready, the way on."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from heat_core.text import counted
from heat_core.wire import messages as m
from heat_tui.client.company import Company
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.keys.bindings import bound
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.rows import ActionRow, FormScreen, MessageLine
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.season_table import season_page, season_title

_STAND_IN: Final = "steady"


class RoomSeasonScreen(FormScreen):
    """The season as the server tells it; the host starts the next race."""

    BINDINGS = [
        bound("room.ready", "ready"),
        bound("room.start", "start"),
        bound("room.bots", "bot"),
        bound("room.rematch", "rematch"),
        bound("room.chat", "chat"),
        Binding("pagedown", "scroll(10)", "Scroll", key_display="PgDn"),
        Binding("pageup", "scroll(-10)", "Up", show=False),
        Binding("escape", "back", "Home"),
    ]

    def __init__(self, stay: ServerStay) -> None:
        """Show a room's season.

        Args:
            visit: In a room with a championship.
        """
        super().__init__()
        self._stay = stay
        self._is_leaving = False
        self._company = Company(stay.link)

    @property
    def _room(self) -> m.LobbyView | None:
        return self._stay.link.room

    @property
    def _is_between(self) -> bool:
        return self._room is not None and self._room.phase == "between"

    @property
    def _is_host(self) -> bool:
        return self._room is not None and self._room.place == self._room.host

    @property
    def _may_be_ready(self) -> bool:
        return self._is_between and not self._is_host and not self._company.is_watching

    def compose(self) -> ComposeResult:
        """Table and words, who is ready, the way on."""
        yield Static(id="title", classes="title", markup=False)
        with VerticalScroll(id="form", can_focus=False):
            yield Static(id="told")
            yield Static(id="drivers")
            with Horizontal(id="actions"):
                yield ActionRow("Ready", id="ready")
                yield ActionRow("Start the next race", id="start")
                yield ActionRow("Home", id="home")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Show the season and follow the room."""
        self._show()
        self._follow()

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        link, app, is_kept = self._stay.link, self.navigator, False
        while not (self.is_gone or self._is_leaving):
            changes = link.changes
            if link.ended is not None:
                app.end_stay(self._stay)
                app.go_home(link.ended)
                return
            if self._company.is_in_lobby:
                app.enter_lobby(self._stay)
                return
            race = link.race
            is_next = race is not None and self._room is not None and self._room.phase == "racing"
            if is_next and race is not None and race.update is not None:
                app.race_there(self._stay)
                return
            self._show()
            if self._company.chat.unread:
                new = counted(self._company.chat.unread, "new line")
                self.say(f"{new} in the chat: {{room.chat}} shows it.", names_keys=True)
            if not is_kept and link.season is not None and link.season.view.end is not None:
                is_kept = True
                await app.keep_records(await link.records())
                continue
            await link.wait(changes)

    def _show(self) -> None:
        season, room = self._stay.link.season, self._room
        if season is None or room is None or self.is_gone:
            return
        self.query_one("#title", Static).update(season_title(season.setup, season.view))
        own = [] if room.place is None else [n for n, place in enumerate(season.cars) if place == room.place]
        told = season_page(season.setup, season.view, own)
        self.query_one("#told", Static).update(inked(told, self.app.current_theme))
        self.query_one("#drivers", Static).update(self._drivers_text(room))
        self.query_one("#ready", ActionRow).display = self._may_be_ready
        self.query_one("#start", ActionRow).display = self._is_between and self._is_host
        self.refresh_bindings()

    def _drivers_text(self, room: m.LobbyView) -> Text:
        text = Text()
        if not self._is_between:
            return text
        for number, place in enumerate(room.places):
            if place.kind != "human":
                continue
            text.append(f"{place.name}: ", "bold")
            if place.has_stand_in:
                text.append("a bot drives" + (", until the next race\n" if place.is_connected else "\n"))
            elif not place.is_connected:
                text.append("away\n")
            elif number == room.host:
                text.append("the host, who starts the next race\n")
            else:
                text.append("ready\n" if place.is_ready else "not ready yet\n")
        return text

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the host starts races and seats bots, and only between two races."""
        if action == "ready":
            return self._may_be_ready
        if action == "rematch":
            return self._company.may_rematch
        return self._is_between and self._is_host if action in ("start", "bot") else True

    @work(group="ask")
    async def _ask(self, *messages: m.Request) -> None:
        try:
            for message in messages:
                await self._stay.link.request(message)
        except (RequestRefused, ConnectionLost) as error:
            self.say(error.text)
        else:
            self.say("")

    @on(ActionRow.Pressed, "#ready")
    def action_ready(self) -> None:
        """Say that one is ready, or not any more."""
        if (room := self._room) is not None:
            self._ask(m.TakeSeat(0, ready=not room.own.is_ready))

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Begin the next race."""
        self._ask(m.Start(0))

    def action_rematch(self) -> None:
        """Lead all back into the lobby, after the last race."""
        self._ask(m.Rematch(0))

    def action_chat(self) -> None:
        """Show the chat."""
        self.app.push_screen(ChatScreen(self._company))

    def action_bot(self) -> None:
        """Let bots drive the seats of those who are away."""
        if (room := self._room) is None:
            return
        away = [n for n, place in enumerate(room.places) if _is_away(place)]
        if away:
            self._ask(*(m.PlaceBot(0, number, _STAND_IN) for number in away))
        else:
            self.say("Nobody is away.")

    @on(ActionRow.Pressed, "#home")
    def action_back(self) -> None:
        """Go Home; the seat can be rejoined until the championship is over."""
        self._is_leaving = True
        self._go()

    @work(group="leave", exclusive=True)
    async def _go(self) -> None:
        app = self.navigator
        await app.close_stay(self._stay)
        app.go_home()

    def action_scroll(self, lines: int) -> None:
        """Scroll the page."""
        self.query_one("#form", VerticalScroll).scroll_relative(y=lines, animate=False)


def _is_away(place: m.PlaceState) -> bool:
    return place.kind == "human" and not place.is_connected and not place.has_stand_in
