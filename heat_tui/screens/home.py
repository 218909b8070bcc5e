"""The home screen: logo and circuit, the menu, and beside it own results and the servers nearby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_core.text import counted
from heat_core.version import program_version
from heat_tui.client.session_file import SavedSession
from heat_tui.flow.home import (
    CONTINUE,
    ENTRIES,
    PLAYED_ELSEWHERE,
    REJOIN,
    MenuLine,
    forget_question,
    going_back_text,
)
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog, notice_dialog
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.screens.server_list import ServerOption, list_servers
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.home_menu import HomeMenu
from heat_tui.widgets.home_picture import HomePicture
from heat_tui.widgets.marked_list import MarkedList

if TYPE_CHECKING:
    from heat_core.track_facts import TrackFacts
    from heat_core.wire.address import Address
    from heat_tui.client.connect_failed import Notice
    from heat_tui.nearby import NearbyServer
    from heat_tui.saved.career import Career
    from heat_tui.saved.finished import Finished

_SLOGAN: Final = "pedal down, engine cool: a race for the terminal"
_NEARBY_AFTER_SECONDS: Final = 0.3
"""Home comes up first: what looks for servers takes a while to load."""
_LOOKING: Final = "None so far. They show up here."
_NO_NETWORK: Final = "No network."


class HomeScreen(HeatScreen[None]):
    """The menu; every other screen returns here."""

    BINDINGS = [
        Binding("enter", "choose", "Choose", priority=True),
        # The menu names their keys.
        *(
            Binding(entry.key, f"pick('{entry.name}')", entry.label, show=entry.name == "quit")
            for entry in (*ENTRIES, CONTINUE, REJOIN)
        ),
        Binding("w", "watch_last", "Watch your last race"),
        Binding("x", "forget", "Forget"),
    ]
    AUTO_FOCUS = "#menu"
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (108, "-wide"), (118, "-roomy"), (170, "-broad")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (22, "-low"), (36, "-high"), (50, "-tall")]

    def __init__(self) -> None:
        """Begin knowing of no race and no server."""
        super().__init__()
        self._races: tuple[Finished, ...] | None = None
        self._career: Career | None = None
        self._circuit: TrackFacts | None = None
        self._nearby: tuple[NearbyServer, ...] = ()

    def compose(self) -> ComposeResult:
        """Menu and panels on the picture, one line for answers, keys."""
        with HomePicture(id="picture"):
            yield HomeMenu(id="menu")
            with Vertical(id="side"):
                yield Static(id="last", markup=False)
                yield Static(id="own", markup=False)
                yield MarkedList(id="nearby", markup=False)
        with Horizontal(id="answers"):
            yield MessageLine()
            yield Static(f"heat-tui {program_version()}", id="version", markup=False)
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Look again for a race to come back to, and say what a screen left for here."""
        if self.app.screen is not self:
            return  # the answer to a dialog led on to another screen at once
        home = self.navigator.home
        self.navigator.stays.end_all(self._show_free_seat)
        home.close_game()
        home.refresh()
        for panel, title in (("#last", "last races"), ("#own", "you"), ("#nearby", "servers nearby")):
            self.query_one(panel).border_title = title
        self._show()
        self.query_one(MessageLine).say(home.take_news() or home.plain_mode)
        self.refresh_bindings()
        self.navigator.show_faults()
        self.call_after_refresh(self._read_races)  # with the menu there one can begin
        self._nearby = ()
        if self.navigator.nearby_on is not None:
            self._look_around(self.navigator.nearby_on)

    def _show_free_seat(self) -> None:
        """Offer a seat whose connection has ended just now: until then its file was locked."""
        if self.is_current and not self.is_gone:
            self.navigator.home.refresh()
            self._show_menu()
            self.refresh_bindings()

    def on_screen_suspend(self) -> None:
        """Look no further while another screen is on top."""
        self.workers.cancel_group(self, "nearby")

    def on_resize(self, event: Resize) -> None:
        """Use the room there is; the classes of the size are set by then."""
        self.call_after_refresh(self._show)

    # --- what is shown ------------------------------------------------------------------------------------

    @property
    def _has_side(self) -> bool:
        return not self.has_class("-slim")

    @property
    def _has_circuit(self) -> bool:
        is_large = self._has_side and not (self.has_class("-low") or self.has_class("-flat"))
        return is_large and self.navigator.map_look.has_colours

    def _show(self) -> None:
        """Show all that is known, as there is room for it."""
        self._show_menu()
        look, picture = self.navigator.map_look, self.query_one(HomePicture)
        logo_rows = 0 if self.has_class("-flat") else 3
        if self._has_circuit:
            logo_rows = 7 if self.has_class("-tall") and self.has_class("-broad") else 5
        picture.show(look, self._slogan(), logo_rows)
        picture.show_circuit(self._circuit if self._has_circuit else None)
        self._show_panels()

    def _show_menu(self) -> None:
        is_airy = self.has_class("-high") or self.has_class("-tall")
        notes = {}
        if self._nearby and not self._has_side:
            notes["join"] = f"{counted(len(self._nearby), 'server')} nearby"
        has_pictures = self.navigator.map_look.has_colours
        menu = self.query_one(HomeMenu)
        menu.show(self.navigator.home.lines, notes, is_airy=is_airy, has_pictures=has_pictures)

    def _slogan(self) -> str:
        """Say what this is, or where the panels have no room how the last race went."""
        if not self._races or self._has_side:
            return _SLOGAN
        from heat_tui.flow.last_results import last_result_told

        told = last_result_told(self._races)
        return told if 0 < len(told) <= self.size.width - 4 else _SLOGAN

    def _show_panels(self) -> None:
        """Show own results where there is room for them."""
        if self._races is None or self._career is None or not self._has_side:
            return
        from heat_tui.screens.own_panel import own_panel, results_panel

        app, theme, plain = self.navigator, self.app.current_theme, is_ascii(self)
        last, own = self.query_one("#last", Static), self.query_one("#own", Static)
        width = last.content_size.width
        most = 10 if self.has_class("-tall") else 4
        last.update(results_panel(self._races, width, most, theme, is_ascii=plain))
        name, colour, pictures = app.player_name, app.settings.colour, app.map_look.has_colours
        own.update(own_panel(name, colour, self._career, width, theme, has_pictures=pictures, is_ascii=plain))

    @work(exclusive=True, group="races")
    async def _read_races(self) -> None:
        """Read the finished races, then show them and a circuit."""
        from heat_tui.saved.career import career_of

        app = self.navigator
        races = self._races = await asyncio.to_thread(app.home.finished, app.player_name)
        self._career = career_of(races)
        self._circuit = await asyncio.to_thread(app.home.circuit, races)
        self._show()
        self.refresh_bindings()

    # --- servers nearby -----------------------------------------------------------------------------------

    @work(exclusive=True, group="nearby")
    async def _look_around(self, interfaces: Sequence[str]) -> None:
        """Show the servers nearby as they are found."""
        self._show_nearby(())
        await asyncio.sleep(_NEARBY_AFTER_SECONDS)
        from heat_tui.nearby import NoNetwork, watch_nearby

        try:
            await watch_nearby(self._show_nearby, interfaces)
        except NoNetwork:
            self._show_nearby((), _NO_NETWORK)

    def _show_nearby(self, servers: Sequence[NearbyServer], without: str = _LOOKING) -> None:
        """List the servers that can be joined, or say why there are none."""
        if self.is_gone:
            return
        listed = self.query_one("#nearby", OptionList)
        listed.set_class(True, "-known")
        self._nearby = tuple(server for server in servers if server.is_speaking_ours)
        list_servers(
            listed,
            [
                ServerOption(server, Text.assemble((server.name, "bold"), f"  {server.address}"))
                for server in self._nearby
            ],
        )
        if not self._nearby:
            listed.add_option(Option(Text(without), disabled=True))
        listed.border_subtitle = "Tab, then Enter joins" if self._nearby else ""
        self._show_menu()

    @on(OptionList.OptionSelected, "#nearby")
    def _server_chosen(self, event: OptionList.OptionSelected) -> None:
        assert isinstance(event.option, ServerOption)
        self._join(event.option.server.address)

    @work(exclusive=True, group="network")
    async def _join(self, address: Address) -> None:
        """Connect, and go on to the server's rooms."""
        from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed
        from heat_tui.client.server_stay import ServerStay

        self._say(f"Connecting to {address} ...")
        try:
            stay = await ServerStay.begin(self.navigator.folders, address)
        except CertificateChanged as error:
            self._warn(error.outcome, error.notice)
            return
        except ConnectFailed as error:
            self._say(error.text)
            return
        if self.app.screen is self:
            self.navigator.show_join(stay)
        else:
            await stay.close()  # the player went elsewhere while the server was slow

    # --- choosing -----------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#menu")
    def _line_chosen(self, event: OptionList.OptionSelected) -> None:
        assert event.option_id is not None
        self._go(self.query_one(HomeMenu).line_of(event.option_id))

    def action_choose(self) -> None:
        """Go where the chosen line leads."""
        focused = self.focused
        (focused if isinstance(focused, OptionList) else self.query_one(HomeMenu)).action_select()

    def action_pick(self, name: str) -> None:
        """Go where a menu entry leads."""
        if (line := self.navigator.home.line(name)) is not None:
            self._go(line)

    def _go(self, line: MenuLine) -> None:
        app = self.navigator
        if line.seat is not None:
            self._rejoin(line.seat)
        elif line.saved is not None:
            self._continue(line.saved.path)
        else:
            ways: dict[str, Callable[[], object]] = {
                "new_race": partial(app.show_new_race, is_hot_seat=False),
                "hot_seat": partial(app.show_new_race, is_hot_seat=True),
                "championship": app.show_new_championship,
                "daily": app.show_daily,
                "puzzles": app.show_puzzles,
                "join": app.show_join,
                "host": self._host,
                "replays": app.show_replays,
                "career": app.show_career,
                "learn": app.action_learn,
                "how_to_play": app.action_how_to_play,
                "settings": app.action_settings,
                "quit": self._quit,
            }
            ways[line.entry.name]()

    def _continue(self, path: Path) -> None:
        """Continue a saved race or championship, unless another window was faster."""
        if not self.navigator.continue_saved(path):
            self._back_with(PLAYED_ELSEWHERE)

    def _back_with(self, news: str) -> None:
        self.navigator.home.leave_news(news)
        self.on_screen_resume()

    def _warn(self, news: str, notice: Notice) -> None:
        """Show a notice in a box, and what came of it once that is closed."""
        self.navigator.home.leave_news(news)
        self.app.push_screen(notice_dialog(notice))

    def _quit(self) -> None:
        """End the program; ask first where a server started from here would end with it."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.app.exit()

        if question := self.navigator.home.quit_question:
            self.app.push_screen(ConfirmDialog(question), answered)
        else:
            self.app.exit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to rejoin, forget or continue."""
        home = self.navigator.home
        if parameters == ("continue",):
            return bool(home.saved)
        if action == "watch_last":
            return bool(self._races)
        return bool(home.seats) if action == "forget" or parameters == ("rejoin",) else True

    @work(exclusive=True, group="watch")
    async def action_watch_last(self) -> None:
        """Watch the newest of one's own races."""
        from heat_core.record.record import BadRecord
        from heat_tui.flow.career import playback_of

        app, races = self.navigator, self._races
        try:
            playback = await asyncio.to_thread(playback_of, app.folders, races[-1]) if races else None
        except BadRecord as error:
            self.query_one(MessageLine).say(f"{error}.")
            return
        if playback is not None and self.is_current:
            app.show_replay(playback)

    def action_forget(self) -> None:
        """Ask, then offer the chosen saved session no more; the newest, where another line is chosen."""
        home = self.navigator.home
        line = self.query_one(HomeMenu).line
        seat = (line.seat if line is not None else None) or home.seats[0]

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                home.forget(seat)
                self.on_screen_resume()

        self.app.push_screen(ConfirmDialog(forget_question(seat)), answered)

    @work(exclusive=True, group="network")
    async def _rejoin(self, seat: SavedSession) -> None:
        from heat_tui.flow.way_back import NoWayBack, rejoin

        self._say(going_back_text(seat, self.navigator.folders))
        stay = await rejoin(self.navigator.folders, seat, self._say)
        if isinstance(stay, NoWayBack):
            if self.query(MessageLine):
                if stay.notice is not None:
                    self._warn(stay.text, stay.notice)
                else:
                    self._back_with(stay.text)
            return
        if self.app.screen is self:
            self.navigator.enter_lobby(stay)
        else:
            await stay.close()  # the player went elsewhere while the server was slow

    @work(exclusive=True, group="network")
    async def _host(self) -> None:
        self._say("Starting a server on this machine ...")
        self._say(await self.navigator.host() or "")

    def _say(self, text: str) -> None:
        for line in self.query(MessageLine):
            line.say(text)
