"""Joining a race on a server: address, list of rooms, code, or a new room."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec
from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from heat_core.names import BadName, clean_name
from heat_core.race.setup import COLOURS
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.joining import Entrance, JoinController, Player, RoomLine
from heat_tui.keys.bindings import bound
from heat_tui.nearby import NearbyServer, NoNetwork, watch_nearby
from heat_tui.screens.join_lines import (
    ROOMS_HEADING,
    SERVERS_HEADING,
    describe_room,
    describe_server,
    room_notes,
)
from heat_tui.screens.join_questions import JoinQuestions
from heat_tui.screens.new_race import TrackList
from heat_tui.screens.rows import (
    ActionRow,
    ChoiceRow,
    FormScreen,
    MessageLine,
    TextRow,
    is_ascii,
    swatch,
)
from heat_tui.screens.server_list import ServerOption, list_servers
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.widgets.footer import KeyFooter

if TYPE_CHECKING:
    from heat_core.wire.address import Address


_TYPE_ADDRESS: Final = "Type the address of a server and press Enter."


class JoinScreen(FormScreen):
    """Connect, then choose a room; Enter does the next thing in every row."""

    BINDINGS = [
        bound("join.refresh", "refresh"),
        bound("join.create", "create"),
        bound("join.watch", "watch"),
    ]

    def __init__(
        self,
        stay: ServerStay | None = None,
        *,
        code: str = "",
        news: str = "",
        entrance: Entrance | None = None,
    ) -> None:
        """Make the form.

        Args:
            stay: A connection made already; None: the address is asked for.
            code: A room's code, to begin with.
            news: One sentence to begin with.
            entrance: Go on into that room once connected, and ask what there is to ask; None: wait.
        """
        super().__init__()
        self._stay_given = stay
        self._code = code
        self._news = news or (stay.link.certificate_news if stay is not None else "")
        self._entrance = entrance
        self._is_entering = False
        self._rooms: list[RoomLine] = []

    @cached_property
    def _joining(self) -> JoinController:
        return JoinController(
            self.navigator.folders, JoinQuestions(self, self._show_connected), self._stay_given
        )

    @property
    def _only_server(self) -> Address | None:
        """The server of a guest, who types no address; None: any may be typed."""
        return self.navigator.folders.guest_of

    @property
    def _stay(self) -> ServerStay | None:
        return self._joining.stay

    def compose(self) -> ComposeResult:
        """Address and player above, rooms below, the chosen room's circuit beside them."""
        yield Static("Join a race on a server", classes="title")
        with Horizontal(classes="columns"):
            with Vertical(id="left"):
                yield from self._rows()
            yield TrackPicture(id="picture", classes="beside")
        yield MessageLine(self._news or (_TYPE_ADDRESS if self._only_server is None else ""))
        yield KeyFooter()

    def _rows(self) -> ComposeResult:
        app = self.navigator
        server = str(self._stay.link.address if self._stay else self._only_server or app.settings.server)
        with Vertical(id="form"):
            row = TextRow(
                "Server",
                server,
                id="server",
                placeholder=f"host, host:{DEFAULT_PORT} or tls://host",
                most=292,
            )
            row.display = self._only_server is None
            yield row
            yield TextRow("Your name", app.player_name, id="name")
            colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
            yield ChoiceRow("Your car", colours, app.settings.colour, id="colour")
            yield ActionRow("Connect", id="connect")
        with Vertical(id="near"):
            yield Static("Looking for servers nearby ...", classes="heading", id="nearby-heading")
            yield Static(f" {SERVERS_HEADING}", classes="columns-heading", id="nearby-columns")
            nearby = TrackList(id="nearby", markup=False)
            nearby.can_focus = False  # until there is one to choose
            yield nearby
        with Vertical(id="lower"):
            yield Static("Rooms", classes="heading", id="rooms-heading")
            yield Static(f" {ROOMS_HEADING}", classes="columns-heading", id="rooms-columns")
            yield TrackList(id="rooms", markup=False)
            yield TextRow("Code", self._code, id="code", placeholder="ask the host of the room", most=16)
            yield ActionRow("Open a new room", id="create")

    def arrive(self) -> None:
        """Begin where the first answer is missing."""
        self._show_connected()
        self.query_one("#nearby-columns").display = False
        self.query_one("#rooms-columns").display = False
        if self._stay is None:
            if self.navigator.nearby_on is not None:
                self._watch_nearby(self.navigator.nearby_on)
            if self._only_server is not None:
                self.set_focus(self.query_one("#connect"))
                self._connect()
            else:
                self.set_focus(self.query_one("#server"))
        else:
            self._begin_there()

    def _begin_there(self) -> None:
        """Go on at a server, once: into the room that was asked for, or back to a saved seat."""
        news, self._news = self._news, ""
        entrance, self._entrance = self._entrance, None
        self._list_rooms(says_how=not news and entrance is None)
        self.set_focus(self.query_one("#code"))
        if entrance is not None:
            self._enter(self._code, entrance)
        else:
            self._offer_seats()

    def _show_connected(self) -> None:
        self.query_one("#lower").disabled = self._stay is None
        shows_nearby = self._stay is None and self.navigator.nearby_on is not None
        self.query_one("#near").display = shows_nearby
        self.query_one("#lower").display = not shows_nearby
        self.refresh_bindings()

    def why_not(self, action: str) -> str:
        """Rooms can be looked at and opened once there is a connection."""
        if self._stay is not None or action not in ("refresh", "create", "watch"):
            return ""
        if self._only_server is not None:
            return "There is no connection: choose Connect to try again."
        return "Connect to a server first: type its address and press Enter."

    def action_back(self) -> None:
        """Hang up and go back."""
        if self._stay is not None:
            self.navigator.stays.end(self._stay)
        super().action_back()

    @on(Input.Submitted, "#server")
    @on(Input.Submitted, "#name")
    @on(ActionRow.Pressed, "#connect")
    def _connect_asked(self) -> None:
        self._connect()

    @on(OptionList.OptionSelected, "#nearby")
    def _server_chosen(self, event: OptionList.OptionSelected) -> None:
        assert isinstance(event.option, ServerOption)
        self.query_one("#server", Input).value = str(event.option.server.address)
        self._connect()

    @on(events.DescendantFocus, "#nearby")
    def _say_what_enter_does(self) -> None:
        self.say("Choose a server and press Enter.")

    @work(group="nearby")
    async def _watch_nearby(self, interfaces: Sequence[str]) -> None:
        try:
            await watch_nearby(self._show_nearby, interfaces)
        except NoNetwork:
            self.query_one("#nearby-heading", Static).update("No network, so no servers nearby")

    def _show_nearby(self, servers: Sequence[NearbyServer]) -> None:
        """List the servers, with one chosen, so that Enter in the list does something at once."""
        if self.is_gone:
            return
        is_plain = is_ascii(self)
        options = [ServerOption(server, describe_server(server, is_ascii=is_plain)) for server in servers]
        list_servers(self.query_one("#nearby", OptionList), options)
        self.query_one("#nearby-columns").display = bool(servers)
        heading = (
            "Servers nearby: choose one and press Enter" if servers else "Looking for servers nearby ..."
        )
        self.query_one("#nearby-heading", Static).update(heading)

    @on(Input.Submitted, "#code")
    def _code_typed(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._enter(event.value.strip())
        else:
            self.say(
                "Type the room's code, choose a room from the list, or open one with {join.create}.",
                names_keys=True,
            )

    @on(OptionList.OptionHighlighted, "#rooms")
    def _room_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show where the chosen room races."""
        room = next((room for room in self._rooms if room.code == event.option_id), None)
        if room is not None:
            self.query_one(TrackPicture).show(room.facts, room.laps, notes=room_notes(room))

    @on(OptionList.OptionSelected, "#rooms")
    def _room_chosen(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._enter(event.option_id)

    @on(ActionRow.Pressed, "#create")
    def action_create(self) -> None:
        """Open a room and go to its lobby."""
        self._enter(None)

    def action_watch(self) -> None:
        """Watch the room whose code is typed, else the one that is chosen."""
        rooms = self.query_one("#rooms", OptionList)
        code = self.query_one("#code", Input).value.strip()
        if (not code or rooms.has_focus) and rooms.highlighted is not None:
            code = rooms.get_option_at_index(rooms.highlighted).id or code
        if code:
            self._enter(code, "watch")
        else:
            self.say("To watch a room, choose it from the list or type its code.")

    def action_refresh(self) -> None:
        """Ask for the rooms again."""
        self._list_rooms()

    def _player(self) -> Player | None:
        """Give name and colour, or say what is wrong with the name."""
        try:
            name = clean_name(self.query_one("#name", Input).value)
        except BadName as error:
            self.say(str(error))
            self.set_focus(self.query_one("#name"))
            return None
        return Player(name, self.query_one("#colour", ChoiceRow).value)

    @work(exclusive=True, group="network")
    async def _connect(self) -> None:
        refusal = await self._joining.connect(self.query_one("#server", Input).value)
        if self._stay is not None:
            self.navigator.stays.keep(self._stay)
        if self.is_gone:
            return
        self._show_connected()
        if refusal:
            self.say(refusal)
            return
        if news := self._joining.here.link.certificate_news:
            self._news = news
            self.say(news)
        self._begin_there()

    @work(exclusive=True, group="network")
    async def _offer_seats(self) -> None:
        """Offer the seats at this server."""
        if await self._joining.go_back():
            self.navigator.enter_lobby(self._joining.here)

    @work(exclusive=True, group="list")
    async def _list_rooms(self, *, says_how: bool = True) -> None:
        """List the rooms of the server.

        Args:
            says_how: Say how to choose one; not where there is something else to read.
        """
        if self._stay is None:
            return
        try:
            rooms = await self._joining.rooms()
        except (RequestRefused, ConnectionLost) as error:
            self.say(error.text)
            if not self._rooms:
                self.query_one("#rooms-heading", Static).update("Rooms")  # not that there are none
            return
        if self.is_gone:
            return
        listed = self.query_one("#rooms", OptionList)
        listed.clear_options()
        self._rooms = rooms
        self.query_one("#rooms-columns").display = bool(rooms)
        self.query_one(TrackPicture).show(None, None)
        for room in rooms:
            listed.add_option(Option(describe_room(room, is_ascii=is_ascii(self)), id=room.code))
        where = "here" if self._only_server else f"at {self._stay.link.address}"
        heading = f"Rooms {where}" if rooms else "No rooms yet: open a new one"
        self.query_one("#rooms-heading", Static).update(Text(heading))
        free = [number for number, room in enumerate(rooms) if room.has_place]
        if rooms:
            listed.highlighted = free[0] if free else 0
        if says_how:
            choose = "Choose a room and press Enter ({join.watch} watches), type a code, or open one with "
            self.say((choose if rooms else "Open a room with ") + "{join.create}.", names_keys=True)
        if free and not self.query_one("#code", Input).value:
            self.set_focus(listed)

    @work(exclusive=True, group="network")
    async def _enter(self, code: str | None, entrance: Entrance = "join") -> None:
        """Join the room of a code or watch it, or with None open one."""
        player, app = self._player(), self.navigator
        if player is None or self._stay is None or self._is_entering:
            return
        self._is_entering = True
        name = app.settings.name if player.name == app.player_name else player.name  # only one that was typed
        app.change_settings(msgspec.structs.replace(app.settings, name=name, colour=player.colour))
        try:
            if code is None:
                await self._joining.create(player)
            elif not await self._joining.enter(code, player, entrance):
                return
        except (RequestRefused, ConnectionLost) as error:
            self.say(error.text)
            return
        finally:
            self._is_entering = False
        app.enter_lobby(self._joining.here)
