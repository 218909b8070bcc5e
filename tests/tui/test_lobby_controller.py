"""A room without any screen: who is there, who may do what, what is asked of the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from msgspec.structs import replace

from heat_core.bots import BOTS
from heat_core.options.table_options import USUAL_BOT, change
from heat_core.race.setup import COLOURS
from heat_core.text import listed
from heat_core.wire import messages as m
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile
from heat_tui.flow.lobby import ALL_READY, ALREADY_SO, READY_AGAIN, LobbyController
from heat_tui.flow.option_changes import OptionChanges
from heat_tui.flow.room_rights import Action, why_not
from heat_tui.flow.room_rows import Row, room_rows
from tests.tui.fake_server import FakeRace
from tests.tui.support_company import Told

ANA = m.PlaceState("human", "Ana", "red", False, True)
BEN = m.PlaceState("human", "Ben", "blue", True, True)
NINA = m.PlaceState("steady", "Nina (steady)", "grey", True, True)
LEGEND = m.PlaceState("legend:hard", "Legend 1", "black", True, True)
FREE = m.PlaceState()
ROOM = m.LobbyView(
    "KXFRM", "lobby", 0, 0, m.RoomOptions(cars=5), 2, 60_000, (ANA, BEN, NINA, LEGEND, FREE), "x", ("Cy",)
)


class Refusing(Told):
    """A link that a test can make say no."""

    refusal = ""

    async def request(self, message: m.Request) -> m.ServerMessage:
        answer = await super().request(message)
        if self.refusal:
            raise RequestRefused("room/no", self.refusal)
        return answer


def lobby_of(room: m.LobbyView = ROOM) -> tuple[LobbyController, Refusing]:
    link = Refusing(FakeRace())
    link.tell(room)
    return LobbyController(ServerStay(link, SessionFile(None, None, None))), link


def test_the_rows_say_who_is_there_and_how_they_are() -> None:
    gone = replace(BEN, is_connected=False)
    driven = replace(gone, has_stand_in=True)
    assert room_rows(ROOM) == [
        Row(0, "Ana", "red", marks=("host", "you")),
        Row(1, "Ben", "blue", marks=("ready",)),
        Row(2, "Nina (steady)", "grey", driver="bot"),
        Row(3, "Legend 1", "black", driver="hard Legend"),
        Row(4),
        Row(None, "Cy", marks=("watching",)),
    ]
    assert [row.is_person for row in room_rows(ROOM)] == [True, True, False, False, False, True]
    for place, marks in (
        (gone, ("away",)),
        (driven, ("bot drives",)),
        (replace(BEN, is_ready=False), ("not ready",)),
    ):
        assert room_rows(replace(ROOM, places=(ANA, place)))[1].marks == marks


FOR_HOSTS: list[Action] = ["start", "fill", "configure", "lock", "remove", "stand_in", "rematch"]
FOR_DRIVERS: list[Action] = ["ready", "rename", "colour"]


@pytest.mark.parametrize("action", [*FOR_HOSTS, *FOR_DRIVERS])
def test_each_action_is_for_somebody_and_for_a_phase_and_every_refusal_says_why(action: Action) -> None:
    ben, cy = replace(ROOM, place=1), replace(ROOM, place=None)
    phases = {
        "start": {"lobby", "between"},
        "ready": {"lobby", "between"},
        "stand_in": {"between"},
        "rematch": {"ended"},
        "lock": {"lobby", "racing", "between", "ended"},
        "remove": {"lobby", "racing", "between", "ended"},
    }.get(action, {"lobby"})
    all_phases: tuple[m.RoomPhase, ...] = ("lobby", "racing", "between", "ended")
    for phase in all_phases:
        refusal = why_not(replace(ROOM, phase=phase), action)
        assert refusal == "" if phase in phases else refusal.startswith("That is possible only ")
        if action in FOR_HOSTS:
            assert why_not(replace(ben, phase=phase), action).startswith("Only the host can ")
        else:
            assert why_not(replace(ben, phase=phase), action) == refusal
        assert "Only " in why_not(replace(cy, phase=phase), action)
    assert why_not(None, action)


Doing = Callable[[LobbyController], Awaitable[str]]


@pytest.mark.parametrize(
    ("do", "asked"),
    [
        (lambda lobby: lobby.set_ready(True), m.TakeSeat(0, ready=True)),
        (lambda lobby: lobby.rename("x" * 99), m.TakeSeat(0, name="x" * 64)),
        (lambda lobby: lobby.take_colour("green"), m.TakeSeat(0, colour="green")),
        (lambda lobby: lobby.take_next_colour(), m.TakeSeat(0, colour="yellow")),
        (lambda lobby: lobby.start(), m.Start(0)),
        (lambda lobby: lobby.add_bot(), m.PlaceBot(0, 4, USUAL_BOT)),
        (lambda lobby: lobby.add_bot("random", 2), m.PlaceBot(0, 2, "random")),
        (lambda lobby: lobby.add_bot(place=1), m.PlaceBot(0, 4, USUAL_BOT)),
        (lambda lobby: lobby.add_bot(place=2), m.PlaceBot(0, 2, "random")),
        (lambda lobby: lobby.add_bot(place=3), m.PlaceBot(0, 3, USUAL_BOT)),
        (lambda lobby: lobby.add_legend(place=3), m.PlaceBot(0, 3, "legend:easy")),
        (lambda lobby: lobby.add_legend(place=2), m.PlaceBot(0, 2, "legend:medium")),
        (lambda lobby: lobby.add_legend(), m.PlaceBot(0, 4, "legend:medium")),
        (lambda lobby: lobby.add_legend("easy", 4), m.PlaceBot(0, 4, "legend:easy")),
        (lambda lobby: lobby.clear(3), m.PlaceBot(0, 3, None)),
        (lambda lobby: lobby.lock("sesame"), m.Lock(0, "sesame")),
        (lambda lobby: lobby.remove("Ben", is_banned=True), m.Kick(0, "Ben", True)),
    ],
)
@pytest.mark.asyncio
async def test_each_action_asks_the_server_once_and_gives_its_refusal(do: Doing, asked: m.Request) -> None:
    lobby, link = lobby_of()
    assert await do(lobby) == ""
    assert link.asked == [asked]
    link.refusal = "Not today."
    assert await do(lobby) == "Not today."
    lobby, link = lobby_of(replace(ROOM, place=None))
    assert await do(lobby)
    assert link.asked == [], "a spectator is refused without asking"


@pytest.mark.parametrize(
    ("do", "refusal"),
    [
        (lambda lobby: lobby.set_ready(False), ALREADY_SO),
        (lambda lobby: lobby.lock(""), ALREADY_SO),
        (lambda lobby: lobby.take_colour("pink"), "The colours are "),
        (lambda lobby: lobby.add_bot("dog"), f"A bot is {listed(BOTS, 'or')}."),
        (lambda lobby: lobby.add_legend("x"), "A Legend is easy, medium or hard."),
        (lambda lobby: lobby.clear(5), "Choose one of the places 1 to 5."),
        (lambda lobby: lobby.clear(None), "Choose one of the places 1 to 5."),
        (lambda lobby: lobby.let_bots_stand_in(), "That is possible only between two races"),
        (lambda lobby: lobby.rematch(), "That is possible only after the last race."),
    ],
)
@pytest.mark.asyncio
async def test_what_cannot_be_is_refused_without_asking(do: Doing, refusal: str) -> None:
    lobby, link = lobby_of()
    assert (await do(lobby)).startswith(refusal)
    assert link.asked == []


@pytest.mark.asyncio
async def test_a_full_room_has_no_place_and_no_colour_left() -> None:
    people = tuple(replace(BEN, name=colour, colour=colour) for colour in COLOURS)
    lobby, link = lobby_of(replace(ROOM, places=people))
    assert await lobby.add_bot() == "All places are taken."
    assert await lobby.take_next_colour() == "All eight colours are taken."
    assert link.asked == []


@pytest.mark.asyncio
async def test_bots_stand_in_for_everybody_who_is_away_and_has_none() -> None:
    gone = replace(BEN, is_connected=False)
    driven = replace(gone, name="Cy", has_stand_in=True)
    lobby, link = lobby_of(replace(ROOM, phase="between", places=(ANA, gone, driven)))
    assert await lobby.let_bots_stand_in() == ""
    assert link.asked == [m.PlaceBot(0, 1, USUAL_BOT)]
    chosen = replace(ROOM.options, away_driver="steady")
    link.tell(replace(ROOM, phase="between", places=(ANA, gone), options=chosen))
    assert await lobby.let_bots_stand_in() == ""
    assert link.asked[1:] == [m.PlaceBot(0, 1, "steady")]
    link.tell(replace(ROOM, phase="between"))
    assert await lobby.let_bots_stand_in() == "Nobody is away."


@pytest.mark.asyncio
async def test_nobody_removes_themselves_or_a_bot() -> None:
    lobby, _ = lobby_of()
    own, ben, bot, _, free, watcher = lobby.rows()
    assert "yourself" in lobby.why_not_remove(own)
    for row in (bot, free, None):
        assert lobby.why_not_remove(row) == "Choose a person first."
    assert lobby.why_not_remove(ben) == lobby.why_not_remove(watcher) == ""
    guest, _ = lobby_of(replace(ROOM, place=1))
    assert guest.why_not_remove(own) == "Only the host can remove people."


@pytest.mark.asyncio
async def test_a_change_is_shown_at_once_and_taken_back_alone_where_it_is_refused() -> None:
    lobby, link = lobby_of()
    laps, weather = partial(change, field="laps", value=1), partial(change, field="weather", value=True)
    assert lobby.propose(laps) == lobby.propose(weather) == ""
    assert (lobby.options.laps, lobby.options.weather) == (1, True)
    assert lobby.propose(partial(change, field="laps", value=1)) == ALREADY_SO
    link.refusal = "No."
    assert await lobby.send(laps) == "No."
    assert (lobby.options.laps, lobby.options.weather) == (None, True)
    link.refusal = ""
    assert await lobby.send(weather) == ""
    assert [one.options for one in link.asked if isinstance(one, m.Configure)] == [
        replace(ROOM.options, laps=1),
        replace(ROOM.options, weather=True),
    ]
    assert lobby.options.weather, "until the server has told it"
    link.tell(replace(ROOM, options=replace(ROOM.options, level="hard")))
    assert lobby.options == replace(ROOM.options, level="hard")
    guest, _ = lobby_of(replace(ROOM, place=1))
    assert guest.propose(laps) == "Only the host can change the settings."


def test_a_refused_change_takes_only_itself_back() -> None:
    def with_laps(options: m.RoomOptions) -> m.RoomOptions:
        return replace(options, laps=9)

    def with_weather(options: m.RoomOptions) -> m.RoomOptions:
        return replace(options, weather=True)

    room = replace(ROOM, options=m.RoomOptions())
    changes = OptionChanges()
    changes.add(with_laps)
    changes.add(with_weather)
    assert changes.applied(room) == m.RoomOptions(laps=9, weather=True)
    assert changes.applied(room, with_laps) == m.RoomOptions(laps=9)
    changes.refused(with_laps)
    assert changes.applied(room) == m.RoomOptions(weather=True)
    changes.taken(with_weather, room)
    assert changes.applied(room) == m.RoomOptions(weather=True)
    told = replace(room, options=m.RoomOptions(level="hard"))
    assert changes.applied(told) == m.RoomOptions(level="hard")


@pytest.mark.asyncio
async def test_the_room_leads_on_when_a_race_begins_a_season_is_between_or_the_link_ends() -> None:
    lobby, link = lobby_of()
    assert lobby.way() == "here"
    link.tell(*link.fake.everything())
    assert lobby.way() == "race"
    assert lobby.way(link.race) == "here", "it was raced already"
    link.ended = "The room was closed."
    assert lobby.way(link.race) == "ended"


@pytest.mark.asyncio
async def test_a_lost_connection_is_told_once() -> None:
    lobby, link = lobby_of()
    assert lobby.connection_news() == ""
    link.state = "reconnecting"
    assert "trying again" in lobby.connection_news()
    assert lobby.connection_news() == ""
    link.state = "connected"
    assert lobby.connection_news() == "Connected again."
    link.state = "moving"
    assert lobby.connection_news() == "The room moves to another server, and you with it."


@pytest.mark.asyncio
async def test_whoever_is_asked_again_whether_they_are_ready_reads_why_once() -> None:
    for place, is_asked_again in ((1, True), (0, False)):  # Ben is ready, Ana is not
        lobby, link = lobby_of(replace(ROOM, place=place))
        assert lobby.ready_news() == ""
        people = (ANA, replace(BEN, is_ready=False), NINA, LEGEND, FREE)
        link.tell(replace(ROOM, place=place, places=people, options=m.RoomOptions(cars=5, laps=1)))
        assert lobby.ready_news() == (READY_AGAIN if is_asked_again else "")
        assert lobby.ready_news() == ""


@pytest.mark.asyncio
async def test_the_host_reads_once_that_nobody_is_waited_for() -> None:
    waiting = (ANA, replace(BEN, is_ready=False), NINA, LEGEND, FREE)
    for place, news in ((0, ALL_READY), (1, "")):
        lobby, link = lobby_of(replace(ROOM, place=place, places=waiting))
        link.tell(replace(ROOM, place=place, places=(*waiting[:4], replace(BEN, name="Cy", is_ready=False))))
        assert lobby.ready_news() == ""
        link.tell(replace(ROOM, place=place))
        assert lobby.ready_news() == news
        assert lobby.ready_news() == ""


@pytest.mark.asyncio
async def test_taking_ones_own_ready_mark_back_is_no_news() -> None:
    lobby, link = lobby_of(replace(ROOM, place=1))
    link.tell(replace(ROOM, place=1, places=(ANA, replace(BEN, is_ready=False), NINA, LEGEND, FREE)))
    assert lobby.ready_news() == ""


@pytest.mark.asyncio
async def test_a_loopback_address_in_the_invitation_is_no_use_elsewhere() -> None:
    for invitation, hint in (
        ("heat-tui connect 127.0.0.1:7777 KXFRM", "this machine's address"),
        ("heat-tui connect [::1]:7777 KXFRM", "this machine's address"),
        ("heat-tui connect 192.0.2.1 KXFRM", "to join"),
    ):
        lobby, _ = lobby_of(replace(ROOM, invitation=invitation))
        assert hint in lobby.invitation_hint


@pytest.mark.asyncio
async def test_a_guest_is_not_told_to_replace_an_address_that_only_the_host_knows() -> None:
    for place in (1, None):
        lobby, _ = lobby_of(replace(ROOM, invitation="heat-tui connect 127.0.0.1 KXFRM", place=place))
        assert "replace" not in lobby.invitation_hint
        assert "Ask the host" in lobby.invitation_hint


@pytest.mark.asyncio
async def test_tracks_that_only_the_server_has_are_called_by_their_identifier_until_it_names_them() -> None:
    lobby, _ = lobby_of(replace(ROOM, options=m.RoomOptions(track="oval")))
    assert lobby.track_labels["oval"] == "oval"
    assert lobby.track_labels["usa"] == "USA"
    lobby.tracks["oval"] = "USA"
    assert lobby.track_labels["oval"] == "oval: USA"
