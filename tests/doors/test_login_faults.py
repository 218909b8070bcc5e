"""Faults around a login: killed programs, a machine that lacks something, guests who ask for nothing."""

from __future__ import annotations

import os
import pty
import signal
import time
from pathlib import Path

import pytest

from heat_tui.doors import house
from heat_tui.doors.guest_folders import Known
from heat_tui.state import CRASH_FILE
from tests.doors.support import OpenDoor, guest, open_door
from tests.tui.support_app import until

pytestmark = pytest.mark.asyncio


def _kill_fork_server(door: OpenDoor) -> None:
    process = door.house.programs._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)


async def test_a_fork_server_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """Whoever was inside reads why, leaves no process, and comes back by the same line."""
    async with open_door(tmp_path) as door:
        async with guest(door, "ana") as ana:
            await ana.shows("facts ")
            process = ana.facts["process"]
            _kill_fork_server(door)
            assert await ana.ends() == 1
            assert "This door has a fault. Its host has been told." in ana.text
        await until(lambda: not Path(f"/proc/{process}").exists())
        assert not door.house.guests
        async with guest(door, "ben") as ben:
            await ben.shows("facts ")
        assert not door.door.is_broken.is_set()
        assert [news.text for news in door.news if news.kind == "warning"] == [
            "the process that begins logins has ended, and all logins with it; it is started again."
        ]


async def test_a_fork_server_that_ends_again_and_again_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_MOST_LOSSES", 2)
    async with open_door(tmp_path) as door:
        for name in ("ana", "ben"):
            async with guest(door, name) as who:
                await who.shows("facts ")
                _kill_fork_server(door)
                assert await who.ends() == 1
        assert door.door.is_broken.is_set()
        assert door.news[-1].kind == "left"
        assert "start heat-tui serve again" in door.news[-2].text
        async with guest(door, "cy") as late:
            assert await late.ends() == 1
            assert "This door has a fault. Its host has been told." in late.text


async def test_a_program_that_cannot_become_the_guests_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_door(tmp_path) as door:
        nowhere = Known(tmp_path / "nowhere", "bcdf")
        monkeypatch.setattr(door.house.folders, "new", lambda *given: nowhere)
        async with guest(door, "ana") as who:
            assert await who.ends() == 1
            assert who.text == "heat-tui failed because of an error of its own: FileNotFoundError\r\n"


async def test_a_host_hears_where_the_details_of_a_clients_fault_are(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, guest(door, "ana") as ana, guest(door, "ben") as ben:
        await ana.shows("facts ")
        await ben.shows("facts ")
        for who, age in ((ana, 0.0), (ben, 3600.0)):
            file = Path(who.facts["folder"]) / "state" / CRASH_FILE
            file.parent.mkdir()
            file.write_text("Traceback")
            moment = time.time() - age  # what is old was told already
            os.utime(file, (moment, moment))
            who.press("quit 1\r")
        await until(lambda: not door.house.guests)
        (told,) = [news.text for news in door.news if news.kind == "warning"]
        assert told.startswith("the program of ana failed; the details are in ")
        assert told.endswith(f"/{CRASH_FILE}.")


@pytest.mark.parametrize("fault", ["folder", "terminal"])
async def test_a_host_hears_of_a_fault_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    guests = tmp_path / "guests"
    if fault == "folder":
        guests.write_text("in the way")
    else:
        monkeypatch.setattr(pty, "openpty", _find_no_terminal)
    async with open_door(tmp_path) as door, guest(door, "ana") as who:
        assert await who.ends() == 1
        assert "This door has a fault. Its host has been told." in who.text
        (told,) = [line for line in door.told if "could not" in line]
        if fault == "folder":
            assert told.startswith(f"ana could not come in: {guests}/name-")
            assert told.endswith(": Not a directory.")
        else:
            assert told == "ana could not come in: out of pty devices."


def _find_no_terminal() -> tuple[int, int]:
    raise OSError("out of pty devices")
