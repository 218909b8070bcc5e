"""Two doors to one house: they close together, and nobody comes in by one while the other closes."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import asyncssh
import pytest

from heat_core.wire.address import Address
from heat_tui.browser.door import BrowserDoor
from heat_tui.browser.settings import BrowserSettings
from heat_tui.doors import running_client
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.host_key import host_key
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.news import News
from heat_tui.doors.running import keep_open
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.ssh import SshDoor
from tests.doors.support import ECHO, OpenDoor, connected, guest

pytestmark = pytest.mark.asyncio


async def test_who_comes_while_a_house_closes_hears_so_at_every_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_client, "KILL_SECONDS", 1.0)
    news: list[News] = []
    house = House(
        HouseSettings(Address("127.0.0.1", 1), 9, 9, 1800.0),
        GuestFolders(tmp_path / "guests"),
        news.append,
        ECHO,
    )
    settings = SshSettings("127.0.0.1", 0, None, is_password_shown=False, authorized_keys=None)
    ssh = SshDoor(settings, host_key(tmp_path / "door"), house)
    web = BrowserDoor(BrowserSettings("127.0.0.1", 0, None), house)
    are_open = asyncio.Event()
    closing = asyncio.create_task(keep_open([ssh, web], lambda lines: are_open.set()))
    await are_open.wait()
    door = OpenDoor(ssh, house, ssh.port, news, tmp_path)
    async with guest(door, "ana") as ana, connected(door, "ben") as (ben, _):
        await ana.shows("facts ")
        ana.press("hang\r")
        await ana.shows("hanging")
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.2)
        for port in (ssh.port, web.port):
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", port)
        late = await ben.create_process(term_type="xterm", encoding=None, stderr=asyncssh.STDOUT)
        assert b"This door has closed." in await late.stdout.read()
        assert [guest.name for guest in house.guests] == ["ana"]
        assert await closing
