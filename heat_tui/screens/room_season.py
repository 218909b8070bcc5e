"""A championship on a server between its races and at its end: standings, who is ready, the next race."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from heat_core.text import counted
from heat_core.wire import messages as m
from heat_tui.client.records import records_of
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.lobby import LobbyController
from heat_tui.flow.room_rights import Action
from heat_tui.flow.season import room_page
from heat_tui.keys.bindings import bound
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.circuit_row import CircuitRow
from heat_tui.screens.rows import ActionRow, FormScreen, MessageLine
from heat_tui.screens.season_board import SeasonColumns
from heat_tui.screens.stay_end import leave_ended
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.season_table import season_title

_RIGHTS: Final[Mapping[str, Action]] = {
    "ready": "ready",
    "start": "start",
    "bot": "stand_in",
    "rematch": "rematch",
}
"""What each of the screen's actions needs."""


class RoomSeasonScreen(FormScreen):
    """The championship as the server sends it; the host starts the next race."""

    BINDINGS = [
        bound("room.ready", "ready"),
        bound("room.start", "start"),
        bound("room.bots", "bot"),
        bound("room.rematch", "rematch"),
        bound("room.chat", "chat"),
        Binding("down,right", "app.focus_next", "Row", show=False),
        Binding("left", "app.focus_previous", "Row before", show=False),
        Binding("pagedown", "scroll(10)", "Scroll", key_display="PgDn"),
        Binding("pageup", "scroll(-10)", "Up", show=False),
        Binding("escape", "back", "Home"),
    ]
    SCROLLED = "#form"

    def __init__(self, stay: ServerStay) -> None:
        """Show the championship of the room that a stay is in."""
        super().__init__()
        self._stay = stay
        self._is_leaving = False
        self._lobby = LobbyController(stay)

    def compose(self) -> ComposeResult:
        """Table and words, who is ready; below them the way on, however long they are."""
        yield Static(id="title", classes="title", markup=False)
        with SeasonColumns(), Vertical():
            with VerticalScroll(id="form", can_focus=False):
                yield Static(id="told")
                yield Static(id="drivers")
                yield CircuitRow(id="circuits")
            with Horizontal(id="actions"):
                yield ActionRow("Ready", id="ready")
                yield ActionRow("Start the next race", id="start")
                yield ActionRow("Home", id="home")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Show the season and follow the room, at the first row that there is for this person."""
        self._show()
        self.set_focus(next(row for row in self.query(ActionRow) if row.display), scroll_visible=False)
        self._follow()

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        link, is_kept = self._stay.link, False
        while not (self.is_gone or self._is_leaving):
            changes = link.changes
            if self._has_gone():
                return
            self._show()
            if news := self._lobby.ready_news():
                self.say(news)
            if unread := self._lobby.company.chat.unread:
                new = counted(unread, "new line")
                self.say(f"{new} in the chat: {{room.chat}} shows it.", names_keys=True)
            if not is_kept and link.season is not None and link.season.view.end is not None:
                is_kept = True
                own = () if self._lobby.room is None else room_page(link.season, self._lobby.room.place).own
                await self.navigator.keep_races(await records_of(link), own)
                continue
            await link.wait(changes)

    def _has_gone(self) -> bool:
        """Go where the room leads, unless that is here."""
        app, way = self.navigator, self._lobby.way()
        if way == "ended":
            leave_ended(self, self._stay)
        elif self._lobby.company.is_in_lobby:
            app.enter_lobby(self._stay)
        elif way == "race":
            app.race_there(self._stay)
        else:
            return False
        return True

    def _show(self) -> None:
        season, room = self._stay.link.season, self._lobby.room
        if season is None or room is None or self.is_gone:
            return
        page = room_page(season, room.place)
        self.query_one("#title", Static).update(season_title(page.setup, page.view))
        self.query_one(SeasonColumns).show_page(page)
        self.query_one("#drivers", Static).update(_drivers_text(room))
        ready = self.query_one("#ready", ActionRow)
        ready.display = not self.why_not("ready")
        ready.label = "Not ready" if room.own.is_ready else "Ready"
        ready.refresh(layout=True)
        self.query_one("#start", ActionRow).display = not self.why_not("start")
        if self.focused is None or not self.focused.display:
            shown = (row for row in self.query(ActionRow) if row.display)
            self.set_focus(next(shown), scroll_visible=False)
        self.refresh_bindings()

    def on_resize(self) -> None:
        """Show the circuit where there is room for it."""
        self._show()

    def why_not(self, action: str) -> str:
        """Some keys are the host's, some are for drivers, some for after the last race."""
        if action == "ready" and self._lobby.is_host:
            return "Nobody waits for the host to be ready: start the next race instead."
        return self._lobby.why_not(_RIGHTS[action]) if action in _RIGHTS else ""

    @work(group="ask")
    async def _do(self, action: Callable[[], Awaitable[str]]) -> None:
        """Do something, and say why not."""
        self.say(await action())

    @on(ActionRow.Pressed, "#ready")
    def action_ready(self) -> None:
        """Say that one is ready, or not any more."""
        if (room := self._lobby.room) is not None:
            self._do(partial(self._lobby.set_ready, not room.own.is_ready))

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Begin the next race."""
        self._do(self._lobby.start)

    def action_rematch(self) -> None:
        """Take everybody back to the lobby, after the last race."""
        self._do(self._lobby.rematch)

    def action_chat(self) -> None:
        """Show the chat."""
        self.app.push_screen(ChatScreen(self._lobby.company))

    def action_bot(self) -> None:
        """Let bots drive for those who are away."""
        self._do(self._lobby.let_bots_stand_in)

    @on(ActionRow.Pressed, "#home")
    def action_back(self) -> None:
        """Go Home; the seat can be rejoined until the championship is over."""
        self._is_leaving = True
        self._go()

    @work(group="leave", exclusive=True)
    async def _go(self) -> None:
        app = self.navigator
        await app.stays.close(self._stay)
        app.go_home()


def _drivers_text(room: m.LobbyView) -> Text:
    """Say who is there between two races, and whom the next one waits for."""
    text = Text()
    if room.phase != "between":
        return text
    for number, place in enumerate(room.places):
        if place.kind != "human":
            continue
        if place.has_stand_in:
            state = "a bot drives" + (", until the next race" if place.is_connected else "")
        elif not place.is_connected:
            state = "away"
        elif number == room.host:
            state = "the host, who starts the next race"
        else:
            state = "ready" if place.is_ready else "not ready yet"
        text.append(f"{place.name}: ", "bold")
        text.append(f"{state}\n")
    return text
