"""The program around the screens: settings, themes, the ways between screens, and what must be ended."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from rich.text import Text
from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.theme import Theme

from heat_core.names import BadName
from heat_core.playback import Playback
from heat_core.replay import Record
from heat_core.season import Season
from heat_core.table import Table
from heat_core.wire.messages import RoomOptions
from heat_tui.championship import Championship, SeasonSession, newest_championship
from heat_tui.connection import ConnectFailed, ConnectionLost, RequestRefused
from heat_tui.ending import Ending
from heat_tui.hosting import HostedServer, HostingFailed, start_server
from heat_tui.key_commands import KeyCommands
from heat_tui.race.lesson import Lesson
from heat_tui.records import keep_records
from heat_tui.screens.home import HomeScreen
from heat_tui.state import (
    DEFAULT_NAME,
    PACES,
    Folders,
    Settings,
    load_settings,
    login_name,
    save_settings,
    user_folders,
)
from heat_tui.terminal import speaks_unicode
from heat_tui.visit import Visit

if TYPE_CHECKING:
    from heat_tui.screens.join import Entrance

THEMES: Final = (
    Theme(
        name="heat-night",
        primary="#c8332b",
        secondary="#3f6fb5",
        accent="#f0b93a",
        warning="#f0b93a",
        error="#ff6b5e",
        success="#57b560",
        foreground="#e6e4df",
        background="#131519",
        surface="#1b1e24",
        panel="#262a32",
        dark=True,
    ),
    Theme(
        name="heat-day",
        primary="#b3261e",
        secondary="#2f5d9e",
        accent="#8a5a00",
        warning="#8a5a00",
        error="#b3261e",
        success="#2c7a35",
        foreground="#1c1c1c",
        background="#f4f1ea",
        surface="#e9e4d9",
        panel="#dcd5c6",
        dark=False,
    ),
)

INTERRUPTED: Final = 130

ENTER_GAP_SECONDS: Final = 0.35
"""Enter pressed twice, or held down, does nothing on the screen that the first press led to."""


_PLAIN_KEYS: Final = {
    "←→": "left/right",
    "↑↓": "up/down",
    "←": "left",
    "→": "right",
    "↑": "up",
    "↓": "down",
    "⏎": "Enter",
    "⌫": "backspace",
}
"""Keys whose usual names are no ASCII."""


class HeatApp(App[None]):
    """The client.

    Attributes:
        folders: Where files go.
        settings: What the player likes; change them with `change_settings`.
        player_name: The name to offer in forms.
        enter_gap_seconds: How close behind another Enter one does nothing on a new screen.
    """

    enter_gap_seconds: float = ENTER_GAP_SECONDS

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "heat-tui"
    COMMANDS = App.COMMANDS | {KeyCommands}
    BINDINGS = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(
        self,
        folders: Folders | None = None,
        *,
        opening: Callable[[HeatApp], None] | None = None,
        animate: bool | None = None,
        player_name: str = "",
        last: Callable[[], None] | None = None,
        nearby_on: Sequence[str] | None = None,
    ) -> None:
        """Make the program.

        Args:
            folders: None: the user's own.
            opening: Called once Home stands, to go straight to another screen.
            animate: None: as the settings say.
            player_name: Instead of the settings' name.
            last: Called where the program is ended by force; must not wait.
            nearby_on: The numbers of the interfaces where servers nearby are looked for, if the settings
                allow it; empty: all; None: nowhere.
        """
        self.folders = folders or user_folders()
        self.settings: Settings = load_settings(self.folders)
        self.player_name = player_name or self.settings.name or login_name()
        self._opening = opening
        self._last = last
        self._is_animated = animate
        self._nearby_on = nearby_on
        self._visits: list[Visit] = []
        self._server: HostedServer | None = None
        self._championship: Championship | None = None
        self._news = ""
        self._entered: tuple[float, Screen[object] | None] = (0.0, None)
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self._apply(self.settings)

    def get_default_screen(self) -> HomeScreen:
        """Home lies below everything."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Listen to the system's signals, and open."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()

            def ask(number: signal.Signals) -> None:
                with contextlib.suppress(RuntimeError):  # the loop is closed: it is ending already
                    loop.call_soon_threadsafe(self._signalled, number)

            Ending(ask, self._end_by_force, getattr(self._driver, "attrs_before", None))
        if self._opening is not None:
            self.call_after_refresh(self._opening, self)

    async def on_unmount(self) -> None:
        """Hang up everywhere; save a championship; end a server started from here."""
        self.put_championship_away()
        own = self._server.address if self._server is not None else None
        for visit in list(self._visits):
            await visit.close(is_forgotten=visit.link.address == own)
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)

    async def on_event(self, event: events.Event) -> None:
        """Take keys and all else in, but Enter only where the player has seen what it will do."""
        if isinstance(event, events.Key) and not event.is_forwarded and self._is_hasty(event):
            return
        await super().on_event(event)

    def _is_hasty(self, event: events.Key) -> bool:
        """Tell whether this is an Enter right behind one that led to another screen."""
        if event.key != "enter" or not self.screen_stack:
            return False
        moment, screen = self._entered
        now = time.monotonic()
        is_hasty = screen is not None and screen is not self.screen and now - moment < self.enter_gap_seconds
        # While the key is held down the first screen stays remembered: it takes a pause to act on the next.
        self._entered = (now, screen if is_hasty else self.screen)
        return is_hasty

    # --- ending -------------------------------------------------------------------------------------------

    def _signalled(self, number: signal.Signals) -> None:
        if self._exit:
            return  # it is ending already
        self.exit(return_code=128 + number, message=Text(f"heat-tui was ended by {number.name}."))

    def _end_by_force(self) -> None:
        if self._server is not None:
            self._server.ask_to_end()
        if self._last is not None:
            self._last()

    def action_interrupt(self) -> None:
        """Ctrl-C: the program ends, wherever it is; a race at a server can be rejoined."""
        self.exit(return_code=INTERRUPTED, message=Text("heat-tui was interrupted."))

    def _fatal_error(self) -> None:
        """End after a fault of the program: one line on the terminal, the details in a file.

        Textual would show them with the values of all variables, tokens among them.
        """
        details = traceback.format_exc()
        path = self.folders.state / "crash.txt"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(details)
            where = f"the details are in {path}"
        except OSError:
            where = details
        fault = type(self._exception).__name__
        self.panic(Text(f"heat-tui broke down ({fault}), which is its own fault: {where}"))

    # --- settings -----------------------------------------------------------------------------------------

    @property
    def nearby_on(self) -> Sequence[str] | None:
        """Where servers nearby are looked for; empty: on all interfaces; None: nowhere."""
        return self._nearby_on if self.settings.nearby else None

    @property
    def is_animated(self) -> bool:
        """Whether cars may move space by space, as far as the command line says."""
        return self._is_animated is not False

    @property
    def pace(self) -> float:
        """How long what moves is looked at, in times of the usual; 0.0: nothing moves."""
        return 1.0 if self._is_animated else PACES[self.settings.animation]

    def change_settings(self, settings: Settings) -> bool:
        """Take new settings, and tell whether they could be kept."""
        if settings == self.settings:
            return True
        if settings.name != self.settings.name:
            self.player_name = settings.name or login_name()
        self.settings = settings
        self._apply(settings)
        return save_settings(self.folders, settings)

    def _apply(self, settings: Settings) -> None:
        self.theme = settings.theme
        self.set_class(settings.ascii or not speaks_unicode(), "-ascii")

    # --- ways between screens -----------------------------------------------------------------------------

    def leave_news(self, text: str) -> None:
        """Leave one sentence for Home to show."""
        self._news = text

    def take_news(self) -> str:
        """Give the sentence left for Home."""
        text, self._news = self._news, ""
        return text

    def go_home(self, news: str = "") -> None:
        """Close every screen above Home."""
        self.leave_news(news)
        while not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    @property
    def is_hosting(self) -> bool:
        """Whether a server that was started from here is running."""
        return self._server is not None and not self._server.has_ended()

    def show_new_race(self, *, is_hot_seat: bool) -> None:
        """Set up a race here."""
        from heat_tui.screens.new_race import NewRaceScreen

        self.push_screen(NewRaceScreen(is_hot_seat=is_hot_seat))

    def show_join(
        self, visit: Visit | None = None, code: str = "", news: str = "", entrance: Entrance | None = None
    ) -> None:
        """Find a race at a server; see `JoinScreen`."""
        from heat_tui.screens.join import JoinScreen

        if visit is not None:
            self.keep_visit(visit)
        self.push_screen(JoinScreen(visit, code=code, news=news, entrance=entrance))

    def enter_lobby(self, visit: Visit) -> None:
        """Wait in a room; the race follows from there."""
        from heat_tui.screens.lobby import LobbyScreen

        self.keep_visit(visit)
        self._above_home(LobbyScreen(visit, animate=self.is_animated))

    def race_here(self, table: Table) -> None:
        """Race at a table in this process."""
        from heat_tui.local import LocalSession
        from heat_tui.screens.race import RaceScreen

        session = LocalSession(table)
        self._above_home(
            RaceScreen(
                session,
                animate=self.is_animated,
                again=lambda: self.race_here(session.another_table()),
                lesson=self._first_lesson(),
            )
        )

    def _first_lesson(self) -> Lesson | None:
        """Give the lesson for a race that is the player's first, as far as is known."""
        return Lesson() if self.settings.hints else None

    def action_learn(self) -> None:
        """Race the race that explains each phase when it first happens."""
        from heat_tui.makerace import make_lesson

        try:
            table = make_lesson(self.player_name, self.settings.colour)
        except BadName:
            table = make_lesson(DEFAULT_NAME, self.settings.colour)
        self.change_settings(msgspec.structs.replace(self.settings, hints=True))
        self.race_here(table)

    def show_championship(self) -> None:
        """Go on with the saved championship, or set up a new one where there is none."""
        if self._take_saved_championship():
            self._show_season()
        else:
            self.show_new_championship()

    def go_on_with_championship(self) -> bool:
        """Go on with the saved championship, in mid-race too, and tell whether there is one."""
        if not self._take_saved_championship():
            return False
        assert self._championship is not None
        if self._championship.table is not None:
            self.race_of_championship()
        else:
            self._show_season()
        return True

    def _take_saved_championship(self) -> bool:
        self.put_championship_away()
        self._championship = newest_championship(self.folders)
        if self._championship is not None:
            self._championship.settle()
        return self._championship is not None

    def show_new_championship(self) -> None:
        """Set up a championship here."""
        from heat_tui.screens.new_championship import NewChampionshipScreen

        self.push_screen(NewChampionshipScreen())

    def begin_championship(self, season: Season) -> None:
        """Show a championship that has just been set up, before its first race."""
        self.put_championship_away()
        self._championship = Championship.begin(self.folders, season)
        self._show_season()

    def show_replays(self) -> None:
        """List the records that are kept."""
        from heat_tui.screens.replays import ReplaysScreen

        self.push_screen(ReplaysScreen())

    def show_replay(self, playback: Playback, place: int = 0) -> None:
        """Watch a recorded race.

        Args:
            place: Of the moment to begin with.
        """
        from heat_tui.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(playback, animate=self.is_animated, place=place))

    async def keep_records(self, races: Sequence[Record]) -> None:
        """Write finished races down, as far as the settings say so."""
        await keep_records(self.folders, self.settings, races)

    def _show_season(self) -> None:
        from heat_tui.screens.season import SeasonScreen

        assert self._championship is not None
        self._above_home(SeasonScreen(self._championship))

    def race_of_championship(self) -> None:
        """Race the next race of the championship that is shown, or go on with the one under way."""
        from heat_tui.screens.race import RaceScreen

        assert self._championship is not None
        session = SeasonSession(self._championship)
        self._above_home(
            RaceScreen(
                session,
                animate=self.is_animated,
                onward=self._show_season,
                lesson=self._first_lesson(),
            )
        )

    def put_championship_away(self) -> None:
        """Leave the championship for later: it is saved."""
        if self._championship is not None:
            self._championship.close()
            self._championship = None

    def race_there(self, visit: Visit, *, animate: bool) -> None:
        """Race at a server's table."""
        from heat_tui.screens.race import RaceScreen

        onward = None if visit.link.season is None else partial(self.season_there, visit)
        lobby = partial(self.enter_lobby, visit)
        screen = RaceScreen(
            visit.race_session(), animate=animate, onward=onward, lobby=lobby, lesson=self._first_lesson()
        )
        self._above_home(screen)

    def season_there(self, visit: Visit) -> None:
        """Show a server's championship between two races, or its end."""
        from heat_tui.screens.room_season import RoomSeasonScreen

        self._above_home(RoomSeasonScreen(visit, animate=self.is_animated))

    def _above_home(self, screen: Screen[None]) -> None:
        """Put a screen right above Home, in place of what lies there."""
        if isinstance(self.screen, HomeScreen):
            self.push_screen(screen)
            return
        while not isinstance(self.screen_stack[-2], HomeScreen):
            self.pop_screen()
        self.switch_screen(screen)

    def action_settings(self) -> None:
        """Show the settings."""
        from heat_tui.screens.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    def action_how_to_play(self) -> None:
        """Show the page about the game."""
        from heat_tui.screens.how_to_play import HowToPlayScreen

        if not isinstance(self.screen, HowToPlayScreen):
            self.push_screen(HowToPlayScreen())

    def get_key_display(self, binding: Binding) -> str:
        """Name a key for footers, in signs that this terminal can show."""
        shown = super().get_key_display(binding)
        return _PLAIN_KEYS.get(shown, shown) if self.has_class("-ascii") else shown

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """List what the command palette offers everywhere."""
        yield SystemCommand("How to play", "The nine phases and the keys", self.action_how_to_play)
        yield SystemCommand("Settings", "Name, colour, animation, signs", self.action_settings)
        yield SystemCommand("Keys", "Show every key of this screen", self.action_show_help_panel)
        yield SystemCommand("Quit", "End the program", self.exit)

    # --- servers ------------------------------------------------------------------------------------------

    def keep_visit(self, visit: Visit) -> None:
        """Remember a visit, so that it ends with the program, and its server for the next time."""
        if visit not in self._visits:
            self._visits.append(visit)
        address = visit.link.address
        if self._server is None or address != self._server.address:
            self.change_settings(msgspec.structs.replace(self.settings, server=str(address)))

    async def close_visit(self, visit: Visit) -> None:
        """Hang up."""
        await visit.close()
        self._forget(visit)

    async def leave_visit(self, visit: Visit) -> None:
        """Leave the room for good and hang up."""
        await visit.leave()
        self._forget(visit)

    def end_visit(self, visit: Visit) -> None:
        """Hang up without waiting for it."""
        self.run_worker(self.close_visit(visit), group="hang-up")

    def end_visits(self) -> None:
        """Hang up everywhere: nobody is at a server who is back at Home."""
        for visit in self._visits:
            self.end_visit(visit)

    def _forget(self, visit: Visit) -> None:
        with contextlib.suppress(ValueError):
            self._visits.remove(visit)

    async def host(self) -> str | None:
        """Start a server here (once), open a room at it and go to its lobby.

        Returns:
            Why not, in one sentence; None where it worked.
        """
        try:
            if self._server is None or self._server.has_ended():
                self._server = await asyncio.to_thread(
                    start_server, self.folders.state, is_announced=self.nearby_on is not None
                )
            visit = await Visit.begin(self.folders, self._server.address)
        except (HostingFailed, ConnectFailed) as error:
            return str(error)
        self.keep_visit(visit)
        try:
            await visit.create(self.player_name, self.settings.colour, RoomOptions())
        except (RequestRefused, ConnectionLost) as error:
            await self.close_visit(visit)
            return error.text
        if isinstance(self.screen, HomeScreen):
            self.enter_lobby(visit)
        else:
            await self.close_visit(visit)  # the player went elsewhere meanwhile
        return None
