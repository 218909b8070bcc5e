"""Three servers on one database, killed, stopped and frozen at random: nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import trio

from heat_core.wire.messages import RoomOptions
from tests.e2e.fleet_harms import Harmer, Kind, Misfortune
from tests.e2e.fleet_servers import FleetServers
from tests.server.postgres import Cluster, started
from tests.server.riders import Rider, Track, audit, team

pytestmark = [pytest.mark.trio, pytest.mark.soak]

CLIENT_PATIENCE_SECONDS = 10.0
"""As long as people's clients wait for an answer."""

EPOCHS_RISE = """
    CREATE TABLE heat.owners (match BIGINT, epoch BIGINT, server TEXT, PRIMARY KEY (match, epoch));
    CREATE FUNCTION heat.note_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND NEW.epoch < OLD.epoch THEN RAISE EXCEPTION 'an epoch fell'; END IF;
        IF NEW.server IS NOT NULL THEN
            INSERT INTO heat.owners VALUES (NEW.match, NEW.epoch, NEW.server);
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER note_owner AFTER INSERT OR UPDATE ON heat.leases
        FOR EACH ROW EXECUTE FUNCTION heat.note_owner()
"""
"""No epoch has two owners, and none comes again."""


class Plan(NamedTuple):
    """What happens to how many rooms.

    Attributes:
        think_seconds: Riders think up to so long before each command.
    """

    rooms: int
    laps: int
    kills: int
    stops: int
    freezes: int
    think_seconds: float

    @property
    def kinds(self) -> list[Kind]:
        """List each harm."""
        counts: dict[Kind, int] = {"kill": self.kills, "stop": self.stops, "freeze": self.freezes}
        return [kind for kind, number in counts.items() for _ in range(number)]


SHORT = Plan(rooms=12, laps=1, kills=5, stops=5, freezes=5, think_seconds=0.3)
LONG = Plan(rooms=60, laps=2, kills=50, stops=15, freezes=20, think_seconds=4.0)


def count_owners(cluster: Cluster, database: str) -> int:
    with cluster.connected(database) as connection:
        row = connection.execute("SELECT count(*) FROM heat.owners").fetchone()
    assert row is not None
    return int(row[0])


def check_epochs(cluster: Cluster) -> None:
    """Look into the database's log for what EPOCHS_RISE refused."""
    complaints = (cluster.folder / "log").read_text(encoding="utf-8")
    assert "an epoch fell" not in complaints
    assert "owners_pkey" not in complaints


async def ride_through(
    harm: Callable[[], Awaitable[None]], teams: Sequence[tuple[Track, Sequence[Rider]]], servers: FleetServers
) -> None:
    """Have all riders ride while harm is done to the servers; then end these."""
    try:
        async with trio.open_nursery() as riding:
            for _, riders in teams:
                for rider in riders:
                    riding.start_soon(rider.ride)
            riding.start_soon(harm)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(servers.close)


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(SHORT, marks=pytest.mark.timeout(900), id="short"),
        pytest.param(LONG, marks=pytest.mark.timeout(3600), id="long"),
    ],
)
async def test_nothing_that_a_fleet_acknowledged_is_lost_whatever_happens_to_its_servers(
    tmp_path: Path, plan: Plan
) -> None:
    with started("fsync=on", "full_page_writes=on", parent=Path("/tmp")) as cluster:
        database = cluster.new_database()
        url = cluster.url(database)
        with cluster.connected(database) as connection:
            connection.execute(EPOCHS_RISE)
        servers = await trio.to_thread.run_sync(FleetServers, url, tmp_path, 3)
        harmer = Harmer(servers)

        def goes_on() -> bool:
            return not misfortune.is_over

        options = RoomOptions(laps=plan.laps, cars=3, turn_milliseconds=60_000)
        tracks = [
            Track(
                options,
                goes_on,
                lambda: plan.think_seconds if goes_on() else 0.0,
                silence_seconds=CLIENT_PATIENCE_SECONDS,
            )
            for _ in range(plan.rooms)
        ]
        teams = [(track, team(harmer.connect, track, number)) for number, track in enumerate(tracks)]
        misfortune = Misfortune(harmer, teams, plan.kinds)
        await ride_through(misfortune.come, teams, servers)
        figures = audit(url, teams)
        owners = count_owners(cluster, database)
        print(f"{misfortune.table()}\n{figures}, {owners} owners of epochs")
        assert owners > plan.rooms + len(misfortune.harms)
        check_epochs(cluster)
    assert figures.races >= plan.rooms
    assert figures.acknowledged > 10 * plan.rooms
