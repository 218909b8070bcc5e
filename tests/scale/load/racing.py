"""Scripted clients race at one or several servers: what a command costs servers, database and clients."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.load.client import Counts
from tests.load.swarm import WARM_UP_SECONDS, Swarm
from tests.scale.load.database import Counters, Database, Statement, opened
from tests.scale.load.disk import Disk, disk_of_database, disk_of_file
from tests.scale.load.fleet import Server, fleet
from tests.server.postgres import Cluster

_LONGEST_SECONDS: Final = 600.0
"""No swarm races for so long."""

_MEBIBYTE: Final = 2**20


class Crowd(msgspec.Struct, frozen=True):
    """Who races where.

    Attributes:
        servers: How many share a database; 0: one server with a file.
        rooms: In all, spread evenly.
        seats: Clients in each.
        per_second: Commands in all; None: each client acts as soon as it is asked.
    """

    servers: int
    rooms: int
    seats: int
    per_second: float | None


class Raced(msgspec.Struct, frozen=True):
    """What a crowd makes of servers and database. Times of the processor are in milliseconds a command.

    Attributes:
        crowd: Who raced.
        seconds: For how long it was measured.
        commands: Acts that were answered.
        per_second: The same in a second.
        server_ms: Of all servers together.
        backends_ms: Of the servers' backends in the database; 0 for a file.
        database_ms: Of all the database's processes.
        clients_ms: Of the clients.
        commits_per_second: Transactions that wrote; 0 for a file.
        commands_per_commit: How many commands shared one, the renewals of leases left out.
        transactions_per_second: Those that only read among them.
        wal_bytes_per_second: Into the database's log.
        wal_bytes_per_command: The same.
        wal_syncs_per_second: How often it waited for its disk.
        wal_sync_ms: How long, each time.
        median_ms: From an act to its answer.
        slow_ms: The 99th percentile of that.
        server_mebibytes: Of each server, at the end.
        kibibytes_a_room: What a server holds more at the end than before anybody came, by its rooms.
        backend_mebibytes: Of each server's backend, what it shares with no other process.
        disk: What is in the store.
        statements: What the database ran, if it counts that.
        load: Of the machine, as of its last minute.
        errors: By code.
    """

    crowd: Crowd
    seconds: float
    commands: int
    per_second: float
    server_ms: float
    backends_ms: float
    database_ms: float
    clients_ms: float
    commits_per_second: float
    commands_per_commit: float
    transactions_per_second: float
    wal_bytes_per_second: float
    wal_bytes_per_command: float
    wal_syncs_per_second: float
    wal_sync_ms: float
    median_ms: float
    slow_ms: float
    server_mebibytes: list[float]
    kibibytes_a_room: float
    backend_mebibytes: list[float]
    disk: Disk
    statements: list[Statement]
    load: float
    errors: dict[str, int]


_NOTHING: Final = Counters(0, 0, 0, 0, 0.0, 0.0, 0.0)


class _Sample(NamedTuple):
    """Everything that is counted, at one moment."""

    at: float
    commands: int
    servers_seconds: float
    clients_seconds: float
    database: Counters


def race(
    crowd: Crowd, seconds: float, cluster: Cluster, folder: Path, options: tuple[str, ...] = ()
) -> Raced:
    """Have a crowd race for a time.

    Args:
        crowd: Who races.
        seconds: How long it is measured, after a start that is not.
        cluster: Where the database is made, unless the crowd's one server has a file.
        folder: Of that file.
        options: More of those of the servers.
    """
    with ExitStack() as stack:
        database = stack.enter_context(opened(cluster)) if crowd.servers else None
        file = folder / f"store-{time.monotonic_ns()}.sqlite3"
        store = database.url if database is not None else file
        servers = stack.enter_context(fleet(store, max(1, crowd.servers), *options))
        return asyncio.run(_Measuring(crowd, servers, database, file).race(seconds))


class _Measuring:
    """One run."""

    def __init__(self, crowd: Crowd, servers: list[Server], database: Database | None, file: Path) -> None:
        self._crowd = crowd
        self._running = [server.running for server in servers]
        self._database = database
        self._file = file
        pace = None if crowd.per_second is None else crowd.per_second / len(servers)
        shares = [len(range(number, crowd.rooms, len(servers))) for number in range(len(servers))]
        self._swarms = [
            Swarm(running.port, rooms, crowd.seats, pace, seed)
            for seed, (running, rooms) in enumerate(zip(self._running, shares, strict=True), 1)
        ]

    @property
    def _counts(self) -> list[Counts]:
        return [swarm.counts for swarm in self._swarms]

    def _sample(self) -> _Sample:
        return _Sample(
            time.monotonic(),
            sum(len(counts.answers) for counts in self._counts),
            sum(running.cpu_seconds() for running in self._running),
            time.process_time(),
            self._database.counters() if self._database is not None else _NOTHING,
        )

    async def race(self, seconds: float) -> Raced:
        before = [running.memory_bytes() for running in self._running]
        for swarm in self._swarms:
            await swarm.sit_down()
        racing = [asyncio.create_task(swarm.race(_LONGEST_SECONDS, hang_up=False)) for swarm in self._swarms]
        await asyncio.sleep(WARM_UP_SECONDS)
        counts_statements = self._database is not None and self._database.forget_statements()
        firsts = [len(counts.answers) for counts in self._counts]
        began = self._sample()
        await asyncio.sleep(seconds)
        ended = self._sample()
        lasts = [len(counts.answers) for counts in self._counts]
        statements = self._database.statements() if self._database is not None and counts_statements else []
        answers: list[float] = []
        for counts, first, last in zip(self._counts, firsts, lasts, strict=True):
            answers += counts.answers[first:last]
        memory = [running.memory_bytes() for running in self._running]
        for task in racing:
            task.cancel()
        await asyncio.gather(*racing, return_exceptions=True)
        raced = self._raced(began, ended, sorted(answers) or [0.0])
        for swarm in self._swarms:
            swarm.hang_up()
        return msgspec.structs.replace(
            raced,
            server_mebibytes=[held / _MEBIBYTE for held in memory],
            kibibytes_a_room=(sum(memory) - sum(before)) / 1024 / self._crowd.rooms,
            statements=statements,
        )

    def _raced(self, began: _Sample, ended: _Sample, answers: list[float]) -> Raced:
        seconds, commands = ended.at - began.at, max(1, ended.commands - began.commands)
        done = ended.database.since(began.database)
        renewals = seconds / 2 * self._crowd.servers
        errors: dict[str, int] = {}
        for counts in self._counts:
            for code, times in counts.errors.items():
                errors[code] = errors.get(code, 0) + times
        return Raced(
            crowd=self._crowd,
            seconds=seconds,
            commands=commands,
            per_second=commands / seconds,
            server_ms=(ended.servers_seconds - began.servers_seconds) * 1000 / commands,
            backends_ms=done.backends_seconds * 1000 / commands,
            database_ms=(done.backends_seconds + done.others_seconds) * 1000 / commands,
            clients_ms=(ended.clients_seconds - began.clients_seconds) * 1000 / commands,
            commits_per_second=done.commits / seconds,
            commands_per_commit=commands / max(1.0, done.commits - renewals) if self._database else 0.0,
            transactions_per_second=done.transactions / seconds,
            wal_bytes_per_second=done.wal_bytes / seconds,
            wal_bytes_per_command=done.wal_bytes / commands,
            wal_syncs_per_second=done.wal_syncs / seconds,
            wal_sync_ms=done.wal_sync_seconds * 1000 / max(1, done.wal_syncs),
            median_ms=answers[len(answers) // 2] * 1000,
            slow_ms=answers[len(answers) * 99 // 100] * 1000,
            server_mebibytes=[],
            kibibytes_a_room=0.0,
            backend_mebibytes=[held / _MEBIBYTE for held in self._database.backend_bytes()]
            if self._database
            else [],
            disk=disk_of_database(self._database) if self._database else disk_of_file(self._file),
            statements=[],
            load=os.getloadavg()[0],
            errors=errors,
        )
