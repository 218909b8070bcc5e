"""Real clients at two real servers, of which one is drained by its operator's command."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest

from heat_core.wire import messages as m
from heat_tui.client.backoff import LONGEST_MOVE_SECONDS
from tests.e2e.test_client_race import in_race, race
from tests.e2e.test_fleet import Two, begin_race, is_at, new_stay
from tests.load.server import running_server
from tests.patience import PATIENCE_SECONDS
from tests.server.operators import ask_status
from tests.server.postgres import Cluster

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(180)]


@contextmanager
def two_servers(cluster: Cluster, folder: Path) -> Iterator[Two]:
    url = cluster.url(cluster.new_database())
    seen = ["--metrics", "0", "--log-file", str(folder / "log"), "--log-format", "json"]
    with (
        running_server(url, *seen, "--log-level", "info", operator_socket=folder / "operator") as first,
        running_server(url) as second,
    ):
        yield Two(first, second)


async def drain(folder: Path, *words: str) -> tuple[int | None, list[str]]:
    """Give the command; its exit status and what it writes."""
    command = [sys.executable, "-m", "heat_server", "--socket", str(folder / "operator"), "drain", *words]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=asyncio.subprocess.STDOUT)
    output, _ = await process.communicate()
    return process.returncode, output.decode().splitlines()


def address_of_metrics(log: Path) -> str:
    lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return next(str(line["address"]) for line in lines if line["event"] == "metrics and health")


def health(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{address}/health/ready", timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read().decode().strip()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode().strip()


async def test_a_drained_server_has_no_rooms_left_and_its_clients_race_on_by_themselves(
    tmp_path: Path, cluster: Cluster
) -> None:
    with two_servers(cluster, tmp_path) as two:
        here, there = two.addresses
        async with asyncio.timeout(150):
            (ana, ben), sessions = await begin_race(two, tmp_path)
            both = asyncio.gather(*(race(session) for session in sessions))
            cy = await new_stay(tmp_path / "cy", here)
            await cy.create("Cy", "red", m.RoomOptions(laps=1))

            eve = await new_stay(tmp_path / "eve", here)
            await eve.watch(ana.link.room.code if ana.link.room else "", "Eve")
            watching = await in_race(eve)

            drained = asyncio.create_task(drain(tmp_path, "--now"))
            while sessions[0].connection == "connected":
                await ana.link.wait(ana.link.changes)
            began = time.monotonic()
            while not is_at(sessions[0], ana, there):
                await ana.link.wait(ana.link.changes)
            assert time.monotonic() - began < LONGEST_MOVE_SECONDS + 1
            code, lines = await drained
            assert (code, lines[-1][:18]) == (0, "No rooms are left:")
            assert "racing" in lines[0]
            while cy.link.address != there or cy.link.state != "connected":
                await cy.link.wait(cy.link.changes)

            address = address_of_metrics(tmp_path / "log")
            assert await asyncio.to_thread(health, address) == (HTTPStatus.SERVICE_UNAVAILABLE, "draining")
            assert ask_status(tmp_path / "operator").draining
            dee = await new_stay(tmp_path / "dee", here)
            await dee.create("Dee", "red", m.RoomOptions(laps=1))
            assert dee.link.address == there, "who opens a room is led on"
            assert ask_status(tmp_path / "operator").rooms["lobby"] == 0

            two.first.process.send_signal(signal.SIGTERM)
            views = await both
            assert views[0].standings == views[1].standings
            while watching.view(None).status != "ended":
                await eve.link.wait(eve.link.changes)
            assert eve.link.address == there
            for seat, session in enumerate(sessions):
                assert len(session.events_since(0, seat)) == views[0].event_number
            for stay in (ana, ben, cy, dee, eve):
                await stay.close()
