"""The door for browsers: it listens, looks at who comes, and lets guests into a house."""

from __future__ import annotations

import asyncio
import secrets
import socket
from contextlib import suppress
from typing import Final

import msgspec
from aiohttp import web

from heat_core.names import BadName
from heat_core.wire.ip_numbers import number_of
from heat_tui.browser.links import installing_line, link_to
from heat_tui.browser.login import BrowserLogin, say_goodbye
from heat_tui.browser.messages import HELLOS, Bye, Hello, bye
from heat_tui.browser.offer import ProgramOffer
from heat_tui.browser.origins import may_open, origin_of
from heat_tui.browser.proxies import is_among, origin_number
from heat_tui.browser.settings import BrowserSettings
from heat_tui.browser.site import Doorway, Site
from heat_tui.doors.entrance import WAITING_CONNECTIONS, WAITING_FROM_ADDRESS, Entrance, address_of
from heat_tui.doors.house import Arrival, House
from heat_tui.doors.login_names import LoginName, read_login
from heat_tui.doors.news import News
from heat_tui.doors.running import EVERY_ADDRESS, NotOpened, listen
from heat_tui.own_networks import lan_host

HELLO_SECONDS: Final = 10.0
"""How long a page may take to say who it is."""

_CONNECTIONS_OF_A_PAGE: Final = 7
"""A browser opens up to six while it loads a page, besides the websocket."""

_MOST_MESSAGE_BYTES: Final = 131_072
"""The page sends long pastes in pieces of half of this."""

_HEARTBEAT_SECONDS: Final = 15.0
_SHUTDOWN_SECONDS: Final = 3.0
_WRONG_SECONDS: Final = 0.5
"""A wrong secret and a wrong password are answered so late."""

_NO_SECRET: Final = (
    "This address is not complete: the part behind the # opens the door. Ask your host for the whole link."
)
_WRONG_SECRET: Final = "This link does not open the door, or not any more. Ask your host for the new one."
_FOREIGN: Final = "The door is not known by this address. Open the link exactly as your host gave it."
_TOO_MANY_TRIES: Final = "There were too many wrong passwords from your address. Try again in ten minutes."


class BrowserDoor:
    """The door.

    Attributes:
        settings: What the door is like.
        house: Where the guests are: `house.guests` lists them, `house.remove` ends the login of one.
        port: Where it listens, once it is open.
        entrance: Looks at who stands at the door.
        site: What browsers get; its files may be added to.
        offer: The program itself, for guests who want to keep it.
        is_broken: Set when it can let nobody in any more.
    """

    def __init__(self, settings: BrowserSettings, house: House) -> None:
        """Prepare; `open` listens."""
        self.settings = settings
        self.house = house
        self.port = settings.port
        limits = house.settings
        self.entrance = Entrance(
            most_connections=_CONNECTIONS_OF_A_PAGE * limits.most_logins + WAITING_CONNECTIONS,
            most_from_address=_CONNECTIONS_OF_A_PAGE * limits.most_from_address + WAITING_FROM_ADDRESS,
            password=settings.password,
            tell=house.tell,
        )
        self.is_broken = house.is_broken
        self.offer = ProgramOffer(settings.secret, self._page)
        give = _nothing if settings.is_own else self.offer.answer
        self.site = Site(Doorway(self._connect, self._disconnect), self._attend, give, self._complain)
        self._public_origin = None if settings.announced is None else origin_of(settings.announced)
        this_machine = socket.gethostname().lower()
        self._own_names = {"localhost", settings.host.lower(), this_machine, f"{this_machine}.local"}
        self._logins: dict[str, BrowserLogin] = {}
        self._server: asyncio.Server | None = None

    async def open(self) -> list[str]:
        """Load the client and listen, and say what to open.

        Raises:
            NotOpened: Nothing can listen there, or the client cannot be loaded.
        """
        listening = listen(self.settings.host, self.settings.port, "--port")
        try:
            await self.house.open()
        except NotOpened:
            listening.close()
            raise
        self.port = listening.getsockname()[1]
        self._server = await asyncio.get_running_loop().create_server(self.site, sock=listening)
        if self.settings.secret is None:
            text = "anybody who opens this address can play, without a secret in the link."
            self.house.tell(News("warning", text))
        password = self.settings.password if self.settings.is_password_shown else None
        if self.settings.is_own:
            return [f"Your client is at {self.link()} (Ctrl-C ends it; keep the link to yourself)."]
        line = installing_line(self._page(), self.settings.secret)
        return [
            f"Open this in a browser to play: {self.link()}",
            *([f"The password that the page asks for: {password}"] if password is not None else []),
            *([f"To install the program from here: {line}"] if line else []),
        ]

    def link(self, code: str = "") -> str:
        """Give the link to pass on; it holds the secret.

        Args:
            code: Of the room that it leads to; empty: to none.
        """
        return link_to(self._page(), self.settings.secret, code)

    def _page(self) -> str:
        """Give the address of the page, as others reach it."""
        if self.settings.announced is not None:
            return self.settings.announced
        host = lan_host() if self.settings.host in EVERY_ADDRESS else self.settings.host
        place = f"[{host}]" if ":" in host else host
        return f"{origin_of(f'http://{place}:{self.port}')}/"

    def shut(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        """Listen no more, and end every login."""
        self.shut()
        await self.house.close()
        await self.site.shutdown(_SHUTDOWN_SECONDS)

    def hurry(self) -> None:
        """End every login at once."""
        self.house.hurry()

    def _complain(self, text: str) -> None:
        self.house.tell(News("warning", text))

    # --- who comes ------------------------------------------------------------------------------------------

    def _connect(self, host: str) -> bool:
        return is_among(number_of(host), self.settings.proxies) or self.entrance.connect(address_of(host))

    def _disconnect(self, host: str) -> None:
        if not is_among(number_of(host), self.settings.proxies):
            self.entrance.disconnect(address_of(host))

    def _is_foreign(self, request: web.BaseRequest) -> bool:
        """Tell whether a page of somebody else asks."""
        origin = request.headers.get("Origin")
        if not may_open(origin, request.host, self._own_names, self._public_origin):
            return True
        scheme = request.headers.get("X-Forwarded-Proto")
        is_believed = is_among(number_of(_peer(request)), self.settings.proxies)
        return bool(is_believed and scheme and origin and not origin.startswith(f"{scheme}://"))

    async def _attend(self, request: web.BaseRequest) -> web.WebSocketResponse:
        """Answer a page for as long as it is open."""
        websocket = web.WebSocketResponse(heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MOST_MESSAGE_BYTES)
        await websocket.prepare(request)
        if self._is_foreign(request):  # nothing that it says is read
            await say_goodbye(websocket, bye("secret", _FOREIGN))
            return websocket
        if (hello := await _hello(websocket)) is None:
            await websocket.close()
            return websocket
        forwarded = request.headers.getall("X-Forwarded-For", [])
        host = origin_number(_peer(request), forwarded, self.settings.proxies)
        name, refusal = await self._look_at(hello, address_of(host))
        if refusal is not None:
            await say_goodbye(websocket, refusal)
        else:
            way = self.house.way_of(host, _here(request))
            await self._login_of(hello, name, address_of(host), way).attend(websocket, hello)
        return websocket

    async def _look_at(self, hello: Hello, address: str) -> tuple[LoginName, Bye | None]:
        """Look at the secret, the password and the name, and say what is missing."""
        nobody = LoginName("", "")
        if self.settings.secret is not None:
            if not hello.secret:
                return nobody, bye("secret", _NO_SECRET)
            if not secrets.compare_digest(hello.secret.encode(), self.settings.secret.encode()):
                await asyncio.sleep(_WRONG_SECONDS)
                return nobody, bye("secret", _WRONG_SECRET)
        if not self.entrance.is_open:
            if not hello.password:
                return nobody, bye("password", "Your host has set a password for this door.")
            if not self.entrance.is_right(hello.password, address):
                await asyncio.sleep(_WRONG_SECONDS)
                is_over = self.entrance.turns_away(address)
                return nobody, bye("password", _TOO_MANY_TRIES if is_over else "This password is wrong.")
        if self.settings.is_own:
            return nobody, None
        if not hello.name:
            return nobody, Bye("name", "")
        try:
            return read_login(hello.name, hello.code), None
        except BadName as error:
            return nobody, Bye("name", str(error))

    def _login_of(
        self, hello: Hello, name: LoginName, address: str, way: tuple[str, str, str] | None
    ) -> BrowserLogin:
        """Give the login whose picture a page shows, or begin one."""
        token = hello.tab if self.settings.is_own else hello.browser
        known = self._logins.get(token)
        if known is not None and known.continues(hello):
            return known
        arrival = Arrival(name, address, "browser", f"browser {token}", None, "web")
        self._logins[token] = login = BrowserLogin(self.house, arrival, hello, way)

        def forget() -> None:
            if self._logins.get(token) is login:
                del self._logins[token]

        login.begin(forget)
        return login


async def _nothing(request: web.BaseRequest) -> None:
    """Offer nothing."""


def _peer(request: web.BaseRequest) -> str:
    assert request.transport is not None
    host: str = request.transport.get_extra_info("peername")[0]
    return host


def _here(request: web.BaseRequest) -> str:
    """Give the number by which this machine was reached."""
    assert request.transport is not None
    host: str = request.transport.get_extra_info("sockname")[0]
    return host


async def _hello(websocket: web.WebSocketResponse) -> Hello | None:
    """Wait for what a page says first; None: it says nothing, or no sense."""
    with suppress(TimeoutError, TypeError, msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        async with asyncio.timeout(HELLO_SECONDS):
            return HELLOS.decode(await websocket.receive_str())
    return None
