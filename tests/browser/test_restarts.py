"""A page outlives everything that it plays through: each is killed in turn, and the seat is found again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import PROGRAM, SIDEWAYS, Page, chromium
from tests.browser.test_telephone import begin_race, tap_until
from tests.doors.test_many import children_of
from tests.tui.support_app import until

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.soak,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here"),
]

SAYS: Final = "Open this in a browser to play: "


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


class Programs:
    """A server with a store, and a door to it, as two processes that can be started again."""

    def __init__(self, path: Path) -> None:
        self._environment = os.environ | {
            name: str(path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        }
        self._store = str(path / "matches.sqlite3")
        self._at = str(free_port()), str(free_port())
        self.server: asyncio.subprocess.Process | None = None
        self.door: asyncio.subprocess.Process | None = None

    async def start_server(self) -> None:
        words = (
            "heat_server",
            "--no-lan",
            "--host",
            "127.0.0.1",
            "--port",
            self._at[0],
            "--store",
            self._store,
        )
        self.server = await self._start(words)

    async def start_door(self) -> str:
        """Open the door; gives the link."""
        to = ("--server", f"127.0.0.1:{self._at[0]}")
        words = ("heat_tui", "--no-lan", "serve", "--web", self._at[1], "--host", "127.0.0.1", *to)
        self.door = await self._start(words)
        assert self.door.stdout is not None
        line = (await self.door.stdout.readline()).decode()
        assert line.startswith(SAYS), line
        return line.removeprefix(SAYS).strip()

    async def _start(self, words: tuple[str, ...]) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *words),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def logins(self) -> list[int]:
        assert self.door is not None
        (fork_server,) = children_of(self.door.pid)
        return children_of(fork_server)


@asynccontextmanager
async def programs(path: Path) -> AsyncIterator[Programs]:
    both = Programs(path)
    try:
        await both.start_server()
        yield both
    finally:
        for process in (both.door, both.server):
            if process is not None and process.returncode is None:
                process.terminate()
                await process.communicate()


async def killed(process: asyncio.subprocess.Process | None) -> None:
    assert process is not None
    process.kill()
    await process.communicate()


async def goes_back(page: Page) -> None:
    await page.shows("Go back to room", 60)
    await tap_until(page, lambda: page.tap_text("[ y  yes ]"), "2 PLAY CARDS")


@pytest.mark.timeout(300)
async def test_a_page_finds_its_seat_again_whatever_is_killed(tmp_path: Path) -> None:
    async with programs(tmp_path) as both, chromium(tmp_path) as page:
        link = await both.start_door()
        await page.hold(SIDEWAYS)
        await page.open(link)
        await page.fill("name", "Ana")
        await page.shows("[ Open a new room ]")
        await begin_race(page)
        await tap_until(page, lambda: page.tap_text("Enter confirm"), "2 PLAY CARDS")

        await killed(both.server)
        await page.shows("reconnecting")
        await both.start_server()
        await page.shows("you · ", 60)

        (login,) = both.logins()
        os.kill(login, signal.SIGKILL)
        await goes_back(page)

        processes = [*children_of(both.door.pid), *both.logins()] if both.door else []
        await killed(both.door)
        await until(lambda: not any(Path(f"/proc/{process}").exists() for process in processes), 20)
        assert "2 PLAY CARDS" in await page.text(), "the page keeps its picture"
        assert await both.start_door() == link
        await goes_back(page)

        assert both.door is not None
        both.door.terminate()
        assert await both.door.wait() == 0
        await page.until_true(
            "document.querySelector('#bar').textContent.startsWith('This door has closed.')"
        )
        assert "2 PLAY CARDS" in await page.text()
        await both.start_door()
        await goes_back(page)
