"""What operators scrape of real servers that share a database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio

from tests.load.server import running_server
from tests.patience import PATIENCE_SECONDS
from tests.server.postgres import USER, Cluster
from tests.server.scraping import QUESTION, address_in, get, values_of
from tests.server.support import QUICK, Player

HERE = "127.0.0.1"
MARK = "zebrafinch"


async def read(addresses: Sequence[str], path: str) -> list[str]:
    """Ask each server for a page."""
    return [await trio.to_thread.run_sync(get, address, path) for address in addresses]


async def fleet_of(addresses: Sequence[str]) -> list[dict[str, float]]:
    """Read what each server shows of the fleet and of its own rooms."""
    names = ("fleet_servers running", "fleet_rooms", "rooms lobby", "lease_failures_total")
    pages = [values_of(text) for text in await read(addresses, "/metrics")]
    return [{name: page.get(f"heat_server_{name}", 0) for name in names} for page in pages]


@pytest.mark.trio
@pytest.mark.spec("FLEET-5")
async def test_each_server_shows_its_health_its_figures_and_the_fleets_and_nobodys_name(
    tmp_path: Path, cluster: Cluster
) -> None:
    database = cluster.new_database()
    logs = [tmp_path / f"log-{number}" for number in range(2)]
    with trio.fail_after(PATIENCE_SECONDS), ExitStack() as lives:
        servers = [
            lives.enter_context(
                running_server(
                    cluster.url(database),
                    *("--metrics", "0", "--log-format", "json", "--log-level", "info"),
                    *("--log-file", str(log)),
                )
            )
            for log in logs
        ]
        addresses = [await address_in(log) for log in logs]
        async with await trio.open_tcp_stream(HERE, servers[0].port) as stream:
            player = Player(stream)
            await player.hello()
            code = await player.create(MARK, QUICK)
            both = {"fleet_servers running": 2, "fleet_rooms": 1, "lease_failures_total": 0}
            wanted = [both | {"rooms lobby": 1}, both | {"rooms lobby": 0}]
            while await fleet_of(addresses) != wanted:  # noqa: ASYNC110  # seen when a lease is renewed
                await trio.sleep(0.1)
            assert await read(addresses, "/health/live") == ["live\n"] * 2
            assert await read(addresses, "/health/ready") == ["ready\n"] * 2
            ports = [f":{server.port}" for server in servers]
            secrets = [MARK, code, player.token, HERE, *ports, f"{USER}@", database, str(cluster.folder)]
            for text in await read(addresses, "/metrics"):
                assert [secret for secret in secrets if secret in text] == []
        for server in servers:
            async with await trio.open_tcp_stream(HERE, server.port) as stream:
                await stream.send_all(QUESTION % b"/metrics")
                assert b"heat_server_" not in await stream.receive_some(), "the game port shows none of it"
