"""A server that is killed in the middle of anything: what it was told to be on disk is there, whole."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from heat_server.store.contract import Store
from heat_server.store.postgres.store import PostgresStore
from tests.server.postgres import Cluster
from tests.server.store_writer import EVENTS_OF_A_STEP, events_of
from tests.server.stores import WallClock, sqlite

KILLS = 10


def test_what_a_killed_server_was_told_to_be_on_disk_is_there_whole(tmp_path: Path) -> None:
    kill_and_look(str(tmp_path / "store.db"), sqlite(tmp_path), KILLS)


def test_a_database_has_whole_what_a_killed_server_was_told_to_be_there(cluster: Cluster) -> None:
    database = cluster.new_database()
    url = cluster.url(database)

    def look() -> Store:
        with cluster.connected(database) as connection:  # as if the killed one's lease had run out
            connection.execute("UPDATE heat.leases SET server = NULL")
        return PostgresStore.open(url, WallClock())

    kill_and_look(url.text, look, KILLS // 3)


def kill_and_look(place: str, opener: Callable[[], Store], kills: int) -> None:
    dice = random.Random(28)
    told: dict[str, int] = {}
    for _ in range(kills):
        write_until_killed(place, dice.randrange(1, 120), told)
        with opener() as store:
            kept = {title.match for title in store.open_matches()}
            assert told.keys() <= kept
            for match in kept:
                found = store.load(match)
                assert found.race is not None
                last = EVENTS_OF_A_STEP * len(found.race.steps)
                assert last >= told.get(match, 0)
                firsts = range(1, last, EVENTS_OF_A_STEP)
                assert found.race.steps == [events_of(match, first) for first in firsts]
                if last:  # and what was written with the last step came with it
                    assert found.clocks == str(last).encode()
    assert max(told.values()) > kills * EVENTS_OF_A_STEP


def write_until_killed(place: str, lines: int, told: dict[str, int]) -> None:
    """Let a process write, kill it behind some line of its, and note all that it was told."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.store_writer", place], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout):
            if number == lines:
                process.kill()
            if line.endswith("\n"):
                match, last = line.split()
                told[match] = int(last)
    assert process.returncode == -9
