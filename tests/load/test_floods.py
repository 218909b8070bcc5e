"""The measure of floods, at work; and nobody honest is refused anything while it lasts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.load.flooders import KINDS
from tests.load.floods import LINES, Felt, Flooded, flood, flooded_server


@pytest.mark.soak
@pytest.mark.parametrize("addresses", LINES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_honest_player_is_refused_or_lost_during_a_flood(
    kind: str, addresses: int, tmp_path: Path
) -> None:
    with flooded_server(tmp_path) as (server, metrics):
        seen = asyncio.run(flood(server, metrics, kind, addresses, 4.0))
        assert server.process.poll() is None
    assert seen.before.refused == seen.during.refused == {}
    assert seen.during.answers > seen.before.answers / 4
    assert seen.messages > 0


def test_a_message_costs_what_the_server_worked_more_than_without_the_flood() -> None:
    before = Felt(10, 1.0, 2.0, 3.0, 3.0, 0.0, {}, server_seconds=1.0, seconds=10.0)
    during = before._replace(server_seconds=2.5, seconds=5.0)
    assert Flooded("list", 1, before, during, 1000).ms_per_message == 2.0
    assert Flooded("list", 1, before, before, 0).ms_per_message == 0.0
