"""A server that stands still past its lease, while others go on: what it would do then is refused."""

from __future__ import annotations

import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from heat_core.race import commands as c
from heat_core.race.events import ChoiceMade
from heat_core.wire.messages import PROTOCOL, Act, Error, Hello, LobbyView, RoomOptions, Update, Welcome
from heat_server.store.encoding import decode_events
from heat_server.store.opening import open_store
from tests.load.server import running_server
from tests.patience import PATIENCE_SECONDS
from tests.server.postgres import Cluster
from tests.server.support import Player

pytestmark = [pytest.mark.trio, pytest.mark.timeout(120)]


async def connected(lines: AsyncExitStack, port: int) -> Player:
    player = Player(await lines.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port)))
    await player.hello()
    return player


async def back_in_race(lines: AsyncExitStack, port: int, token: str) -> Player:
    """Come back by a token as soon as the server has the race."""
    while True:
        player = Player(await lines.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port)))
        answer = await player.answer(Hello(player.id(), PROTOCOL, "test", "1", token))
        if isinstance(answer, Welcome):
            await player.wait_for(LobbyView)
            await player.wait_for(Update)
            return player
        assert isinstance(answer, Error)
        assert answer.code == "server/not_read"
        await trio.sleep(0.2)


def epochs(cluster: Cluster, database: str) -> list[int]:
    with cluster.connected(database) as connection:
        return [epoch for (epoch,) in connection.execute("SELECT epoch FROM heat.leases")]


@pytest.mark.spec("FLEET-2")
async def test_a_server_frozen_past_its_lease_does_no_harm(tmp_path: Path, cluster: Cluster) -> None:
    """One freezes in a race, another takes it over and races on; what the first writes then is refused."""
    database = cluster.new_database()
    url = cluster.url(database)
    log = tmp_path / "log"
    async with AsyncExitStack() as lines:
        frozen = lines.enter_context(running_server(url, "--log-file", str(log)))
        other = lines.enter_context(running_server(url, "--announce", "second.example"))
        ana, ben = [await connected(lines, frozen.port) for _ in range(2)]
        code = await ana.create("ana", RoomOptions(laps=1, turn_milliseconds=60_000))
        await ben.join(code, "ben")
        await ben.seat(ready=True)
        await ana.start()
        await ben.wait_for(Update)
        assert epochs(cluster, database) == [1]
        frozen.process.send_signal(signal.SIGSTOP)
        with trio.fail_after(PATIENCE_SECONDS):
            again = await back_in_race(lines, other.port, ana.token)
        assert epochs(cluster, database) == [2]
        await again.ok(Act(again.id(), 1, c.ShiftGear(2)))
        await ben.send(Act(ben.id(), 2, c.ShiftGear(2)))  # it waits for whoever is frozen
        frozen.process.send_signal(signal.SIGCONT)
        with trio.fail_after(PATIENCE_SECONDS):
            moved = await ben.wait_for(Error)
        assert (moved.code, code in moved.text) == ("room/closed", True)
        assert "room moved" in log.read_text(encoding="utf-8")
        ben = await back_in_race(lines, other.port, ben.token)
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))
        assert epochs(cluster, database) == [2]
    with open_store(url, lambda: 0, read_only=True) as store:
        (listed,) = store.list_matches(9)
        (race,) = store.races(listed.match)
        chosen = [
            event.seat
            for step in race.steps
            for event in decode_events(step.events)
            if isinstance(event, ChoiceMade)
        ]
    assert chosen == [0, 1], "each once, by the server that owned the race"
