"""Who comes in by a browser, as whom and to what, and how they go: with logins that repeat what is typed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from heat_tui.browser import door as door_module
from heat_tui.browser import login, picture
from heat_tui.browser.login import BrowserLogin
from heat_tui.doors import running_client
from heat_tui.doors.news import News
from tests.browser.support import ANAS, BENS, SECRET, OpenDoor, Tab, come, inside, open_door
from tests.tui.support_app import until

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def _answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "_WRONG_SECONDS", 0.0)


@pytest.mark.spec("DOOR-2")
async def test_a_guest_of_the_link_plays_at_the_one_server_in_a_terminal_of_the_pages_size(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door, name="Zoë", code="K7QX4", columns=100, rows=30)
        facts = page.facts
        assert (facts["name"], facts["code"], facts["server"]) == ("Zoë", "K7QX4", "127.0.0.1:1")
        assert (facts["size"], facts["encoding"], facts["plain"]) == ([100, 30], "utf-8", False)
        assert facts["environment"]["TERM"] == "xterm-256color"
        assert facts["word"] == ""
        await page.says(type="resize", columns=90, rows=9_999)
        await page.press("size\r")
        await page.shows("size (90, 300)")
        await page.press("quit 0\r")
        bye = await page.bye()
        assert bye["reason"] == "left"
        assert bye["text"] == "You have left. If you were in a race, your seat is kept."
        assert door.told == ["Zoë came in from 127.0.0.1 (browser); now 1 guest.", "Zoë left; now 0 guests."]


@pytest.mark.spec("DOOR-2")
@pytest.mark.parametrize(
    ("hello", "reason", "text"),
    [
        ({"secret": ""}, "secret", "This address is not complete"),
        ({"secret": SECRET[:-1]}, "secret", "This link does not open the door, or not any more."),
        ({"secret": "é" * 22}, "secret", "This link does not open the door"),
        ({"name": ""}, "name", ""),
        ({"name": "x" * 17}, "name", "16 cells"),
        ({"name": "ana\x1b[2J"}, "name", ""),
        ({"code": "NO CODE"}, "name", ""),
    ],
)
async def test_what_is_missing_is_said_kindly(
    tmp_path: Path, hello: dict[str, str], reason: str, text: str
) -> None:
    async with open_door(tmp_path) as door:
        page = await come(door, **hello)
        bye = await page.bye()
        assert bye["reason"] == reason
        assert text in bye["text"]
        assert "\x1b" not in bye["text"]
        assert door.told == []


async def test_an_open_door_says_so_and_needs_no_secret(tmp_path: Path) -> None:
    async with open_door(tmp_path, secret=None) as door:
        assert door.told == ["anybody who opens this address can play, without a secret in the link."]
        assert door.door.link() == f"{door.address}/"
        await inside(door, secret="")


async def test_a_password_is_asked_for_and_tries_are_counted(tmp_path: Path) -> None:
    async with open_door(tmp_path, password="kqtm-7w3x") as door:
        bye = await (await come(door)).bye()
        assert bye["reason"] == "password"
        await inside(door, password="kqtm-7w3x")
        for _ in range(19):
            assert (await (await come(door, password="x")).bye())["text"] == "This password is wrong."
        bye = await (await come(door, password="x")).bye()
        assert bye["text"].startswith("There were too many wrong passwords from your address.")
        assert door.told[-1] == "127.0.0.1 is turned away for a while: too many wrong passwords."
        with pytest.raises((aiohttp.ClientError, ConnectionError)):
            await come(door, password="kqtm-7w3x")


@pytest.mark.spec("DOOR-5")
async def test_a_page_that_lost_its_line_gets_the_rest_of_its_picture(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        seen, number = page.seen, page.login
        await page.press("hello\r")
        await page.shows("heard 'hello'")
        page.websocket._response.close()  # no goodbye: a dead line
        again = await come(door, login=number, seen=seen)
        await again.shows("heard 'hello'")
        assert again.told[0] == {"type": "inside", "login": number, "seen": seen}
        assert "facts" not in again.text
        await again.press("back\r")
        await again.shows("heard 'back'")
        assert [news.kind for news in door.news] == ["came"]


@pytest.mark.spec("DOOR-5")
async def test_a_new_page_of_the_same_browser_takes_the_seat_and_nobody_elses_does(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        other = await inside(door, browser=BENS, login=page.login, seen=1)
        assert other.facts["folder"] != page.facts["folder"]
        assert not page.is_closed
        again = await inside(door, name="Anna")
        assert again.facts["folder"] == page.facts["folder"]
        assert (await page.bye())["reason"] == "elsewhere"
        assert {guest.name for guest in door.house.guests} == {"Ana", "Anna"}


@pytest.mark.spec("DOOR-5")
async def test_a_page_that_is_loaded_again_has_its_whole_picture_and_the_one_before_hears_of_it(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        again = await inside(door, login=page.login, seen=0)
        assert (again.login, again.facts) == (page.login, page.facts)
        assert (await page.bye())["reason"] == "elsewhere"
        await again.press("hello\r")
        await again.shows("heard 'hello'")
        assert len(door.news) == 1


async def test_a_page_that_has_missed_too_much_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "KEPT_BYTES", 1000)
    async with open_door(tmp_path) as door:
        page = await inside(door)
        await page.press("flood\r")
        await until(lambda: page.seen > 100_000)
        again = await inside(door, login=page.login, seen=10)
        assert again.told[0]["seen"] == 0
        assert again.login != page.login


async def test_a_login_outlives_its_page_for_a_while_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "AWAY_SECONDS", 0.5)
    async with open_door(tmp_path) as door:
        page = await inside(door)
        await page.leave()
        assert len(door.house.guests) == 1
        await until(lambda: not door.house.guests)
        await until(lambda: not door.door._logins)


async def test_an_idle_guest_is_warned_and_then_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "IDLE_WARNING_SECONDS", 0.3)
    async with open_door(tmp_path, idle_seconds=0.6) as door:
        page = await inside(door)
        await page.shows("warned")
        assert (await page.bye())["reason"] == "idle"


async def test_a_host_sees_and_removes_a_guest(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door, code="K7QX4")
        (guest,) = door.house.guests
        assert (guest.name, guest.code, guest.way, guest.known_by) == ("Ana", "K7QX4", "web", "browser")
        assert door.house.remove(guest.number)
        before = page.text
        assert await page.bye() == {"type": "bye", "reason": "removed", "text": "The host has removed you."}
        assert page.text == before  # the last picture stays
        await until(lambda: door.news[-1] == News("left", "Ana left; now 0 guests.", guest))


@pytest.mark.parametrize(("most", "most_from_address"), [(1, 30), (30, 1)])
async def test_a_full_door_says_so(tmp_path: Path, most: int, most_from_address: int) -> None:
    async with open_door(tmp_path, most_logins=most, most_from_address=most_from_address) as door:
        await inside(door)
        page = await come(door, browser=BENS)
        bye = await page.bye()
        assert (bye["reason"], len(page.told)) == ("full", 1)
        assert "1 player" in bye["text"]


async def test_a_door_that_closes_says_so_and_ends_every_program(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        await door.door.close()
        assert (await page.bye())["reason"] == "closed"
        assert not door.house.guests


async def test_a_program_that_fails_is_not_one_that_was_left(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        await page.press("quit 1\r")
        assert (await page.bye())["reason"] == "ended"
        page = await inside(door)
        await page.press("die\r")
        assert (await page.bye())["reason"] == "ended"


async def test_a_page_that_reads_nothing_makes_the_program_wait(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        connection = page.websocket._response.connection
        assert connection is not None
        transport = connection.transport
        assert transport is not None
        transport.pause_reading()
        await page.press("flood\r")
        before, total = -1, 0
        while before != total:
            before, total = total, door.login._picture.total
            await asyncio.sleep(0.2)
        assert total - door.login._sent < login.MOST_UNSENT_BYTES + 65_536
        transport.resume_reading()
        await until(lambda: door.login._picture.total > total + 1_000_000)


async def _at_a_program_that_hangs(door: OpenDoor) -> Tab:
    """Come in, and have the program read nothing any more."""
    page = await inside(door)
    await page.press("hang\r")
    await page.shows("hanging")
    return page


async def test_a_program_that_reads_nothing_makes_the_page_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 0.2)
    async with open_door(tmp_path) as door:
        page = await _at_a_program_that_hangs(door)
        sending = asyncio.create_task(_paste(page, 64))
        await asyncio.sleep(0.5)
        terminal = door.login._client._terminal
        assert terminal is not None
        assert len(terminal._unwritten) < 300_000
        sending.cancel()


async def _hold_keys(door: OpenDoor, page: Tab) -> BrowserLogin:
    """Type more than a program takes that reads nothing."""
    inside = door.login
    await _paste(page, 3)
    await until(lambda: not inside._may_type.is_set())
    return inside


async def test_a_program_that_ends_while_keys_are_held_lets_its_page_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 0.2)
    async with open_door(tmp_path) as door:
        page = await _at_a_program_that_hangs(door)
        inner = await _hold_keys(door, page)
        door.house.remove(1)
        assert (await page.bye())["reason"] == "removed"
        await until(lambda: inner._websocket is None, 3)


async def test_a_page_that_goes_while_keys_are_held_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 0.2)
    monkeypatch.setattr(login, "AWAY_SECONDS", 0.2)
    monkeypatch.setattr(login, "_LOOK_SECONDS", 0.1)
    monkeypatch.setattr(door_module, "_HEARTBEAT_SECONDS", 0.4)
    async with open_door(tmp_path) as door:
        page = await _at_a_program_that_hangs(door)
        await _hold_keys(door, page)
        _abort(page)
        await until(lambda: not door.house.guests, 5)


async def test_a_page_that_goes_before_its_login_begins_takes_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 1.0)
    async with open_door(tmp_path) as door:
        await _at_a_program_that_hangs(door)
        newer = await come(door)
        await until(lambda: door.login._client.goodbye is not None)
        await newer.leave()
        await until(lambda: [news.kind for news in door.news] == ["came", "left", "came", "left"], 5)


async def test_a_page_that_hangs_up_before_its_answer_is_no_news(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        inner = door.login
        for _ in range(500):
            await page.says(type="ping")
        _abort(page)
        await until(lambda: inner._websocket is None)
        assert [news.kind for news in door.news] == ["came"]


def _abort(page: Tab) -> None:
    """Lose the line without a word."""
    connection = page.websocket._response.connection
    assert connection is not None
    assert connection.transport is not None
    connection.transport.abort()


async def _paste(page: Any, times: int) -> None:
    for _ in range(times):
        await page.press("x" * 65_536)


NONSENSE = (
    *("{", "[]", "null", '{"type": "resize"}', '{"type": "resize", "columns": 1e9, "rows": 3}', "[" * 60_000),
    *(
        '{"type": "hello"}',
        '{"type": "resize", "columns": -1, "rows": 0}',
        '{"type": "resize", "rows": true}',
        '{"type": "ping", "more": ' + "[" * 60_000,
        '{"type": "hello", "more": ' + "[" * 60_000,
    ),
)


async def test_nonsense_from_a_page_harms_nobody(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        page = await inside(door)
        for text in NONSENSE:
            await page.websocket.send_str(text)
        await page.says(type="ping")
        await until(lambda: page.told[-1] == {"type": "pong"})
        await page.press("\udc80hello\r")
        await page.shows("hello'")
        await page.websocket.send_bytes(b"x" * 200_000)  # more than a page sends at once
        await until(lambda: page.is_closed)
        for text in NONSENSE:
            async with door.session.ws_connect(f"{door.address}/ws") as websocket:
                await websocket.send_str(text)
                assert (await websocket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert len(door.news) == 1


async def test_who_says_nothing_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "HELLO_SECONDS", 0.1)
    async with open_door(tmp_path) as door:
        async with door.session.ws_connect(f"{door.address}/ws") as websocket:
            assert (await websocket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert ANAS not in door.door._logins
