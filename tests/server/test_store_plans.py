"""What a server asks of the database again and again is planned once, however much it asks for."""

from __future__ import annotations

from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import AddEvents, SaveClocks
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, begun

ROOMS = [f"m{number}" for number in range(6)]

TIMES = 12
"""So often that each statement is prepared, and the database then chooses how to plan it."""


def planned_for_values(store: PostgresStore) -> list[str]:
    """List the statements that were planned for the values that they were sent with."""
    connection = store._link._connection
    assert connection is not None
    question = "SELECT statement FROM pg_prepared_statements WHERE custom_plans > 0"
    planned = [statement for (statement,) in connection.execute(question)]
    return [statement for statement in planned if "set_config" not in statement]


def test_commits_and_questions_are_planned_once_whatever_their_size(cluster: Cluster) -> None:
    with PostgresStore.open(cluster.url(cluster.new_database()), WallClock()) as store:
        store.write([write for match in ROOMS for write in begun(match)])
        firsts = dict.fromkeys(ROOMS, 4)
        for number in range(TIMES):
            rooms = ROOMS[number % len(ROOMS) :]
            steps = [
                (AddEvents(match, 0, firsts[match], 1, b"e"), SaveClocks(match, b"c")) for match in rooms
            ]
            store.write([write for both in steps for write in both])
            firsts |= {match: firsts[match] + 1 for match in rooms}
            store.owners_of_codes(rooms)
            store.owners_of_keys([match.encode() for match in rooms])
        assert planned_for_values(store) == []


def test_to_find_a_few_old_matches_is_planned_for_a_few(cluster: Cluster) -> None:
    with PostgresStore.open(cluster.url(cluster.new_database()), WallClock()) as store:
        store.write(begun("m1"))
        for _ in range(TIMES):
            assert store.prune(0, most_bytes=0) == 0
        (statement,) = planned_for_values(store)
        assert "AS closed" in statement
