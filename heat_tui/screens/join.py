"""Finding a race at a server: address, list of rooms, code, or a room of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

import msgspec
from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from heat_core.names import BadName, clean_name
from heat_core.race.setup import COLOURS, Colour
from heat_core.wire.address import BadAddress, parse_address
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import DEFAULT_PORT, RoomOptions
from heat_tui.client.connection import ConnectFailed, ConnectionLost, RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.home import go_back_question
from heat_tui.flow.way_back import seats_at
from heat_tui.keys.bindings import bound
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.join_lines import describe_room, describe_server
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
from heat_tui.widgets.footer import KeyFooter

if TYPE_CHECKING:
    from heat_tui.nearby import NearbyServer

Entrance: TypeAlias = Literal["join", "watch"]


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
            visit: A connection made already; None: the address is asked for.
            code: A room's code, to begin with.
            news: One sentence to begin with.
            entrance: Go on into that room at once, and ask what there is to ask; None: wait.
        """
        super().__init__()
        self._stay = stay
        self._code = code
        self._news = news
        self._entrance = entrance
        self._is_entering = False
        self._nearby: tuple[NearbyServer, ...] = ()

    def compose(self) -> ComposeResult:
        """Address and player above, rooms below."""
        app = self.navigator
        server = str(self._stay.link.address) if self._stay else app.settings.server
        yield Static("Join a race on a server", classes="title")
        with Vertical(id="form"):
            yield TextRow("Server", server, id="server", placeholder=f"host or host:{DEFAULT_PORT}", most=262)
            yield TextRow("Your name", app.player_name, id="name")
            colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
            yield ChoiceRow("Your car", colours, app.settings.colour, id="colour")
            yield ActionRow("Connect", id="connect")
        with Vertical(id="near"):
            yield Static("Looking for servers nearby ...", classes="heading", id="nearby-heading")
            nearby = TrackList(id="nearby", markup=False)
            nearby.can_focus = False  # until there is one to choose
            yield nearby
        with Vertical(id="lower"):
            yield Static("Rooms", classes="heading", id="rooms-heading")
            yield TrackList(id="rooms", markup=False)
            yield TextRow("Code", self._code, id="code", placeholder="of the room; ask its host", most=16)
            yield ActionRow("Open a room of your own", id="create")
        yield MessageLine(self._news or "Type the address of a server and press Enter.")
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin where the first answer is missing."""
        self._show_connected()
        if self._stay is None:
            if self.navigator.nearby_on is not None:
                self._watch_nearby(self.navigator.nearby_on)
            self.set_focus(self.query_one("#server"))
        else:
            self._list_rooms()
            self.set_focus(self.query_one("#code"))
            if self._entrance is not None:
                self._enter(self._code, self._entrance)
            else:
                self._offer_seats()

    def _show_connected(self) -> None:
        self.query_one("#lower").disabled = self._stay is None
        shows_nearby = self._stay is None and self.navigator.nearby_on is not None
        self.query_one("#near").display = shows_nearby
        self.query_one("#lower").display = not shows_nearby
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Rooms can be looked at and opened once there is a connection."""
        return self._stay is not None if action in ("refresh", "create", "watch") else True

    def action_back(self) -> None:
        """Hang up and go back."""
        if self._stay is not None:
            self.navigator.end_stay(self._stay)
        super().action_back()

    @on(Input.Submitted, "#server")
    @on(Input.Submitted, "#name")
    @on(ActionRow.Pressed, "#connect")
    def _connect_asked(self) -> None:
        self._connect()

    @on(OptionList.OptionSelected, "#nearby")
    def _server_chosen(self, event: OptionList.OptionSelected) -> None:
        self.query_one("#server", Input).value = str(self._nearby[event.option_index].address)
        self._connect()

    @on(events.DescendantFocus, "#nearby")
    def _say_what_enter_does(self) -> None:
        self.say("Choose a server and press Enter.")

    @work(group="nearby")
    async def _watch_nearby(self, interfaces: Sequence[str]) -> None:
        from heat_tui.nearby import NoNetwork, watch_nearby

        try:
            await watch_nearby(self._show_nearby, interfaces)
        except NoNetwork:
            self.query_one("#nearby-heading", Static).update("No network to look for servers on")

    def _show_nearby(self, servers: Sequence[NearbyServer]) -> None:
        """List the servers; who is on one stays on it."""
        if self.is_gone:
            return
        listed = self.query_one("#nearby", OptionList)
        number = listed.highlighted
        chosen = None if number is None else self._nearby[number]
        self._nearby = tuple(servers)
        listed.clear_options()
        for server in servers:
            listed.add_option(
                Option(describe_server(server, is_ascii=is_ascii(self)), disabled=not server.is_speaking_ours)
            )
        addresses = [server.address for server in servers]
        if chosen is not None and chosen.address in addresses:
            listed.highlighted = addresses.index(chosen.address)
        else:  # Enter in the list does something at once
            free = (number for number, server in enumerate(servers) if server.is_speaking_ours)
            listed.highlighted = next(free, None)
        listed.can_focus = bool(servers)
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

    @on(OptionList.OptionSelected, "#rooms")
    def _room_chosen(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._enter(event.option_id)

    @on(ActionRow.Pressed, "#create")
    def action_create(self) -> None:
        """Open a room and go to its lobby."""
        self._enter(None)

    def action_watch(self) -> None:
        """Look on in the room that is typed, else in the one that is chosen."""
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

    def _player(self) -> tuple[str, Colour] | None:
        """Give name and colour, or say what is wrong with the name."""
        try:
            name = clean_name(self.query_one("#name", Input).value)
        except BadName as error:
            self.say(str(error))
            self.set_focus(self.query_one("#name"))
            return None
        return name, cast(Colour, self.query_one("#colour", ChoiceRow).value)

    @work(exclusive=True, group="network")
    async def _connect(self) -> None:
        app = self.navigator
        try:
            address = parse_address(self.query_one("#server", Input).value)
        except BadAddress as error:
            self.say(str(error))
            return
        self.say(f"Connecting to {address} ...")
        if self._stay is not None:
            await app.close_stay(self._stay)
            self._stay = None
            self._show_connected()
        try:
            stay = await ServerStay.begin(app.folders, address)
        except ConnectFailed as error:
            self.say(error.text)
            return
        app.keep_stay(stay)
        if self.is_gone:
            return
        self._stay = stay
        self._show_connected()
        self.set_focus(self.query_one("#code"))
        self._list_rooms()
        await self._goes_back(stay, None)

    @work(exclusive=True, group="network")
    async def _offer_seats(self) -> None:
        """Offer the seats at a server that this screen was opened with."""
        if self._stay is not None:
            await self._goes_back(self._stay, None)

    async def _goes_back(self, stay: ServerStay, code: str | None) -> bool:
        """Offer the seats that the player has at a server, or in one of its rooms.

        Returns:
            Whether one was taken: the way leads elsewhere now.
        """
        app = self.navigator
        for seat in await seats_at(app.folders, stay.link.address, code):
            if not await self.app.push_screen_wait(ConfirmDialog(go_back_question(seat))):
                continue
            self.say(f"Going back to room {seat.code} ...")
            try:
                back = await ServerStay.rejoin(app.folders, seat)
            except (ConnectFailed, RequestRefused) as error:
                self.say(error.text)
                continue
            await app.close_stay(stay)
            app.enter_lobby(back)
            return True
        return False

    @work(exclusive=True, group="list")
    async def _list_rooms(self) -> None:
        if self._stay is None:
            return
        try:
            rooms = await self._stay.rooms()
            tracks = {track.id: track.name for track in await self._stay.tracks()}
        except (RequestRefused, ConnectionLost) as error:
            self.say(error.text)
            return
        if self.is_gone:
            return
        listed = self.query_one("#rooms", OptionList)
        listed.clear_options()
        for room in rooms:
            track = tracks.get(room.track, room.track)
            listed.add_option(Option(describe_room(room, track, is_ascii=is_ascii(self)), id=room.code))
        heading = f"Rooms at {self._stay.link.address}" if rooms else "No rooms yet: open a new one"
        self.query_one("#rooms-heading", Static).update(Text(heading))
        free = [number for number, room in enumerate(rooms) if room.has_place]
        if rooms:
            listed.highlighted = free[0] if free else 0
        if not self._news:
            self.say(
                "Choose a room and press Enter ({join.watch} watches), type a code, or open one with "
                "{join.create}.",
                names_keys=True,
            )
        self._news = ""
        if free and not self.query_one("#code", Input).value:
            self.set_focus(listed)

    @work(exclusive=True, group="network")
    async def _enter(self, code: str | None, entrance: Entrance = "join") -> None:
        """Join the room of a code or watch it, or with None open one."""
        player, app, stay = self._player(), self.navigator, self._stay
        if player is None or stay is None or self._is_entering:
            return
        self._is_entering = True
        name, colour = player
        app.change_settings(msgspec.structs.replace(app.settings, name=name, colour=colour))
        try:
            if code is not None and await self._goes_back(stay, code):
                return
            if code is None:
                await stay.create(name, colour, RoomOptions())
            elif not await self._get_in(stay, player, code, entrance):
                return
        except (RequestRefused, ConnectionLost) as error:
            self.say(error.text)
            return
        finally:
            self._is_entering = False
        app.enter_lobby(stay)

    async def _get_in(
        self, stay: ServerStay, player: tuple[str, Colour], code: str, entrance: Entrance
    ) -> bool:
        """Join or watch; ask for the password, and whether to watch what has begun, where that is needed.

        Returns:
            Whether the player is in; not, where they thought better of it.

        Raises:
            RequestRefused: The server says no for another reason.
            ConnectionLost: The line dropped.
        """
        password: str | None = None
        while True:
            try:
                if entrance == "watch":
                    await stay.watch(code, player[0], password)
                else:
                    await stay.join(code, *player, password)
                return True
            except RequestRefused as error:
                if error.code == ErrorCode.WRONG_PASSWORD:
                    self.say(error.text)
                    again = "" if password is None else f"{error.text} Once more: "
                    asked = f"{again}the password of this private room"
                    password = await self.app.push_screen_wait(AskScreen(asked, is_secret=True))
                    if not password:
                        return False
                elif error.code == ErrorCode.ROOM_BEGUN and entrance == "join":
                    self.say(error.text)
                    if not await self.app.push_screen_wait(ConfirmDialog("That race has started. Watch it?")):
                        return False
                    entrance = "watch"
                else:
                    raise
