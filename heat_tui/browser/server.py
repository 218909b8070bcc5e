"""The web server: a page with a terminal in it, and a program for each tab that shows the page."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import WSMsgType, web
from textual_serve.server import Server, to_int

from heat_tui.browser.origins import is_loopback, may_open, origin_of
from heat_tui.browser.tab import Tab
from heat_tui.doors.running import listen
from heat_tui.hosting import lan_host

PAGE: Final = Path(__file__).with_name("page.html")

_MOST_MESSAGE_BYTES: Final = 4_194_304
"""More than anybody pastes by mistake: a longer message closes the tab, and with that its program."""

_HEARTBEAT_SECONDS: Final = 15.0
_SHUTDOWN_SECONDS: Final = 3.0
_EVERY_ADDRESS: Final = ("0.0.0.0", "::")


class _Faults(logging.Handler):
    """Tells a fault of the web server in a line."""

    def __init__(self, complain: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._complain = complain

    def emit(self, record: logging.LogRecord) -> None:
        """Name the fault; a line that comes from outside is not repeated."""
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else "unknown"
        self._complain(f"a page could not be served ({kind}).")


class BrowserServer(Server):
    """textual-serve's server with a page of our own, bounds, and an end that leaves no program behind."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        host: str,
        port: int,
        most_tabs: int,
        complain: Callable[[str], None],
        public_url: str | None = None,
    ) -> None:
        """Prepare; `open` listens.

        Args:
            arguments: The program that a tab runs, and its arguments.
            most_tabs: At a time.
            complain: Called with a line about what goes wrong.
            public_url: Where the page is reached, if it is through a reverse proxy.
        """
        super().__init__("", host=host, port=port, title="heat-tui", public_url=public_url)
        self._arguments = tuple(arguments)
        self._most_tabs = most_tabs
        self._public_origin = None if public_url is None else origin_of(public_url)
        this_machine = socket.gethostname().lower()
        self._own_names = {"localhost", host.lower(), this_machine, f"{this_machine}.local"}
        self._page = PAGE.read_text(encoding="utf-8")
        self._tabs: set[Tab] = set()
        self._is_ending = False
        self._runner: web.AppRunner | None = None
        self.is_broken = asyncio.Event()
        self._complain = complain

    async def open(self) -> list[str]:
        """Serve from now on, and say where the page is.

        Raises:
            NotOpened: Nothing can listen there.
        """
        # What a browser sends is no news of ours, and no traceback is any user's: a fault is one line.
        logging.getLogger("textual-serve").addHandler(logging.NullHandler())
        logging.getLogger("aiohttp").addHandler(_Faults(self._complain))
        runner = web.AppRunner(self._make_application(), access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
        self._runner = runner
        await runner.setup()
        await web.SockSite(runner, listen(self.host, self.port, "--port")).start()
        if not is_loopback(self.host):
            self._complain("anybody who can reach this port plays as you, without a password.")
        return [f"heat-tui is at {self._address(runner.addresses[0][1])} (Ctrl-C ends it)."]

    async def close(self) -> None:
        """Serve no longer, and end every program."""
        if self._runner is not None:
            await self._runner.cleanup()

    def hurry(self) -> None:
        """End every program at once."""
        for tab in self._tabs:
            tab.kill()

    def _address(self, port: int) -> str:
        """Give the address to type into a browser."""
        if self._public_origin is not None:
            return self.public_url
        host = lan_host() if self.host in _EVERY_ADDRESS else self.host
        return origin_of(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")

    def _make_application(self) -> web.Application:
        application = web.Application()
        application.add_routes(
            [
                web.get("/", self.show_page),
                web.get("/ws", self.handle_websocket),
                web.get("/download/{key}", self.handle_download),
                web.static("/static", self.statics_path),
            ]
        )
        application.on_shutdown.append(self.on_shutdown)
        return application

    async def on_shutdown(self, app: web.Application) -> None:
        """End every program; their websockets are closed behind them."""
        self._is_ending = True
        await asyncio.gather(*(tab.stop() for tab in self._tabs))

    async def show_page(self, request: web.Request) -> web.Response:
        """Give the page; the same for everybody, and in no frame of another."""
        headers = {"Content-Security-Policy": "frame-ancestors 'none'", "Cache-Control": "no-cache"}
        return web.Response(text=self._page, content_type="text/html", headers=headers)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a program for as long as the websocket is open."""
        if not may_open(request.headers.get("Origin"), request.host, self._own_names, self._public_origin):
            raise web.HTTPForbidden(text="This server has no such page.")
        websocket = web.WebSocketResponse(heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MOST_MESSAGE_BYTES)
        await websocket.prepare(request)
        if self._is_ending or len(self._tabs) >= self._most_tabs:
            await _refuse(websocket, f"all {self._most_tabs} tabs are in use; try again later.")
            return websocket
        tab = Tab(self._arguments, websocket, self.download_manager)
        self._tabs.add(tab)
        try:
            if await self._start(tab, websocket, request):
                await _listen(websocket, tab)
        finally:
            # The slot is taken until the program has ended.
            await asyncio.shield(tab.stop())
            self._tabs.discard(tab)
        return websocket

    async def _start(self, tab: Tab, websocket: web.WebSocketResponse, request: web.Request) -> bool:
        """Start a tab's program at the size that its browser asks for, and return whether that worked."""
        size = [to_int(request.query.get(name, ""), usual) for name, usual in (("width", 80), ("height", 24))]
        try:
            await tab.start(*size)
        except OSError as error:  # no process or no file is left on this machine
            words = f"the program cannot be started: {error.strerror}."
            self._complain(words)
            await _refuse(websocket, words)
            return False
        return True


async def _refuse(websocket: web.WebSocketResponse, words: str) -> None:
    """Show a line in the browser, and hang up."""
    with suppress(ConnectionError, RuntimeError):  # the browser has gone
        await websocket.send_bytes(f"heat-tui: {words}\r\n".encode())
        await websocket.close()


async def _listen(websocket: web.WebSocketResponse, tab: Tab) -> None:
    """Pass on what a browser sends, until it or the program hangs up; what makes no sense is nothing."""
    async for message in websocket:
        if message.type is not WSMsgType.TEXT:
            continue
        try:
            told = message.json()
        except (ValueError, RecursionError):
            continue
        match told:
            case ["stdin", str(text)]:
                await tab.send_bytes(text.encode(errors="ignore"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await tab.set_terminal_size(width, height)
            case ["ping", str(text)]:
                await websocket.send_json(["pong", text])
            case ["focus"]:
                await tab.focus()
            case ["blur"]:
                await tab.blur()
            case _:
                pass
