"""How often a server waits for its database while players come back to rooms that it was given.

Each trip there and back takes time, however little is asked: on a busy machine, or to a database far away.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from heat_server.store.ownership import Release
from heat_server.store.postgres.store import PostgresStore
from tests.server.fleets import LOAD, Fleet
from tests.server.test_store_leases import made
from tests.server.test_store_releases import HEIR


def trips(store: PostgresStore, ask: Callable[[], object], path: Path) -> int:
    """Count how often the database answers (B) after it was asked something (F), by libpq's own trace."""
    connection = store._link._connection
    assert connection is not None
    with path.open("w+") as file:
        connection.pgconn.trace(file.fileno())
        ask()
        connection.pgconn.untrace()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        directions = [line.split("\t")[1] for line in file if "\t" in line]
    return sum(one == "F" and next_one == "B" for one, next_one in pairwise(directions))


def test_a_round_of_a_server_in_which_nothing_is_new_waits_a_few_times_for_its_database(
    fleet: Fleet, tmp_path: Path
) -> None:
    one = fleet.join()
    one.renew(LOAD)
    bans = one.bans()
    assert bans is not None
    path = tmp_path / "trace"
    assert trips(one, lambda: one.renew(LOAD), path) <= 3
    for ask in (one.peers, lambda: one.bans(bans.version), one.claim):
        assert trips(one, ask, path) == 1


def test_a_server_waits_a_few_times_for_its_database_until_a_room_that_it_was_given_is_awake(
    fleet: Fleet, tmp_path: Path
) -> None:
    one, heir = fleet.join(), fleet.join(HEIR)
    matches = [f"m{number}" for number in range(5)]
    one.write([write for match in matches for write in made(match)])
    one.release([Release(match, HEIR.address) for match in matches])
    path = tmp_path / "trace"
    assert trips(heir, lambda: heir.owners_of_codes(["M1"]), path) == 1
    assert trips(heir, heir.claim, path) <= 5
    assert max(trips(heir, partial(heir.load, match), path) for match in matches) <= 4
    assert trips(heir, heir.claim, path) == 1, "nothing is free"
