"""Navigation between screens, and what must be closed when they are left: server stays, servers, races.

What Home does not need is imported where it is needed: Home comes up sooner for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import RenderableType
from rich.text import Text
from textual.screen import Screen
from textual.worker import WorkerFailed

from heat_tui.client.server_stays import ServerStays
from heat_tui.flow.home import CONTINUE, HomeController, another_race_question
from heat_tui.flow.replay_start import FIRST_MOMENT, ReplayStart
from heat_tui.pages_app import PagesApp
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.navigator import WaysOn
from heat_tui.state import Folders, broken_there

if TYPE_CHECKING:
    from heat_core.race.commands import Command
    from heat_core.record.playback import Playback
    from heat_core.record.record import Record
    from heat_core.season.state import Season
    from heat_core.table import Table
    from heat_core.wire.address import Address
    from heat_tui.client.server_stay import ServerStay
    from heat_tui.client.session import Session
    from heat_tui.flow.ghost import GhostFinder
    from heat_tui.flow.invitation import WaysIn
    from heat_tui.flow.joining import Entrance
    from heat_tui.flow.season import SeasonController
    from heat_tui.hosting import HostedServer
    from heat_tui.map.marks import MapStyle
    from heat_tui.saved.own_race import OwnRace
    from heat_tui.screens.navigator import Navigator


class HeatApp(PagesApp):
    """The client: every way from a screen to another, and what must be ended with them.

    Attributes:
        home: What home offers; it outlives every screen.
        stays: The servers that it is connected to.
        ways_in: Lists every way into a room at a server that is held from here.
    """

    def __init__(
        self,
        folders: Folders | None = None,
        *,
        opening: Callable[[HeatApp], None] | None = None,
        animate: bool | None = None,
        map_style: MapStyle | None = None,
        has_ghost: bool = True,
        player_name: str = "",
        server: HostedServer | None = None,
        nearby_on: Sequence[str] | None = None,
        ways_in: WaysIn = lambda address, code: (),
    ) -> None:
        """Make the client; the other arguments are those of `BaseApp`.

        Args:
            opening: Called once Home stands, to go straight to another screen.
            server: The one that was started before the client and ends with it, if any.
        """
        super().__init__(
            folders,
            animate=animate,
            map_style=map_style,
            has_ghost=has_ghost,
            player_name=player_name,
            nearby_on=nearby_on,
        )
        self.ways_in = ways_in
        self._opening = opening
        self.stays = ServerStays(partial(self.run_worker, group="hang-up"), self._remember_server)
        self._faults: list[str] = []
        self.home = HomeController(self.folders, self._faults.append, server)
        self._is_leaving = False
        self._own_task: asyncio.Task[object] | None = None

    def get_default_screen(self) -> HomeScreen:
        """Home lies below everything."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Open what is asked for."""
        self._own_task = asyncio.current_task()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            opening(self)
            self.screen.refresh()  # what was there so far has not been shown
        self.show_faults()

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Show nothing of Home where another screen is about to come up above it."""
        if self._opening is None:
            super()._display(screen, renderable)

    def show_faults(self) -> None:
        """Show what cannot be continued and why, unless another screen is about to come up."""
        if self._opening is None and self._faults:
            self.push_screen(NewsDialog("Saved here", [Text(text) for text in self._faults]))
            self._faults.clear()

    async def on_unmount(self) -> None:
        """Hang up everywhere; leave what is saved for later; end a server started from here."""
        self.home.close_game()
        await self.stays.close_all()
        await self.home.end_server()

    def end_by_force(self) -> None:
        """Ask a server started from here to end, too."""
        self.home.server.ask_to_end()

    # --- ways between screens -----------------------------------------------------------------------------

    def go_home(self, news: str = "") -> None:
        """Close every screen above Home."""
        self.home.leave_news(news)
        while not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    def show_new_race(self, *, is_hot_seat: bool) -> None:
        """Set up a race here."""
        from heat_tui.screens.new_race import NewRaceScreen

        self.push_screen(NewRaceScreen(is_hot_seat=is_hot_seat))

    def show_join(
        self, stay: ServerStay | None = None, code: str = "", news: str = "", entrance: Entrance | None = None
    ) -> None:
        """Find a race at a server; see `JoinScreen`."""
        from heat_tui.screens.join import JoinScreen

        if stay is not None:
            self.stays.keep(stay)
        self.push_screen(JoinScreen(stay, code=code, news=news, entrance=entrance))

    def enter_lobby(self, stay: ServerStay) -> None:
        """Wait in a room; the race follows from there."""
        from heat_tui.screens.lobby import LobbyScreen

        self.stays.keep(stay)
        self._above_home(LobbyScreen(stay))

    def race_here(self, table: Table) -> None:
        """Race at a new table in this process; ask first where a saved race would be removed for it."""
        games = self.home.games
        saved = games.newest_race()
        if saved is None:
            self._race(games.begin_race(table))
            return

        def answered(key: str | None) -> None:
            if key == CONTINUE.key:
                self._race(saved)
            elif key is None:
                games.close()
            else:
                saved.delete()
                self._race(games.begin_race(table))

        answers = ((CONTINUE.key, "continue it"), ("s", "start another race and remove the saved one"))
        self.push_screen(ChooseScreen(another_race_question(saved.text_with_people), answers), answered)

    def _race(self, race: OwnRace) -> None:
        """Race a race that belongs to no championship, from wherever it stands."""
        from heat_tui.flow.ghost import ghost_finder

        session = race.session()
        finder = ghost_finder(self.folders, self.player_name, session) if self.has_ghost else None
        self._show_race(
            session, WaysOn(again=lambda: self.race_here(session.another_table())), find_ghost=finder
        )

    def _show_race(
        self,
        session: Session,
        ways_on: WaysOn,
        *,
        has_hints: bool = True,
        find_ghost: GhostFinder | None = None,
    ) -> None:
        """Race at a table; with hints, where the settings have them."""
        from heat_tui.flow.lesson import Lesson
        from heat_tui.screens.race import RaceScreen

        lesson = Lesson() if has_hints and self.settings.hints else None
        self._above_home(RaceScreen(session, ways_on, lesson=lesson, find_ghost=find_ghost))

    def action_learn(self) -> None:
        """Race the race that explains each phase when it first happens."""
        from heat_tui.flow.table_factory import own_lesson

        self.change_settings(msgspec.structs.replace(self.settings, hints=True))
        self.race_here(own_lesson(self.player_name, self.settings.colour))

    def show_daily(self) -> None:
        """Show the daily race."""
        from heat_tui.screens.daily import DailyScreen

        self.push_screen(DailyScreen())

    def show_puzzles(self, at: int = 0) -> None:
        """List the puzzles, the one at a place chosen."""
        from heat_tui.screens.puzzles import PuzzlesScreen

        self._above_home(PuzzlesScreen(at))

    def solve(self, place: int) -> None:
        """Show a puzzle on the race screen; its answer comes up above it."""
        from heat_tui.flow.puzzles import PuzzleSession, PuzzleShelf
        from heat_tui.screens.puzzles import AnswerDialog

        shelf = PuzzleShelf(self.folders)

        def answered(command: Command) -> None:
            answer = shelf.answer(place, command)
            self.push_screen(AnswerDialog(answer), partial(self._after_puzzle, place))

        session = PuzzleSession(shelf.open(place, self.player_name), answered)
        self._show_race(session, WaysOn(onward=partial(self.show_puzzles, place)), has_hints=False)

    def _after_puzzle(self, place: int, wish: str | None) -> None:
        if wish == "again":
            self.solve(place)
        else:
            self.show_puzzles(place + (wish == "next"))

    def show_career(self) -> None:
        """Show the career."""
        from heat_tui.screens.career import CareerScreen

        self.push_screen(CareerScreen())

    def show_championship(self) -> None:
        """Continue the championship that was left last, or set up a new one where there is none."""
        season = self.home.games.newest_championship()
        if season is None:
            self.show_new_championship()
        else:
            self._show_season(season)

    def continue_saved(self, path: Path) -> bool:
        """Continue a saved race or championship, in mid-race too, and return whether it was free."""
        from heat_tui.saved.own_race import OwnRace

        game = self.home.games.open(path)
        if game is None:
            return False
        if isinstance(game, OwnRace):
            self._race(game)
        elif game.is_in_race:
            self.race_of_championship(game)
        else:
            self._show_season(game)
        return True

    def show_new_championship(self) -> None:
        """Set up a championship here."""
        from heat_tui.screens.new_championship import NewChampionshipScreen

        self.push_screen(NewChampionshipScreen())

    def begin_championship(self, season: Season) -> None:
        """Show a championship that has just been set up, before its first race."""
        self._show_season(*self.home.games.begin_championship(season))

    def show_replays(self) -> None:
        """List the records that are kept."""
        from heat_tui.screens.replays import ReplaysScreen

        self.push_screen(ReplaysScreen())

    def show_replay(self, playback: Playback, start: ReplayStart = FIRST_MOMENT) -> None:
        """Watch a recorded race."""
        from heat_tui.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(playback, start))

    async def keep_races(self, races: Sequence[Record], seats: Sequence[int]) -> None:
        """Write finished races down, and their results."""
        from heat_tui.saved.keeping import keep_races

        await keep_races(self.folders, self.settings, races, seats, self.player_name)

    def _show_season(self, season: SeasonController, news: str = "") -> None:
        from heat_tui.screens.season import SeasonScreen

        self._above_home(SeasonScreen(season, news))

    def race_of_championship(self, season: SeasonController) -> None:
        """Race the next race of a championship, or continue the one under way."""
        self._show_race(season.race(), WaysOn(onward=partial(self._show_season, season)))

    def race_there(self, stay: ServerStay) -> None:
        """Race at a server's table."""
        onward = None if stay.link.season is None else partial(self.season_there, stay)
        self._show_race(stay.race_session(), WaysOn(onward=onward, lobby=partial(self.enter_lobby, stay)))

    def season_there(self, stay: ServerStay) -> None:
        """Show a server's championship between two races, or its end."""
        from heat_tui.screens.room_season import RoomSeasonScreen

        self._above_home(RoomSeasonScreen(stay))

    def _above_home(self, screen: Screen[None]) -> None:
        """Put a screen right above Home, in place of what lies there."""
        if isinstance(self.screen, HomeScreen):
            self.push_screen(screen)
            return
        while not isinstance(self.screen_stack[-2], HomeScreen):
            self.pop_screen()
        self.switch_screen(screen)

    # --- what breaks --------------------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        """Go Home from a server whose news broke a screen; anything else that breaks ends the program.

        So does what breaks in the program's own task: Textual reads no more messages there.
        """
        is_there = bool(self.stays) and not isinstance(self.screen, HomeScreen)
        if self._exit or not is_there or asyncio.current_task() is self._own_task:
            super()._handle_exception(error)
        elif not self._is_leaving:  # a screen that is broken may break again until it is gone
            self._is_leaving = True
            cause = error.error if isinstance(error, WorkerFailed) else error
            self.call_later(self._leave_broken, broken_there(self.folders, cause))

    def _leave_broken(self, news: str) -> None:
        """Close whatever shows a server's race; Home hangs up, and nothing connects again."""
        self.go_home(news)
        self._is_leaving = False

    # --- servers ------------------------------------------------------------------------------------------

    def _remember_server(self, address: Address) -> None:
        """Offer a server the next time, unless it is the one that was started from here."""
        if str(address) != str(self.home.server.address):
            self.change_settings(msgspec.structs.replace(self.settings, server=str(address)))

    async def host(self) -> str | None:
        """Start a server here (once), open a room at it and go to its lobby.

        Returns:
            Why not, in one sentence; None where it worked.
        """
        from heat_core.wire.messages import RoomOptions
        from heat_tui.client.connect_failed import ConnectFailed
        from heat_tui.client.connection import ConnectionLost, RequestRefused
        from heat_tui.client.server_stay import ServerStay
        from heat_tui.hosting import HostingFailed

        try:
            address = await self.home.server.start(is_announced=self.nearby_on is not None)
            stay = await ServerStay.begin(self.folders, address)
        except (HostingFailed, ConnectFailed) as error:
            return str(error)
        self.stays.keep(stay)
        try:
            await stay.create(self.player_name, self.settings.colour, RoomOptions())
        except (RequestRefused, ConnectionLost) as error:
            await self.stays.close(stay)
            return error.text
        if isinstance(self.screen, HomeScreen):
            self.enter_lobby(stay)
        else:
            await self.stays.close(stay)  # the player went elsewhere meanwhile
        return None


if TYPE_CHECKING:
    _KEPT: type[Navigator] = HeatApp  # the types say whether all that screens ask for is there
