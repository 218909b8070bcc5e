"""The people around a table at a server: chat, pause, who is away, what happened meanwhile, a rematch."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import TypeGuard

import msgspec
import pytest
from textual.events import Paste
from textual.widgets import Input
from textual.widgets._toast import Toast

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.problems import message_problem
from heat_tui.app import HeatApp
from heat_tui.client.backoff import FIRST_PAUSE_SECONDS, growing_pause
from heat_tui.client.chat import MOST_LINES, Chat
from heat_tui.client.company import Company, people_text
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile, create_session_file
from heat_tui.flow.room_rights import why_not
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.dialogs import NewsDialog, PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import _news as results_news
from heat_tui.screens.rows import MessageLine
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.race_talk import CHOSEN
from tests.tui.fake_server import DIRECT, FakeRace, fake_server
from tests.tui.nonsense import mutated
from tests.tui.support_app import LARGE, SMALL, folders_in, message, shown, until
from tests.tui.support_company import Told, line, racing, two_people

pytestmark = pytest.mark.asyncio

_MARKUP = "[/b] [bold]x [@click=app.quit]x[/] \\["


def panel(app: HeatApp, name: str) -> str:
    (race,) = [screen for screen in app.screen_stack if isinstance(screen, RaceScreen)]
    return "\n".join(race.query_one(f"#{name}", TextPanel).lines)


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
        link.asked.clear()
        await pilot.press(*"one", "enter", *"two", "enter", *"three", "enter", *"fo")
        await until(lambda: link.asked == [m.Say(0, "one"), m.Say(0, "two"), m.Say(0, "three")])
        assert app.screen.query_one(Input).value == "fo", "lines that come faster than answers keep apart"
        app.screen.post_message(Paste("a\nb\n\nc\n"))
        await until(
            lambda: message(app) == "You pasted 3 lines, so nothing was added. Paste one line at a time."
        )
        app.screen.post_message(Paste("x" * 500))
        await until(lambda: message(app).startswith("You pasted 500 characters, so nothing was added"))
        app.screen.post_message(Paste("ur\n"))
        await until(lambda: app.screen.query_one(Input).value == "four" and message(app) == "")
        await pilot.press("enter")
        await until(lambda: link.asked[3:] == [m.Say(0, "four")])
        link.asked[:] = [m.Say(0, "Hi [b]")]
        await pilot.press("f2", "f7")
        await until(lambda: link.asked[1:] == [m.React(0, "bravo"), m.React(0, "good race")])
        link.tell(line(4, "late"))
        await pilot.pause()
        assert link.chat.unread == 0, "what comes while the chat is open is read"
        await pilot.press("tab")
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        assert "new" not in panel(app, "banner")


async def test_who_is_removed_in_a_race_reads_it_in_a_box_and_goes_home(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        await pilot.press("question_mark")  # a page lies above the race
        link.tell(m.Error(0, ErrorCode.KICKED, "The host has removed you from the room."))
        await until(lambda: isinstance(app.screen, PageDialog))
        await pilot.pause()
        assert "The host has removed you from the room." in shown(pilot)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))


async def test_who_leaves_a_race_reads_nothing_of_an_end(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        await link.close()
        await pilot.pause()
        assert not isinstance(app.screen, PageDialog)


async def test_who_is_removed_from_a_lobby_reads_it_in_a_box_at_home(tmp_path: Path) -> None:
    link = Told(FakeRace())
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    link.tell(two_people(link.fake, phase="lobby"))
    async with app.run_test(size=SMALL) as pilot:
        app.enter_lobby(ServerStay(link, create_session_file(app.folders)))
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await pilot.pause()
        link.tell(m.Error(0, ErrorCode.KICKED, "The host has removed you from the room."))
        await until(lambda: isinstance(app.screen, PageDialog))
        await pilot.pause()
        assert "The host has removed you from the room." in shown(pilot)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))


async def test_what_comes_up_in_the_corner_leaves_the_line_of_answers_free(tmp_path: Path) -> None:
    link = Told(FakeRace())
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    link.tell(two_people(link.fake, phase="lobby"))
    async with app.run_test(size=SMALL, notifications=True):
        app.enter_lobby(ServerStay(link, create_session_file(app.folders)))
        await until(lambda: isinstance(app.screen, LobbyScreen))
        app.notify("Your word is oak. " * 8, timeout=3600)
        await until(lambda: [toast for toast in app.screen.query(Toast) if toast.region])
        assert app.screen.query_one(Toast).region.bottom <= app.screen.query_one(MessageLine).region.y


async def test_news_of_the_room_stand_in_the_log_too(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, _, link):
        link.tell(line(1, "Ben is [b]watching.", "news", ""), line(2, "hello"))
        await until(lambda: "* Ben is [b]watching" in panel(app, "log"))
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
        await until(lambda: "Ben voted to pause: z votes too" in panel(app, "forecast"))
        await pilot.press("z")
        await until(lambda: link.asked == [m.Pause(0, True)])
        update = msgspec.structs.replace(fake.update(), events=(), standstill="paused")
        link.tell(two_people(fake, wishes=(True, True), is_paused=True), update)
        await until(lambda: "paused until Ana and Ben vote to resume" in panel(app, "banner"))
        await pilot.pause()
        assert "paused until Ana and Ben vote to resume (z)" in shown(pilot).split("\n")[0]
        assert "z votes to resume" in panel(app, "forecast")
        (race,) = [screen for screen in app.screen_stack if isinstance(screen, RaceScreen)]
        race.controller.message = "The race is paused; everyone must vote to resume first."
        await pilot.press("z")
        await until(lambda: link.asked[1:] == [m.Pause(0, False)])
        link.tell(two_people(fake, wishes=(False, True), is_paused=True), update)
        await until(lambda: "paused until Ben votes to resume  " in panel(app, "banner"))
        link.tell(two_people(fake), msgspec.structs.replace(update, standstill=None))
        await until(lambda: "paused" not in panel(app, "banner"))
        assert "paused" not in panel(app, "forecast"), "what was refused is not any more"


async def test_a_vote_to_pause_is_seen_by_a_driver_who_has_chosen(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, _, link):
        (race,) = [screen for screen in app.screen_stack if isinstance(screen, RaceScreen)]
        race.controller.message = CHOSEN
        link.tell(two_people(link.fake, wishes=(False, True)))
        await until(lambda: "Ben voted to pause: z votes too" in panel(app, "forecast"))
        link.tell(two_people(link.fake))
        await until(lambda: CHOSEN in panel(app, "forecast"))


async def test_the_host_gives_a_driver_more_time_from_within_the_race(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        link.tell(two_people(link.fake))
        await pilot.press("f9")
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.pause()
        assert "2  Ben: 30 seconds more" in shown(pilot)
        await pilot.press("2")
        await until(lambda: link.asked == [m.GiveTime(0, 1, 30_000)])
        await until(lambda: isinstance(app.screen, RaceScreen))
        room = two_people(link.fake)
        link.tell(msgspec.structs.replace(room, host=1))
        await pilot.pause()
        await pilot.press("f9")
        await pilot.pause()
        assert "Only the host of a room can give a driver more time." in panel(app, "forecast")


async def test_who_is_away_is_marked_and_who_drives_is_told(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, _, link):
        fake = link.fake
        update = msgspec.structs.replace(fake.update(), events=(), away=(1,))
        room = fake.room()
        driven = msgspec.structs.replace(room.options, away_driver="steady")
        link.tell(msgspec.structs.replace(room, options=driven), update)
        await until(lambda: "L is away; if that lasts, a steady bot" in " ".join(panel(app, "log").split()))
        (ben,) = [row for row in panel(app, "standings").split("\n") if "Legend" in row]
        assert ben.endswith("z")
        link.tell(msgspec.structs.replace(update, away=(0,)))
        await until(lambda: "a steady bot drives for you until you choose" in panel(app, "forecast"))
        assert "L is back" in panel(app, "log")


async def test_what_happened_meanwhile_is_shown_once_and_any_key_closes_it(tmp_path: Path) -> None:
    async with racing(tmp_path) as (app, pilot, link):
        fake = link.fake
        link.tell(m.Meanwhile(("Nothing that was missed.",)), fake.update(fake.table.event_number))
        await pilot.pause()
        assert isinstance(app.screen, RaceScreen), "the line was gone for a moment only"
        number = fake.table.event_number
        app.enter_gap_seconds = 60.0
        link.tell(m.Meanwhile(("Two rounds went by; it is round 2 now.",)))
        while fake.table.view(0).round < 2:
            fake.table.play_default(0)
        link.tell(fake.update(number))
        await until(lambda: isinstance(app.screen, NewsDialog))
        await pilot.pause()
        assert "A round went by; it is round 2 now." in shown(pilot), "and not what the server takes for it"
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, NewsDialog))
        app.enter_gap_seconds = 0.0
        await pilot.press("3")
        await until(lambda: isinstance(app.screen, RaceScreen))
        assert link.asked == []
        await pilot.pause()
        assert isinstance(app.screen, RaceScreen)


async def test_no_round_went_by_that_was_seen_before_the_line_dropped() -> None:
    """The server tells of all since it last heard from here: the round that was on the screen by then too."""
    link = Told(FakeRace())
    fake, number = link.fake, link.fake.table.event_number
    link.tell(m.Meanwhile(("A round went by; it is round 1 now. Your car did not move.",)))
    fake.table.play_default(0)
    link.tell(fake.update(number))
    assert link.take_meanwhile() == ()


async def test_who_comes_back_with_another_program_hears_what_the_server_tells() -> None:
    link = Told(FakeRace())
    link.mirror.race = None
    told = ("[b]Ana is second.", "Two cars spun out.")
    link.tell(link.fake.room(), link.fake.started(), m.Meanwhile(told), link.fake.update())
    assert link.take_meanwhile() == told
    assert link.take_meanwhile() == (), "once"


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
async def test_mutated_news_that_are_believed_break_no_program(tmp_path: Path, seed: int) -> None:
    """What passes the check is shown, and driven at, by keys; where it cannot be, Home says so."""
    luck = random.Random(seed)
    async with racing(tmp_path) as (app, pilot, link):
        app.stays.keep(ServerStay(link, SessionFile(None, None, None)))
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
            if isinstance(app.screen, HomeScreen):
                assert message(app).startswith("The server sent what cannot be shown (")
                break
        else:
            assert isinstance(app.screen, RaceScreen)
        assert app.return_code is None


def _is_sensible(message: object, link: Told) -> TypeGuard[m.Update]:
    if not isinstance(message, m.Update):
        return False
    return message_problem(message, link.fake.started()) is None


async def test_many_names_are_cut_to_the_first() -> None:
    assert people_text([]) == ""
    assert people_text(["Ana"]) == "Ana"
    assert people_text(["Ana", "Ben", "Cy"]) == "Ana, Ben and Cy"
    assert people_text(["Ana", "Ben", "Cy", "Dora"]) == "Ana, Ben and 2 more"


async def test_after_a_race_the_host_may_call_a_rematch_and_a_lobby_has_no_race() -> None:
    link = Told(FakeRace())
    company = Company(link)
    seen = []
    for phase in ("racing", "ended", "lobby"):
        link.tell(msgspec.structs.replace(link.fake.room(), phase=phase))
        seen.append((not why_not(company.room, "rematch"), company.is_in_lobby, link.race is None))
    assert seen == [(False, False, False), (True, False, False), (False, True, True)]


def _noted(attempts: list[int], attempt: int) -> float:
    attempts.append(attempt)
    return 0.0


@pytest.mark.spec("APP-4")
async def test_the_client_reconnects_with_growing_pauses_and_shows_how_it_stands(tmp_path: Path) -> None:
    attempts: list[int] = []
    async with fake_server() as fake:
        link = ServerLink(fake.address, DIRECT, pause=partial(_noted, attempts))
        assert link.state == "connecting"
        opening = asyncio.create_task(link.open())
        connection = await fake.accept()
        await connection.welcome()
        await opening
        race = FakeRace()
        connection.send(*race.everything())
        await until(lambda: RemoteSession.is_ready(link))
        app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
        async with app.run_test(size=SMALL) as pilot:
            await app.push_screen(RaceScreen(RemoteSession(link)))
            await until(
                lambda: "SHIFT GEARS" in panel(app, "banner") and "reconn" not in panel(app, "banner")
            )
            connection.drop()
            await until(lambda: "reconnecting" in panel(app, "banner"))
            for _ in range(3):
                (await fake.accept()).drop()
            again = await fake.accept()
            await again.welcome()
            asked = await again.expect(m.AskView)
            assert isinstance(asked, m.AskView)
            again.send(m.Ok(asked.id), *race.everything(race.table.event_number))
            await until(lambda: link.state == "connected" and "reconn" not in panel(app, "banner"))
            assert attempts == [0, 1, 2, 3]
            again.send(m.Bye(ByeCode.NEWER_CONNECTION, "Another connection plays here now."))
            await until(lambda: "offline" in panel(app, "banner"))
            assert "Another connection plays here now." in panel(app, "forecast")
            await pilot.pause()
        await link.close()
    longest = [1.5 * FIRST_PAUSE_SECONDS, *(FIRST_PAUSE_SECONDS * 2**attempt for attempt in range(1, 4))]
    assert all(growing_pause(attempt) <= most for attempt, most in enumerate(longest))
    assert all(growing_pause(attempt) >= most / 3 for attempt, most in enumerate(longest))


async def test_results_say_what_the_link_waits_for() -> None:
    link = ServerLink(Address("192.0.2.1", 7777), DIRECT)
    company = Company(link)
    link.state = "connected"
    assert results_news(company) == "The host can call a rematch; you join it automatically."
    link.state = "reconnecting"
    assert results_news(company) == "The connection was lost; trying again."
    link.waits_for = "Your race's server has gone."
    assert results_news(company) == "Your race's server has gone."
