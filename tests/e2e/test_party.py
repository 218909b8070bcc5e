"""`heat-tui party` as a whole: server, doors and guests are real processes, and all of them end together."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp
import asyncssh
import pytest

from heat_core.wire.address import Address
from heat_core.wire.messages import RoomOptions, Start, TakeSeat
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.own_ports import PORTS_TRIED
from heat_tui.party.party import Party as RealParty
from heat_tui.party.people import Person
from heat_tui.party.wish import Wish
from tests.browser.support import tab
from tests.e2e.test_workers_end import children_of
from tests.tui.support_app import folders_in, until
from tests.tui.support_plain import homes_in

pytestmark = pytest.mark.asyncio

OPEN_SECONDS: Final = 60
END_SECONDS: Final = 30


class Party:
    """A party without a terminal: it says everything in lines.

    Attributes:
        text: What it has said so far.
    """

    def __init__(self, process: Process, path: Path) -> None:
        self.process = process
        self.path = path
        self.text = ""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while data := await self.process.stdout.read(4_096):
            self.text += data.decode()

    async def says(self, pattern: str) -> re.Match[str]:
        await until(lambda: re.search(pattern, self.text), OPEN_SECONDS)
        found = re.search(pattern, self.text)
        assert found
        return found

    def processes(self) -> list[int]:
        """List all that it has started, and what those have."""
        found, whole = [self.process.pid], []
        while found:
            found = [child for process in found for child in children_of(process)]
            whole += found
        return whole

    async def ends(self, how: Callable[[], None]) -> None:
        """End it somehow, and see that nothing is left running."""
        started = self.processes()
        assert started, "the server at least, and behind doors what forks the guests' programs"
        how()
        await asyncio.wait_for(self.process.wait(), END_SECONDS)
        await until(lambda: not any(Path(f"/proc/{process}").exists() for process in started), END_SECONDS)
        await self._reading


@asynccontextmanager
async def party(path: Path, *options: str) -> AsyncIterator[Party]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "heat_tui", "party", "--only-here", *options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | homes_in(path),
    )
    held = Party(process, path)
    try:
        yield held
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Answer(asyncssh.SSHClient):
    """Gives the password to the first question, and Enter to the others."""

    def __init__(self, password: str) -> None:
        self._answers = [password]

    def kbdint_auth_requested(self) -> str | None:
        return ""

    def kbdint_challenge_received(self, *asked: object) -> list[str]:
        return [self._answers.pop() if self._answers else ""]


@asynccontextmanager
async def by_ssh(
    line: str, password: str, name: str = "ana", own_address: str = "127.0.0.1"
) -> AsyncIterator[asyncssh.SSHClientProcess[bytes]]:
    """Come in by the line of the card."""
    found = re.fullmatch(r"ssh -p (\d+) (\S+)@(\S+)", line)
    assert found
    connection, _ = await asyncssh.create_connection(
        lambda: Answer(password),
        found[3],
        int(found[1]),
        username=found[2].replace("NAME", name),
        local_addr=(own_address, 0),
        known_hosts=None,
        config=None,
        agent_path=None,
        client_keys=None,
    )
    async with connection:
        yield await connection.create_process(term_type="xterm-256color", term_size=(80, 24), encoding=None)


@asynccontextmanager
async def by_browser(page: str, secret: str, name: str, code: str) -> AsyncIterator[None]:
    """Come in by the link of the card."""
    async with aiohttp.ClientSession() as session:
        guest = await tab(session, page, secret=secret, name=name, code=code)
        yield
        await guest.leave()


@pytest.mark.spec("DOOR-3")
@pytest.mark.parametrize(
    ("left_out", "ways", "ending"),
    [
        ((), ["ssh", "browser", "heat-tui", "install"], signal.SIGKILL),
        pytest.param((), ["ssh", "browser", "heat-tui", "install"], signal.SIGTERM, marks=pytest.mark.soak),
        (("--no-ssh",), ["browser", "heat-tui", "install"], signal.SIGTERM),
        (("--no-web",), ["ssh", "heat-tui"], signal.SIGTERM),
        (("--no-ssh", "--no-web"), ["heat-tui"], signal.SIGTERM),
    ],
)
async def test_friends_come_in_by_each_way_of_the_card_and_all_ends_with_it(
    tmp_path: Path, left_out: tuple[str, ...], ways: list[str], ending: signal.Signals
) -> None:
    """Each door can be left out: then the card does not show it, and nothing listens for it."""
    ports = dict(zip(("--port", "--ssh", "--web"), map(str, free_ports(3)), strict=True))
    wanted = {name: port for name, port in ports.items() if f"--no-{name[2:]}" not in left_out}
    given = [word for option in wanted.items() for word in option]
    port = ports["--port"]
    async with party(tmp_path, *given, *left_out, "--laps", "1") as held, AsyncExitStack() as inside:
        code = (await held.says(rf"heat-tui connect 127\.0\.0\.1:{port} (\w+) \("))[1]
        await until(lambda: re.findall(r"^\d, (\S+): ", held.text, re.MULTILINE) == ways, OPEN_SECONDS)
        assert [name for name, port in ports.items() if _is_listening(int(port))] == list(wanted)
        leo = await ServerStay.begin(folders_in(tmp_path / "leo"), Address("127.0.0.1", int(port)))
        await leo.join(code, "Leo", "blue")
        await held.says(r"Leo came in with heat-tui from 127\.0\.0\.1\.")
        drivers = {"Leo"}
        if "ssh" in ways:
            line, password = (await held.says(r"ssh: (ssh -p \S+ \S+) \(password (\S+);")).groups()
            await inside.enter_async_context(by_ssh(line, password))
            await held.says(r"ana came in by ssh from 127\.0\.0\.1\.")
            drivers.add("ana")
        if "browser" in ways:
            page, secret, shown = (await held.says(r"browser: (http://\S+)/#(\S+)\+(\w+)")).groups()
            assert shown == code
            await inside.enter_async_context(by_browser(page, secret, "Ben", code))
            await held.says(r"Ben came in by browser from 127\.0\.0\.1\.")
            drivers.add("Ben")
        await until(lambda: leo.link.room and set(_drivers(leo)) == drivers, OPEN_SECONDS)
        await held.ends(lambda: held.process.send_signal(ending))
        await leo.close()
    assert (tmp_path / "state" / "heat-tui" / f"server-{port}.sqlite3").exists(), "what was played is saved"


def _drivers(stay: ServerStay) -> list[str]:
    assert stay.link.room is not None
    return [place.name for place in stay.link.room.places if place.kind == "human"]


async def test_a_removed_guest_may_come_back_and_a_banned_one_may_not_while_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, folder in homes_in(tmp_path).items():
        monkeypatch.setenv(name, folder)
    port, ssh = free_ports(2)
    wish = Wish("127.0.0.1", port, ssh, None, "kqtm-7w3x", None, False, RoomOptions())
    held = RealParty(wish, ["127.0.0.1"], tmp_path / "state")

    def person(name: str) -> Person | None:
        return next((one for one in held.people if one.name == name and one.room), None)

    try:
        await held.open()
        await held.doors_known()
        line = held.ways[0].line
        async with by_ssh(line, "kqtm-7w3x", "ben", "127.0.0.3"):
            for name, removing in (("ana", held.remove), ("cleo", held.ban)):
                async with by_ssh(line, "kqtm-7w3x", name, "127.0.0.2") as login:
                    await until(lambda: person(name) and person("ben"), OPEN_SECONDS)  # noqa: B023  # at once
                    found = person(name)
                    assert found
                    assert (found.address, found.way, found.room) == ("127.0.0.2", "ssh", held.code)
                    assert (await removing(found)).startswith(f"{name} has been removed")
                    assert b"The host has removed you." in await login.stdout.read()
            async with by_ssh(line, "kqtm-7w3x", "dora", "127.0.0.2") as login:
                told = await login.stdout.readuntil(b"banned")
                assert told.endswith(b"banned")
            assert person("ben"), "the others stay"
    finally:
        await held.end()


async def test_ports_that_are_taken_while_the_host_is_asked_are_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, folder in homes_in(tmp_path).items():
        monkeypatch.setenv(name, folder)
    with socket.create_server(("127.0.0.1", 0)) as other, socket.create_server(("127.0.0.1", 0)) as another:
        port, ssh = other.getsockname()[1], another.getsockname()[1]
        wish = Wish("127.0.0.1", port, ssh, None, None, None, False, RoomOptions(), fixed=frozenset())
        held = RealParty(wish, ["127.0.0.1"], tmp_path / "state")
        try:
            await held.open()
            await held.doors_known()
            found = held.wish.port, held.doors.ssh_port
            assert port < found[0] < port + PORTS_TRIED
            assert found[1] is not None
            assert ssh < found[1] < ssh + PORTS_TRIED
            by_ssh_line, by_client = (way.line for way in held.ways)
            assert by_ssh_line.startswith(f"ssh -p {found[1]} ")
            assert f"127.0.0.1:{found[0]} " in by_client
            stay = await ServerStay.begin(folders_in(tmp_path / "leo"), held.address)
            await stay.close()
        finally:
            await held.end()


async def test_a_server_that_dies_comes_back_with_the_room_and_the_doors_are_opened_again(
    tmp_path: Path,
) -> None:
    port, ssh = free_ports(2)
    async with party(tmp_path, "--port", str(port), "--ssh", str(ssh), "--no-web") as held:
        code = (await held.says(rf"heat-tui connect 127\.0\.0\.1:{port} (\w+)"))[1]
        server, doors = sorted(
            children_of(held.process.pid), key=lambda one: "doors_process" in _command(one)
        )
        os.kill(server, signal.SIGKILL)
        await held.says("The server is back, with its races.")
        os.kill(doors, signal.SIGKILL)
        await held.says("The doors have closed because of a fault; they are opened again.")
        await until(lambda: _is_listening(ssh), OPEN_SECONDS)
        stay = await ServerStay.begin(folders_in(tmp_path / "leo"), Address("127.0.0.1", port))
        await until(lambda: code in held.text)
        await stay.join(code, "Leo", "blue")
        await stay.close()
        await held.ends(lambda: held.process.send_signal(signal.SIGTERM))


async def test_a_race_keeps_its_room_when_the_server_dies_and_when_the_party_does(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    connecting = rf"heat-tui connect 127\.0\.0\.1:{port} (\w+)"
    here = Address("127.0.0.1", port)
    doors = ("--no-ssh", "--no-web")
    async with party(tmp_path, "--port", str(port), *doors, "--laps", "1") as held:
        code = (await held.says(connecting))[1]
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), here)
        ben = await ServerStay.begin(folders_in(tmp_path / "ben"), here)
        await ana.join(code, "Ana", "blue")
        await ben.join(code, "Ben", "red")
        await ben.link.request(TakeSeat(0, ready=True))
        await ana.link.request(Start(0))
        await held.says(f"A race has begun in room {code}")
        os.kill(children_of(held.process.pid)[0], signal.SIGKILL)
        await held.says("The server is back, with its races.")
        assert "No room could be opened" not in held.text
        held.process.kill()
        await held.process.wait()
        for stay in (ana, ben):
            await stay.close()
    async with party(tmp_path, *doors) as held:
        assert (await held.says(connecting))[1] == code
        assert f"The race in room {code} of a party at port {port} is not over." in held.text
        (seat,) = saved_sessions(folders_in(tmp_path / "ana"))
        ana = await ServerStay.rejoin(folders_in(tmp_path / "ana"), seat)
        assert ana.link.room is not None
        assert ana.link.room.code == code
        await ana.close()


def _command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


def _is_listening(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "There is no terminal to ask in. Give --yes to open all that, or --only-here."),
        (("--yes", "--port", "{port}"), "Port {port} is in use. Choose another with --port"),
        (("--yes", "--ssh", "{port}"), "Port {port} is in use. Choose another with --ssh"),
        (("--yes", "--ssh", "2222", "--no-ssh"), "--ssh and --no-ssh cannot be combined."),
        (("--yes", "--web", "8000", "--no-web"), "--web and --no-web cannot be combined."),
        (("--only-here", "--no-ssh", "--no-web", "--track", "moon"), "This server does not have that track."),
    ],
)
async def test_what_cannot_be_opened_is_said_in_a_line(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "heat_tui", "party"),
            *(option.format(port=port) for option in options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | homes_in(tmp_path),
        )
        output, _ = await process.communicate()
    assert process.returncode in (1, 2)
    assert told.format(port=port) in output.decode()
