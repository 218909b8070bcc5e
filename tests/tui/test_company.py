"""The people around a table at a server: chat, pause, who is away, what happened meanwhile, a rematch."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeGuard

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from heat_core.address import Address
from heat_core.wire import messages as m
from heat_tui.app import HeatApp
from heat_tui.chat import MOST_LINES, Chat
from heat_tui.company import Company, listed
from heat_tui.lobby_client import Link
from heat_tui.remote import RemoteSession
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.race import RaceScreen
from heat_tui.sense import Nonsense, Sense
from heat_tui.widgets.panel import TextPanel
from tests.tui.fake_server import FakeRace
from tests.tui.nonsense import mutated
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until

pytestmark = pytest.mark.asyncio

_MARKUP = "[/b] [bold]x [@click=app.quit]x[/] \\["


def line(number: int, text: str, kind: m.SaidKind = "chat", name: str = "Ben") -> m.Said:
    return m.Said(number, kind, 1 if name else None, name, text)


class Told(Link):
    """A link that is told things by the test, and notes what is asked of the server."""

    def __init__(self, race: FakeRace) -> None:
        super().__init__(Address("127.0.0.1", 1))
        self.state = "connected"
        self.fake = race
        self.asked: list[m.Request] = []
        self.tell(*race.everything())

    def tell(self, *messages: m.ServerMessage) -> None:
        for message in messages:
            self._receive(message)

    async def request(self, message: m.Request) -> m.ServerMessage:
        self.asked.append(message)
        return m.Ok(0)


def two_people(fake: FakeRace, **changes: object) -> m.RoomState:
    """Give the room with a second person; `wishes` says of both who wants a pause."""
    wishes: tuple[bool, bool] = changes.pop("wishes", (False, False))  # type: ignore[assignment]  # a test's own
    room = fake.room()
    ben = m.PlaceState("human", "Ben", "blue", True, True)
    places = tuple(
        msgspec.structs.replace(place, wants_pause=wish)
        for place, wish in zip((room.places[0], ben), wishes, strict=True)
    )
    return msgspec.structs.replace(room, places=places, **changes)


@asynccontextmanager
async def racing(
    path: Path, size: tuple[int, int] = SMALL
) -> AsyncIterator[tuple[HeatApp, Pilot[None], Told]]:
    link = Told(FakeRace())
    app = HeatApp(folders_in(path), animate=False, player_name="Ana")
    screen = RaceScreen(RemoteSession(link), animate=False)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(screen)
        await until(lambda: screen._seen > 0)
        await pilot.pause()
        await pilot.pause()
        yield app, pilot, link


def panel(app: HeatApp, name: str) -> str:
    (race,) = [screen for screen in app.screen_stack if isinstance(screen, RaceScreen)]
    return "\n".join(race.query_one(f"#{name}", TextPanel).lines)


@pytest.mark.spec("NET-16")
async def test_lines_are_counted_shown_as_they_are_and_written(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        link.tell(
            line(1, _MARKUP), line(1, _MARKUP), line(2, "thanks", "reaction"), line(3, "own", name="Ana")
        )
        await until(lambda: "2 new: Tab" in panel(app, "banner"))
        await pilot.press("tab")
        await until(lambda: isinstance(app.screen, ChatScreen))
        await pilot.pause()
        text = shown(pilot)
        assert f"Ben: {_MARKUP}" in text
        assert "Ben: thanks!" in text
        assert link.chat.unread == 0
        await pilot.press(*"Hi [b]", "enter")
        await until(lambda: link.asked == [m.Say(0, "Hi [b]")])
        await until(lambda: app.screen.query_one(Input).value == "")
        await pilot.press("f2", "f7")
        await until(lambda: link.asked[1:] == [m.React(0, "bravo"), m.React(0, "good race")])
        link.tell(line(4, "late"))
        await pilot.pause()
        assert link.chat.unread == 0, "what comes while the chat is open is read"
        await pilot.press("tab")
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        assert "new" not in panel(app, "banner")


async def test_news_of_the_room_stand_in_the_log_too(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, _, link):
        link.tell(line(1, "Ben is [b]looking on.", "news", ""), line(2, "hello"))
        await until(lambda: "* Ben is [b]looking" in panel(app, "log"))
        assert "hello" not in panel(app, "log")


async def test_a_large_screen_shows_the_chat_at_once(tmp_path: Path) -> None:
    async with racing(tmp_path, LARGE) as (app, _, link):
        link.tell(line(1, _MARKUP))
        await until(lambda: "Ben: [/b]" in panel(app, "chat"))
        await until(lambda: not link.chat.unread)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_pause_is_wished_agreed_on_and_ended(tmp_path: Path, size: tuple[int, int]) -> None:
    async with racing(tmp_path, size) as (app, pilot, link):
        fake = link.fake
        link.tell(two_people(fake, wishes=(False, True)))
        await until(lambda: "Ben would like a pause: z agrees" in panel(app, "forecast"))
        await pilot.press("z")
        await until(lambda: link.asked == [m.Pause(0, True)])
        update = msgspec.structs.replace(fake.update(), events=(), standstill="paused")
        link.tell(two_people(fake, wishes=(True, True), is_paused=True), update)
        await until(lambda: "paused: Ana and Ben must agree to go on" in panel(app, "banner"))
        await pilot.pause()
        assert "paused: Ana and Ben must agree to go on" in shown(pilot).split("\n")[0]
        await pilot.press("z")
        await until(lambda: link.asked[1:] == [m.Pause(0, False)])
        link.tell(two_people(fake, wishes=(False, True), is_paused=True), update)
        await until(lambda: "paused: Ben must agree" in panel(app, "banner"))
        link.tell(two_people(fake), msgspec.structs.replace(update, standstill=None))
        await until(lambda: "paused" not in panel(app, "banner"))


async def test_who_is_away_is_marked_and_who_drives_is_told(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, _, link):
        fake = link.fake
        update = msgspec.structs.replace(fake.update(), events=(), away=(1,))
        room = fake.room()
        driven = msgspec.structs.replace(room.options, away_driver="steady")
        link.tell(msgspec.structs.replace(room, options=driven), update)
        await until(lambda: "Legend 1 is away: a steady" in " ".join(panel(app, "log").split()))
        (ben,) = [row for row in panel(app, "standings").split("\n") if "Legend" in row]
        assert ben.endswith("z")
        link.tell(msgspec.structs.replace(update, away=(0,)))
        await until(lambda: "a steady bot for you, until you choose" in panel(app, "forecast"))
        assert "Legend 1 is back" in panel(app, "log")


async def test_what_happened_meanwhile_is_shown_once_and_any_key_closes_it(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        fake = link.fake
        link.tell(m.Meanwhile(("Nothing that was missed.",)), fake.update(fake.table.event_number))
        await pilot.pause()
        assert isinstance(app.screen, RaceScreen), "the line was gone for a moment only"
        number = fake.table.event_number
        app.enter_gap_seconds = 60.0
        link.tell(m.Meanwhile(("[b]Ana is second.", "Two cars spun out.")))
        fake.table.play_default(0)
        link.tell(fake.update(number))
        await until(lambda: isinstance(app.screen, NewsDialog))
        await pilot.pause()
        assert "[b]Ana is second." in shown(pilot)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, NewsDialog))
        app.enter_gap_seconds = 0.0
        await pilot.press("3")
        await until(lambda: isinstance(app.screen, RaceScreen))
        assert link.asked == []
        await pilot.pause()
        assert isinstance(app.screen, RaceScreen)


async def test_the_log_of_the_chat_is_bounded_and_knows_what_comes_twice() -> None:
    chat = Chat()
    for number in range(1, 2 * MOST_LINES):
        chat.receive(line(number, "x"), is_own=False)
        chat.receive(line(number, "x"), is_own=False)
    assert len(chat.lines) == MOST_LINES
    assert chat.received == chat.unread == 2 * MOST_LINES - 1
    assert [said.number for said in chat.since(chat.received - 2)] == [598, 599]
    assert chat.since(chat.received) == []


@pytest.mark.parametrize("seed", range(4))
async def test_mutated_news_that_are_taken_break_no_screen(tmp_path: Path, seed: int) -> None:
    """What passes the check is shown, and driven at, by keys: the program stays up."""
    luck = random.Random(seed)
    async with racing(tmp_path) as (app, pilot, link):
        for _ in range(12):
            link.fake.table.play_default(0)
            while link.fake.table.bot_due():
                link.fake.table.step_bot()
            since = link.race.number if link.race is not None else 0
            honest = link.fake.update(since)
            for _ in range(40):
                lie = mutated(honest, luck)
                if _is_sensible(lie, link):
                    link.tell(lie)
                    await pilot.press("up", "2", "1", "down", "right", "u")
                    break
            link.tell(honest)
            await pilot.pause()
        assert app.return_code is None
        assert isinstance(app.screen, RaceScreen)


def _is_sensible(message: object, link: Told) -> TypeGuard[m.Update]:
    if not isinstance(message, m.Update):
        return False
    sense = Sense()
    sense.check(link.fake.started())
    try:
        sense.check(message)
    except Nonsense:
        return False
    return True


async def test_many_names_are_cut_to_the_first() -> None:
    assert listed([]) == ""
    assert listed(["Ana"]) == "Ana"
    assert listed(["Ana", "Ben", "Cy"]) == "Ana, Ben and Cy"
    assert listed(["Ana", "Ben", "Cy", "Dora"]) == "Ana, Ben and 2 more"


async def test_after_a_race_the_host_may_call_a_rematch_and_a_lobby_has_no_race() -> None:
    link = Told(FakeRace())
    company = Company(link)
    seen = []
    for phase in ("racing", "ended", "lobby"):
        link.tell(msgspec.structs.replace(link.fake.room(), phase=phase))
        seen.append((company.may_rematch, company.is_in_lobby, link.race is None))
    assert seen == [(False, False, False), (True, False, False), (False, True, True)]
