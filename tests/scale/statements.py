"""`python -m tests.scale.statements`: what a server of a large fleet asks of the database, and the cost.

A database is filled as 50 servers with 100,000 open matches would have filled it. One more server joins and
does what each does every two seconds, or for each client that comes. The time of the database is that of its
process for the connection, so what the machine does besides hardly counts.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import psycopg

from heat_server.store.ownership import Claimed, ServerLoad
from heat_server.store.postgres import leases
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.query_batcher import MOST_TOGETHER
from heat_server.store.writes import AddEvents, SaveClocks, Write
from tests.scale.filling import Sizes, fill
from tests.server.postgres import Cluster, started

ADDRESS: Final = "one.example:7777"
BATCH: Final = 50
"""Rooms that share a commit."""

ROOMY: Final = ("shared_buffers=2GB", "max_wal_size=4GB", "work_mem=4MB", "max_parallel_workers_per_gather=0")


class Cost(NamedTuple):
    """What one statement costs, or a few that belong together.

    Attributes:
        what: In words.
        milliseconds: From asking to having the answer, median.
        database_ms: Processor time of the connection's process in the database, mean.
        server_ms: Processor time of the thread that asks, mean.
    """

    what: str
    milliseconds: float
    database_ms: float
    server_ms: float


class Bench:
    """One more server of a large fleet.

    Attributes:
        url: Of the database.
        store: Its store; it owns as many matches as each other server has.
        costs: What has been measured.
    """

    def __init__(self, cluster: Cluster, sizes: Sizes) -> None:
        """Fill a database and join its fleet."""
        self._sizes = sizes
        self.url = cluster.url(cluster.new_database())
        self._admin = psycopg.connect(self.url.text, autocommit=True)
        fill(self._admin, sizes)
        self.store = PostgresStore.open(self.url, lambda: 1_000)
        self.costs: list[Cost] = []
        self._pid = self._one(
            "SELECT pid FROM pg_stat_activity "
            "WHERE application_name LIKE 'heat-server %' AND datname = current_database()"
        )
        self._steps: dict[str, int] = {}
        bans = self.store.bans()
        assert bans is not None
        self._bans = bans.version

    def close(self) -> None:
        """Leave the fleet."""
        self.store.close()
        self._admin.close()

    def _one(self, question: str, *values: object) -> Any:
        row = self._admin.execute(question.encode(), values or None).fetchone()
        assert row is not None
        return row[0]

    def _database_seconds(self) -> float:
        return int(Path(f"/proc/{self._pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9

    def measure(self, what: str, ask: Callable[[], object], times: int) -> None:
        """Ask some times, and note what that costs."""
        ask()
        self._measure(what, ask, times)

    def _measure(self, what: str, ask: Callable[[], object], times: int) -> None:
        seconds = []
        database, server = self._database_seconds(), time.thread_time()
        for _ in range(times):
            began = time.perf_counter()
            ask()
            seconds.append(time.perf_counter() - began)
        database, server = self._database_seconds() - database, time.thread_time() - server
        milliseconds = [1000 * statistics.median(seconds), 1000 * database / times, 1000 * server / times]
        self.costs.append(Cost(what, *milliseconds))

    # --- what is asked ----------------------------------------------------------------------------------

    def load(self) -> ServerLoad:
        """Give what the server says of itself; it lists as much as the others."""
        return ServerLoad(ADDRESS, self._sizes.rooms, 4 * self._sizes.rooms, bytes(self._sizes.listed_bytes))

    def expire(self, server: int) -> None:
        """Let another server die: its lease is over."""
        self._admin.execute(
            "UPDATE heat.servers SET lease_until = now() - interval '1 ms' WHERE server = %s",
            (f"server-{server}",),
        )

    def renew_all(self) -> None:
        """Let all servers renew their leases, as far as their rows tell."""
        self._admin.execute(
            "UPDATE heat.servers SET renewed_at = now(), lease_until = now() + interval '1 day'"
        )

    def begin_to_claim(self) -> None:
        """Renew the lease, and wait until a server that has just been connected may claim rooms of dead ones.

        The lease then runs on for a day, however long the machine takes for what follows.
        """
        self.store.renew(self.load())
        self.renew_all()
        of_database = self._one(
            """
            SELECT extract(epoch FROM backend_start + make_interval(secs => %s) - now())
            FROM pg_stat_activity WHERE pid = %s
            """,
            leases.SETTLING_SECONDS + 0.1,
            self._pid,
        )
        of_server = self.store._leases._settled_at - time.monotonic()
        time.sleep(max(0.0, float(of_database), of_server))

    def claim_from(self, server: int) -> None:
        """Take rooms of a server that died."""
        self.expire(server)
        claimed: list[Claimed] = []
        self._measure("", lambda: claimed.extend(self.store.claim()), 1)
        assert claimed
        self.costs[-1] = self.costs[-1]._replace(what=f"claim {len(claimed):,} rooms of a dead server")

    def claim_one(self) -> None:
        """Take one room, as for a player who comes for it."""
        row = self._admin.execute(
            """
            SELECT matches.match FROM heat.matches JOIN heat.leases ON leases.match = number
            WHERE server = 'server-1' LIMIT 1
            """
        ).fetchone()
        assert row is not None
        self.store.claim_one(row[0])

    def batch(self) -> None:
        """Save a step of each of some rooms in one commit."""
        writes: list[Write] = []
        for match in list(self.store._leases._epochs)[:BATCH]:
            first = self._steps[match] = self._steps.get(match, 3) + 1
            writes += [AddEvents(match, 0, first, 1, bytes(100)), SaveClocks(match, bytes(100))]
        self.store.write(writes)

    def round(self) -> None:
        """Ask what each server asks every two seconds."""
        self.store.renew(self.load())
        self.store.peers()
        self.store.bans(self._bans)
        self.store.claim()

    def doubt(self) -> None:
        """Renew a lease that had run out, so that all epochs are compared."""
        self.store._leases._was_over = True
        self.store.renew(self.load())

    def run(self) -> None:
        """Measure all."""
        store, key = self.store, sha256(f"{self._sizes.closed + 7}-1".encode()).digest()
        own = f"{self._sizes.closed + 7:05x}"
        self.begin_to_claim()
        self.expire(1)
        self._measure("claim one room, with finding one", self.claim_one, 20)
        while len(self.store._leases._epochs) < self._sizes.rooms:
            self.claim_from(len(self.store._leases._epochs) % 3 + 1)
        self.renew_all()
        self.measure("renew the lease", lambda: store.renew(self.load()), 100)
        self.measure("is anything free? (nothing is)", store.claim, 20)
        self.measure("who are the others?", store.peers, 20)
        self.measure("all of a round: every two seconds", self.round, 100)
        self.measure("renew a lease that had run out", self.doubt, 5)
        self.measure("who owns a code?", lambda: store.owners_of_codes([own]), 100)
        self.measure("who owns a code that is free?", lambda: store.owners_of_codes(["QQQQQ"]), 100)
        self.measure("who owns a token's room?", lambda: store.owners_of_keys([key]), 20)
        unknown = [b"%d" % number for number in range(MOST_TOGETHER)]
        self.measure("who owns an unknown token's room?", lambda: store.owners_of_keys(unknown[:1]), 20)
        what = f"who owns the rooms of {MOST_TOGETHER} unknown tokens?"
        self.measure(what, lambda: store.owners_of_keys(unknown), 20)
        self.measure(f"commit of {BATCH} rooms' steps", self.batch, 50)
        self.measure("the fleet's status", store.fleet_status, 5)


@contextmanager
def bench(sizes: Sizes, *settings: str) -> Iterator[Bench]:
    """Start a database and fill it."""
    with started(*ROOMY, *settings) as cluster:
        made = Bench(cluster, sizes)
        try:
            yield made
        finally:
            made.close()


def table(costs: list[Cost], sizes: Sizes) -> str:
    """Write the costs for people."""
    lines = [
        f"{sizes.servers} servers, {sizes.open:,} open matches, {sizes.closed:,} closed",
        "",
        f"{'what':44} {'answer ms':>10} {'database ms':>12} {'server ms':>10}",
    ]
    for cost in costs:
        lines.append(
            f"{cost.what:44} {cost.milliseconds:10.2f} {cost.database_ms:12.2f} {cost.server_ms:10.2f}"
        )
    return "\n".join(lines)


@click.command()
@click.option("--servers", default=Sizes().servers)
@click.option("--rooms", default=Sizes().rooms, help="Open matches of each server.")
@click.option("--closed", default=Sizes().closed, help="Matches that are over.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the figures here too.")
def main(servers: int, rooms: int, closed: int, path: Path | None) -> None:
    """Measure what a server of a large fleet asks of the database."""
    sizes = Sizes(servers=servers, rooms=rooms, closed=closed)
    with bench(sizes) as measured:
        measured.run()
        click.echo(table(measured.costs, sizes))
        if path is not None:
            rows = [cost._asdict() for cost in measured.costs]
            path.write_text(json.dumps({"sizes": sizes._asdict(), "costs": rows}, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
