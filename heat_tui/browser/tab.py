"""A tab: the program that runs for one page of a browser, from its start until it has ended."""

from __future__ import annotations

import asyncio
import shlex
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from heat_tui.terminal.environment import BROWSER_DRIVER, DRIVER_VARIABLE

MOST_COLUMNS: Final = 600
MOST_ROWS: Final = 300
"""More than any screen shows: what a browser says of its size must not cost any amount of memory."""

QUIT_SECONDS: Final = 8.0
"""How long a program may take to end: one that hosts a race ends its server first."""

_BEGINS: Final = b"__GANGLION__\n"
_MOST_LAST_WORDS: Final = 2_000
_LEAVE_SCREEN: Final = b"\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25l\x1b[2J\x1b[H"
_NOT_PASSED_ON: Final = ("HEAT_TUI_PLAIN", "ACCESSIBLE", "TEXTUAL", "TEXTUAL_LOG")


class Tab(AppService):
    """One program and the websocket that it is seen through.

    textual-serve's own class starts a shell, and no longer reads what a program writes once the browser has
    gone, so that the program may wait for ever: starting, reading and ending are done here.
    """

    def __init__(
        self, arguments: Sequence[str], websocket: web.WebSocketResponse, downloads: DownloadManager
    ) -> None:
        """Prepare; `start` begins.

        Args:
            arguments: The program and its arguments, which no shell ever sees.
        """
        self._arguments = tuple(arguments)
        super().__init__(
            shlex.join(arguments),
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=lambda: _close(websocket),
            download_manager=downloads,
        )

    async def start(self, width: int, height: int) -> None:
        """Start the program at a size in cells, which is bounded."""
        await super().start(*_bounded(width, height))

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Tell the program of another size in cells, which is bounded."""
        await super().set_terminal_size(*_bounded(width, height))

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # In a session of its own: Ctrl-C in the web server's terminal is for the web server, which asks the
        # programs to end itself.
        self._process = process = await asyncio.create_subprocess_exec(
            *self._arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=tab_environment(self._build_environment(width=width, height=height)),
            start_new_session=True,
        )
        self._stdin = process.stdin
        return process

    async def run(self) -> None:
        """Pass on what the program draws until it has ended, then show its last words and hang up."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        last_words = asyncio.create_task(_read_end(process.stderr))
        await self._pass_on(process.stdout)
        words = await last_words
        await process.wait()
        with suppress(ConnectionError, RuntimeError):
            await self.remote_write_bytes(_LEAVE_SCREEN + b"\r\n".join(words.splitlines()) + b"\r\n")
        await self.remote_close()

    async def _pass_on(self, stdout: asyncio.StreamReader) -> None:
        try:
            await stdout.readuntil(_BEGINS)
        except asyncio.LimitOverrunError:
            while await stdout.read(65_536):
                pass  # it shows no screen; nothing of this program does that, but it must be able to end
            return
        except asyncio.IncompleteReadError:
            return
        with suppress(asyncio.IncompleteReadError):
            while True:
                head = await stdout.readexactly(5)
                payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
                # A browser that has gone: read on, or the program could not write, nor end.
                with suppress(ConnectionError, RuntimeError):
                    match head[:1]:
                        case b"D":
                            await self.on_data(payload)
                        case b"M":
                            await self.on_meta(payload)
                        case _:
                            await self.on_packed(payload)

    async def on_meta(self, data: bytes) -> None:
        """Take what is not to be drawn; the end is known by itself, and after the last words."""
        if b'"exit"' not in data:
            await super().on_meta(data)

    async def stop(self) -> None:
        """End the program and wait for it: asked as at any end, then by signal, then forced."""
        if self._task is None or self._process is None:
            return
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self.send_meta({"type": "quit"})
        for insist in (self._process.terminate, self._process.kill):
            if await self._has_ended():
                return
            with suppress(ProcessLookupError):
                insist()
        await self._task

    def kill(self) -> None:
        """End the program at once."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def _has_ended(self) -> bool:
        assert self._task is not None
        return bool((await asyncio.wait([self._task], timeout=QUIT_SECONDS))[0])


def tab_environment(made: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a tab's program: of what the web server was started in, what a browser is like.

    Args:
        made: The environment of the web server, with what textual-serve adds.
    """
    environment = {name: value for name, value in made.items() if name not in _NOT_PASSED_ON}
    return environment | {DRIVER_VARIABLE: BROWSER_DRIVER, "TERM": "xterm-256color"}


def _bounded(width: int, height: int) -> tuple[int, int]:
    return max(1, min(width, MOST_COLUMNS)), max(1, min(height, MOST_ROWS))


async def _close(websocket: web.WebSocketResponse) -> None:
    await websocket.close()


async def _read_end(stream: asyncio.StreamReader) -> bytes:
    """Read all there is and give its last part."""
    end = b""
    while more := await stream.read(4_096):
        end = (end + more)[-_MOST_LAST_WORDS:]
    return end
