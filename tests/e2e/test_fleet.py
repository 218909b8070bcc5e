"""Real clients at two real servers that share a database: any door, and a server that stops or dies."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.backoff import FIRST_PAUSE_SECONDS
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions, take_session
from tests.e2e.rooms import opened_by
from tests.e2e.test_client_race import in_race, race, start_race
from tests.load.server import Running, running_server
from tests.server.postgres import Cluster
from tests.tui.support_app import folders_in

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(180)]

HERE = "127.0.0.1"


class Two(NamedTuple):
    """Two servers on one database."""

    first: Running
    second: Running

    @property
    def addresses(self) -> tuple[Address, Address]:
        return Address(HERE, self.first.port), Address(HERE, self.second.port)


@contextmanager
def two_servers(cluster: Cluster) -> Iterator[Two]:
    url = cluster.url(cluster.new_database())
    with running_server(url) as first, running_server(url) as second:
        yield Two(first, second)


async def knows_all(path: Path, addresses: Sequence[Address]) -> None:
    """Wait until each server names all of them."""
    for address in addresses:
        named: tuple[str, ...] = ()
        while len(named) < len(addresses):
            stay = await ServerStay.begin(folders_in(path), address)
            named = stay.link.servers
            await stay.close()
            await asyncio.sleep(0.2)


async def new_stay(path: Path, address: Address) -> ServerStay:
    return await ServerStay.begin(folders_in(path), address)


async def listed(stay: ServerStay, code: str) -> m.RoomSummary:
    """Wait until a server lists a room."""
    while True:
        for room in await stay.rooms():
            if room.code == code:
                return room
        await asyncio.sleep(0.2)


@pytest.mark.spec("FLEET-3")
async def test_whichever_server_somebody_comes_to_they_are_led_to_their_room(
    tmp_path: Path, cluster: Cluster
) -> None:
    with two_servers(cluster) as two:
        here, there = two.addresses
        async with asyncio.timeout(60):
            await knows_all(tmp_path / "look", two.addresses)
            ana = await new_stay(tmp_path / "ana", here)
            room = await opened_by(ana, m.RoomOptions(laps=1))
            code = room.code
            assert str(here) in room.invitation

            ben = await new_stay(tmp_path / "ben", there)
            assert (await listed(ben, code)).has_place, "the list of the other server has the room too"
            await ben.join(code, "Ben", "blue")
            assert ben.link.address == here
            assert ben.link.chat.lines[0].text == f"This room is on {here}."
            watcher = await new_stay(tmp_path / "cy", there)
            await watcher.watch(code, "Cy")
            assert watcher.link.address == here
            await watcher.close()

            await ben.close()
            (seat,) = saved_sessions(folders_in(tmp_path / "ben"))
            assert set(seat.servers) == {str(here), str(there)}
            ben = await rejoin_by(tmp_path / "ben", there)
            assert ben.link.room is not None
            await ben.close()
            (seat,) = saved_sessions(folders_in(tmp_path / "ben"))
            assert seat.address == str(here), "where it was led"
            await ana.close()


async def rejoin_by(path: Path, address: Address) -> ServerStay:
    """Take the saved seat again by a server that one chooses."""
    (seat,) = saved_sessions(folders_in(path))
    file = take_session(folders_in(path), seat)
    assert file is not None
    seat = msgspec.structs.replace(seat, address=str(address))
    file.save(seat)
    file.close()
    return await ServerStay.rejoin(folders_in(path), seat)


async def begin_race(two: Two, path: Path) -> tuple[list[ServerStay], list[RemoteSession]]:
    """Let two clients begin a race at the first server, once both servers know each other."""
    await knows_all(path / "look", two.addresses)
    ana, ben = stays = [await new_stay(path / name, two.addresses[0]) for name in ("ana", "ben")]
    await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
    return stays, [await in_race(stay) for stay in stays]


async def race_on_after(two: Two, path: Path, sign: signal.Signals) -> float:
    """Race with two clients, end the server in mid-race, and race to the end; give the seconds of the gap."""
    here, there = two.addresses
    (ana, ben), sessions = await begin_race(two, path)
    both = asyncio.gather(*(race(session) for session in sessions))
    while sessions[0].view(None).event_number < 60:
        await ana.link.wait(ana.link.changes)
    cy = await new_stay(path / "cy", here)
    await cy.watch(ana.link.room.code if ana.link.room else "", "Cy")
    watching = await in_race(cy)
    two.first.process.send_signal(sign)
    before = sessions[0].events_since(0, 0)
    began = time.monotonic()
    for session, stay in zip(sessions, (ana, ben), strict=True):
        while not is_at(session, stay, there):
            await stay.link.wait(stay.link.changes)
    gap = time.monotonic() - began
    views = await both
    assert views[0].standings == views[1].standings
    for seat, session in enumerate(sessions):
        events = session.events_since(0, seat)
        assert len(events) == views[0].event_number
        if seat == 0:
            assert events[: len(before)] == before, "nothing that was shown is lost"
    while watching.view(None).status != "ended":
        await cy.link.wait(cy.link.changes)
    assert cy.link.address == there
    for session in (*sessions, watching):
        await session.close()
    return gap


def is_at(session: RemoteSession, stay: ServerStay, address: Address) -> bool:
    return session.connection == "connected" and stay.link.address == address


@pytest.mark.spec("FLEET-4")
async def test_clients_race_on_by_themselves_when_their_server_stops_or_dies(
    tmp_path: Path, cluster: Cluster
) -> None:
    """What each of them was told of is there afterwards: the race goes on from it, event for event."""
    async with asyncio.timeout(120):
        with two_servers(cluster) as two:
            stopped = await race_on_after(two, tmp_path / "stopped", signal.SIGTERM)
        with two_servers(cluster) as two:
            died = await race_on_after(two, tmp_path / "died", signal.SIGKILL)
    assert stopped < FIRST_PAUSE_SECONDS + 1
    assert died < 10
