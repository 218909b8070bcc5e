"""A guest's program at the door socket of a server: it says where the guest is, and then what all say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heat_core.wire.address import Address
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.server_stay import ServerStay
from heat_tui.door_way import DoorWay
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import folders_in

SERVER = Address("127.0.0.1", 1)
"""Nothing listens there: guests come by the socket alone."""


@contextmanager
def server_with_door(folder: Path) -> Iterator[Path]:
    """Run a server, and give its door socket."""
    door = folder / "doors.sock"
    command = [sys.executable, "-m", "heat_server", "--port", "0", "--door-socket", str(door)]
    command += ["--socket", str(folder / "status.sock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("listening on ")
            while not door.is_socket():
                assert process.poll() is None
            yield door
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)


def operator(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "heat_server", *words, "--socket", str(folder / "status.sock")]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout


async def begin(folder: Path, way: DoorWay) -> ServerStay:
    folders = folders_in(folder)._replace(guest_of=SERVER, door_way=way)
    return await ServerStay.begin(folders, SERVER)


@pytest.mark.asyncio
async def test_the_server_sees_each_guest_and_bans_one_without_the_others(tmp_path: Path) -> None:
    with server_with_door(tmp_path) as door:
        ana = await begin(tmp_path / "ana", DoorWay(door, "::ffff:192.0.2.7", "198.51.100.1"))
        ben = await begin(tmp_path / "ben", DoorWay(door, "fe80::1%eth0"))
        listed = json.loads(operator(tmp_path, "connections", "--json"))["connections"]
        assert [one["peer"] for one in listed] == ["192.0.2.7", "fe80::/64"]
        operator(tmp_path, "ban", "192.0.2.7")
        assert (await ana.link._connection.wait_lost()).code == "bye/banned"  # type: ignore[union-attr]
        with pytest.raises(ConnectFailed, match="banned"):
            await begin(tmp_path / "ana", DoorWay(door, "192.0.2.7"))
        assert await ben.rooms() == ()
        await ana.close()
        await ben.close()


@pytest.mark.asyncio
async def test_a_door_without_its_server_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(ConnectFailed, match=r"^The server of this door is not running\. Try again later\.$"):
        await begin(tmp_path, DoorWay(tmp_path / "doors.sock", "192.0.2.7"))
