"""A fleet is restored as docs/fleet.md says, while the clients of its players wait: what was acknowledged
before the backup is there once, and the races go on.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from heat_core.race.commands import Command
from heat_core.wire import messages as m
from heat_server.store.address import DatabaseUrl
from tests.e2e.drivers import Driver, Room, new_room
from tests.e2e.fleet_servers import FleetServers, fleet_servers
from tests.e2e.test_fleet import knows_all
from tests.e2e.test_fleet_faults import choices_of, tell
from tests.server.postgres import USER, Cluster, started
from tests.server.riders import audit

pytestmark = [pytest.mark.asyncio, pytest.mark.soak, pytest.mark.timeout(300)]

RACE = m.RoomOptions(laps=1, cars=2, turn_milliseconds=120_000)

ROOMS = 4

Acknowledged = dict[Driver, list[tuple[int, Command]]]


class Recovered(Cluster):
    """A copy of another server's data, with what its log's archive has up to a moment."""

    def __init__(self, backup: Path, archive: Path, until: str) -> None:
        self._backup = backup
        self._recovery = (
            f"restore_command=cp {archive}/%f %p",
            f"recovery_target_time={until}",
            "recovery_target_action=promote",
        )
        super().__init__("fsync=on", *self._recovery)

    def _make_data(self) -> None:
        shutil.copytree(self._backup, self.folder / "data", symlinks=True, copy_function=shutil.copy2)
        (self.folder / "data" / "recovery.signal").touch()
        subprocess.run(["chown", "-R", f"--reference={self.folder}", self.folder], check=True)
        (self.folder / "data").chmod(0o700)

    def _make_template(self) -> None:
        """It comes with the copy."""


class Race:
    """Rooms that race at a fleet, and what their drivers had acknowledged before the backup."""

    def __init__(self, rooms: list[Room]) -> None:
        self.rooms = rooms
        self.drivers = [driver for room in rooms for driver in room.drivers]
        self.racing = [asyncio.create_task(room.race()) for room in rooms]
        self._before: Acknowledged = {}
        self._going_back: list[asyncio.Task[None]] = []

    def note_acknowledged(self) -> None:
        """Note what the backup must have: it begins now."""
        self._before = {driver: list(driver.races[0].acknowledged) for driver in self.drivers}

    def note_end(self) -> None:
        """Hold nothing of what came since against the backup: all servers have ended."""
        for driver in self.drivers:
            driver.forget()
            driver.races[0].acknowledged += self._before[driver]
        self._going_back = [asyncio.create_task(_goes_back(driver)) for driver in self.drivers]

    async def goes_back(self) -> None:
        """Wait until everybody is back in a race that is an earlier one, and print what they saw."""
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(90):
                await asyncio.gather(*self._going_back)
        finally:
            tell("a fleet is restored", self.drivers, began)

    async def ends(self) -> None:
        """Race to the end."""
        for driver in self.drivers:
            driver.think_seconds = 0.0
        await asyncio.gather(*self.racing)
        for room in self.rooms:
            await room.close()


async def _goes_back(driver: Driver) -> None:
    """Wait until a driver is shown an earlier moment than now; what was shown later counts no more."""
    session = driver.session
    shown = number = session.view(None).event_number
    while number >= shown:
        await session.changed(number)
        number = session.view(None).event_number
    driver.races[0].views.clear()


async def begun(path: Path, servers: FleetServers) -> Race:
    """Begin races, and let some choices be acknowledged."""
    await knows_all(path / "look", servers.addresses)
    places = [servers.addresses[number % len(servers.places)] for number in range(ROOMS)]
    race = Race([await new_room(path / f"room-{number}", place, RACE) for number, place in enumerate(places)])
    await choices_of(race.rooms, 6)
    return race


def end_all(servers: FleetServers) -> None:
    for place in servers.places:
        servers.end(place, signal.SIGTERM)


def run(cluster: Cluster, program: str, *words: str) -> None:
    if not (cluster._programs / program).exists():
        pytest.skip(f"this PostgreSQL has no {program}")
    subprocess.run([str(cluster._programs / program), *words], check=True)


async def test_races_go_on_from_a_dump_that_was_made_while_they_ran(tmp_path: Path) -> None:
    with started("fsync=on") as cluster:
        database, file = cluster.new_database(), tmp_path / "heat.dump"
        url = cluster.url(database)
        with fleet_servers(url, tmp_path, 2) as servers:
            race = await begun(tmp_path, servers)
            race.note_acknowledged()
            dump = ("--format=custom", f"--file={file}", url.text)
            await asyncio.to_thread(run, cluster, "pg_dump", *dump)
            await choices_of(race.rooms, 3)
            await asyncio.to_thread(end_all, servers)
            race.note_end()
            await asyncio.to_thread(restore, cluster, database, file)
            for place in servers.places:
                await asyncio.to_thread(servers.start_again, place)
            await race.goes_back()
            await race.ends()
            await asyncio.to_thread(end_all, servers)
        check(cluster, database, race)


def restore(cluster: Cluster, database: str, file: Path) -> None:
    """Do what docs/fleet.md says."""
    with cluster.connected("postgres") as connection:
        connection.execute(f"ALTER DATABASE {database} RENAME TO heat_broken".encode())
        statement = f"CREATE DATABASE {database} OWNER {USER} ENCODING 'UTF8' TEMPLATE template0"
        connection.execute(statement.encode())
    into = f"--dbname={cluster.url(database).text}"
    run(cluster, "pg_restore", "--no-owner", "--exit-on-error", into, str(file))


def check(cluster: Cluster, database: str, race: Race) -> None:
    figures = audit(cluster.url(database), [(room.track, room.drivers) for room in race.rooms])
    assert figures.races == ROOMS
    assert figures.acknowledged >= 2 * 6 * ROOMS
    assert all(driver.session.view(None).status == "ended" for driver in race.drivers)


async def test_races_go_on_from_a_moment_that_the_archive_has(tmp_path: Path) -> None:
    """The database is recovered on another machine, and one of its servers gets another address."""
    words = (
        "fsync=on",
        "full_page_writes=on",
        "wal_level=replica",
        "archive_mode=on",
        "archive_command=mkdir -p ../archive && cp %p ../archive/%f",
    )
    with started(*words) as cluster:
        database, backup, archive = cluster.new_database(), tmp_path / "backup", cluster.folder / "archive"
        from_where = f"host={cluster.folder} user={USER}"
        await asyncio.to_thread(
            run, cluster, "pg_basebackup", "-D", str(backup), "-X", "none", "-c", "fast", "-d", from_where
        )
        with fleet_servers(cluster.url(database), tmp_path, 2) as servers:
            race = await begun(tmp_path, servers)
            race.note_acknowledged()
            until = now(cluster)
            await choices_of(race.rooms, 3)
            await asyncio.to_thread(end_all, servers)
            race.note_end()
            with cluster.connected("postgres") as connection:
                connection.execute("SELECT pg_switch_wal()")
            await asyncio.to_thread(cluster.end, signal.SIGINT)  # it ends when its log is in the archive
            other = await asyncio.to_thread(Recovered, backup, archive, until)
            try:
                await asyncio.to_thread(start_elsewhere, servers, other.url(database))
                await race.goes_back()
                await race.ends()
                await asyncio.to_thread(end_all, servers)
                check(other, database, race)
            finally:
                other.stop()


def start_elsewhere(servers: FleetServers, url: DatabaseUrl) -> None:
    """Start one server at an address that clients know, the others at new ones."""
    servers._url = url
    first, *others = servers.places
    servers.start_again(first)
    for place in others:
        servers.running[place] = servers._live(place, 0)


def now(cluster: Cluster) -> str:
    with cluster.connected("postgres") as connection:
        row = connection.execute("SELECT clock_timestamp()::text").fetchone()
    assert row is not None
    return str(row[0])
