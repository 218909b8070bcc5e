"""What goes with a room to another server: season, rematch, tokens, invitations and those it has banned."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ErrorCode
from heat_server.store.opening import open_store
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from tests.e2e.fleet_servers import fleet_servers
from tests.e2e.test_client_race import in_race, race, start_race
from tests.e2e.test_fleet import knows_all, new_stay, rejoin_by
from tests.load.server import running_server
from tests.server.postgres import Cluster

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(150)]


async def phase_is(stay: ServerStay, phase: m.RoomPhase) -> m.LobbyView:
    while (room := stay.link.room) is None or room.phase != phase or stay.link.state != "connected":
        await stay.link.wait(stay.link.changes)
    return room


async def are_at(address: Address, *stays: ServerStay) -> None:
    """Wait until clients have gone on to a server by themselves."""
    for stay in stays:
        while stay.link.state != "connected" or stay.link.address != address:
            await stay.link.wait(stay.link.changes)


async def open_room(ana: ServerStay, ben: ServerStay, options: m.RoomOptions) -> str:
    await ana.create("Ana", "red", options)
    code = (await phase_is(ana, "lobby")).code
    await ben.join(code, "Ben", "blue")
    return code


async def race_once(ana: ServerStay, ben: ServerStay) -> None:
    """Let the host start when the guest is ready, and drive the race to its end."""
    await ben.link.request(m.TakeSeat(0, ready=True))
    await ana.link.request(m.Start(0))
    for stay in (ana, ben):
        link = stay.link
        while link.race is None or link.race.update is None or link.race.update.view.status == "ended":
            await link.wait(link.changes)
    sessions = await asyncio.gather(in_race(ana), in_race(ben))
    views = await asyncio.gather(*(race(session) for session in sessions))
    assert views[0].standings == views[1].standings


@pytest.mark.spec("FLEET-3.2")
async def test_a_season_and_its_rematch_go_on_though_their_server_ends_in_between(
    tmp_path: Path, cluster: Cluster
) -> None:
    season = m.RoomOptions(laps=1, cars=2, season=m.SeasonOptions(tracks=("usa", "italy", "gb")))
    url = cluster.url(cluster.new_database())
    with fleet_servers(url, tmp_path, 2) as servers:
        async with asyncio.timeout(120):
            here, there = servers.addresses
            await knows_all(tmp_path / "look", servers.addresses)
            ana, ben = await new_stay(tmp_path / "ana", here), await new_stay(tmp_path / "ben", here)
            code = await open_room(ana, ben, season)
            await race_once(ana, ben)
            await phase_is(ana, "between")
            assert ana.link.season is not None
            first = ana.link.season.view.races[0].results
            assert first

            servers.end(0, signal.SIGTERM)
            await are_at(there, ana, ben)
            for _ in range(2):
                await phase_is(ana, "between")
                await race_once(ana, ben)
            assert (await phase_is(ana, "ended")).code == code
            view = ana.link.season.view
            assert view.end == "finished"
            assert view.races[0].results == first

            servers.start_again(0)
            await ana.link.request(m.Rematch(0))
            await phase_is(ben, "lobby")
            await knows_all(tmp_path / "look", servers.addresses)
            servers.end(1, signal.SIGTERM)
            await are_at(here, ana, ben)
            assert (await phase_is(ana, "lobby")).code == code
            await race_once(ana, ben)
            await phase_is(ana, "between")
            for stay in (ana, ben):
                await stay.close()
    with open_store(url, lambda: 0, read_only=True) as store:
        rematch, before = store.list_matches(9)
        assert (before.code, before.outcome, len(store.races(before.match))) == (code, "ended", 3)
        assert (rematch.code, rematch.outcome, len(store.races(rematch.match))) == (code, None, 1)


@pytest.mark.spec("FLEET-3.3")
async def test_tokens_invitations_password_and_bans_of_a_room_hold_where_it_has_moved(
    tmp_path: Path, cluster: Cluster
) -> None:
    with fleet_servers(cluster.url(cluster.new_database()), tmp_path, 2) as servers:
        async with asyncio.timeout(120):
            here, there = servers.addresses
            await knows_all(tmp_path / "look", servers.addresses)
            ana, ben = await new_stay(tmp_path / "ana", here), await new_stay(tmp_path / "ben", here)
            code = await open_room(ana, ben, m.RoomOptions(laps=1, cars=3))
            cy, dee = await new_stay(tmp_path / "cy", there), await new_stay(tmp_path / "dee", there)
            await cy.join(code, "Cy", "green")
            await ana.link.request(m.Kick(0, "Cy", is_banned=True))
            await ana.link.request(m.Lock(0, "secret"))
            await dee.join(code, "Dee", "yellow", "secret")
            await ana.link.request(m.Kick(0, "Dee"))

            servers.end(0, signal.SIGTERM)
            await are_at(there, ana, ben)
            invitation = (await phase_is(ana, "lobby")).invitation
            assert invitation.startswith(f"heat-tui connect {there} {code}")
            servers.start_again(0)
            await knows_all(tmp_path / "look", servers.addresses)
            again = await new_stay(tmp_path / "again", here)
            refused = []
            for name, password in (("Cy", "secret"), ("Dee", None)):
                with pytest.raises(RequestRefused) as refusal:
                    await again.join(code, name, "green", password)
                refused.append(refusal.value.code)
            assert refused == [ErrorCode.BANNED, ErrorCode.WRONG_PASSWORD]
            await again.join(code, "Dee", "yellow", "secret")
            assert again.link.address == there

            await ben.close()
            ben = await rejoin_by(tmp_path / "ben", here)
            assert ben.link.address == there
            assert (await phase_is(ben, "lobby")).own.name == "Ben"
            for stay in (ana, ben, again, cy, dee):
                await stay.close()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_at_a_new_address_replaces_the_only_one_under_a_race(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, sign: signal.Signals
) -> None:
    monkeypatch.setattr("heat_tui.client.connection.NEWS_SECONDS", 0.5)
    url = cluster.url(cluster.new_database())
    with fleet_servers(url, tmp_path, 1) as servers:
        async with asyncio.timeout(120):
            (here,) = servers.addresses
            ana, ben = await new_stay(tmp_path / "ana", here), await new_stay(tmp_path / "ben", here)
            await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
            sessions = await asyncio.gather(in_race(ana), in_race(ben))
            await asyncio.gather(*(race(session, rounds=1) for session in sessions))
            with running_server(url) as later:
                for stay in (ana, ben):
                    while len(stay.link.servers) < 2:
                        await stay.link.wait(stay.link.changes)
                servers.end(0, sign)
                await are_at(Address(here.host, later.port), ana, ben)
                views = await asyncio.gather(*(race(session) for session in sessions))
                assert views[0].standings == views[1].standings
                for session in sessions:
                    await session.close()
