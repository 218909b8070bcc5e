"""Networks that are cut, databases that go away, and drivers with the real client who race through it.

Whatever happens, each choice that was acknowledged is in the record once, nothing that was shown is lost, no
room has two owners, and the drivers race on without doing anything. What each of them saw is printed.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_server.store.address import DatabaseUrl
from tests.e2e.drivers import Driver, Room, new_room
from tests.e2e.test_fleet import knows_all
from tests.e2e.test_fleet_kills import EPOCHS_RISE
from tests.load.server import Running, running_server
from tests.server.cables import NETWORKS, Direction, Host, hosts
from tests.server.postgres import Cluster, started
from tests.server.riders import audit
from tests.server.standbys import Standby, standby_of, url_of_both

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(300)]

HERE = "127.0.0.1"
PORT = 7777

RACE = m.RoomOptions(laps=1, cars=2, turn_milliseconds=120_000)


class Place(NamedTuple):
    """A server of the fleet.

    Attributes:
        address: For clients.
        running: Its process.
        log: Its log's file.
    """

    address: Address
    running: Running
    log: Path

    def lines(self, event: str) -> list[str]:
        """Give the lines of the log about something."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if f"event='{event}'" in line]


@contextmanager
def servers_on(urls: Sequence[DatabaseUrl], path: Path, houses: Sequence[Host] = ()) -> Iterator[list[Place]]:
    """Run a server for each address of the database, on hosts of their own where there are any."""
    with ExitStack() as running:
        places = []
        for number, url in enumerate(urls):
            log = path / f"log-{number}"
            words = ("--log-file", str(log), "--log-level", "info")
            if houses:
                house = houses[number]
                address = Address(house.players.there, PORT)
                server = running_server(
                    url,
                    *words,
                    *("--announce", str(address)),
                    port=PORT,
                    host=address.host,
                    prefix=house.prefix,
                )
                places.append(Place(address, running.enter_context(server), log))
            else:
                entered = running.enter_context(running_server(url, *words))
                places.append(Place(Address(HERE, entered.port), entered, log))
        yield places


def watched(cluster: Cluster) -> str:
    """Make a database that refuses an epoch with two owners."""
    database = cluster.new_database()
    with cluster.connected(database) as connection:
        connection.execute(EPOCHS_RISE.encode())
    return database


@asynccontextmanager
async def raced_through(
    what: str, path: Path, places: Sequence[Place], url: Callable[[], DatabaseUrl], rooms: int = 1
) -> AsyncIterator[list[Room]]:
    """Let drivers race at the first server while the body does harm; then to the end, and look it all up.

    Args:
        what: The body does.
        path: For the clients' files.
        places: All servers.
        url: Of the database, when all is over.
        rooms: How many race.
    """
    if len(places) > 1:
        await knows_all(path / "look", [place.address for place in places])
    raced = [await new_room(path / f"room-{number}", places[0].address, RACE) for number in range(rooms)]
    drivers = [driver for room in raced for driver in room.drivers]
    racing = [asyncio.create_task(room.race()) for room in raced]
    try:
        await choices_of(raced, 6)
        began = asyncio.get_running_loop().time()
        yield raced
        await choices_of(raced, 6)
        tell(what, drivers, began)
        for driver in drivers:
            driver.think_seconds = 0.0
        await asyncio.gather(*racing)
    except BaseException:
        tell(f"FAILED: {what}", drivers, 0.0)
        raise
    finally:
        for race in racing:
            race.cancel()
    for room in raced:
        await room.close()
    for place in places:
        place.running.process.send_signal(signal.SIGTERM)
        place.running.process.wait()
    figures = audit(url(), [(room.track, room.drivers) for room in raced])
    assert figures.races == rooms
    assert figures.acknowledged >= 6 * len(drivers)
    for place in places:
        assert place.lines("room crashed") == []


async def choices_of(rooms: Sequence[Room], number: int) -> None:
    async with asyncio.timeout(90):
        await asyncio.gather(*(room.wait_for_choices(number) for room in rooms))


def tell(what: str, drivers: Sequence[Driver], began: float) -> None:
    """Print what the drivers saw; `pytest -s` shows it."""
    breaks = sorted(driver.longest_break() for driver in drivers)
    print(f"\n{what}: breaks of {breaks[0]:.1f} to {breaks[-1]:.1f} s, load {os.getloadavg()[0]:.1f}")
    for driver in drivers:
        print(f"  {driver.name}: {driver.story(began)}")


def longest_break(rooms: Sequence[Room]) -> float:
    return max(driver.longest_break() for room in rooms for driver in room.drivers)


def all_seen(rooms: Sequence[Room]) -> str:
    return "\n".join(seen.what for room in rooms for driver in room.drivers for seen in driver.seen)


NO_DATABASE = "The server cannot reach its database. Your race waits; nothing is lost."


# --- a server -------------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize(
    ("number", "most_break_seconds"), [(signal.SIGTERM, 5.0), (signal.SIGKILL, 12.0), (signal.SIGSTOP, 22.0)]
)
async def test_a_race_goes_on_whose_server_stops_dies_or_stands_still(
    number: signal.Signals, most_break_seconds: float, tmp_path: Path
) -> None:
    with started("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * 2, tmp_path) as places:
            what = f"a server gets {number.name}"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database), 3) as rooms:
                process = places[0].running.process
                process.send_signal(number)
                await choices_of(rooms, 3)
                process.send_signal(signal.SIGCONT)
            assert longest_break(rooms) < most_break_seconds


# --- the network ----------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """Which cables of the first server are cut.

    Attributes:
        most_break_seconds: The longest time that a driver may be held up.
        is_elsewhere: Whether the race goes on at the other server, before the cable is mended.
    """

    cables: tuple[str, ...]
    direction: Direction
    most_break_seconds: float
    is_elsewhere: bool = True


CUTS = {
    "from the database": Cut(("database",), "both", 10.0),
    "from the database, which still hears it": Cut(("database",), "to host", 10.0),
    "from the database, which it still hears": Cut(("database",), "from host", 10.0),
    "from its players": Cut(("players",), "both", 35.0, is_elsewhere=False),
    "from players and database": Cut(("players", "database"), "both", 20.0),
}


@pytest.mark.spec("FLEET-4.1")
@pytest.mark.soak
@pytest.mark.parametrize("name", CUTS)
async def test_a_race_goes_on_whose_server_is_cut_off(name: str, tmp_path: Path) -> None:
    """Packets vanish: nobody hears of it. A server that its players alone cannot reach keeps its rooms."""
    cut = CUTS[name]
    with hosts(2) as houses, started("fsync=on", listening_at(houses)) as cluster:
        cluster.let_in(NETWORKS)
        database = watched(cluster)
        urls = [DatabaseUrl(f"postgresql://heat@{house.database.here}/{database}") for house in houses]
        with servers_on(urls, tmp_path, houses) as places:
            what = f"a server is cut off {name}"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database)) as rooms:
                cables = [getattr(houses[0], cable) for cable in cut.cables]
                for cable in cables:
                    cable.cut(cut.direction)
                if cut.is_elsewhere:
                    await choices_of(rooms, 6)
                    assert {driver.stay.link.address for driver in rooms[0].drivers} == {places[1].address}
                else:
                    async with asyncio.timeout(60):
                        await until_all_read(rooms, "which does not answer")
                for cable in cables:
                    cable.mend()
            assert longest_break(rooms) < cut.most_break_seconds
            if cut.is_elsewhere:
                assert len(places[1].lines("room woken")) == 1


def listening_at(houses: Sequence[Host]) -> str:
    return f"listen_addresses={','.join(house.database.here for house in houses)}"


async def until_all_read(rooms: Sequence[Room], text: str) -> None:
    """Wait until each driver reads for what the race waits."""
    for room in rooms:
        for driver in room.drivers:
            link = driver.stay.link
            while text not in link.waits_for:
                await link.wait(link.changes)


# --- the database ---------------------------------------------------------------------------------------


@pytest.mark.spec("FLEET-4.1")
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, marks=pytest.mark.soak),
        pytest.param(signal.SIGQUIT, marks=pytest.mark.soak),
        signal.SIGKILL,
    ],
)
async def test_a_race_waits_for_a_database_that_starts_again(number: signal.Signals, tmp_path: Path) -> None:
    with started("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * 2, tmp_path) as places:
            what = f"the database is restarted by {number.name}"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database)) as rooms:
                cluster.end(number)
                await asyncio.to_thread(cluster.start)
            assert "reconnecting" not in all_seen(rooms), "nobody was even disconnected"
            assert longest_break(rooms) < 6


@pytest.mark.spec("FLEET-4.1")
@pytest.mark.soak
@pytest.mark.parametrize("servers", [1, 2])
async def test_races_sleep_while_the_database_is_away_and_go_on_when_it_is_back(
    servers: int, tmp_path: Path
) -> None:
    """Everybody knows what they wait for, and the log says it once."""
    with started("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * servers, tmp_path) as places:
            what = f"{servers} servers without a database for a while"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database), 3) as rooms:
                cluster.end(signal.SIGINT)
                async with asyncio.timeout(3):
                    await until_all_read(rooms, NO_DATABASE)
                await until_all_disconnected(rooms)
                await until_all_read(rooms, NO_DATABASE)
                await asyncio.sleep(5)
                await asyncio.to_thread(cluster.start)
            for place in places:
                assert len(place.lines("database lost")) == len(place.lines("lease not renewed")) == 1
                assert place.lines("room not read") == []


async def until_all_disconnected(rooms: Sequence[Room]) -> None:
    for room in rooms:
        for driver in room.drivers:
            link = driver.stay.link
            while link.state == "connected":
                await link.wait(link.changes)


@pytest.mark.soak
@pytest.mark.parametrize("what", ["the synchronous standby is gone", "the database stands still"])
async def test_races_sleep_while_the_database_gives_no_answer(what: str, tmp_path: Path) -> None:
    """It takes connections and commits wait for ever; in the end it may have done what nobody was told of."""
    with started("fsync=on") as primary, standby_of(primary, is_synchronous=True) as standby:
        database = watched(primary)
        with servers_on([primary.url(database)] * 2, tmp_path) as places:
            async with raced_through(what, tmp_path, places, lambda: primary.url(database), 2) as rooms:
                silent = standby if what.startswith("the synchronous") else primary
                silent.signal(signal.SIGSTOP)
                await until_all_disconnected(rooms)
                await until_all_read(rooms, NO_DATABASE)
                await asyncio.sleep(10)
                silent.signal(signal.SIGCONT)
            for place in places:
                assert len(place.lines("database lost")) == 1


@pytest.mark.spec("FLEET-4.1")
async def test_a_race_goes_on_at_once_when_a_synchronous_standby_takes_over(tmp_path: Path) -> None:
    with started("fsync=on") as primary, standby_of(primary, is_synchronous=True) as standby:
        database = watched(primary)
        with servers_on([url_of_both(primary, standby, database)] * 2, tmp_path) as places:
            what = "a synchronous standby takes over"
            async with raced_through(what, tmp_path, places, lambda: standby.url(database)) as rooms:
                await asyncio.to_thread(fail_over, primary, standby)
            assert longest_break(rooms) < 10
            for place in places:
                assert place.lines("database lost commits") == []


def fail_over(primary: Cluster, standby: Standby) -> None:
    primary.end(signal.SIGKILL)
    standby.promote()


async def test_a_race_goes_back_to_what_an_asynchronous_standby_has(tmp_path: Path) -> None:
    """It lacks the last commits: the server says so, and what the database has is true for everybody."""
    with started("fsync=on") as primary, standby_of(primary, is_synchronous=False) as standby:
        database = watched(primary)
        standby.catch_up()
        with servers_on([url_of_both(primary, standby, database)], tmp_path) as places:
            what = "an asynchronous standby takes over"
            async with raced_through(what, tmp_path, places, lambda: standby.url(database)) as rooms:
                standby.catch_up()
                standby.fall_behind()
                await choices_of(rooms, 3)
                told = rooms[0].drivers[0].session.view(None).event_number
                await asyncio.to_thread(fail_over, primary, standby)
                session = rooms[0].drivers[0].session
                while session.view(None).event_number >= told:
                    await session.changed(session.view(None).event_number)
                for driver in rooms[0].drivers:
                    driver.forget()
            assert longest_break(rooms) < 10
            assert len(places[0].lines("database lost commits")) == 1
