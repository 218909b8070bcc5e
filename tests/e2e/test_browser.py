"""The client in a browser: the test speaks to the web server as a page does, and reads what is drawn."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from heat_tui.browser.server import BrowserServer
from heat_tui.browser.tab import tab_environment
from heat_tui.doors.running import keep_open
from tests.tui.support_app import WaitedTooLong, until

pytestmark = pytest.mark.asyncio

PROCESSES = Path("/proc")
PAGES_FILES = (
    "static/css/xterm.css",
    "static/js/textual.js",
    "static/fonts/RobotoMono-VariableFont_wght.ttf",
)


class Page:
    """A page of a browser that is open on the client.

    Attributes:
        text: All that was drawn so far, without colours and places.
    """

    def __init__(self, websocket: aiohttp.ClientWebSocketResponse) -> None:
        self.websocket = websocket
        self.text = ""
        self.is_closed = False
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.websocket:
            if message.type is aiohttp.WSMsgType.BINARY:
                self.text += re.sub(r"\x1b\[[^@-~]*[@-~]", "", message.data.decode())
        self.is_closed = True

    async def shows(self, text: str) -> None:
        await until(lambda: text in self.text)

    async def press(self, keys: str) -> None:
        await self.websocket.send_json(["stdin", keys])

    async def press_until(self, keys: str, text: str) -> None:
        """Press again and again, with pauses: Enter close behind another one answers no new question."""
        async with asyncio.timeout(30):
            while text not in self.text:
                await self.press(keys)
                with suppress(WaitedTooLong):
                    await until(lambda: text in self.text, 0.9)

    async def leave(self) -> None:
        await self.websocket.close()
        await self._reading


class WebServer:
    """A running `heat-tui serve`."""

    def __init__(
        self, process: asyncio.subprocess.Process, address: str, session: aiohttp.ClientSession
    ) -> None:
        self.process = process
        self.address = address
        self.session = session

    async def open(self, **headers: str) -> Page:
        query = "width=100&height=30"
        return Page(await self.session.ws_connect(f"{self.address}/ws?{query}", headers=headers))

    async def end(self, number: signal.Signals) -> tuple[int | None, bytes, bytes]:
        """End it by a signal; gives its exit code, and what it said since it began to listen."""
        self.process.send_signal(number)
        said, complaints = await self.process.communicate()
        return self.process.returncode, said, complaints

    def programs(self) -> list[int]:
        """Give the processes of the programs that run for its tabs."""
        return [process for process, parent in living_processes() if parent == self.process.pid]


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
            found = re.fullmatch(r"heat-tui is at (https?://\S+) \(Ctrl-C ends it\)\.\n", line)
            assert found, line
            yield WebServer(process, found[1], session)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


@pytest.mark.spec("APP-11")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_the_client_runs_in_a_browser_until_either_ends(tmp_path: Path, number: signal.Signals) -> None:
    async with web_server(tmp_path) as server:
        async with server.session.get(server.address) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
            page = await answer.text()
        for name in PAGES_FILES:
            assert name in page
            async with server.session.get(f"{server.address}/{name}") as answer:
                assert answer.status == 200
        assert "://" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)

        first = await server.open(Origin=server.address)
        await first.shows("First race")
        (program,) = server.programs()
        await first.press("s")
        await first.shows("servers on the local network")
        second = await server.open(Origin=server.address)
        await second.shows("First race")
        programs = server.programs()
        assert len(programs) == 2

        await first.leave()
        await all_gone([program])
        await second.press("p")
        await second.shows("nine phases")

        assert await server.end(number) == (0, b"", b"")
        await all_gone(programs)
        await until(lambda: second.is_closed)


async def test_what_cannot_be_read_and_a_long_paste_end_no_tab(tmp_path: Path) -> None:
    paste = "\x1b[200~" + "q1\r" * 350_000 + "\x1b[201~"
    async with web_server(tmp_path) as server:
        page = await server.open()
        await page.shows("Settings")
        for noise in ("\udc80", "\x1b[99999999u", "\x1b[55296u", "\x1b[M \x820", "\x1b[1;", paste):
            await page.press(noise)
        await page.press_until("s", "Your name")
        assert not page.is_closed
        await page.leave()


async def test_a_tab_whose_keys_can_no_longer_be_read_ends_in_one_line(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heat_tui", "--no-lan"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=tab_environment(os.environ | {"XDG_STATE_HOME": str(tmp_path)}),
    )
    assert process.stdout is not None
    await process.stdout.readuntil(b"First race")
    no_packet = b"no JSON"
    _, last_words = await process.communicate(b"M" + len(no_packet).to_bytes(4, "big") + no_packet)
    assert process.returncode == 1
    assert b" ".join(last_words.split()).startswith(
        b"heat-tui failed because of an error of its own (JSONDecodeError)"
    )
    assert b"Traceback" not in last_words


@pytest.mark.spec("APP-11")
async def test_a_race_is_raced_in_a_browser(tmp_path: Path) -> None:
    words = ("play", "--laps", "1", "--legends", "1", "--seed", "x", "--no-animation")
    async with web_server(tmp_path, *words, HEAT_TUI_PLAIN="1", LC_ALL="C", TERM="dumb") as server:
        page = await server.open()
        await page.shows("1 SHIFT GEARS")
        await page.press_until("\r", "2 PLAY CARDS")
        await page.press("1")
        await page.shows("FREE")
        page.text = ""
        await page.press_until("\r", "1 SHIFT GEARS")
        assert "▀" in page.text  # a browser shows every sign, whatever the locale


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
async def test_the_address_that_is_told_leads_to_it(tmp_path: Path, host: str) -> None:
    if host == "::" and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    async with web_server(tmp_path, "--host", host) as server:
        page = await server.open(Origin=server.address)
        await page.shows("First race")
        code, _, complaints = await server.end(signal.SIGTERM)
        assert (code, complaints.decode()) == (
            0,
            "heat-tui: anybody who can reach this port plays as you, without a password.\n",
        )


async def test_no_shell_reads_what_is_to_be_run(tmp_path: Path) -> None:
    async with web_server(tmp_path, "hotseat", "A;>bad", "$(id)`id`") as server:
        page = await server.open()
        await page.shows("Pass the keyboard")
        await page.press("\r")
        await page.shows("$(id)`id`")
    assert "bad" not in os.listdir(tmp_path)


async def test_a_program_ends_with_a_web_server_that_was_killed(tmp_path: Path) -> None:
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
        await until(lambda: page.is_closed)
        assert "Nothing listens at 127.0.0.1:1" in page.text
    async with web_server(tmp_path, "--tabs", "1") as server:
        page = await server.open()
        await page.shows("First race")
        refused = await server.open()
        await until(lambda: refused.is_closed)
        assert refused.text == "heat-tui: all 1 tabs are in use; try again later.\r\n"
        await page.press("\x03")
        await until(lambda: page.is_closed)
        assert "heat-tui was interrupted." in page.text
        page = await server.open()
        await page.shows("First race")
        os.kill(server.programs()[0], signal.SIGKILL)
        await until(lambda: page.is_closed)


async def test_a_foreign_page_gets_no_program(tmp_path: Path) -> None:
    elsewhere = "elsewhere.example"
    async with web_server(tmp_path) as server:
        for headers in (
            {"Origin": f"http://{elsewhere}"},
            {"Origin": f"http://{elsewhere}", "Host": elsewhere},
            {"Origin": "null"},
            {"Origin": "http://["},
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await server.open(**headers)
        assert server.programs() == []


async def test_a_page_behind_a_proxy_is_known_by_the_public_url(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = "https://races.example/heat/"
    async with web_server(tmp_path, "--port", str(port), "--public-url", url) as server:
        assert server.address == url
        server.address = f"http://127.0.0.1:{port}"
        page = await server.open(Origin="https://races.example")
        await page.shows("First race")


NONSENSE = (
    *("{", "[]", "null", '["stdin", 5]', '["stdin", "\\ud800"]', '["focus", 1]', "[" * 60_000, '["resize"]'),
    *('["resize", {"width": 1e9, "height": 3}]', '["resize", {"width": 1000000000, "height": -5}]'),
)


async def test_nonsense_from_a_page_harms_nobody(tmp_path: Path) -> None:
    async with web_server(tmp_path) as server:
        page = await server.open()
        await page.shows("First race")
        for text in NONSENSE:
            await page.websocket.send_str(text)
        await page.websocket.send_bytes(b"\0" * 99)
        await page.websocket.send_json(["resize", {"width": 80, "height": 24}])
        await page.press("s")
        await page.shows("servers on the local network")
        with suppress(ConnectionError):  # hung up on while it still sends
            await page.press("x" * 5_000_000)
        await until(lambda: page.is_closed)
        async with server.session.get(f"{server.address}/ws") as answer:
            assert answer.status == 400
        assert await server.end(signal.SIGTERM) == (0, b"", b"")


async def test_a_program_that_cannot_be_started_is_told_in_the_browser_and_to_who_serves() -> None:
    complaints: list[str] = []
    listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(lines: Sequence[str]) -> None:
        listening.set_result(lines[0].split()[3])

    server = BrowserServer(
        ["/no/such/program"], host="127.0.0.1", port=0, most_tabs=2, complain=complaints.append
    )
    running = asyncio.create_task(keep_open([server], tell))
    address = await listening
    async with aiohttp.ClientSession() as session:
        for _ in range(3):  # a tab that failed takes no place
            page = Page(await session.ws_connect(f"{address}/ws"))
            await until(lambda: page.is_closed)  # noqa: B023  # it is waited for in the same turn
            assert page.text == "heat-tui: the program cannot be started: No such file or directory.\r\n"
    os.kill(os.getpid(), signal.SIGTERM)
    assert await running
    assert complaints == ["the program cannot be started: No such file or directory."] * 3
