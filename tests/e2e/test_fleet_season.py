"""A whole championship by people's clients, while each of the three servers is replaced once."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from heat_core.rules.points import rank
from heat_core.season.setup import SeasonSetup
from heat_core.season.state import Season
from heat_core.season.view import SeasonView, view_season
from heat_core.table import Table
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup
from heat_core.wire import messages as m
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from tests.e2e.fleet_servers import FleetServers, fleet_servers
from tests.e2e.test_client_race import race, start_race
from tests.e2e.test_fleet import knows_all, new_stay
from tests.server.postgres import Cluster

pytestmark = [pytest.mark.asyncio, pytest.mark.soak, pytest.mark.timeout(400)]

OPTIONS = m.RoomOptions(
    laps=1,
    cars=4,
    legends=2,
    garage="mixed",
    weather=True,
    season=m.SeasonOptions(tracks=("usa", "italy", "france"), events=True, sponsorships=True),
)


@dataclass
class Company:
    """Two people in the room, and the servers around it.

    Attributes:
        old: Servers that have yet to be replaced.
        moves: How often the room had to move.
    """

    ana: ServerStay
    ben: ServerStay
    servers: FleetServers
    old: list[int]
    moves: int = 0

    @property
    def stays(self) -> tuple[ServerStay, ServerStay]:
        return self.ana, self.ben

    async def replace_one(self, sign: signal.Signals) -> None:
        """Replace the server that has the room, else one that is still to be; wait until both are back."""
        here = self.servers.place_at(self.ana.link.address.port)
        place = here if here in self.old else self.old[0]
        self.old.remove(place)
        await asyncio.to_thread(self.servers.end, place, sign)
        await asyncio.to_thread(self.servers.start_again, place)
        if place == here:
            self.moves += 1
            for stay in self.stays:
                while stay.link.state != "connected" or stay.link.address == self.servers.addresses[here]:
                    await stay.link.wait(stay.link.changes)

    async def drive(self, number: int) -> None:
        """Drive a race of the championship to its end, both at once."""
        sessions = await asyncio.gather(*(session_of(stay, number) for stay in self.stays))
        await asyncio.gather(*(race(session) for session in sessions))

    async def rounds(self, number: int, rounds: int) -> None:
        """Wait until a race has gone so far."""
        session = await session_of(self.ana, number)
        while session.view(None).round < rounds:
            await self.ana.link.wait(self.ana.link.changes)

    async def between(self) -> None:
        """Wait until both know that a race is scored."""
        for stay in self.stays:
            while stay.link.room is None or stay.link.room.phase not in ("between", "ended"):
                await stay.link.wait(stay.link.changes)

    async def start_next(self) -> None:
        await self.ben.link.request(m.TakeSeat(0, ready=True))
        await self.ana.link.request(m.Start(0))


async def session_of(stay: ServerStay, number: int) -> RemoteSession:
    """Wait for a race of the championship, counted from 0."""
    link = stay.link
    while not (
        RemoteSession.is_ready(link) and link.season is not None and link.season.view.race == number + 1
    ):
        await link.wait(link.changes)
    return stay.race_session()


def season_without_servers(setup: SeasonSetup, seed: str) -> SeasonView:
    """Race the same championship, with the same cards and drivers, at one table here."""
    season = Season(msgspec.structs.replace(setup, seed=seed), {0: "human", 1: "human"})
    for _ in setup.races:
        table = Table(season.next_race(), season.drivers)
        told = public_setup(table.setup)
        while not table.is_over:
            for seat in season.drivers:
                view = table.view(seat)
                if view.own is not None and view.own.decision is not None and view.own.chosen is None:
                    table.submit(seat, view.own.decision, default_command(Observation(told, view)))
        season.finish_race(table.log)
    return view_season(season, None)


@pytest.mark.spec("FLEET-4")
async def test_a_championship_is_the_same_though_each_server_is_replaced_once(
    tmp_path: Path, cluster: Cluster
) -> None:
    """One is replaced within a race, one dies within the next, and one is replaced between two races."""
    with fleet_servers(cluster.url(cluster.new_database()), tmp_path) as servers:
        async with asyncio.timeout(300):
            await knows_all(tmp_path / "look", servers.addresses)
            ana = await new_stay(tmp_path / "ana", servers.addresses[0])
            ben = await new_stay(tmp_path / "ben", servers.addresses[1])
            company = Company(ana, ben, servers, list(servers.places))
            await start_race(ana, ben, OPTIONS)
            for number, sign in enumerate([signal.SIGTERM, signal.SIGKILL]):
                driving = asyncio.create_task(company.drive(number))
                await company.rounds(number, 3)
                await company.replace_one(sign)
                await driving
                await company.between()
                if number == 1:
                    await company.replace_one(signal.SIGTERM)
                await company.start_next()
            await company.drive(2)
            await company.between()
            assert (company.old, company.moves >= 2) == ([], True)
            tables = [stay.link.season for stay in company.stays]
            for stay in company.stays:
                await stay.close()
    told = tables[0]
    assert told is not None
    assert told.view.end == "finished"
    assert told.view.seed is not None
    assert told.view.standings == rank([one.results for one in told.view.races if one.results])
    alone = season_without_servers(told.setup, told.view.seed)
    for season in tables:
        assert season is not None
        assert season.view.standings == alone.standings
        assert [one.results for one in season.view.races] == [one.results for one in alone.races]
