"""What guests' programs and terminals can send that nobody means: CASES 6, 10, 12 and 29 through the door."""

from __future__ import annotations

import asyncio
import random
import re
import socket
from pathlib import Path
from typing import Final

import asyncssh
import pytest
from asyncssh.constants import MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from heat_tui.doors import ssh, visitor
from tests.doors.support import guest, open_door
from tests.tui.support_app import server_process, until

pytestmark = pytest.mark.asyncio

NOBODY_MEANS: Final = {
    "a request that nobody knows": (b"nonsense@example.org", b"x" * 1000),
    "a command behind the shell": (b"exec", String("id")),
    "a second shell": (b"shell",),
    "a second terminal": (b"pty-req", String("xterm"), *4 * [UInt32(2**32 - 1)], String(b"")),
    "files": (b"subsystem", String("sftp")),
    "windows": (b"x11-req", Boolean(False), String("MIT-MAGIC-COOKIE-1"), String("00" * 16), UInt32(0)),
    "the agent": (b"auth-agent-req@openssh.com",),
    "a variable in the middle": (b"env", String("LD_PRELOAD"), String("/tmp/x.so")),
}
BYTES: Final = {
    "no UTF-8": b"\xff",
    "a character that breaks off": b"\xc3a",
    "an old mouse report": b"\x1b[M \x820",
    "a key that is no character": b"\x1b[55296u\x1b[99999999u",
    "noise": random.Random(29).randbytes(4096).translate(None, b"\x03\x11q"),
    "a paste": b"\x1b[200~" + b"Ana " * 65_536 + b"\x1b[201~",
    "a sequence that breaks off": b"\x1b[1;",
}
"""Without the keys that quit, which are meant."""


@pytest.mark.parametrize("what", NOBODY_MEANS)
async def test_a_request_that_nobody_means_changes_nothing(tmp_path: Path, what: str) -> None:
    name, *data = NOBODY_MEANS[what]
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        try:
            async with asyncio.timeout(20):
                await who.process.channel._make_request(name, *data)
        except (asyncssh.Error, OSError):  # the connection is closed for it
            await who.ends()
        else:
            who.press("hello\r")
            await who.shows("heard 'hello'")
        assert "uid=" not in who.text
        async with guest(door, "ben") as other:
            await other.shows("facts ")
        assert not [news for news in door.news if news.kind == "warning"]


async def test_a_line_that_is_dead_is_noticed_without_a_word_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh, "_KEEPALIVE_SECONDS", 0.1)
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        await who.shows("facts ")
        assert who.connection._transport is not None
        who.connection._transport.pause_reading()  # as behind a cable that was pulled
        await until(lambda: not door.house.guests and not door.door.entrance._connections)


async def test_who_asks_and_asks_and_reads_no_answer_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "MOST_UNREAD_BYTES", 65_536)
    monkeypatch.setattr(visitor, "LOOK_SECONDS", 0.1)
    async with open_door(tmp_path) as door:
        assert door.door._listening is not None
        for listening in door.door._listening.sockets:  # so that the system takes little of the answers
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        async with guest(door, "ben") as other, guest(door, "ana") as who:
            await who.shows("facts ")
            assert who.connection._transport is not None
            who.connection._transport.pause_reading()
            who.connection.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            async with asyncio.timeout(20):  # less than after how long a silent guest is let go
                while len(door.house.guests) == 2:
                    for _ in range(1_000):
                        who.connection.send_packet(MSG_GLOBAL_REQUEST, String("x@example.org"), Boolean(True))
                    await asyncio.sleep(0.05)
            assert [one.name for one in door.house.guests] == ["ben"]
            other.press("hello\r")
            await other.shows("heard 'hello'")


@pytest.mark.timeout(120)
async def test_no_byte_from_a_terminal_ends_the_client_or_chooses_for_the_guest(tmp_path: Path) -> None:
    with server_process() as server:
        async with open_door(tmp_path, server=server, with_client=True) as door, guest(door, "ana") as who:
            await who.shows("Open a room")
            for data in BYTES.values():
                who.process.stdin.write(data)
            await until(lambda: not door_reads(door.house), 60.0)
            (inside,) = door.house.guests
            who.text = ""
            who.process.stdin.write(b"\x1b")  # what broke off is over
            await asyncio.sleep(0.5)
            who.process.change_terminal_size(100, 30)
            await until(lambda: re.search("palette|Join a race|pedal down", who.text))
            assert door.house.guests == [inside]
            who.press("\x03")
            assert await who.ends() == 130, "0 is for who chose to leave"


def door_reads(house: object) -> bool:
    ((login, _),) = house._inside.values()  # type: ignore[attr-defined]
    terminal = login._client._terminal
    return bool(terminal is not None and terminal._unwritten)
