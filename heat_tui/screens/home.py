"""The first screen: what one can do."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_tui.client.session_file import SavedSession, forget_session, saved_sessions
from heat_tui.flow.menu import (
    CONTINUE,
    ENTRIES,
    PLAYED_ELSEWHERE,
    REJOIN,
    SERVER_ENDS,
    Entry,
    Saved,
    forget_question,
    saved_here,
    seat_text,
)
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.widgets.footer import KeyFooter

_LOGO: Final = """\
█  █ █▀▀ ▄▀▀▄ ▀█▀
█▀▀█ █▀▀ █▀▀█  █
█  █ ▀▀▀ ▀  ▀  ▀"""
_ASCII_LOGO: Final = """\
H  H  EEEE   A   TTTTT
HHHH  EEE   A A     T
H  H  EEEE A   A    T"""

_REJOIN: Final = "rejoin-"
"""Begins the identifiers of the lines that lead back into a room; behind it stands which one."""
_CONTINUE: Final = "continue-"
"""Begins the identifiers of the lines that lead back to a race or a championship."""


class HomeScreen(HeatScreen[None]):
    """The menu; every other screen leads back here."""

    BINDINGS = [
        Binding("enter", "choose", "Choose", priority=True),
        # The menu names their keys.
        *(
            Binding(entry.key, f"pick('{entry.name}')", entry.label, show=False)
            for entry in (*ENTRIES, CONTINUE, REJOIN)
        ),
        Binding("x", "forget", "Forget"),
    ]
    AUTO_FOCUS = "#menu"

    def __init__(self) -> None:
        """Make the menu."""
        super().__init__()
        self._seats: list[SavedSession] = []
        self._saved: list[Saved] = []

    def compose(self) -> ComposeResult:
        """Logo, menu, one line for answers, keys."""
        with Vertical(id="middle"):
            yield Static(id="logo", markup=False)
            yield Static("pedal down, engine cool: a race for the terminal", id="subtitle")
            with Vertical(id="menu-box"):
                yield OptionList(id="menu", markup=False)
        yield MessageLine()
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Look anew for a race to come back to, and say what a screen left for here."""
        if self.app.screen is not self:
            return  # the answer to a dialog led on to another screen at once
        self.navigator.end_visits()
        self.navigator.put_away()
        self._seats = saved_sessions(self.navigator.folders)
        self._saved = saved_here(self.navigator.folders, self.navigator.note_fault)
        self.query_one("#logo", Static).update(_ASCII_LOGO if is_ascii(self) else _LOGO)
        menu = self.query_one(OptionList)
        at = menu.highlighted
        menu.clear_options()
        for number, seat in enumerate(self._seats):
            menu.add_option(_line(f"{_REJOIN}{number}", REJOIN, seat_text(seat), is_first=not number))
        for number, saved in enumerate(self._saved):
            menu.add_option(_line(f"{_CONTINUE}{number}", CONTINUE, saved.text, is_first=not number))
        for entry in ENTRIES:
            menu.add_option(_line(entry.name, entry, entry.about))
        menu.highlighted = at if at is not None and at < menu.option_count else 0
        self.query_one(MessageLine).say(self.navigator.take_news())
        self.refresh_bindings()
        self.navigator.show_faults()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what was chosen."""
        name = event.option_id or ""
        if name.startswith(_REJOIN):
            self._rejoin(self._seats[int(name.removeprefix(_REJOIN))])
        elif name.startswith(_CONTINUE):
            self._continue(self._saved[int(name.removeprefix(_CONTINUE))])
        else:
            self.action_pick(name)

    def action_choose(self) -> None:
        """Go where the chosen line leads."""
        self.query_one(OptionList).action_select()

    def action_pick(self, name: str) -> None:
        """Go where a menu entry leads."""
        app = self.navigator
        match name:
            case "new_race" | "hot_seat":
                app.show_new_race(is_hot_seat=name == "hot_seat")
            case "championship":
                app.show_new_championship()
            case "continue" if self._saved:
                self._continue(self._saved[0])
            case "join":
                app.show_join()
            case "host":
                self._host()
            case "replays":
                app.show_replays()
            case "learn":
                app.action_learn()
            case "how_to_play":
                app.action_how_to_play()
            case "settings":
                app.action_settings()
            case "quit":
                self._quit()
            case "rejoin" if self._seats:
                self._rejoin(self._seats[0])

    def _continue(self, saved: Saved) -> None:
        """Continue a saved race or championship, unless another window was faster."""
        if not self.navigator.continue_saved(saved.path):
            self.navigator.leave_news(PLAYED_ELSEWHERE)
            self.on_screen_resume()

    def _quit(self) -> None:
        """End the program; ask first where a server started from here would end with it."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.app.exit()

        if self.navigator.is_hosting:
            question = f"Quit? {SERVER_ENDS}"
            self.app.push_screen(ConfirmDialog(question), answered)
        else:
            self.app.exit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to rejoin, forget or continue."""
        if parameters == ("continue",):
            return bool(self._saved)
        return bool(self._seats) if action == "forget" or parameters == ("rejoin",) else True

    def action_forget(self) -> None:
        """Ask, then offer the chosen saved session no more; the newest, where another line is chosen."""
        chosen = self.query_one(OptionList).highlighted or 0
        seat = self._seats[chosen if chosen < len(self._seats) else 0]

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                forget_session(self.navigator.folders, seat)
                self.on_screen_resume()

        self.app.push_screen(ConfirmDialog(forget_question(seat)), answered)

    @work(exclusive=True, group="network")
    async def _rejoin(self, seat: SavedSession) -> None:
        from heat_tui.client.connection import ConnectFailed, RequestRefused
        from heat_tui.client.server_stay import ServerStay

        self._say(f"Going back to room {seat.code} at {seat.address} ...")
        try:
            stay = await ServerStay.rejoin(self.navigator.folders, seat)
        except (ConnectFailed, RequestRefused) as error:
            if self.query(MessageLine):
                self.navigator.leave_news(error.text)
                self.on_screen_resume()
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


def _line(name: str, entry: Entry, about: str, *, is_first: bool = True) -> Option:
    """Make a line of the menu; in front stands its letter, of several of a kind the first one's alone."""
    key, label = (entry.key, entry.label) if is_first else ("", "")
    return Option(Text.assemble((f" {key:<3}", "bold"), (f"{label:<14}", "bold"), about), id=name)
