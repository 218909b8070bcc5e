"""A real server killed again and again: clients come back, and nothing acknowledged is lost (CASE 28)."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
import trio

from heat_core.view.race_view import RaceView
from heat_core.wire.messages import LobbyView, RoomOptions, SeasonOptions
from heat_server.store.address import DatabaseUrl
from tests.load.server import Running, running_server
from tests.server.postgres import started
from tests.server.riders import Figures, Track, audit, team

pytestmark = [
    pytest.mark.trio,
    pytest.mark.timeout(400),
]  # each start of a program costs seconds where all is busy


class Mortal:
    """A server that is killed and started again on the same port and store.

    Attributes:
        port: Where it listens, from the first start on.
        kills: So far.
        away_seconds: How long each start took, until the port answered.
    """

    def __init__(self, store: Path | DatabaseUrl, log: Path) -> None:
        self.port = 0
        self.kills = 0
        self.away_seconds: list[float] = []
        self._store = store
        self._log = log
        self._life = ExitStack()

    async def live(self) -> None:
        began = time.perf_counter()
        options = ("--log-file", str(self._log), "--log-level", "error")
        self._life = ExitStack()
        server = running_server(self._store, *options, port=self.port)
        running: Running = await trio.to_thread.run_sync(self._life.enter_context, server)
        self.port = running.port
        self.away_seconds.append(time.perf_counter() - began)

    async def connect(self) -> trio.abc.Stream:
        return await trio.open_tcp_stream("127.0.0.1", self.port)

    async def die(self) -> None:
        await trio.to_thread.run_sync(self._life.close)
        self.kills += 1


@asynccontextmanager
async def mortal_server(folder: Path, store: Path | DatabaseUrl | None = None) -> AsyncIterator[Mortal]:
    """Run a server that can be killed; at the end nothing but kills has gone wrong with it.

    Args:
        folder: For its log, and its store.
        store: A database that is killed too, and may be away for longer than rooms wait; None: a file.
    """
    log = folder / "log"
    server = Mortal(store or folder / "store.sqlite3", log)
    await server.live()
    try:
        yield server
    finally:
        with trio.CancelScope(shield=True):
            await server.die()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if store is None or "crashed" in line or "brought" in line] == []


async def race_through_kills(folder: Path, rooms: int, kills: int) -> tuple[Figures, Mortal]:
    """Kill the server at random moments of many races; let the last ones end undisturbed."""
    chance = random.Random(f"{rooms} rooms, {kills} kills")
    options = RoomOptions(laps=1, cars=3, turn_milliseconds=2_000)
    async with mortal_server(folder) as server:

        def goes_on() -> bool:
            return server.kills < kills

        tracks = [Track(options, goes_on, lambda: 0.3 if goes_on() else 0.0) for _ in range(rooms)]
        teams = [(track, team(server.connect, track, number)) for number, track in enumerate(tracks)]
        async with trio.open_nursery() as riding:
            for _, riders in teams:
                for rider in riders:
                    riding.start_soon(rider.ride)
            while server.kills < kills:
                await trio.sleep(chance.uniform(0.0, 0.6))
                await server.die()
                await server.live()
    lost = sum(rider.lost for _, riders in teams for rider in riders)
    assert lost >= kills, "the kills were felt"
    return audit(folder / "store.sqlite3", teams), server


@pytest.mark.spec("NET-14")
@pytest.mark.parametrize(
    ("rooms", "kills"),
    [
        (20, 8),
        pytest.param(20, 200, marks=[pytest.mark.soak, pytest.mark.timeout(1800)]),
    ],
)
async def test_twenty_rooms_lose_nothing_to_kills(
    rooms: int, kills: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.perf_counter()
    figures, server = await race_through_kills(tmp_path, rooms, kills)
    assert figures.races >= rooms
    assert figures.acknowledged > 10 * rooms
    slowest = max(server.away_seconds)
    with capsys.disabled():
        print(
            f"\n{server.kills} kills, {figures.races} races, {figures.acknowledged} commands acknowledged, "
            f"slowest start {slowest:.1f} s, {time.perf_counter() - began:.0f} s in all"
        )


@pytest.mark.parametrize(
    ("rooms", "kills"), [(3, 2), pytest.param(20, 30, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
)
async def test_kills_of_server_and_database_in_turn_lose_nothing(
    rooms: int, kills: int, tmp_path: Path
) -> None:
    with started("fsync=on", "full_page_writes=on") as cluster:
        url = cluster.url(cluster.new_database())
        options = RoomOptions(laps=1, cars=3, turn_milliseconds=2_000)
        async with mortal_server(tmp_path, url) as server:

            def goes_on() -> bool:
                return server.kills < kills

            tracks = [Track(options, goes_on, lambda: 0.3 if goes_on() else 0.0) for _ in range(rooms)]
            teams = [(track, team(server.connect, track, number)) for number, track in enumerate(tracks)]
            async with trio.open_nursery() as riding:
                for _, riders in teams:
                    for rider in riders:
                        riding.start_soon(rider.ride)
                while goes_on():
                    await trio.sleep(0.5)
                    await trio.to_thread.run_sync(cluster.kill_and_start)
                    await trio.sleep(0.5)
                    await server.die()
                    await server.live()
        figures = audit(url, teams)
    assert figures.races >= rooms
    assert figures.acknowledged > 10 * rooms


Moment: TypeAlias = Callable[[LobbyView, RaceView | None], bool]
"""Tells by the news of a room whether the server is to die now."""


def after_event(number: int) -> Moment:
    return lambda room, view: room.phase == "racing" and view is not None and view.event_number >= number


async def ride_through(path: Path, options: RoomOptions, moments: Sequence[Moment]) -> Figures:
    """Ride while the server is killed at each of these moments, one after the other; audit its store."""
    ahead = list(moments)
    async with mortal_server(path) as server:
        send, receive = trio.open_memory_channel[None](1000)

        def hear(room: LobbyView, view: RaceView | None) -> None:
            if ahead and ahead[0](room, view):
                ahead.pop(0)
                send.send_nowait(None)

        track = Track(options, on_news=hear)
        riders = team(server.connect, track)
        async with trio.open_nursery() as riding:
            for rider in riders:
                riding.start_soon(rider.ride)
            for _ in moments:
                await receive.receive()
                await server.die()
                await server.live()
    return audit(path / "store.sqlite3", [(track, riders)])


@pytest.mark.spec("SIS-2")
async def test_one_race_killed_ten_times_is_as_if_nothing_had_been(tmp_path: Path) -> None:
    moments = [after_event(12 * number) for number in range(1, 11)]
    figures = await ride_through(tmp_path, RoomOptions(laps=1, cars=3), moments)
    assert figures.races == 1


async def test_a_season_killed_between_its_races_and_within_one(tmp_path: Path) -> None:
    season = SeasonOptions(None, ("usa", "italy", "gb"), events=True, sponsorships=True)
    moments: list[Moment] = [
        lambda room, _: room.phase == "between",
        lambda room, view: room.phase == "racing" and view is not None and view.round == 3,
        lambda room, _: room.phase == "between",
    ]
    figures = await ride_through(tmp_path, RoomOptions(laps=1, cars=6, season=season), moments)
    assert figures.races == 3
