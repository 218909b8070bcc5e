"""Real clients at a server that is drained while the other one plays by newer rules."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest

from heat_core.race.rules_version import RULES_VERSION
from heat_core.wire import messages as m
from tests.e2e.test_client_race import in_race, race
from tests.e2e.test_fleet import Two, begin_race, new_stay
from tests.e2e.test_fleet_drain import address_of_metrics, drain, health
from tests.load.server import running_server
from tests.server.postgres import Cluster

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(180)]

NEWER = f"""
from heat_core.race import rules_version
rules_version._OLDER = dict(rules_version._OLDER) | {{{RULES_VERSION}: "in which a test was not there yet"}}
rules_version.RULES_VERSION = {RULES_VERSION + 1}
"""
"""Python runs this at its start, before anything of the server, which then plays by the next version."""


@contextmanager
def two_servers(cluster: Cluster, folder: Path) -> Iterator[Two]:
    (folder / "newer").mkdir()
    (folder / "newer" / "sitecustomize.py").write_text(NEWER, encoding="utf-8")
    url = cluster.url(cluster.new_database())
    seen = ["--metrics", "0", "--log-file", str(folder / "log"), "--log-format", "json"]
    newer = ("env", f"PYTHONPATH={folder / 'newer'}")
    with (
        running_server(
            url, *seen, "--grace", "1", "--log-level", "info", operator_socket=folder / "operator"
        ) as first,
        running_server(url, prefix=newer) as second,
    ):
        yield Two(first, second)


async def test_lobbies_leave_a_drained_server_for_newer_rules_and_races_end_on_it(
    tmp_path: Path, cluster: Cluster
) -> None:
    with two_servers(cluster, tmp_path) as two:
        here, there = two.addresses
        async with asyncio.timeout(150):
            (ana, ben), sessions = await begin_race(two, tmp_path)
            cy = await new_stay(tmp_path / "cy", here)
            await cy.create("Cy", "red", m.RoomOptions(laps=1, cars=2))

            code, lines = await drain(tmp_path, "--now")
            assert code == 1
            assert lines[0].startswith(
                f"heat-server: no other server plays version {RULES_VERSION} of the rules"
            )
            drained = asyncio.create_task(drain(tmp_path))
            while cy.link.address != there or cy.link.state != "connected":
                await cy.link.wait(cy.link.changes)
            eve = await new_stay(tmp_path / "eve", here)
            address = address_of_metrics(tmp_path / "log")
            assert await asyncio.to_thread(health, address) == (HTTPStatus.SERVICE_UNAVAILABLE, "draining")
            dee = await new_stay(tmp_path / "dee", here)
            await dee.create("Dee", "red", m.RoomOptions(laps=1))
            assert dee.link.address == there

            assert cy.link.room is not None
            await eve.join(cy.link.room.code, "Eve", "red")
            await eve.link.request(m.TakeSeat(0, ready=True))
            await cy.link.request(m.Start(0))
            assert (await in_race(cy)).setup.rules_version == RULES_VERSION + 1
            views = await asyncio.gather(*(race(session) for session in sessions))
            assert views[0].standings == views[1].standings
            assert [ana.link.address, ben.link.address] == [here, here]
            for session in sessions:
                await session.close()
            code, lines = await drained
            assert (code, lines[-1][:18]) == (0, "No rooms are left:")
            stays = f"1 race plays version {RULES_VERSION} of the rules, which no other server plays. It ends"
            assert any(stays in line for line in lines), lines
            two.first.process.send_signal(signal.SIGTERM)
            for stay in (cy, dee, eve):
                await stay.close()
