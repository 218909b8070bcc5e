"""One's own client in a browser: the test speaks to the door as a page does, and reads what is drawn."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from tests.browser.support import ANAS, BENS, Tab, tab
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import WaitedTooLong, until

pytestmark = pytest.mark.asyncio

PROCESSES = Path("/proc")


async def press_until(page: Tab, keys: str, text: str) -> None:
    """Press again and again, with pauses: Enter close behind another one answers no new question."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while text not in page.text:
            await page.press(keys)
            with suppress(WaitedTooLong):
                await until(lambda: text in page.text, 0.9)


class WebServer:
    """A running `heat-tui serve`."""

    def __init__(
        self, process: asyncio.subprocess.Process, link: str, session: aiohttp.ClientSession
    ) -> None:
        self.process = process
        self.address, _, self.secret = link.partition("/#")
        self.session = session

    async def open(self, number: str = ANAS, secret: str | None = None) -> Tab:
        hello = {"secret": self.secret if secret is None else secret, "tab": number, "name": ""}
        origin = {"Origin": self.address}
        return await tab(self.session, self.address, headers=origin, columns=100, rows=30, **hello)

    async def end(self, number: signal.Signals) -> tuple[int | None, bytes, bytes]:
        """End it by a signal; gives its exit code, and what it said since it began to listen."""
        self.process.send_signal(number)
        said, complaints = await self.process.communicate()
        return self.process.returncode, said, complaints

    def programs(self) -> list[int]:
        """Give the processes of the programs that run for its tabs."""
        living = living_processes()
        (fork_server,) = [process for process, parent in living if parent == self.process.pid]
        return [process for process, parent in living if parent == fork_server]


def living_processes() -> list[tuple[int, int]]:
    """Give each process with its parent, but those that have ended and are only still listed."""
    if PROCESSES.is_dir():
        lines = list(_listed_processes())
    else:
        listing = subprocess.run(
            ["ps", "-A", "-o", "pid=,stat=,ppid="], check=True, capture_output=True, text=True
        )
        lines = [line.split() for line in listing.stdout.splitlines()]
    return [(int(process), int(parent)) for process, state, parent in lines if not state.startswith("Z")]


def _listed_processes() -> Iterator[list[str]]:
    for status in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            head, _, tail = status.read_text(errors="replace").rpartition(")")
            yield [head.split()[0], *tail.split()[:2]]


async def all_gone(processes: list[int]) -> None:
    await until(lambda: not {process for process, _ in living_processes()} & set(processes))


@asynccontextmanager
async def web_server(path: Path, *words: str, **variables: str) -> AsyncIterator[WebServer]:
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(path / "config"),
        "XDG_STATE_HOME": str(path / "state"),
        "XDG_DATA_HOME": str(path / "data"),
        **variables,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heat_tui", "--no-lan", "serve", "--port", "0", *words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=path,
    )
    try:
        async with aiohttp.ClientSession() as session:
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            found = re.fullmatch(r"Your client is at (http://\S+) \(Ctrl-C ends it; .*\)\.\n", line)
            assert found, line
            yield WebServer(process, found[1], session)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()  # nobody has its output any more, the fork server neither


@pytest.mark.spec("APP-11")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_the_client_runs_in_a_browser_until_either_ends(tmp_path: Path, number: signal.Signals) -> None:
    async with web_server(tmp_path) as server:
        first = await server.open()
        await first.shows("First race")
        (program,) = server.programs()
        await first.press("s")
        await first.shows("servers on the local network")
        second = await server.open(BENS)
        await second.shows("First race")
        programs = server.programs()
        assert len(programs) == 2

        first.text = ""
        await press_until(first, "\x1b", "First race")
        await first.press("q")
        assert (await first.bye())["reason"] == "left"
        await all_gone([program])
        await second.press("p")
        await second.shows("nine phases")

        assert await server.end(number) == (0, b"", b"")
        await all_gone(programs)
        assert (await second.bye())["reason"] == "closed"


async def test_a_reloaded_tab_and_nobody_without_the_link_reaches_the_client(tmp_path: Path) -> None:
    async with web_server(tmp_path) as server:
        page = await server.open(secret="x" * 22)
        assert (await page.bye())["reason"] == "secret"
        page = await server.open()
        await page.shows("First race")
        again = await server.open()
        await again.shows("First race")
        assert (await page.bye())["reason"] == "elsewhere"
        assert len(server.programs()) == 1


async def test_what_cannot_be_read_and_a_long_paste_end_no_tab(tmp_path: Path) -> None:
    paste = "\x1b[200~" + "q1\r" * 350_000 + "\x1b[201~"
    async with web_server(tmp_path) as server:
        page = await server.open()
        await page.shows("Settings")
        for noise in ("\udc80", "\x1b[99999999u", "\x1b[55296u", "\x1b[M \x820", "\x1b[1;"):
            await page.press(noise)
        for begin in range(0, len(paste), 65_536):
            await page.press(paste[begin : begin + 65_536])
        await press_until(page, "s", "Your name")
        assert not page.is_closed


@pytest.mark.spec("APP-11")
async def test_a_race_is_raced_in_a_browser(tmp_path: Path) -> None:
    words = ("play", "--laps", "1", "--legends", "1", "--seed", "x", "--no-animation")
    async with web_server(tmp_path, *words, HEAT_TUI_PLAIN="1", LC_ALL="C", TERM="dumb") as server:
        page = await server.open()
        await page.shows("1 SHIFT GEARS")
        await press_until(page, "\r", "2 PLAY CARDS")
        await page.press("1")
        await page.shows("FREE")
        page.text = ""
        await press_until(page, "\r", "1 SHIFT GEARS")
        assert "▀" in page.text  # a browser shows every sign, whatever the locale


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
async def test_the_address_that_is_told_leads_to_it(tmp_path: Path, host: str) -> None:
    if host == "::" and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    async with web_server(tmp_path, "--host", host) as server:
        page = await server.open()
        await page.shows("First race")
        assert await server.end(signal.SIGTERM) == (0, b"", b"")


async def test_no_shell_reads_what_is_to_be_run(tmp_path: Path) -> None:
    async with web_server(tmp_path, "hotseat", "A;>bad", "$(id)`id`") as server:
        page = await server.open()
        await page.shows("Pass the keyboard")
        await page.press("\r")
        await page.shows("$(id)`id`")
    assert "bad" not in os.listdir(tmp_path)


async def test_a_program_ends_with_a_door_that_was_killed(tmp_path: Path) -> None:
    async with web_server(tmp_path) as server:
        page = await server.open()
        await page.shows("First race")
        programs = server.programs()
        server.process.kill()
        await all_gone(programs)
    assert "crash.txt" not in [name for _, _, names in os.walk(tmp_path) for name in names]


async def test_a_page_is_told_the_last_words_of_its_program(tmp_path: Path) -> None:
    async with web_server(tmp_path, "--tabs", "1", "connect", "127.0.0.1:1") as server:
        page = await server.open()
        assert (await page.bye())["reason"] == "ended"
        assert "Nothing listens at 127.0.0.1:1" in page.text
    async with web_server(tmp_path, "--tabs", "1") as server:
        page = await server.open()
        await page.shows("First race")
        refused = await server.open(BENS)
        assert (await refused.bye())["reason"] == "full"
        await page.press("\x03")
        await page.bye()
        assert "heat-tui was interrupted." in page.text
        page = await server.open()
        await page.shows("First race")
        os.kill(server.programs()[0], signal.SIGKILL)
        assert (await page.bye())["reason"] == "ended"
