"""People at a server: the lobby, its questions, the race among others, the chat, the season of a room."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from heat_core.race.commands import GiveUp
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile
from heat_tui.party.screen import PartyScreen
from heat_tui.screens.ask import AskScreen, ChooseScreen
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.invitation import InvitationDialog
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.qr import QrDialog
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.room_season import RoomSeasonScreen
from heat_tui.screens.table_rules import TableRulesScreen
from tests.tui.fake_server import DIRECT, FakeRace
from tests.tui.scenes.scene import Scene, behind_a_door, client, pressing
from tests.tui.support_company import Told, line, two_people
from tests.tui.support_season import begun, season

_ROOMS: Final = (
    m.RoomSummary("KXFRM", "lobby", "usa", 2, 6, 3, True, "Ben"),
    m.RoomSummary("PQRST", "lobby", "italy", 3, 5, 2, True, "Nina", True),
    m.RoomSummary("W7HVN", "lobby", "gb", 2, 4, 4, False, "Otto"),
    m.RoomSummary("C3DFG", "racing", "france", 2, 6, 6, False, "Sixteen letters."),
    m.RoomSummary("B9XYZ", "ended", "usa", 1, 2, 2, False, "Rosa"),
)
_SAID: Final = (
    line(1, "Ben has joined.", "news", ""),
    line(2, "Ready when you are."),
    line(3, "Two laps? I have to be in bed by ten, and the last race took us two hours.", name="Ana"),
    line(4, "hurry", "reaction"),
    line(5, "Cy is watching.", "news", ""),
)


class _Rooms(Told):
    """A server with rooms to choose from."""

    async def request(self, message: m.Request) -> m.ServerMessage:
        if isinstance(message, m.ListRooms):
            return m.RoomList(0, _ROOMS)
        return await super().request(message)


def _stay(link: ServerLink) -> ServerStay:
    return ServerStay(link, SessionFile(None, None, None))


# --- racing with others ------------------------------------------------------------------------------------


def _told(*, is_watching: bool = False, is_paused: bool = False) -> Told:
    """Make a link to a room in which things are said and wished; no time runs, for pictures have none."""
    link = Told(FakeRace())
    fake, replace = link.fake, msgspec.structs.replace
    room = two_people(fake, wishes=(is_paused, True), is_paused=is_paused)
    update = fake.update()
    if is_watching:
        room = replace(two_people(fake), place=None, watchers=("Cy",))
        link.tell(replace(fake.started(), seat=None))
        update = replace(update, view=fake.table.view(None))
    timeless = tuple(replace(decision, milliseconds_left=None) for decision in update.decisions)
    link.tell(replace(update, decisions=timeless, standstill="paused" if is_paused else None))
    link.tell(room, *_SAID)
    return link


def _race(change: Callable[[Told], None] | None = None, **room: bool) -> Callable[[Path], HeatApp]:
    def opening(app: HeatApp) -> None:
        link = _told(**room)
        if change is not None:
            change(link)
        app.push_screen(RaceScreen(RemoteSession(link)))

    return client(opening)


def _break_off(link: Told) -> None:
    link.state = "reconnecting"


def _end(link: Told) -> None:
    """Let the race end: everybody has given up."""
    link.fake.table.submit(0, None, GiveUp())
    room = two_people(link.fake, wishes=(False, True))
    link.tell(link.fake.update(), msgspec.structs.replace(room, phase="ended"))


# --- the lobby ---------------------------------------------------------------------------------------------

_PLACES: Final = (
    m.PlaceState("human", "Ana", "red", True, True),
    m.PlaceState("human", "Ben", "blue", False, True),
    m.PlaceState("steady", "Bot 1", "yellow", True, True),
    m.PlaceState("legend:medium", "Legend 1", "green", True, True),
    m.PlaceState("human", "Nina Wunderlich", "orange", True, False),
    m.PlaceState(),
)


def _lobby(
    path: Path,
    *,
    place: int | None = 0,
    season: m.SeasonOptions | None = None,
    said: tuple[m.Said, ...] = _SAID,
) -> HeatApp:
    link = Told(FakeRace())
    options = m.RoomOptions(cars=6, garage="mixed", season=season)
    invitation = "heat-tui connect 192.0.2.1 KXFRM"
    link.mirror.race = None
    link.tell(
        m.LobbyView(
            "KXFRM", "lobby", place, 0, options, 2, 60_000, _PLACES, invitation, ("Cy",), is_private=True
        ),
        *said,
    )
    return client(lambda app: app.enter_lobby(_stay(link)))(path)


def _join(path: Path) -> HeatApp:
    link = _Rooms(FakeRace())
    return client(lambda app: app.show_join(_stay(link)))(path)


# --- a championship ----------------------------------------------------------------------------------------


def _room_season(path: Path, *, races: int = 2, is_host: bool = True) -> HeatApp:
    championship = begun(path, races=races, begins=season("Ana", bots=1, legends=2))
    link, view = ServerLink(Address("127.0.0.1", 1), DIRECT), championship.view()
    link.mirror.season = m.SeasonUpdate(championship.season.setup, view, (0, 1, None, None))
    championship.close()
    people = (
        m.PlaceState("human", "Ana", "red", False, True),
        m.PlaceState("human", "Nina", "blue", False, False, True),
    )
    options = m.RoomOptions(season=m.SeasonOptions(1961))
    phase: m.RoomPhase = "between" if view.end is None else "ended"
    link.mirror.room = m.LobbyView("KXFRM", phase, 0 if is_host else 1, 0, options, 1, 60_000, people, "")
    return client(lambda app: app.season_there(_stay(link)))(path)


_SEASON: Final = m.SeasonOptions(tracks=("usa", "italy", "france"), events=True, sponsorships=True)

COMPANY: Final = (
    Scene("join-rooms", JoinScreen, _join, pressing()),
    Scene("lobby-host", LobbyScreen, _lobby, pressing()),
    Scene("lobby-season", LobbyScreen, partial(_lobby, season=_SEASON), pressing()),
    Scene("lobby-guest", LobbyScreen, partial(_lobby, place=1), pressing()),
    Scene("lobby-watching", LobbyScreen, partial(_lobby, place=None, said=()), pressing()),
    Scene("lobby-rules", TableRulesScreen, _lobby, pressing("f3")),
    Scene("lobby-password", AskScreen, _lobby, pressing("p")),
    Scene("lobby-kick", ChooseScreen, _lobby, pressing("down", "k")),
    Scene("lobby-chat", ChatScreen, _lobby, pressing("t")),
    Scene("race-with-others", RaceScreen, _race(), pressing()),
    Scene("race-chat", ChatScreen, _race(), pressing("tab")),
    Scene("watching", RaceScreen, _race(is_watching=True), pressing()),
    Scene("paused", RaceScreen, _race(is_paused=True), pressing()),
    Scene("reconnecting", RaceScreen, _race(_break_off), pressing()),
    behind_a_door(NewsDialog, "meanwhile"),
    Scene("results-with-others", ResultsScreen, _race(_end), pressing("enter")),
    Scene("room-season-host", RoomSeasonScreen, _room_season, pressing()),
    Scene("room-season-guest", RoomSeasonScreen, partial(_room_season, is_host=False), pressing()),
    Scene("room-season-over", RoomSeasonScreen, partial(_room_season, races=3), pressing()),
    behind_a_door(PartyScreen, "party"),
    behind_a_door(QrDialog, "party-code"),
    behind_a_door(InvitationDialog, "invitation"),
)
