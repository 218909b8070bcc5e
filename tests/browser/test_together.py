"""One race through both doors: two by the `ssh` of OpenSSH, in lines and on screens, and one by touch."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from itertools import cycle
from pathlib import Path

import pytest

from tests.browser.chromium import PROGRAM, SIDEWAYS, chromium
from tests.browser.test_telephone import race_on, tap_until
from tests.e2e.test_ssh import PRESS_SECONDS, PlainGuest, Ssh, serving, ssh
from tests.tui.support_app import server_process

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.soak,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh of OpenSSH here"),
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here"),
]

SAYS = "Open this in a browser to play: "
RACE_SECONDS = 400.0


def opens_a_room(ana: Ssh) -> tuple[PlainGuest, str]:
    ana.log_in()
    host = PlainGuest(ana, "new", "set laps 1", "set places 3", waits_for="Cleo is ready.")
    host.goes_on_until("For others to join", ana)
    found = re.search(r"Room (\w+)", ana.text)
    assert found is not None
    return host, found[1]


def comes_in(ben: Ssh) -> None:
    ben.log_in()
    ben.press_until("r", "Not ready")


def race_by_ssh(host: PlainGuest, ben: Ssh) -> None:
    """Answer in lines what is asked, and press keys at the screens, to the end."""
    keys = cycle("\r1\r2\r")
    last = time.monotonic()
    deadline = last + RACE_SECONDS
    while "The race is over" not in host.terminal.text:
        assert time.monotonic() < deadline, host.terminal.text[-2000:]
        host.go_on()
        host.terminal.read(0.02)
        if time.monotonic() - last > PRESS_SECONDS:
            last = time.monotonic()
            ben.press(next(keys))
            ben.read(0.0)


@pytest.mark.timeout(600)
async def test_guests_of_both_doors_race_to_the_flag_in_one_room(tmp_path: Path) -> None:
    options = ("--web", "0", "--host", "127.0.0.1")
    with server_process("--turn-time", "20") as server, serving(tmp_path, server, *options) as door:
        assert door.process.stdout is not None
        link = next(line for line in door.process.stdout if line.startswith(SAYS)).removeprefix(SAYS).strip()
        with ssh(door, "Ana", term="dumb") as ana:
            host, code = await asyncio.to_thread(opens_a_room, ana)
            with ssh(door, f"Ben+{code}") as ben:
                await asyncio.to_thread(comes_in, ben)
                async with chromium(tmp_path) as page:
                    await page.hold(SIDEWAYS)
                    await page.open(f"{link}+{code}")
                    await page.fill("name", "Cleo")
                    await page.shows("[ Ready ]")
                    by_ssh = asyncio.create_task(asyncio.to_thread(race_by_ssh, host, ben))
                    async with asyncio.timeout(RACE_SECONDS):
                        await tap_until(page, lambda: page.tap_text("[ Ready ]"), "SHIFT GEARS")
                        await race_on(page)
                    await by_ssh
                    shown = await page.text()
                assert all(name in shown for name in ("Ana", "Ben", "Cleo"))
                for name in ("Ana", "Ben", "Cleo"):
                    ana.wait_for_one(rf"\n(1st|2nd|3rd) {name}:")
