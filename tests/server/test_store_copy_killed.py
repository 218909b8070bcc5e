"""`heat-server store copy`, killed at any moment and started again: nothing is lost, nothing is there twice.

Between and during the copies servers start on both stores, as by mistake: some matches are played on in the
one, others in the other, whenever a server gets in.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from heat_server.store.address import DatabaseUrl
from heat_server.store.contract import WholeMatch
from heat_server.store.errors import StoreRefused
from heat_server.store.opening import open_store as open_any
from heat_server.store.postgres.copy_lock import COPY_LOCK
from heat_server.store.writes import AddEvents, SaveClocks, SaveRoom, SaveSessions
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, fill, raw

TABLES = ("matches", "sessions", "clocks", "seasons", "races", "progress", "steps")

LONGEST_SECONDS = 0.6
"""For so long at most a copy works before it is killed."""

LONG = [pytest.mark.soak, pytest.mark.timeout(1800)]

IS_COPYING = f"""
    SELECT EXISTS (SELECT 1 FROM pg_locks WHERE objid = {COPY_LOCK} AND mode = 'ExclusiveLock' AND granted)
"""


class Plan(NamedTuple):
    """What happens."""

    matches: int
    kills: int


class Stores:
    """Two stores, and what was played on in which of them.

    Attributes:
        places: Where the copy is from and to.
        played: For each match and place how many events were added there.
        refused: How many servers could not start.
    """

    def __init__(self, source: Path | DatabaseUrl, target: Path | DatabaseUrl, plan: Plan) -> None:
        self.places = source, target
        self.played: Counter[tuple[str, int]] = Counter()
        self.refused = 0
        self.dice = random.Random(plan.matches)
        self._clock = WallClock()
        with open_any(source, self._clock) as store:
            fill(store, plan.matches)
        open_any(target, self._clock).close()

    def start_copy(self) -> subprocess.Popen[str]:
        words = [place.text if isinstance(place, DatabaseUrl) else str(place) for place in self.places]
        command = [sys.executable, "-m", "heat_server", "store", "copy", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def kill_a_copy(self, cluster: Cluster) -> bool:
        """Start a copy and kill it at some moment of its work; tell whether it was still running."""
        with self.start_copy() as process, cluster.connected("postgres") as connection:
            while connection.execute(IS_COPYING).fetchone() != (True,) and process.poll() is None:
                pass
            kill_at = time.monotonic() + self.dice.uniform(0, LONGEST_SECONDS)
            meddles = self.dice.random() < 0.5
            while time.monotonic() < kill_at and process.poll() is None:
                if meddles:
                    self.play(self.dice.randrange(2))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.01)
            process.kill()
        return process.returncode < 0

    def play(self, place: int) -> None:
        """Start a server on one of the stores, and have it go on with some races."""
        try:
            store = open_any(self.places[place], self._clock)
        except StoreRefused:
            self.refused += 1
            return
        self._clock.now_ms += 1
        with store:
            owned = [claimed.match for claimed in store.claim()]
            ours = [match for match in owned if int(match[1:]) // 3 % 2 == place]
            for match in self.dice.sample(ours, min(3, len(ours))):
                last = 3 + self.played[match, place]
                keys = match.encode(), f"{match} new".encode()
                store.write(
                    [
                        AddEvents(match, 0, last + 1, 1, f"{match} event {last + 1}".encode()),
                        SaveClocks(match, str(last).encode()),
                        SaveSessions(match, keys, keys[last % 2 :]),
                        SaveRoom(match, match, "racing", match, str(last).encode()),
                    ]
                )
                self.played[match, place] += 1

    def check(self) -> None:
        """Look whether the target has all, as it was last played, and nothing twice."""
        with open_any(self.places[0], self._clock) as source, open_any(self.places[1], self._clock) as target:
            wholes = [target.copy_out(listed.match) for listed in target.list_matches(10_000)]
            assert len({whole.match for whole in wholes}) == len(wholes) == len(source.list_matches(10_000))
            for whole in wholes:
                there = self.played[whole.match, 1]
                (race,) = whole.races
                if there:
                    assert sum(step.count for step in race.race.steps) == 3 + there
                    assert (whole.clocks, whole.state) == (str(2 + there).encode(), str(2 + there).encode())
                else:
                    assert whole == source.copy_out(whole.match)
                    events = sum(step.count for step in race.race.steps)
                    assert events == 3 + self.played[whole.match, 0]
        assert count_rows(self.places[1]) == rows_of(wholes)


def rows_of(wholes: list[WholeMatch]) -> dict[str, int]:
    """Say how many rows matches are."""
    races = [race.race for whole in wholes for race in whole.races]
    return {
        "matches": len(wholes),
        "sessions": sum(len(whole.keys) for whole in wholes),
        "clocks": sum(whole.clocks is not None for whole in wholes),
        "seasons": sum(whole.season is not None for whole in wholes),
        "races": len(races),
        "progress": len(races),
        "steps": sum(len(race.steps) for race in races),
    }


def count_rows(place: Path | DatabaseUrl) -> dict[str, int]:
    """Count what is in the tables, as any program could."""
    counts = {}
    for table in TABLES:
        question = f"SELECT count(*) FROM {table}"
        if isinstance(place, DatabaseUrl):
            with closing(psycopg.connect(place.text, autocommit=True)) as connection:
                row = connection.execute(question.replace("FROM ", "FROM heat.").encode()).fetchone()
                assert row is not None
                counts[table] = int(row[0])
        else:
            with raw(place) as file:
                counts[table] = int(file.execute(question).fetchone()[0])
    return counts


@pytest.mark.parametrize("is_to_database", [True, False], ids=["to a database", "to a file"])
@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(Plan(matches=60, kills=4), id="short"),
        pytest.param(Plan(matches=300, kills=30), marks=LONG, id="long"),
    ],
)
def test_a_copy_that_is_killed_at_any_moment_goes_on_when_it_is_started_again(
    tmp_path: Path, cluster: Cluster, plan: Plan, is_to_database: bool
) -> None:
    file, url = tmp_path / "store.db", cluster.url(cluster.new_database())
    stores = Stores(file, url, plan) if is_to_database else Stores(url, file, plan)
    killed = 0
    while killed < plan.kills:
        killed += stores.kill_a_copy(cluster)
        stores.play(stores.dice.randrange(2))
    with stores.start_copy() as process:
        out, error = process.communicate()
    newer = {match for match, place in stores.played if place == 1}
    assert error.count("is newer there, and stays as it is") == len(newer)
    assert f"not copied: {len(newer)}\n" in out
    assert process.returncode == (1 if newer else 0), error
    stores.check()
    print(f"{killed} killed, {stores.refused} servers refused, {len(newer)} of {plan.matches} newer there")
    assert stores.played.total() > plan.kills
    assert stores.refused > 0


def test_a_copy_that_is_started_again_copies_only_the_rest(tmp_path: Path, cluster: Cluster) -> None:
    file, url = tmp_path / "store.db", cluster.url(cluster.new_database())
    stores = Stores(file, url, Plan(matches=150, kills=1))
    with open_any(url, WallClock(), read_only=True) as reader:
        with stores.start_copy() as process:
            while process.poll() is None and len(reader.list_matches(500)) < 20:
                pass
            process.kill()
        before = len(reader.list_matches(500))
    assert 20 <= before < 150
    with stores.start_copy() as process:
        assert process.communicate()[0].startswith(
            f"matches copied: {150 - before}, already there: {before}, not copied: 0\n"
        )
    stores.check()
