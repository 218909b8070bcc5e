"""`python -m tests.scale.dump`: what commits and rounds cost the database while a long dump runs.

A dump reads in one transaction, and while that runs the database keeps all versions of each row. Here such a
transaction is open in one database while a server saves steps of its rooms and all servers renew their
leases. The same happens in another database without a dump. Both are measured in turns, so that what else the
machine does falls on both.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

import click
import psycopg

from heat_server.store.writes import AddEvents, SaveClocks
from tests.scale.filling import Sizes
from tests.scale.statements import ROOMY, Bench
from tests.server.postgres import started

TURNS: Final = 20
IN_A_TURN: Final = 10


class Ratio(NamedTuple):
    """What something costs the database.

    Attributes:
        what: In words.
        commits: How many the server had made while the dump ran.
        without_ms: Processor time without a dump, median of the turns.
        during_ms: The same while a dump runs.
    """

    what: str
    commits: int
    without_ms: float
    during_ms: float


class Saving:
    """A server that saves steps of its rooms one by one, in turn."""

    def __init__(self, bench: Bench, rooms: int) -> None:
        """Take over the rooms of another server."""
        self._bench = bench
        bench.begin_to_claim()
        bench.expire(1)
        bench.store.claim()
        bench.renew_all()
        self._rooms = list(bench.store._leases._epochs)[:rooms]
        self._commits = 0

    def commit(self) -> None:
        """Save one step of the next room."""
        match = self._rooms[self._commits % len(self._rooms)]
        first = 4 + self._commits // len(self._rooms)
        self._commits += 1
        self._bench.store.write([AddEvents(match, 0, first, 1, bytes(100)), SaveClocks(match, bytes(100))])

    def round(self) -> None:
        """Ask what each server asks every two seconds."""
        self._bench.round()

    def cost(self, what: Callable[[], None]) -> float:
        """Do something a few times; give the milliseconds of the database for one."""
        self._bench.costs.clear()
        self._bench.measure("", what, IN_A_TURN)
        return self._bench.costs[0].database_ms

    def work(self, commits: int, renewals: int) -> None:
        """Commit so often, and let every server renew its lease so often."""
        for _ in range(commits):
            self.commit()
        for _ in range(renewals):
            self._bench.renew_all()


def compare(without: Saving, during: Saving, commits: int) -> Iterator[Ratio]:
    """Measure a commit and a round in two databases, in turns."""
    for what, one, other in (
        ("a commit of one room", without.commit, during.commit),
        ("a round", without.round, during.round),
    ):
        costs = [(without.cost(one), during.cost(other)) for _ in range(TURNS)]
        without_ms, during_ms = (statistics.median(side) for side in zip(*costs, strict=True))
        yield Ratio(what, commits, without_ms, during_ms)


@contextmanager
def two_fleets(sizes: Sizes, rooms: int) -> Iterator[tuple[Saving, Saving, Bench]]:
    """Fill two databases of one server; give who saves there, and the second database."""
    with started(*ROOMY) as cluster, ExitStack() as benches:
        both = []
        for _ in range(2):
            both.append(Bench(cluster, sizes))
            benches.callback(both[-1].close)
        yield Saving(both[0], rooms), Saving(both[1], rooms), both[1]


def measure(sizes: Sizes, rooms: int, commits: Sequence[int], renewals: int) -> Iterator[Ratio]:
    """Measure at the beginning of a dump and later.

    Args:
        sizes: Of each of the databases.
        rooms: How many rooms save their steps.
        commits: How many commits come before each measurement.
        renewals: How many renewals of all leases come before each measurement.
    """
    with two_fleets(sizes, rooms) as (without, during, bench), psycopg.connect(bench.url.text) as dump:
        dump.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        dump.execute("SELECT count(*) FROM heat.servers")
        total = 0
        for count in commits:
            total += count
            for side in (without, during):
                side.work(count, renewals)
            yield from compare(without, during, total)


@click.command()
@click.option("--servers", default=3)
@click.option("--rooms", default=50, help="Rooms that save their steps, one after another.")
@click.option("--commits", default=[0, 2000, 2000, 4000], multiple=True, help="Before each measurement.")
@click.option("--renewals", default=100, help="Of all leases, before each measurement.")
def main(servers: int, rooms: int, commits: Sequence[int], renewals: int) -> None:
    """Measure what commits and rounds cost the database while a long dump runs."""
    sizes = Sizes(servers=servers, rooms=rooms, closed=1000)
    click.echo(f"{'what':24} {'commits':>8} {'without ms':>11} {'during ms':>10} {'ratio':>6}")
    for what, done, without, during in measure(sizes, rooms, commits, renewals):
        click.echo(f"{what:24} {done:8,} {without:11.3f} {during:10.3f} {during / without:6.2f}")


if __name__ == "__main__":
    main()
