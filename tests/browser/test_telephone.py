"""A real browser on a telephone's screen: everything by taps, at a real server through the real door."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import PROGRAM, SIDEWAYS, TEXT, UPRIGHT, Page, chromium
from tests.browser.support import OpenDoor, open_door
from tests.tui.support_app import server_process

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here"),
]

ESCAPE: Final = "#keys button:first-child"

LOOK_SECONDS: Final = 0.25
"""How often somebody looks at the screen."""

HASTE_SECONDS: Final = 0.7
"""Between two answers: the second of two that are closer is ignored as no hand's."""


@asynccontextmanager
async def telephone(path: Path) -> AsyncIterator[tuple[Page, OpenDoor]]:
    """Hold a telephone sideways that has opened the link and given a name."""
    with server_process() as server:
        async with open_door(path, server=server, with_client=True) as door, chromium(path) as page:
            await page.hold(SIDEWAYS)
            await page.open(door.door.link())
            await page.fill("name", "Ana")
            await page.shows("[ Open a new room ]")
            yield page, door


async def begin_race(page: Page) -> None:
    """Open a room, let a Legend fill it, and start: all by taps."""
    await tap_until(page, lambda: page.tap_text("[ Open a new room ]"), "Turn time")
    await tap_until(page, lambda: tap_arrow(page, "Empty places"), "up to 1 Legend")
    await tap_until(page, lambda: tap_arrow(page, "Laps"), "‹ 1 ›")
    await tap_until(page, lambda: page.tap_text("[ Start ]"), "1 SHIFT GEARS")


async def tap_until(page: Page, tap: Callable[[], Awaitable[object]], text: str) -> None:
    """Tap, and again where nothing came of it: what is tapped may move while the screen is still filled."""
    async with asyncio.timeout(60):
        while True:
            await tap()
            with suppress(AssertionError):
                await page.shows(text, 8.0)
                return


async def tap_arrow(page: Page, row: str) -> None:
    """Tap the arrow that changes the setting of a row."""
    rows = (await page.text()).splitlines()
    for number, text in enumerate(rows):
        if row in text:
            await page.tap_cell(text.index("›", text.index(row)), number)


async def cards(page: Page) -> list[tuple[int, int]]:
    """Give the place, as column and row, of each card in the hand."""
    for row, text in enumerate((await page.text()).splitlines()):
        if re.match(r" [ \[]+1", text) and re.match(r"[\[\] ]+2[\[\] ]+3 ", text[4:]):
            return [(found.start(), row) for found in re.finditer(r"\d+", text[:46])]
    return []


async def choose_cards(page: Page) -> None:
    """Tap the cards one after the other, each with a tap on Enter behind it, until the choice is made."""
    for column, row in await cards(page):
        if "PLAY CARDS: pick" not in await page.text():
            return
        await page.tap_cell(column, row)
        await asyncio.sleep(LOOK_SECONDS)
        await page.tap_text("Enter confirm")
        await asyncio.sleep(HASTE_SECONDS)


@pytest.mark.spec("DOOR-2", "DOOR-5")
async def test_a_finger_begins_a_race_and_the_page_comes_back_by_itself(tmp_path: Path) -> None:
    async with telephone(tmp_path) as (page, door):
        assert len((await page.text()).splitlines()) == 24
        await begin_race(page)
        await tap_until(page, lambda: page.tap_text("Enter confirm"), "2 PLAY CARDS")
        await page.tap("#keys [data-arrow=C]")
        await page.shows("[1]")
        await page.tap_cell(*(await cards(page))[0])
        await page.shows("FREE")  # a card is picked, and what it costs is said

        login = door.login
        assert login._websocket is not None
        transport = login._websocket._req.transport  # type: ignore[union-attr]
        transport.abort()  # type: ignore[union-attr]
        await page.until_true("document.body.classList.contains('is-away')")
        await page.until_true("!document.body.classList.contains('is-away')")
        assert door.login is login
        await page.shows("FREE")

        await page.hold(UPRIGHT)
        await page.until_true("document.querySelector('#turn').offsetParent")
        await page.hold(SIDEWAYS)
        await page.until_true("!document.querySelector('#turn').offsetParent")
        await page.shows("FREE")

        (guest,) = door.house.guests
        assert door.house.remove(guest.number)
        await page.until_true(
            "document.querySelector('#bar').textContent.includes('The host has removed you.')"
        )
        await page.tap("#bar button")
        await page.shows("[ Open a new room ]")
        assert page.complaints == []


async def test_buttons_swipes_and_a_keyboard_are_keys_and_a_wheel(tmp_path: Path) -> None:
    async with telephone(tmp_path) as (page, _):
        assert await page.run("document.querySelector('textarea').inputMode") == "none"
        await page.tap(ESCAPE)  # to Home
        await page.shows("How to play")
        await tap_until(page, lambda: page.tap_text("How to play"), "nine phases")
        first = await page.text()
        await page.swipe(300, 250, 60)
        await page.until_true(f"{json.dumps(first[:400])} !== ({TEXT}).slice(0, 400)")
        await page.swipe(300, 60, 250)
        await page.tap(ESCAPE)
        await page.shows("watch finished races")
        await tap_until(page, lambda: page.tap_text("Settings"), "Your name")
        await page.tap_text("Ana")
        await page.tap("#keyboard")
        assert await page.run("document.querySelector('textarea').inputMode") == "text"
        await page.type("bel")
        await page.shows("bel")
        await page.hold((1280, 800), is_telephone=False)
        await page.until_true("document.querySelectorAll('.xterm-rows > div').length > 40")
        assert page.complaints == []


async def race_on(page: Page) -> int:
    """Answer all that is asked in a race, by taps, to the results; gives how often the screen had changed."""
    changes, seen = 0, ""
    while "RESULT" not in (text := (await page.text()).upper()):
        changes += text != seen
        seen = text
        if "PLAY CARDS: PICK" in text:
            await choose_cards(page)
        else:
            await page.tap_text("Enter")
            await asyncio.sleep(HASTE_SECONDS)
    return changes


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_a_whole_race_is_raced_by_touch(tmp_path: Path) -> None:
    async with telephone(tmp_path) as (page, _), asyncio.timeout(500):
        await begin_race(page)
        assert await race_on(page) > 30
        assert page.complaints == []
