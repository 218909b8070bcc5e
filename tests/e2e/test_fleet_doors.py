"""Guests of a door to a fleet: their race goes on when its server dies, and they get nowhere else."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import PROGRAM, SIDEWAYS, Page, chromium
from tests.browser.test_telephone import tap_until
from tests.browser.test_together import SAYS
from tests.e2e.fleet_servers import HERE, FleetServers, fleet_servers
from tests.e2e.test_fleet import knows_all
from tests.e2e.test_ssh import Door, PlainGuest, Ssh, needs_ssh, serving, ssh
from tests.server.postgres import Cluster, started

pytestmark = [needs_ssh, pytest.mark.soak, pytest.mark.timeout(400)]

MOVED: Final = "This room is on"
TYPED: Final = ("", "join ", "connect ", "watch ", "server ", "tls://")


@contextmanager
def fleet(path: Path) -> Iterator[tuple[Cluster, str, FleetServers]]:
    with started() as cluster:
        database = cluster.new_database()
        with fleet_servers(cluster.url(database), path) as servers:
            asyncio.run(knows_all(path / "look", servers.addresses))
            yield cluster, database, servers


def place_of_room(cluster: Cluster, database: str, servers: FleetServers) -> int:
    """Find out which server has the only room."""
    question = """
        SELECT address FROM heat.leases JOIN heat.matches ON number = leases.match
            JOIN heat.servers ON servers.server = leases.server WHERE outcome IS NULL
    """
    with cluster.connected(database) as connection:
        ((address,),) = connection.execute(question.encode()).fetchall()
    return servers.place_at(int(address.rpartition(":")[2]))


def ports_reached(process: int) -> set[int]:
    """List the ports that a process is connected to over the network."""
    folder = Path(f"/proc/{process}")
    ends = [str(entry.readlink()) for entry in (folder / "fd").iterdir()]
    own = {end.removeprefix("socket:[").rstrip("]") for end in ends if end.startswith("socket:[")}
    table = "".join((folder / "net" / name).read_text() for name in ("tcp", "tcp6"))
    lines = [line.split() for line in table.splitlines()]
    return {int(line[2].rpartition(":")[2], 16) for line in lines if line[9] in own}


def ports_of_logins(door: Door) -> set[int]:
    return set().union(*map(ports_reached, door.logins()))


async def meet(ana: Ssh, page: Page, link: str) -> None:
    """Ana opens a room by ssh, Cleo comes into it by the page, and their race begins."""

    def opens() -> str:
        ana.log_in()
        ana.wait_for("Open a room")
        ana.press_until("\x1bOQ", "Turn time")
        found = re.search(r"Room (\w{5})\b", ana.text)
        assert found is not None
        return found[1]

    code = await asyncio.to_thread(opens)
    await page.hold(SIDEWAYS)
    await page.open(f"{link}+{code}")
    await page.fill("name", "Cleo")
    await page.shows("[ Ready ]")
    await tap_until(page, lambda: page.tap_text("[ Ready ]"), "[ Not ready ]")
    await asyncio.to_thread(ana.press_until, "s", "SHIFT GEARS")
    await page.shows("SHIFT GEARS")


@pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here")
@pytest.mark.spec("FLEET-4")
def test_guests_of_both_doors_race_on_when_their_server_dies(tmp_path: Path) -> None:
    """They do nothing for it, and their programs reach the servers of the fleet alone."""
    with (
        fleet(tmp_path) as (cluster, database, servers),
        serving(tmp_path, servers.addresses[0], "--web", "0", "--host", HERE) as door,
        ssh(door, "Ana") as ana,
    ):
        assert door.process.stdout is not None
        link = next(line for line in door.process.stdout if line.startswith(SAYS)).removeprefix(SAYS).strip()
        ports = {address.port for address in servers.addresses}

        async def race() -> None:
            async with chromium(tmp_path) as page:
                await meet(ana, page, link)
                logins = door.logins()
                place = place_of_room(cluster, database, servers)
                gone = servers.addresses[place].port
                assert ports_of_logins(door) == {gone}
                ana.text = ""
                servers.end(place, signal.SIGKILL)
                await page.shows("reconnecting")
                await asyncio.to_thread(ana.wait_for, "reconnecting")
                await page.shows(MOVED)
                await asyncio.to_thread(ana.wait_for, MOVED)
                assert door.logins() == logins
                assert ports_of_logins(door) < ports - {gone}

                ana.text = ""
                raced = asyncio.to_thread(ana.press_until, "2\r", "PLAY CARDS")
                tapped = tap_until(page, lambda: page.tap_text("Enter confirm"), "2 PLAY CARDS")
                await asyncio.gather(raced, tapped)

        asyncio.run(race())


def test_a_guest_of_a_fleet_reaches_no_other_address(tmp_path: Path) -> None:
    """Somebody who listens elsewhere on the same machine hears nothing of what a guest types."""
    with (
        fleet(tmp_path) as (_, _, servers),
        serving(tmp_path, servers.addresses[0]) as door,
        socket.create_server((HERE, 0)) as elsewhere,
    ):
        address = f"{HERE}:{elsewhere.getsockname()[1]}"
        with ssh(door, "Ana", term="dumb") as ana:
            ana.log_in()
            PlainGuest(ana, *(f"{before}{address}" for before in TYPED), "new").goes_on_until("Room ", ana)
            assert ana.text.count(address) >= len(TYPED)
            assert ports_of_logins(door) < {one.port for one in servers.addresses}
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
