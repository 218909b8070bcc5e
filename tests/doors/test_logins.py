"""What happens between a guest's program and the client's terminal, and how logins end."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh
import pytest

from heat_tui.doors import login, pseudo_terminal, running_client, ssh, visitor
from heat_tui.doors.news import News
from heat_tui.terminal.ending import RESTORING
from tests.doors.support import Guest, connected, guest, open_door
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import until

pytestmark = pytest.mark.asyncio


class Request(NamedTuple):
    """What a program asks for with its terminal, as it was seen."""

    term: str
    size: tuple[int, int]
    modes: dict[int, int]
    environment: dict[str, str]
    erase: str
    encoding: str


OF_PROGRAMS: Final = {
    # OpenSSH 9 on Linux, from a terminal of 80x24: all modes of the terminal, and what SendEnv names.
    "openssh": Request(
        "xterm-256color",
        (80, 24),
        {
            1: 3,
            2: 28,
            3: 127,
            4: 21,
            5: 4,
            6: 255,
            10: 26,
            30: 0,
            36: 1,
            42: 1,
            50: 1,
            51: 1,
            53: 1,
            128: 38400,
        },
        {"LANG": "en_GB.UTF-8"},
        "7f",
        "utf-8",
    ),
    # ssh of Windows 10 and 11: the console has no modes to tell of, and no locale is sent.
    "windows": Request("xterm-256color", (120, 30), {}, {}, "7f", "utf-8"),
    # PuTTY 0.8x as it comes: Backspace sends 127, the terminal is a plain xterm, no locale is sent.
    "putty": Request("xterm", (80, 24), {3: 127, 42: 1, 128: 38400, 129: 38400}, {}, "7f", "utf-8"),
    # PuTTY with Backspace as Control-H.
    "putty-control-h": Request("putty-256color", (100, 40), {3: 8, 42: 1}, {}, "08", "utf-8"),
    # A terminal that says no size, and a locale without UTF-8.
    "without-size": Request("vt100", (0, 0), {}, {"LC_ALL": "C"}, "7f", "ascii"),
}


@pytest.mark.parametrize("name", OF_PROGRAMS)
async def test_each_program_gets_the_terminal_that_it_asks_for(tmp_path: Path, name: str) -> None:
    asked = OF_PROGRAMS[name]
    async with (
        open_door(tmp_path) as door,
        guest(
            door, "ana", term=asked.term, size=asked.size, modes=asked.modes, environment=asked.environment
        ) as who,
    ):
        await who.shows("facts ")
        facts = who.facts
        assert facts["environment"]["TERM"] == asked.term
        assert tuple(facts["size"]) == (asked.size if all(asked.size) else (80, 24))
        assert (facts["erase"], facts["stops"], facts["encoding"]) == (asked.erase, "00", asked.encoding)


async def test_a_terminal_follows_its_window_within_bounds(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        for size, shown in (((120, 40), (120, 40)), ((2**31 - 1, 2**31 - 1), (600, 300)), ((1, 0), (1, 24))):
            who.process.change_terminal_size(*size)
            who.press("size\r")
            await who.shows(f"size {shown}")


async def test_a_guest_who_reads_nothing_makes_the_program_wait(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        who.process.channel.pause_reading()
        who.press("flood\r")
        inside = door.login
        assert inside._client._terminal is not None
        passed = 0
        for _ in range(20):
            await asyncio.sleep(0.05)
            before, passed = passed, inside._channel._send_buf_len if inside._channel else 0
        assert before == passed  # all is full, and stays as it is
        assert 0 < passed < 200_000


async def test_a_guest_who_takes_everything_and_reads_nothing_makes_the_program_wait(tmp_path: Path) -> None:
    """The channel's own bound is one that the guest sets, so the connection has another."""
    async with open_door(tmp_path) as door, connected(door, "ana") as (connection, _):
        process = await connection.create_process(term_type="xterm", encoding=None, window=2**31 - 1)
        who = Guest(connection, process)
        await who.shows("facts ")
        assert connection._transport is not None
        connection._transport.pause_reading()
        who.press("flood\r")
        inside = door.login
        await until(lambda: inside._unsent > login.MOST_UNSENT_BYTES)
        for _ in range(10):
            await asyncio.sleep(0.05)
            assert inside._unsent < login.MOST_UNSENT_BYTES + 65_536
        connection._transport.resume_reading()
        before = len(who.text)
        await until(lambda: len(who.text) > before + 1_000_000)


async def test_a_program_that_reads_nothing_makes_the_guest_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 0.2)
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        who.press("hang\r")
        await who.shows("hanging")
        inside = door.login
        for _ in range(64):
            who.press("x" * 65_536)
        await asyncio.sleep(0.5)
        assert inside._client._terminal is not None
        assert pseudo_terminal.MOST_UNREAD_BYTES < len(inside._client._terminal._unwritten) < 300_000


async def test_a_guest_with_a_dead_line_leaves_no_program(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        who.connection.abort()
        await until(lambda: "ana left; now 0 guests." in door.told)


async def test_a_guest_who_is_gone_before_the_login_begins_leaves_no_trace(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        for _ in range(5):
            async with connected(door, "ana") as (connection, _):
                process = asyncio.ensure_future(connection.create_process(term_type="xterm", encoding=None))
                await asyncio.sleep(0)
                connection.abort()
                with suppress(asyncssh.Error, OSError):
                    await process
        await until(lambda: not door.house._inside)
        async with guest(door, "ben") as who:
            await who.shows("facts ")


async def test_a_program_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 0.2)
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        who.press("hang\r")
        await who.shows("hanging")
        who.connection.abort()
        await until(lambda: "ana left; now 0 guests." in door.told)


async def test_a_program_that_is_killed_ends_its_login_alone(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as ana, guest(door, "ben") as ben:
        await ana.shows("facts ")
        await ben.shows("facts ")
        ana.press("die\r")
        assert await ana.ends() == 128 + signal.SIGKILL
        assert RESTORING.decode() in ana.text
        ben.press("hello\r")
        await ben.shows("heard 'hello'")


@pytest.mark.spec("DOOR-4.2")
async def test_an_idle_guest_is_warned_and_then_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "IDLE_WARNING_SECONDS", 0.7)
    async with open_door(tmp_path, idle_seconds=1.0) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        await who.shows("\r\nwarned\r\n")
        who.press("hello\r")  # a key is enough
        await who.shows("heard 'hello'")
        assert await who.ends() == 129
        assert who.text.count("warned\r\n") == 2
        # Rounded down from a second: the option begins at two minutes.
        assert "You pressed no key for 0 minutes, so you were logged out. If you were in a race" in who.text


async def test_a_host_sees_who_is_inside_and_removes_one(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana+K7QX4") as ana, guest(door, "ben") as ben:
        await ana.shows("facts ")
        await ben.shows("facts ")
        first, second = sorted(door.house.guests, key=lambda inside: inside.name)
        assert (first.name, first.code, first.address, first.known_by) == (
            "ana",
            "K7QX4",
            "127.0.0.1",
            "no key",
        )
        assert 0 <= time.time() - first.since < 60
        assert door.house.remove(first.number)
        assert await ana.ends() == 129
        assert "The host has removed you." in ana.text
        await until(lambda: door.news[-1] == News("left", "ana left; now 1 guest.", first))
        assert door.house.guests == [second]
        assert (first.way, second.way) == ("ssh", "ssh")
        assert not door.house.remove(first.number)
        ben.press("hello\r")
        await ben.shows("heard 'hello'")


async def test_a_door_that_closes_says_so_and_ends_every_program(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as ana:
        await ana.shows("facts ")
        await door.door.close()
        assert "This door has closed. If you were in a race, your seat is kept." in ana.text
        assert await ana.ends() == 129
        with pytest.raises(ConnectionRefusedError):
            async with guest(door, "ben"):
                pass


@pytest.mark.spec("DOOR-4.2")
async def test_connections_that_never_log_in_or_ask_for_nothing_are_bounded(tmp_path: Path) -> None:
    async with open_door(tmp_path, most_from_address=4) as door:
        raw = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(200)]
        for (_, writer), junk in zip(raw, cycle(NO_SSH.values()), strict=False):
            writer.write(junk)
        heard = await asyncio.gather(*(_ends_soon(reader) for reader, _ in raw))
        assert sum(not ended for ended in heard) <= 12
        for _, writer in raw:
            writer.close()
        await until(lambda: not door.door.entrance._connections)
        async with guest(door, "ana") as who:
            await who.shows("facts ")


async def test_who_logs_in_and_asks_for_nothing_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "REQUEST_SECONDS", 0.3)
    async with open_door(tmp_path) as door:
        async with connected(door, "ana") as (connection, _), asyncio.timeout(PATIENCE_SECONDS):
            await connection.wait_closed()
        async with guest(door, "ana") as who:  # who asks in time stays
            await who.shows("facts ")
            await asyncio.sleep(0.5)
            who.press("hello\r")
            await who.shows("heard 'hello'")


@pytest.mark.parametrize("ends", ["by itself", "refused", "unread", "all typed"])
async def test_a_login_that_is_over_gives_its_connection_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """However long the guest's program keeps its side open: others need the place."""
    monkeypatch.setattr(login, "CLOSE_SECONDS", 0.2)
    async with open_door(tmp_path) as door, guest(door, "ana+NO CODE" if ends == "refused" else "ana") as who:
        if ends == "refused":
            await who.shows("Log in as NAME")
        else:
            await who.shows("facts ")
            if ends == "unread":
                assert who.connection._transport is not None
                who.connection._transport.pause_reading()
            if ends == "all typed":
                who.process.stdin.write_eof()
            else:
                who.press("quit 0\r")
        await until(lambda: not door.door.entrance._connections)


class _TypesNothing(asyncssh.SSHClientSession[bytes]):
    """Has no input, as `ssh ... < /dev/null`; the end of it comes before the request for a terminal."""

    def __init__(self) -> None:
        self.text = b""

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        chan.write_eof()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.text += data


@pytest.mark.parametrize(("term", "text"), [(None, b"this needs a terminal"), ("xterm", b"")])
async def test_a_login_without_input_ends_and_says_why(tmp_path: Path, term: str | None, text: bytes) -> None:
    async with open_door(tmp_path) as door, connected(door, "ana") as (connection, _):
        channel, session = await connection.create_session(_TypesNothing, term_type=term, encoding=None)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await channel.wait_closed()
        assert channel.get_exit_status() == 1
        assert isinstance(session, _TypesNothing)
        assert text in session.text
        assert not door.house._inside


async def _ends_soon(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(1.0):
            while await reader.read(4096):
                pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


NO_SSH: Final = {
    "web": b"GET / HTTP/1.1\r\n\r\n",
    "tls": b"\x16\x03\x01" + b"x" * 500,
    "noise": b"\0" * 100_000,
    "nothing": b"",
}


@pytest.mark.parametrize("what", NO_SSH)
async def test_what_is_no_ssh_is_dropped_without_a_word_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(ssh, "HANDSHAKE_SECONDS", 0.3)
    async with open_door(tmp_path) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(NO_SSH[what])
        assert await _ends_soon(reader)
        writer.close()
        assert not door.told


async def test_variables_and_their_number_are_bounded(tmp_path: Path) -> None:
    many = {f"V{number}": "x" for number in range(1000)} | {"LANG": "C.UTF-8"}
    async with open_door(tmp_path) as door, guest(door, "ana", environment=many) as who:
        await who.shows("facts ")
        inside = door.login
        assert inside._channel is not None
        assert len(inside._channel.get_environment_bytes()) == login.MOST_VARIABLES


async def test_a_guest_reaches_the_server_under_the_own_address_where_the_server_has_a_socket_for_that(
    tmp_path: Path,
) -> None:
    path = tmp_path / "doors.sock"
    async with open_door(tmp_path, door_socket=path) as door:
        async with guest(door, "ana") as ana:
            await ana.shows("facts")
            assert ana.facts["way"] is None, "nothing is there: the guest comes to the server's port"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            async with guest(door, "ben") as ben:
                await ben.shows("facts")
                assert ben.facts["way"] == [str(path), "127.0.0.1", "127.0.0.1"]
