"""A way to every screen, and the way home from it: what is tested of all screens alike goes through these."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final, NamedTuple, TypeAlias

from rich.text import Text
from textual.pilot import Pilot
from textual.screen import Screen

import heat_tui
from heat_core.options.table_options import LocalOptions
from heat_core.race.commands import GiveUp
from heat_core.record.playback import Playback
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile
from heat_tui.doors.guest_app import WaitingHome
from heat_tui.flow.invitation import Invitation
from heat_tui.flow.puzzles import PuzzleShelf
from heat_tui.flow.table_factory import make_table
from heat_tui.keys.palette_screen import OwnPalette
from heat_tui.party.screen import PartyScreen
from heat_tui.party.words import ways_in
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.ask import AskScreen, ChooseScreen
from heat_tui.screens.career import CareerScreen
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.daily import DailyScreen
from heat_tui.screens.dialogs import ConfirmDialog, NewsDialog, PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.invitation import InvitationDialog
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.keys import KeysScreen, PressKeyScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.log import LogScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.puzzles import AnswerDialog, PuzzlesScreen
from heat_tui.screens.qr import QrDialog
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.replays import ReplaysScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.room_season import RoomSeasonScreen
from heat_tui.screens.season import SeasonScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.screens.weather import WeatherDialog
from tests.tui.fake_server import DIRECT
from tests.tui.support_app import folders_in, until
from tests.tui.support_party import HOSTS, OPEN, WISH, show_party
from tests.tui.support_replay import raced
from tests.tui.support_season import begun, season

AnyScreen: TypeAlias = Screen[Any]
"""A screen, whatever it gives to the one below."""


class Door(NamedTuple):
    """How a screen is come to.

    Attributes:
        keys: What is pressed one after the other, each once the screen before it stands; words in one
            text are pressed together.
        home: What is pressed there to be at Home again.
        opening: What opens the first of the screens; None: Home.
    """

    keys: tuple[str, ...]
    home: tuple[str, ...]
    opening: Callable[[HeatApp], None] | None = None


_OTHERWISE_MADE: Final[set[type[AnyScreen]]] = {WaitingHome, OwnPalette}
"""Screens that are shown elsewhere or Textual's, and differ only in when they make widgets or take keys."""


def screen_classes() -> set[type[AnyScreen]]:
    """Find every screen of the client that is shown as it is, not only built upon."""
    for module in walk_packages(heat_tui.__path__, "heat_tui."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found: set[type[AnyScreen]] = set()
    below: list[type[AnyScreen]] = [Screen]
    while below:
        own = below.pop().__subclasses__()
        below.extend(own)
        ours = [one for one in own if one.__module__.startswith("heat_tui.")]
        found.update(one for one in ours if one in DOORS or not one.__subclasses__())
    return found - _OTHERWISE_MADE


async def go_through(pilot: Pilot[None], door: Door) -> None:
    """Go to a screen."""
    app = pilot.app
    if door.opening is not None:
        await until(lambda: not isinstance(app.screen, HomeScreen))
    await pilot.pause()
    for key in door.keys:
        before = app.screen
        await pilot.press(*key.split())
        await until(lambda: app.screen is not before)  # noqa: B023  # it is waited for in the same turn
        await pilot.pause()


def _race(app: HeatApp) -> None:
    app.race_here(make_table(LocalOptions(names=("Ana",), track="usa", laps=1, legends=2, seed="5")))


def _race_in_rain(app: HeatApp) -> None:
    options = LocalOptions(names=("Ana",), track="usa", laps=1, legends=2, weather=True, seed="5")
    app.race_here(make_table(options))


def _race_over(app: HeatApp) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="usa", laps=1, legends=1, seed="5"))
    table.submit(0, None, GiveUp())
    app.race_here(table)


def _news(app: HeatApp) -> None:
    _race(app)
    app.push_screen(
        NewsDialog("Meanwhile", [Text("Ben took the lead in round 3."), Text("A bot drove for you.")])
    )


def _replay(app: HeatApp) -> None:
    app.show_replay(Playback(raced()))


def _stay() -> tuple[ServerLink, ServerStay]:
    """A visit whose line nobody holds at the other end."""
    link = ServerLink(Address("192.0.2.1", 7777), DIRECT)
    return link, ServerStay(link, SessionFile(None, None, None))


def _lobby(app: HeatApp) -> None:
    link, stay = _stay()
    places = (
        m.PlaceState("human", "Ana", "red", True, True),
        m.PlaceState("human", "Ben", "blue", False, True),
        m.PlaceState("legend:medium", "Legend 1", "green", True, True),
        m.PlaceState(),
    )
    options = m.RoomOptions(cars=4)
    link.mirror.room = m.LobbyView(
        "KXFRM", "lobby", 0, 0, options, 2, 60_000, places, "heat-tui connect 192.0.2.1 KXFRM", ("Nina",)
    )
    app.enter_lobby(stay)


def _room_season(app: HeatApp) -> None:
    link, stay = _stay()
    championship = begun(app.folders.data, races=2, begins=season("Ana", bots=1, legends=2))
    link.mirror.season = m.SeasonUpdate(championship.season.setup, championship.view(), (0, 1, None, None))
    championship.close()
    people = (m.PlaceState("human", "Ana", "red", False, True), m.PlaceState("steady", "Bot 1", "blue"))
    options = m.RoomOptions(season=m.SeasonOptions(1961))
    link.mirror.room = m.LobbyView("KXFRM", "between", 0, 0, options, 1, 60_000, people, "")
    app.season_there(stay)


def _answered(app: HeatApp) -> None:
    shelf = PuzzleShelf(app.folders)
    place = next(place for place, puzzle in enumerate(shelf.puzzles) if puzzle.name == "02-gb-cards")
    app.push_screen(AnswerDialog(shelf.answer(place, shelf.puzzles[place].lines[2].answers[0])))


def _invited(app: HeatApp) -> None:
    ways = ways_in(WISH, OPEN, "K7QX4", HOSTS)
    heading = (
        "Room K7QX4: with any of these lines others come in to watch, and drivers return to their seats."
    )
    app.push_screen(InvitationDialog(Invitation(heading, ways, ()), has_pictures=True))


LEAVE: Final = ("q", "y")

DOORS: Final[dict[type[AnyScreen], Door]] = {
    HomeScreen: Door((), ()),
    NewRaceScreen: Door(("n",), ("escape",)),
    NewChampionshipScreen: Door(("c",), ("escape",)),
    TableRulesScreen: Door(("n", "f3"), ("escape", "escape")),
    JoinScreen: Door(("j",), ("escape",)),
    LobbyScreen: Door((), ("escape",), _lobby),
    ChatScreen: Door(("t",), ("escape", "escape"), _lobby),
    AskScreen: Door(("n",), ("escape", "escape"), _lobby),
    ChooseScreen: Door(("down k",), ("n", "escape"), _lobby),
    RaceScreen: Door((), LEAVE, _race),
    ConfirmDialog: Door(("q",), ("y",), _race),
    PageDialog: Door(("question_mark",), ("escape", *LEAVE), _race),
    WeatherDialog: Door(("w",), ("escape", *LEAVE), _race_in_rain),
    NewsDialog: Door((), ("space", *LEAVE), _news),
    ResultsScreen: Door(("enter",), ("enter",), _race_over),
    SeasonScreen: Door((), ("escape",), lambda app: app.begin_championship(season())),
    RoomSeasonScreen: Door((), ("escape",), _room_season),
    DailyScreen: Door(("d",), ("escape",)),
    PuzzlesScreen: Door(("z",), ("escape",)),
    AnswerDialog: Door((), ("escape",), _answered),
    CareerScreen: Door(("a",), ("escape",)),
    ReplaysScreen: Door(("r",), ("escape",)),
    ReplayScreen: Door((), ("escape",), _replay),
    AnalysisScreen: Door(("a",), ("escape", "escape"), _replay),
    LogScreen: Door(("e",), ("escape", "escape"), _replay),
    HowToPlayScreen: Door(("p",), ("escape",)),
    SettingsScreen: Door(("s",), ("escape",)),
    KeysScreen: Door((), ("escape",), lambda app: app.action_choose_keys()),
    PartyScreen: Door((), ("q",), show_party),
    QrDialog: Door(("s",), ("escape", "q"), show_party),
    InvitationDialog: Door((), ("escape",), _invited),
    PressKeyScreen: Door(("enter",), ("escape", "escape"), lambda app: app.action_choose_keys()),
}


def door_app(path: Path, door: Door) -> HeatApp:
    """The client at the first of a door's screens."""
    return HeatApp(folders_in(path), opening=door.opening, animate=False, player_name="Ana")
