"""Real clients at the real server, over TCP, to the end of a race."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.record.figures import race_figures
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from tests.e2e.rooms import opened_by
from tests.tui.support_app import folders_in

pytestmark = pytest.mark.asyncio


async def in_race(stay: ServerStay) -> RemoteSession:
    while not RemoteSession.is_ready(stay.link):
        await stay.link.wait(stay.link.changes)
    return stay.race_session()


async def race(session: RemoteSession, rounds: int = 99) -> RaceView:
    """Play one seat sensibly to the end, or for so many rounds."""
    seat = session.seats[0]
    while (view := session.view(seat)).status != "ended" and view.round <= rounds:
        own = view.own
        assert own is not None
        if own.decision is not None and own.chosen is None:
            await session.submit(seat, own.decision, default_command(Observation(session.setup, view)))
        if session.view(seat).event_number == view.event_number:
            await session.changed(view.event_number)
    return view


async def start_race(ana: ServerStay, ben: ServerStay, options: m.RoomOptions) -> None:
    room = await opened_by(ana, options)
    await ben.join(room.code, "Ben", "red")
    await ben.link.request(m.TakeSeat(0, ready=True))
    await ana.link.request(m.Start(0))


@pytest.mark.spec("APP-8")
async def test_two_sessions_race_to_the_same_result(tmp_path: Path, address: Address) -> None:
    async with asyncio.timeout(60):
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        ben = await ServerStay.begin(folders_in(tmp_path / "ben"), address)
        await start_race(ana, ben, m.RoomOptions(laps=1, cars=4, legends=2))
        sessions = await asyncio.gather(in_race(ana), in_race(ben))
        assert [session.seats for session in sessions] == [(0,), (1,)]
        views = await asyncio.gather(*(race(session) for session in sessions))
        assert views[0].standings == views[1].standings
        assert len(views[0].standings) == 4
        for session, folder in zip(sessions, ("ana", "ben"), strict=True):
            events = session.events_since(0, session.seats[0])
            assert len(events) == session.view(None).event_number
            await session.close()
            assert saved_sessions(folders_in(tmp_path / folder)) == []


async def test_a_client_whose_socket_dies_comes_back_by_itself_and_races_on(
    tmp_path: Path, address: Address
) -> None:
    async with asyncio.timeout(60):
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        ben = await ServerStay.begin(folders_in(tmp_path / "ben"), address)
        await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
        sessions = await asyncio.gather(in_race(ana), in_race(ben))
        states: list[str] = []

        async def kill_twice() -> None:
            session, link = sessions[1], ben.link
            for number in (40, 90):
                while session.view(None).event_number < number:
                    await link.wait(link.changes)
                assert link._connection is not None
                link._connection._writer.transport.abort()
                for state in ("reconnecting", "connected"):
                    while session.connection != state:
                        await link.wait(link.changes)
                    states.append(state)

        first, second, _ = await asyncio.gather(race(sessions[0]), race(sessions[1]), kill_twice())
        assert states == ["reconnecting", "connected"] * 2
        assert first.standings == second.standings
        assert len(sessions[1].events_since(0, 1)) == second.event_number
        for session in sessions:
            await session.close()


async def test_leaving_a_running_race_offers_to_rejoin_it(tmp_path: Path, address: Address) -> None:
    async with asyncio.timeout(60):
        folders = folders_in(tmp_path / "ben")
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        ben = await ServerStay.begin(folders, address)
        await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
        sessions = await asyncio.gather(in_race(ana), in_race(ben))
        await sessions[1].close()
        saved = saved_sessions(folders)
        assert [one.name for one in saved] == ["Ben"]
        again = await ServerStay.rejoin(folders, saved[0])
        session = await in_race(again)
        assert session.seats == (1,)
        views = await asyncio.gather(race(sessions[0]), race(session))
        assert views[0].standings == views[1].standings
        await session.close()
        await sessions[0].close()
        assert saved_sessions(folders) == []


async def test_results_are_those_of_the_whole_race_for_who_came_back_or_came_late(
    tmp_path: Path, address: Address
) -> None:
    """One leaves in round 3 and comes back; one looks on from then."""
    async with asyncio.timeout(60):
        folders = folders_in(tmp_path / "ben")
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        ben = await ServerStay.begin(folders, address)
        await start_race(ana, ben, m.RoomOptions(laps=1, cars=4, legends=2))
        sessions = await asyncio.gather(in_race(ana), in_race(ben))
        await asyncio.gather(*(race(session, rounds=2) for session in sessions))
        await sessions[1].close()
        (saved,) = saved_sessions(folders)
        again = await ServerStay.rejoin(folders, saved)
        wim = await ServerStay.begin(folders_in(tmp_path / "wim"), address)
        await wim.watch(saved.code, "wim")
        back, watcher = await in_race(again), await in_race(wim)
        await asyncio.gather(race(sessions[0]), race(back))
        while watcher.view(None).status != "ended":
            await watcher.changed(watcher.view(None).event_number)
        (record,) = await back.records()
        figures = race_figures(record.setup, record.events)
        for session in (sessions[0], back, watcher):
            assert race_figures(session.setup, session.events_since(0, None)) == figures
        for session in (watcher, back, sessions[0]):
            await session.close()
