"""A door for browsers that stands open for a test, and pages that speak to it as the real one does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp

from heat_core.wire.address import Address
from heat_tui.browser.door import BrowserDoor
from heat_tui.browser.login import BrowserLogin
from heat_tui.browser.settings import BrowserSettings
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.news import News
from heat_tui.doors.programs import FORK_SERVER
from tests.doors.support import ECHO
from tests.tui.support_app import until

SECRET: Final = "kqtm7w3xkqtm7w3xkqtm7w"
ANAS: Final = "a" * 32
BENS: Final = "b" * 32


class OpenDoor(NamedTuple):
    """A door, and how it is reached.

    Attributes:
        news: What it has told its host.
    """

    door: BrowserDoor
    house: House
    news: list[News]
    session: aiohttp.ClientSession

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.door.port}"

    @property
    def told(self) -> list[str]:
        return [news.text for news in self.news]

    @property
    def login(self) -> BrowserLogin:
        """The only one."""
        ((inside, _),) = self.house._inside.values()
        assert isinstance(inside, BrowserLogin)
        return inside


@asynccontextmanager
async def open_door(
    path: Path,
    *,
    secret: str | None = SECRET,
    password: str | None = None,
    proxies: Sequence[str] = (),
    announced: str | None = None,
    server: Address | None = None,
    most_logins: int = 30,
    most_from_address: int = 30,
    idle_seconds: float = 1800.0,
    door_socket: Path | None = None,
    with_client: bool = False,
) -> AsyncIterator[OpenDoor]:
    """Open a door; its logins are those of `echo`, or with the client the real ones."""
    settings = BrowserSettings(
        host="127.0.0.1",
        port=0,
        secret=secret,
        password=password,
        proxies=tuple(map(ip_network, proxies)),
        announced=announced,
    )
    server = server or Address("127.0.0.1", 1)
    limits = HouseSettings(server, most_logins, most_from_address, idle_seconds, door_socket)
    news: list[News] = []
    house = House(limits, GuestFolders(path / "guests"), news.append, FORK_SERVER if with_client else ECHO)
    door = BrowserDoor(settings, house)
    try:
        await door.open()
        async with aiohttp.ClientSession() as session:
            yield OpenDoor(door, house, news, session)
    finally:
        await door.close()


class Tab:
    """A page that is open in a browser.

    Attributes:
        text: All that was drawn so far, without colours and places.
        told: What the door said besides: `inside`, `bye`.
        seen: How many bytes of the picture came.
    """

    def __init__(self, websocket: aiohttp.ClientWebSocketResponse) -> None:
        self.websocket = websocket
        self.text = ""
        self.told: list[dict[str, Any]] = []
        self.seen = 0
        self.is_closed = False
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.websocket:
            if message.type is aiohttp.WSMsgType.BINARY:
                self.seen += len(message.data)
                self.text += re.sub(r"\x1b\[[^@-~]*[@-~]", "", message.data.decode(errors="replace"))
            elif message.type is aiohttp.WSMsgType.TEXT:
                self.told.append(json.loads(message.data))
        self.is_closed = True

    @property
    def login(self) -> str:
        number: str = self.told[0]["login"]
        return number

    @property
    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text.split("facts ", 1)[1].splitlines()[0])
        return found

    async def says(self, **message: Any) -> None:
        await self.websocket.send_json(message)

    async def press(self, keys: str) -> None:
        await self.websocket.send_bytes(keys.encode(errors="surrogatepass"))

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.text)

    async def bye(self) -> dict[str, Any]:
        """Wait for the end, and give why."""
        await until(lambda: self.is_closed)
        return self.told[-1]

    async def leave(self) -> None:
        await self.websocket.close()
        await self.reading


async def tab(
    session: aiohttp.ClientSession,
    address: str,
    *,
    headers: dict[str, str] | None = None,
    **hello: Any,
) -> Tab:
    """Open a page and say hello; what is not given is as Ana's telephone would say it."""
    usual = {
        "type": "hello",
        "secret": SECRET,
        "browser": ANAS,
        "tab": ANAS,
        "columns": 80,
        "rows": 24,
        "name": "Ana",
    }
    page = Tab(await session.ws_connect(f"{address}/ws", headers=headers))
    await page.says(**(usual | hello))
    return page


async def come(door: OpenDoor, **hello: Any) -> Tab:
    """Open a page at a door."""
    return await tab(door.session, door.address, **hello)


async def inside(door: OpenDoor, **hello: Any) -> Tab:
    """Open a page, and wait until its login has begun."""
    page = await come(door, **hello)
    await page.shows("facts ")
    return page
