"""A login by a browser: a client that is seen through a websocket, and through another when that is lost.

Theory of operation. What the client draws goes into a `Picture`, and from there to the websocket. While that
takes too little, nothing more is read from the client, which then waits. While there is no websocket, the
client draws on into the picture, and its guest may come back for some time: the page says how much of the
picture it has, and gets the rest. A page that is new, or has missed too much, gets a login of its own in
place of this one.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
from aiohttp import WSMsgType, web

from heat_tui.browser.messages import TOLD, Bye, Hello, Inside, Ping, Pong, Resize, bye, bye_of
from heat_tui.browser.picture import Picture
from heat_tui.doors.goodbye import ELSEWHERE, Goodbye
from heat_tui.doors.guest_folders import Known
from heat_tui.doors.house import Arrival, House
from heat_tui.doors.messages import Guest
from heat_tui.doors.running_client import RunningClient
from heat_tui.doors.terminal_requests import bounded_size
from heat_tui.words.plain_way import WAY_BY_BROWSER

AWAY_SECONDS: Final = 90.0
"""How long a login outlives its websocket; then its client ends, and the seat at the server stays."""

MOST_UNSENT_BYTES: Final = 131_072
"""What a page has not yet taken of the picture; with more, the client waits."""

_CHUNK_BYTES: Final = 65_536

_LOOK_SECONDS: Final = 1.0
"""How often it is looked whether a page has gone whose keys are held back."""

TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""What the terminal in the page can do, as variables."""


class BrowserLogin:
    """One login.

    Attributes:
        number: Known to nobody but its page.
        ended: Set once the client has ended, or it is clear that there will be none.
    """

    def __init__(
        self, house: House, arrival: Arrival, hello: Hello, way: tuple[str, str, str] | None
    ) -> None:
        """Prepare; `begin` begins.

        Args:
            hello: How large the terminal is at first.
            way: To the server, as `Guest` has it.
        """
        self.number = secrets.token_hex(16)
        self.ended = asyncio.Event()
        self._house = house
        self._arrival = arrival
        self._way = way
        self._size = bounded_size(hello.columns, hello.rows)
        self._client = RunningClient(house.programs, house.settings.idle_seconds)
        self._picture = Picture()
        self._websocket: web.WebSocketResponse | None = None
        self._sent = 0
        self._is_held = False
        self._has_news = asyncio.Event()
        self._may_type = asyncio.Event()
        self._may_type.set()
        self._away_timer: asyncio.TimerHandle | None = None
        self._last = bye("ended", "")
        self._task: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def begin(self, forget: Callable[[], None]) -> None:
        """Let the guest in, if that can be.

        Args:
            forget: Is called at the end.
        """
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._task.add_done_callback(lambda task: forget())

    async def _run(self) -> None:
        try:
            end = await self._house.receive(self, self._arrival, self._play)
            self._last = _last_words(end, self._client.goodbye)
        finally:
            self.ended.set()
            self._has_news.set()
            self._may_type.set()
            self._stop_waiting()

    async def _play(self, known: Known) -> int:
        if self._websocket is None:
            return 1  # the page has gone, and knows no number to come back with
        (name, code), *_ = self._arrival
        server = self._house.settings.server.invitation
        folder, plain_way = str(known.folder), WAY_BY_BROWSER
        guest = Guest(name, folder, server, code, "", TERMINAL, False, plain_way, self._way)
        return await self._client.run(guest, self._size, {}, self._draw, self._hold_keys)

    def end(self, why: Goodbye) -> None:
        """Ask the client to end, while the guest still sees how, and then say why."""
        self._client.end(why)

    def kill(self) -> None:
        """End the client at once."""
        self._client.kill()

    # --- the page -------------------------------------------------------------------------------------------

    def continues(self, hello: Hello) -> bool:
        """Tell whether a page shows this login's picture, and the rest of it is still there."""
        is_this = secrets.compare_digest(hello.login.encode(), self.number.encode())
        return is_this and not self.ended.is_set() and self._picture.has(hello.seen)

    async def attend(self, websocket: web.WebSocketResponse, hello: Hello) -> None:
        """Be seen through a websocket, and no longer through the one before, until either ends.

        Args:
            hello: What came through it.
        """
        self._stop_waiting()
        if self._websocket is not None:  # its line may be dead, and nobody has noticed
            goodbye = say_goodbye(self._websocket, bye_of(ELSEWHERE))
            closing = asyncio.get_running_loop().create_task(goodbye)
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        self._websocket = websocket
        self._has_news.set()
        seen = hello.seen if self.continues(hello) else 0
        self._size = bounded_size(hello.columns, hello.rows)
        self._client.resize(self._size)
        sending = asyncio.get_running_loop().create_task(self._send_all(websocket, seen))
        try:
            await self._hear(websocket)
        finally:
            sending.cancel()
            if self._websocket is websocket:
                self._websocket = None
                self._read_on()
                self._wait_for_page()

    async def _send_all(self, websocket: web.WebSocketResponse, sent: int) -> None:
        """Send the picture as it grows, and at the end why it ends.

        Args:
            sent: What the page has of it already, in bytes.
        """
        is_inside = False
        with suppress(ConnectionError, RuntimeError):  # the page has gone
            while self._websocket is websocket:  # a newer one may have come
                self._sent = sent
                if not self._is_behind:
                    self._read_on()
                self._has_news.clear()
                if self._picture.total and not is_inside:
                    is_inside = True  # not before there is something to show in place of what is shown
                    await _send(websocket, Inside(self.number, sent))
                elif data := self._picture.after(sent, _CHUNK_BYTES):
                    await websocket.send_bytes(data)
                    sent += len(data)
                elif self.ended.is_set():
                    await say_goodbye(websocket, self._last)
                    return
                else:
                    await self._has_news.wait()

    async def _hear(self, websocket: web.WebSocketResponse) -> None:
        """Pass on what a page sends, until it hangs up; what makes no sense is nothing."""
        async for message in websocket:
            if message.type is WSMsgType.BINARY:
                self._client.type(message.data)
                await self._wait_for_client(websocket)
            elif message.type is WSMsgType.TEXT:
                with suppress(msgspec.DecodeError, UnicodeEncodeError, RecursionError):
                    match TOLD.decode(message.data):
                        case Resize(columns, rows):
                            self._client.resize(bounded_size(columns, rows))
                        case Ping():
                            with suppress(ConnectionError, RuntimeError):  # the page has gone
                                await _send(websocket, Pong())

    async def _wait_for_client(self, websocket: web.WebSocketResponse) -> None:
        """Wait until the client reads what is typed, or the page has gone, which nobody hears meanwhile."""
        while not (self._may_type.is_set() or websocket.closed):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._may_type.wait(), _LOOK_SECONDS)

    @property
    def _is_behind(self) -> bool:
        return self._picture.total - self._sent > MOST_UNSENT_BYTES

    def _draw(self, data: bytes) -> None:
        if not data or self._client.goodbye is not None:
            return  # how it ends is in the goodbye, and the page keeps its last picture
        self._picture.add(data)
        self._has_news.set()
        if self._websocket is not None and self._is_behind:
            self._is_held = True
            self._client.hold()

    def _read_on(self) -> None:
        if self._is_held:
            self._is_held = False
            self._client.read_on()

    def _hold_keys(self, is_full: bool) -> None:
        (self._may_type.clear if is_full else self._may_type.set)()

    def _wait_for_page(self) -> None:
        if not self.ended.is_set():
            loop = asyncio.get_running_loop()
            self._away_timer = loop.call_later(AWAY_SECONDS, self._client.hang_up)

    def _stop_waiting(self) -> None:
        if self._away_timer is not None:
            self._away_timer.cancel()


def _last_words(end: int | Goodbye, goodbye: Goodbye | None) -> Bye:
    """Give what a page is told at the end.

    Args:
        end: The exit code, or why there was no client.
        goodbye: Why the client was asked to end; None: nobody asked it.
    """
    if not isinstance(end, int):
        return bye_of(end)
    if goodbye is not None:
        return bye_of(goodbye)
    if end == 0:
        return bye("left", "You have left. If you were in a race, your seat is kept.")
    return bye("ended", "The game has ended. If you were in a race, your seat is kept.")


async def say_goodbye(websocket: web.WebSocketResponse, words: Bye) -> None:
    """Say why nothing follows, and hang up."""
    with suppress(ConnectionError, RuntimeError):  # the page has gone
        await _send(websocket, words)
        await websocket.close()


async def _send(websocket: web.WebSocketResponse, message: Inside | Pong | Bye) -> None:
    await websocket.send_str(msgspec.json.encode(message).decode())
