"""Thirty guests who race at once on one machine: what they take of it, and how long each waits at first."""

from __future__ import annotations

import os
import re
import statistics
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest

from tests.doors.support import Guest, OpenDoor, guest, open_door
from tests.tui.support_app import server_process, until

pytestmark = pytest.mark.asyncio

ROOMS: Final = 5
PLACES: Final = 6
LATE: Final = 9
MOST_LOGINS: Final = ROOMS * PLACES + LATE + 1
MOST_FROM_ADDRESS: Final = MOST_LOGINS - 1
IDLE_SECONDS: Final = 20.0
MOST_KIB: Final = 4 * 1024 * 1024
"""Of memory, with a server and the rest of a small machine."""

MOST_SECONDS: Final = 1.0
FIRST_SCREENS: Final = ("Your name", "Turn time")
"""What the list of rooms and a lobby show; one of them is the first screen."""


def proportional_kib(process: int) -> int:
    found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def children_of(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.soak
@pytest.mark.spec("DOOR-4")
@pytest.mark.timeout(600)
async def test_thirty_guests_race_on_a_small_machine_and_limits_keep_out_more(tmp_path: Path) -> None:
    """Takes a quiet machine with two cores; the last to come do so while all thirty race."""
    waits: list[float] = []
    with server_process("--turn-time", "60") as server:
        async with (
            open_door(
                tmp_path,
                server=server,
                with_client=True,
                most_logins=MOST_LOGINS,
                most_from_address=MOST_FROM_ADDRESS,
            ) as door,
            AsyncExitStack() as stack,
        ):

            async def comes(login: str) -> Guest:
                began = time.perf_counter()
                who = await stack.enter_async_context(guest(door, login, size=(120, 40)))
                await until(lambda: any(text in who.text for text in FIRST_SCREENS))
                waits.append(time.perf_counter() - began)
                return who

            guests = []
            for room in range(ROOMS):
                host = await comes(f"host{room}")
                await _press_until(host, "\x1bOQ", "Turn time")
                code = re.findall(r"Room (\w{5})\b", host.text)[-1]  # behind what the list of rooms showed
                others = [await comes(f"guest{room}{place}+{code}") for place in range(1, PLACES)]
                for other in others:
                    await other.shows("Turn time")
                    await _press_until(other, "r", "Not ready")
                await _press_until(host, "s", "SHIFT GEARS")
                guests += [host, *others]
            for who in guests:
                await who.shows("SHIFT GEARS")
            fork_server = door.house.programs._process
            assert fork_server is not None
            children = children_of(fork_server.pid)
            assert len(children) == ROOMS * PLACES
            taken = sum(map(proportional_kib, (os.getpid(), fork_server.pid, *children)))
            before = len(waits)
            for number in range(LATE):
                await comes(f"late{number}")
            wait = statistics.median(waits[before:])
            print(f"{taken / 1024:.0f} MiB; first screen {wait:.2f} s, {max(waits):.2f} s at most")
            assert taken < MOST_KIB
            assert wait < MOST_SECONDS
            await _limits_keep_out_more(door)


async def _limits_keep_out_more(door: OpenDoor) -> None:
    """See that an address has its share, that a full door says so, and that who is idle makes room."""
    async with guest(door, "more") as more:
        assert await more.ends() == 1
        assert f"This door lets in {MOST_FROM_ADDRESS} players from one address at a time." in more.text
    door.house.settings = door.house.settings._replace(idle_seconds=IDLE_SECONDS)  # for who comes now
    async with guest(door, "last", come_from="127.0.0.2") as last:
        await until(lambda: FIRST_SCREENS[0] in last.text)
        async with guest(door, "nobody", come_from="127.0.0.3") as nobody:
            assert await nobody.ends() == 1
            assert f"This door has room for {MOST_LOGINS} players, and all places are taken." in nobody.text
        assert await last.ends() == 129
        assert "so you were logged out" in last.text


async def _press_until(who: Guest, keys: str, text: str) -> None:
    for _ in range(60):
        if text in who.text:
            return
        who.press(keys)
        try:
            await until(lambda: text in who.text, 1.0)
        except AssertionError:
            continue
    raise AssertionError(text)
