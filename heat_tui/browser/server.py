"""The web server: a page with a terminal in it, and a program for each tab that shows the page."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from aiohttp import WSMsgType, web
from textual_serve.server import Server, to_int

from heat_tui.browser.origins import may_open, origin_of
from heat_tui.browser.tab import Tab
from heat_tui.hosting import lan_host

PAGE: Final = Path(__file__).with_name("page.html")

_MOST_MESSAGE_BYTES: Final = 65_536
_HEARTBEAT_SECONDS: Final = 15.0
_SHUTDOWN_SECONDS: Final = 3.0
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_EVERY_ADDRESS: Final = ("0.0.0.0", "::")


class BrowserServer(Server):
    """textual-serve's server with a page of our own, bounds, and an end that leaves no program behind."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        host: str,
        port: int,
        most_tabs: int,
        public_url: str | None = None,
    ) -> None:
        """Prepare; `run` listens.

        Args:
            arguments: The program that a tab runs, and its arguments.
            most_tabs: At a time.
            public_url: Where the page is reached, if it is through a reverse proxy.
        """
        super().__init__("", host=host, port=port, title="heat-tui", public_url=public_url)
        self._arguments = tuple(arguments)
        self._most_tabs = most_tabs
        self._public_origin = None if public_url is None else origin_of(public_url)
        this_machine = socket.gethostname().lower()
        self._own_names = {"localhost", host.lower(), this_machine, f"{this_machine}.local"}
        self._page = PAGE.read_text(encoding="utf-8")
        self._tabs: dict[Tab, web.WebSocketResponse] = {}
        self._is_ending = False

    async def run(self, tell: Callable[[str], None]) -> None:
        """Serve until a signal comes, then end every program; a second signal ends them at once.

        Args:
            tell: Called with the address of the page, once it can be reached.

        Raises:
            OSError: Nothing can listen there.
        """
        # What a browser sends is no news of ours, and no traceback is any user's.
        for name in ("aiohttp", "textual-serve"):
            logging.getLogger(name).addHandler(logging.NullHandler())
        runner = web.AppRunner(self._make_application(), access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await self._site(runner).start()
            asked = asyncio.Event()
            for number in _SIGNALS:
                asyncio.get_running_loop().add_signal_handler(number, self._signalled, asked)
            tell(self._address(runner.addresses[0][1]))
            await asked.wait()
        finally:
            await runner.cleanup()

    def _site(self, runner: web.AppRunner) -> web.BaseSite:
        """Say where to listen; `::` is every address of both kinds, as for `heat-server`."""
        if self.host == "::" and socket.has_dualstack_ipv6():
            address = ("::", self.port)
            return web.SockSite(
                runner, socket.create_server(address, family=socket.AF_INET6, dualstack_ipv6=True)
            )
        return web.TCPSite(runner, self.host, self.port)

    def _signalled(self, asked: asyncio.Event) -> None:
        if asked.is_set():
            for tab in self._tabs:
                tab.kill()
        asked.set()

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
            raise web.HTTPForbidden(text="That page is not this server's.")
        websocket = web.WebSocketResponse(heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MOST_MESSAGE_BYTES)
        await websocket.prepare(request)
        if self._is_ending or len(self._tabs) >= self._most_tabs:
            words = f"heat-tui: no tab is free here now, of {self._most_tabs} at a time.\r\n"
            await websocket.send_bytes(words.encode())
            await websocket.close()
            return websocket
        tab = Tab(self._arguments, websocket, self.download_manager)
        self._tabs[tab] = websocket
        try:
            await tab.start(
                to_int(request.query.get("width", ""), 80), to_int(request.query.get("height", ""), 24)
            )
            await _listen(websocket, tab)
        finally:
            # The slot is taken until the program has ended.
            await asyncio.shield(tab.stop())
            del self._tabs[tab]
        return websocket


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
                await tab.send_bytes(text.encode(errors="replace"))
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
