"""A server is killed while it takes over hundreds of rooms, again and again: each room has one owner then.

It is killed within the transaction that takes the rooms, or as soon as that is committed: then it owns them,
and nobody has been told.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
import trio

from heat_core.race import commands as c
from heat_core.wire.address import Address
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import PROTOCOL, Act, Error, Hello, LobbyView, RoomOptions, Update, Welcome
from heat_server.net.clients import key_of
from heat_server.room.codes import CODE_LENGTH, SIGNS
from heat_server.room.saved_room import Member, decode_room, encode_room
from heat_server.store.contract import WholeMatch
from heat_server.store.opening import open_store as open_any
from tests.e2e.fleet_harms import Harmer
from tests.e2e.fleet_servers import HERE, FleetServers
from tests.e2e.test_fleet_kills import (
    CLIENT_PATIENCE_SECONDS,
    EPOCHS_RISE,
    check_epochs,
    count_owners,
    ride_through,
)
from tests.server.postgres import Cluster, started
from tests.server.riders import Track, audit, team
from tests.server.stores import open_store
from tests.server.support import Player, server_on

pytestmark = [pytest.mark.trio, pytest.mark.soak, pytest.mark.timeout(900)]

SLEEPING: Final = 400
RACING: Final = 3
WOKEN: Final = 8
KILLS: Final = 12

MANY: Final = 20
"""A player who comes back takes one room over; a share is more."""

MOST_SECONDS: Final = 60.0

SLOW_CLAIMS: Final = """
    CREATE TABLE heat.slow (seconds FLOAT);
    CREATE FUNCTION heat.slow_down() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_sleep(seconds) FROM heat.slow WHERE (SELECT count(*) FROM taken) >= 20;
        RETURN NULL;
    END $$;
    CREATE TRIGGER slow_down AFTER UPDATE ON heat.leases REFERENCING NEW TABLE AS taken
        FOR EACH STATEMENT EXECUTE FUNCTION heat.slow_down()
"""
"""A transaction that takes many rooms lasts as long as a test says."""


def token_of(number: int, name: str) -> str:
    return f"a token of {name} in sleeping room {number}"


async def begun_race(path: Path) -> WholeMatch:
    """Give a race of two in which one has chosen."""
    with open_store(path) as store:
        async with server_on(store) as house:
            ana, _ = await house.racing(RoomOptions(laps=1, cars=2))
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        (listed,) = store.list_matches(1)
        return store.copy_out(listed.match)


def code_of(number: int) -> str:
    """Give a code that no other room has."""
    return "".join(SIGNS[number // len(SIGNS) ** power % len(SIGNS)] for power in range(CODE_LENGTH))


def twin(whole: WholeMatch, number: int) -> WholeMatch:
    """Make the same race of other people, in a room of their own."""
    room = decode_room(whole.state)
    members = [place for place in room.places if isinstance(place, Member)]
    for member in members:
        member.key = key_of(token_of(number, member.name))
    keys = sorted(member.key for member in members)
    return whole._replace(
        match=f"{number:032x}", code=code_of(number), state=encode_room(room), keys=keys, left=[]
    )


class TakeOvers:
    """Kills servers while they take over rooms.

    Attributes:
        is_over: Whether all kills have been.
        rooms: For each kill how many rooms were being taken over.
    """

    def __init__(self, cluster: Cluster, database: str, servers: FleetServers) -> None:
        self.is_over = False
        self.rooms: list[int] = []
        self._cluster = cluster
        self._database = database
        self._servers = servers
        self._dice = random.Random(9)

    async def run(self) -> None:
        with self._cluster.connected(self._database) as self._connection:
            for number in range(KILLS):
                await self._all_owned()
                is_within = number % 2 == 0
                await self._kill_two(is_within)
            await self._all_owned()
        self.is_over = True

    def _owned(self) -> dict[str, int]:
        """Say how many rooms each server owns, by its name."""
        question = "SELECT server, count(*) FROM heat.leases WHERE server IS NOT NULL GROUP BY server"
        return dict(self._connection.execute(question).fetchall())

    def _places(self) -> dict[str, int]:
        """Say which place the newest server of each address has, by its name."""
        rows = self._connection.execute("SELECT server, address FROM heat.servers ORDER BY started_at")
        at = {address: server for server, address in rows.fetchall() if address}
        ports = [f"{HERE}:{running.port}" for running in self._servers.running]
        return {at[address]: place for place, address in enumerate(ports) if address in at}

    async def _all_owned(self) -> None:
        """Wait until servers that run own all rooms."""
        question = """
            SELECT count(*) FROM heat.matches LEFT JOIN heat.leases ON leases.match = number
                LEFT JOIN heat.servers ON servers.server = leases.server
            WHERE outcome IS NULL AND coalesce(lease_until <= now(), TRUE)
        """
        with trio.fail_after(MOST_SECONDS):
            while True:
                unowned = self._connection.execute(question).fetchone()
                if unowned == (0,) and len(self._places()) == len(self._servers.places):
                    return
                await trio.sleep(0.02)

    async def _kill_two(self, is_within: bool) -> None:
        """Kill the server with the most rooms, then the first that takes some of them over."""
        before, places = self._owned(), self._places()
        first = max(places, key=lambda server: before.get(server, 0))
        if is_within:
            self._connection.execute("INSERT INTO heat.slow VALUES (0.3)")
        await trio.to_thread.run_sync(self._servers.end, places[first], signal.SIGKILL)
        second = await self._taker(before, first, is_within)
        self._servers.send(places[second], signal.SIGKILL)
        if is_within:
            self._connection.execute("DELETE FROM heat.slow")
        self.rooms.append(self._owned().get(second, 0) - before.get(second, 0))
        await trio.to_thread.run_sync(self._servers.end, places[second], signal.SIGKILL)
        print(f"killed {'within' if is_within else 'after'} a claim: {self.rooms[-1]} rooms", flush=True)
        for server in self._dice.sample([first, second], 2):
            await trio.to_thread.run_sync(self._servers.start_again, places[server])

    async def _taker(self, before: dict[str, int], first: str, is_within: bool) -> str:
        """Wait for a server that takes rooms over; give its name."""
        with trio.fail_after(MOST_SECONDS):
            while True:
                if is_within:
                    rows = self._connection.execute(
                        "SELECT server FROM pg_stat_activity"
                        " JOIN heat.servers ON application_name = 'heat-server ' || left(server, 12)"
                        " WHERE wait_event = 'PgSleep' AND query LIKE '%WITH taken AS%'"
                    ).fetchall()
                    takers = [server for (server,) in rows]
                else:
                    owned = self._owned()
                    takers = [server for server in owned if owned[server] >= before.get(server, 0) + MANY]
                if takers and takers[0] != first:
                    return str(takers[0])
                await trio.sleep(0.001)


async def come_back(addresses: Sequence[Address], token: str) -> Player:
    """Connect by a token to whichever server has its room."""
    address = addresses[0]
    while True:
        player = Player(await trio.open_tcp_stream(address.host, address.port))
        got = await player.answer(Hello(player.id(), PROTOCOL, "scripted", "1", token))
        if isinstance(got, Welcome):
            await player.wait_for(LobbyView)
            return player
        assert isinstance(got, Error)
        assert got.code == ErrorCode.NOT_READ, got
        await player.hang_up()
        if got.data is not None and got.data.moved_to:
            address = Address(HERE, int(got.data.moved_to.rpartition(":")[2]))
        await trio.sleep(0.05)


async def race_on(servers: FleetServers, number: int) -> None:
    """Have the drivers of a room that slept come back, and race to the end."""
    addresses = servers.addresses[number % 3 :] + servers.addresses[: number % 3]
    players = [await come_back(addresses, token_of(number, name)) for name in ("ana", "ben")]
    async with trio.open_nursery() as racing:
        for player in players:
            racing.start_soon(race_to_end, player)


async def race_to_end(player: Player) -> None:
    await player.wait_for(Update)
    await player.race()
    await player.hang_up()


async def test_each_room_has_one_owner_though_servers_are_killed_while_they_take_rooms_over(
    tmp_path: Path,
) -> None:
    whole = await begun_race(tmp_path / "one.db")
    with started("fsync=on", "full_page_writes=on", parent=Path("/tmp")) as cluster:
        database = cluster.new_database()
        url = cluster.url(database)
        with open_any(url, lambda: 0) as store:
            for number in range(SLEEPING):
                store.copy_in(twin(whole, number))
        with cluster.connected(database) as connection:
            connection.execute(EPOCHS_RISE)
            connection.execute(SLOW_CLAIMS)
        servers = await trio.to_thread.run_sync(FleetServers, url, tmp_path, 3)
        harmer, take_overs = Harmer(servers), TakeOvers(cluster, database, servers)

        async def harm() -> None:
            await take_overs.run()
            for number in range(WOKEN):
                await race_on(servers, number)

        def goes_on() -> bool:
            return not take_overs.is_over

        options = RoomOptions(laps=1, cars=3, turn_milliseconds=60_000)
        tracks = [
            Track(
                options,
                goes_on,
                lambda: 1.0 if goes_on() else 0.0,
                silence_seconds=CLIENT_PATIENCE_SECONDS,
            )
            for _ in range(RACING)
        ]
        teams = [(track, team(harmer.connect, track, number)) for number, track in enumerate(tracks)]
        await ride_through(harm, teams, servers)
        with cluster.connected(database) as connection:
            ended = connection.execute(
                "SELECT count(*) FROM heat.races JOIN heat.matches ON matches.number = races.match"
                " WHERE title = %s AND races.reason = 'finished'",
                (whole.title,),
            ).fetchone()
            assert ended == (WOKEN,)
            asleep = "SELECT count(*) FROM heat.races WHERE reason IS NULL"
            assert connection.execute(asleep).fetchone() == (SLEEPING - WOKEN,)
            connection.execute("DELETE FROM heat.matches WHERE title = %s", (whole.title,))
        print(f"{audit(url, teams)}, {count_owners(cluster, database)} owners of epochs")
        check_epochs(cluster)
    assert len(take_overs.rooms) == KILLS
    assert all(rooms >= MANY for rooms in take_overs.rooms[1::2]), "killed after the commit"
    assert any(rooms < MANY for rooms in take_overs.rooms[::2]), "killed before it"
