"""The web server: the page with what belongs to it, and the websocket; bounded against strangers."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Awaitable, Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

REQUEST_SECONDS: Final = 20.0
"""How long a connection may take to ask for something."""

ANSWER_SECONDS: Final = 120.0
"""How long it may take to read the answer, where that is a file."""

_KEEPALIVE_SECONDS: Final = 10.0

_TYPES: Final = {
    "html": "text/html",
    "css": "text/css",
    "mjs": "text/javascript",
    "js": "text/javascript",
}
_LIBRARY: Final = "xterm-"
"""The folder of what others have made has its version in its name: browsers may keep that."""

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "heat-tui",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer. The terminal in the page makes style sheets of its own; nothing else is made there."""


class File(NamedTuple):
    """Something that browsers ask for.

    Attributes:
        body: Compressed by gzip.
        type: As `Content-Type` names it.
        is_kept: Whether a browser may keep it.
    """

    body: bytes
    type: str
    is_kept: bool


def page_files() -> dict[str, File]:
    """Give the page, as `/`, and each file that it asks for, by its path."""
    found = dict(_below(files("heat_tui.browser") / "static", "/"))
    found["/"] = found.pop("/page.html")
    return found


def _below(folder: Traversable, path: str) -> list[tuple[str, File]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _below(item, f"{path}{item.name}/")
        elif (type_ := _TYPES.get(item.name.rpartition(".")[2])) is not None:
            found.append((path + item.name, File(gzip.compress(item.read_bytes()), type_, _LIBRARY in path)))
    return found


class Doorway(NamedTuple):
    """Counts connections in and out, by the number of their other end; see `Entrance`."""

    connect: Callable[[str], bool]
    disconnect: Callable[[str], None]


class Site(web.Server):
    """Answers browsers.

    Attributes:
        files: What is given to anybody, by path.
    """

    def __init__(
        self,
        doorway: Doorway,
        websocket: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        more: Callable[[web.BaseRequest], Awaitable[web.StreamResponse | None]],
        complain: Callable[[str], None],
    ) -> None:
        """Prepare to answer; used as the factory of a server's protocols.

        Args:
            websocket: Answers whoever asks for `/ws`.
            more: Answers whoever asks for what is no file of the page; None: there is no such thing.
            complain: Is called with a line about what goes wrong here.
        """
        # What strangers send is no news, and no traceback is any host's: a fault is one line.
        silent = logging.getLogger("heat_tui.browser")
        silent.addHandler(logging.NullHandler())
        silent.propagate = False
        super().__init__(
            self._answer,
            access_log=None,
            logger=silent,
            keepalive_timeout=_KEEPALIVE_SECONDS,
            tcp_keepalive=True,
        )
        self.files = page_files()
        self._doorway = doorway
        self._websocket = websocket
        self._more = more
        self._complain = complain
        self._hosts: dict[RequestHandler, str] = {}
        self._ends: dict[RequestHandler, asyncio.TimerHandle] = {}

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Count a connection, and turn it away where there are too many, or when it asks for nothing."""
        super().connection_made(handler, transport)
        self._hosts[handler] = host = transport.get_extra_info("peername")[0]
        if not self._doorway.connect(host):
            # In its turn: aiohttp's task for it is not made yet, and would fail on a connection that is gone.
            asyncio.get_running_loop().call_soon(transport.abort)
            return
        self._end_after(handler, REQUEST_SECONDS)

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        """Count it out."""
        super().connection_lost(handler, exc)
        self._stay(handler)
        if (host := self._hosts.pop(handler, None)) is not None:
            self._doorway.disconnect(host)

    def _end_after(self, handler: RequestHandler, seconds: float) -> None:
        """End a connection that reads or says too little for so long."""
        self._stay(handler)
        if (transport := handler.transport) is not None:
            loop = asyncio.get_running_loop()
            self._ends[handler] = loop.call_later(seconds, transport.abort)

    def _stay(self, handler: RequestHandler) -> None:
        """Let a connection stay for as long as it wants to."""
        if (timer := self._ends.pop(handler, None)) is not None:
            timer.cancel()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self._end_after(request.protocol, ANSWER_SECONDS)
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers=HEADERS)
        if request.path == "/ws":
            self._stay(request.protocol)
            try:
                return await self._websocket(request)
            except web.HTTPException as refusal:
                return web.Response(status=refusal.status, text=refusal.text, headers=HEADERS)
            except Exception as error:
                self._complain(f"a page could not be served ({type(error).__name__}).")
                raise
        if (file := self.files.get(request.path)) is None:
            if (answer := await self._more(request)) is not None:
                return answer
            return web.Response(status=404, text="There is no such page.", headers=HEADERS)
        return _response(request, file)


def _response(request: web.BaseRequest, file: File) -> web.Response:
    headers = {**HEADERS, "Vary": "Accept-Encoding"}
    if file.is_kept:
        headers["Cache-Control"] = "max-age=31536000, immutable"
    body = file.body
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return web.Response(body=body, content_type=file.type, charset="utf-8", headers=headers)
