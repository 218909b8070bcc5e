"""A server that is killed in the middle of anything: what it was told to be on disk is there, whole."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from tests.server.store_writer import EVENTS_OF_A_STEP, events_of
from tests.server.stores import open_store

KILLS = 10


def test_what_a_killed_server_was_told_to_be_on_disk_is_there_whole(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    dice = random.Random(28)
    told: dict[str, int] = {}
    for _ in range(KILLS):
        write_until_killed(path, dice.randrange(1, 120), told)
        with open_store(path) as store:
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
    assert max(told.values()) > KILLS * EVENTS_OF_A_STEP


def write_until_killed(path: Path, lines: int, told: dict[str, int]) -> None:
    """Let a process write, kill it behind some line of its, and note all that it was told."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.store_writer", str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout):
            if number == lines:
                process.kill()
            if line.endswith("\n"):
                match, last = line.split()
                told[match] = int(last)
    assert process.returncode == -9
