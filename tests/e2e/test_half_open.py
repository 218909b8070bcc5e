"""Machines that vanish without a word: the connections to them stay half open, and nobody says so."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from heat_core.view.defaults import default_command
from heat_core.wire.messages import RoomOptions, Update
from heat_server.net.incoming import VANISHED_SECONDS
from heat_server.store.address import DatabaseUrl
from tests.e2e.test_fleet_faults import PORT, choices_of, longest_break, raced_through, servers_on, watched
from tests.load.server import running_server
from tests.server.cables import NETWORKS, Cable, Host, hosts
from tests.server.postgres import Cluster, started
from tests.server.standbys import Standby, standby_of
from tests.server.support import Player

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]


@pytest.mark.asyncio
async def test_a_standby_takes_over_from_a_database_whose_machine_vanishes(tmp_path: Path) -> None:
    """The servers' connections to it stay open, and nothing is refused."""
    with hosts(2) as houses, started("fsync=on", listening([house.database for house in houses])) as primary:
        primary.let_in(NETWORKS)
        listening_too = listening([house.players for house in houses])
        with standby_of(primary, listening_too, is_synchronous=True) as standby:
            database = watched(primary)
            urls = [
                DatabaseUrl(f"postgresql://heat@{house.database.here},{house.players.here}/{database}")
                for house in houses
            ]
            with servers_on(urls, tmp_path, houses) as places:
                what = "the database's machine vanishes, and a synchronous standby takes over"
                async with raced_through(what, tmp_path, places, lambda: standby.url(database)) as rooms:
                    await asyncio.to_thread(vanish, houses, primary, standby)
                    await choices_of(rooms, 3)
                assert longest_break(rooms) < 9
                for place in places:
                    assert place.lines("database lost commits") == []


def listening(cables: Sequence[Cable]) -> str:
    return f"listen_addresses={','.join(cable.here for cable in cables)}"


def vanish(houses: Sequence[Host], primary: Cluster, standby: Standby) -> None:
    """Let the machine of the database vanish for the servers, then for the standby, which takes over."""
    for house in houses:
        house.database.cut()
    primary.end(signal.SIGKILL)
    standby.promote()


@pytest.mark.trio
async def test_a_driver_whose_machine_vanishes_in_mid_race_is_soon_away(tmp_path: Path) -> None:
    """What was sent to them waits to be acknowledged, so the kernel asks for no other signs of life."""
    with hosts(1) as (house,):
        cable = Cable(house.name, 2)
        with running_server(None, port=PORT, host="0.0.0.0", prefix=house.prefix):
            async with (
                await trio.open_tcp_stream(house.players.there, PORT) as to_ana,
                await trio.open_tcp_stream(cable.there, PORT) as to_ben,
            ):
                ana, ben = Player(to_ana), Player(to_ben)
                await begin_race(ana, ben)
                house.players.cut()
                act = ben.next_act(default_command)
                assert act is not None
                await ben.ok(act)
                began = trio.current_time()
                with trio.fail_after(3 * VANISHED_SECONDS):
                    await ben.wait_for(Update, lambda update: bool(update.away))
                print(f"away after {trio.current_time() - began:.1f} s")


async def begin_race(ana: Player, ben: Player) -> None:
    """Let two race who have a long time for each decision."""
    for player in (ana, ben):
        await player.hello()
    code = await ana.create("ana", RoomOptions(laps=1, cars=2, turn_milliseconds=300_000))
    await ben.join(code, "ben")
    await ben.seat(ready=True)
    await ana.start()
    await ben.wait_for(Update)
