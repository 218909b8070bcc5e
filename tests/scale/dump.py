"""`python -m tests.scale.dump`: what commits and rounds cost the database while a long dump runs.

A dump reads in one transaction, and while that runs the database keeps all versions of each row. Here such a
transaction is open while one server saves steps of its rooms and all servers renew their leases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click
import psycopg

from heat_server.store.postgres import leases
from heat_server.store.writes import AddEvents, KeepClocks
from tests.scale.filling import Sizes
from tests.scale.statements import Bench, Cost, bench

TIMES: Final = 200


class Dumped:
    """A bench with rooms whose steps are saved one by one, in turn.

    Attributes:
        costs: What was measured, by how much had been done in the dump's time.
    """

    def __init__(self, measured: Bench, rooms: int) -> None:
        """Take over so many rooms of another server."""
        measured.store.renew(measured.load())
        measured.wait_until_it_may_claim()
        measured.expire(1)
        measured.store.claim()
        measured.renew_all()
        self._bench = measured
        self._rooms = list(measured.store._leases._epochs)[:rooms]
        self._commits = 0

    def commit(self) -> None:
        """Save one step of the next room."""
        match = self._rooms[self._commits % len(self._rooms)]
        first = 4 + self._commits // len(self._rooms)
        self._commits += 1
        self._bench.store.write([AddEvents(match, 0, first, 1, bytes(100)), KeepClocks(match, bytes(100))])

    def measure(self, when: str) -> list[Cost]:
        """Measure a commit and a round."""
        self._bench.costs.clear()
        self._bench.measure(f"{when}: a commit of one room", self.commit, TIMES)
        self._bench.measure(f"{when}: a round", self._bench.round, TIMES // 4)
        return list(self._bench.costs)

    def work(self, commits: int, renewals: int) -> None:
        """Commit so often, and let every server renew its lease so often."""
        for _ in range(commits):
            self.commit()
        for _ in range(renewals):
            self._bench.renew_all()


def measure(measured: Bench, rooms: int, commits: Sequence[int], renewals: int) -> list[Cost]:
    """Measure before a dump and at some moments of it.

    Args:
        measured: With some rooms on each server.
        rooms: How many rooms save their steps.
        commits: How many commits between the moments.
        renewals: How many renewals of all leases between the moments.
    """
    dumped = Dumped(measured, rooms)
    costs, total = dumped.measure("before"), 0
    with psycopg.connect(measured.url.text) as dump:
        dump.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        dump.execute("SELECT count(*) FROM heat.servers")
        for count in commits:
            dumped.work(count, renewals)
            total += count
            costs += dumped.measure(f"after {total:,} commits")
    return costs


@click.command()
@click.option("--servers", default=3)
@click.option("--rooms", default=50, help="Rooms that save their steps, one after another.")
@click.option("--commits", default=[1000, 1000, 2000, 4000], multiple=True, help="Between the measurements.")
@click.option("--renewals", default=100, help="Of all leases, between the measurements.")
def main(servers: int, rooms: int, commits: Sequence[int], renewals: int) -> None:
    """Measure what commits and rounds cost the database while a dump runs."""
    sizes = Sizes(servers=servers, rooms=max(rooms, leases.LEAST_SHARE), closed=1000)
    with bench(sizes) as measured:
        click.echo(f"{'when: what':44} {'database ms':>12} {'server ms':>10}")
        for cost in measure(measured, rooms, commits, renewals):
            click.echo(f"{cost.what:44} {cost.database_ms:12.3f} {cost.server_ms:10.3f}")


if __name__ == "__main__":
    main()
