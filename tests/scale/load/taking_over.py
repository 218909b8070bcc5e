"""A server dies or stops with its rooms: how long others and their players take, and what it costs."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from tests.load.server import Running
from tests.scale.load.comers import Comer, seated
from tests.scale.load.database import Database, opened
from tests.scale.load.fleet import fleet
from tests.scale.load.resting import leave_races
from tests.server.postgres import Cluster

End: TypeAlias = Literal["killed", "stopped"]

_SIGNALS: Final = {"killed": signal.SIGKILL, "stopped": signal.SIGTERM}
_LOOK_SECONDS: Final = 0.05
_PATIENCE_SECONDS: Final = 120.0
STEADY_SECONDS: Final = 5.0
"""Two renewals or more: all servers know each other, and the start of the races is over."""


class TakeOver(msgspec.Struct, frozen=True):
    """What ends.

    Attributes:
        servers: On one database; the first of them ends.
        rooms: All of the first one.
        seats: Clients in each; 0: the rooms sleep.
        end: How it ends.
        pause_seconds: How long a driver thinks.
    """

    servers: int
    rooms: int
    seats: int
    end: End
    pause_seconds: float = 10.0


class TakenOver(msgspec.Struct, frozen=True):
    """What became of it. Seconds count from the signal; processor time is until all was as before.

    Attributes:
        what: What ended.
        owned_seconds: Until a living server owned each room.
        owned_server_seconds: Processor time of the others until then.
        owned_database_seconds: That of the database.
        back_median_seconds: Until half of the drivers had their room again; 0 where all sleep.
        back_seconds: Until all of them had.
        raced_seconds: Until somebody had acted in each room.
        server_seconds: Processor time of the others until then.
        database_seconds: That of the database.
        clients_seconds: That of the clients.
        commands: Acts that were answered in that time.
        hellos: How often the drivers knocked, in all.
        shares: How many rooms each of the others has at the end.
        load: Of the machine, as of its last minute.
    """

    what: TakeOver
    owned_seconds: float
    owned_server_seconds: float
    owned_database_seconds: float
    back_median_seconds: float
    back_seconds: float
    raced_seconds: float
    server_seconds: float
    database_seconds: float
    clients_seconds: float
    commands: int
    hellos: int
    shares: list[int]
    load: float


def take_over(what: TakeOver, cluster: Cluster, steady_seconds: float = STEADY_SECONDS) -> TakenOver:
    """End a server, and wait until all is as before.

    Args:
        what: Which one.
        cluster: Where the database is made.
        steady_seconds: How long all race before.

    Raises:
        TimeoutError: It did not become so.
    """
    with opened(cluster) as database, fleet(database.url, what.servers, "--sleep", "1") as servers:
        running = [server.running for server in servers]

        async def measure() -> TakenOver:
            if not what.seats:
                await leave_races(servers[0], what.rooms)
                await asyncio.to_thread(servers[0].wait_for_sleeping, what.rooms)
            ports = [one.port for one in running]
            rooms = await seated(what.rooms, what.seats, ports, what.pause_seconds) if what.seats else []
            await asyncio.sleep(steady_seconds)
            try:
                return await _Watch(what, running, database, rooms).watch()
            finally:
                await asyncio.gather(*(comer.end() for comers in rooms for comer in comers))

        return asyncio.run(measure())


class _Work(NamedTuple):
    """Processor seconds so far."""

    servers: float
    database: float
    clients: float


class _Watch:
    """Looks again and again until all is as before."""

    def __init__(
        self, what: TakeOver, running: list[Running], database: Database, rooms: list[list[Comer]]
    ) -> None:
        self._what = what
        self._dying, *self._others = running
        self._database = database
        self._rooms = rooms
        self._comers = [comer for comers in rooms for comer in comers]
        self._back_after: list[float] = []

    def _work(self) -> _Work:
        done = self._database.counters()
        return _Work(
            sum(one.cpu_seconds() for one in self._others),
            done.backends_seconds + done.others_seconds,
            time.process_time(),
        )

    async def watch(self) -> TakenOver:
        """End the server, and look."""
        before, load = self._work(), os.getloadavg()[0]
        answered = [_answered(comers) for comers in self._rooms]
        self._dying.process.send_signal(_SIGNALS[self._what.end])
        began = time.monotonic()
        owned_after: float | None = None
        raced_after: dict[int, float] = {}
        at_owned, shares = before, dict[str, int]()
        while owned_after is None or len(raced_after) < len(self._rooms) or not self._all_back(began):
            now = time.monotonic() - began
            if now > _PATIENCE_SECONDS:
                raise TimeoutError(f"{self._what}: owned after {owned_after}, raced {len(raced_after)} rooms")
            if owned_after is None:
                shares = self._database.owners(but=f":{self._dying.port}")
                if sum(shares.values()) >= self._what.rooms:
                    owned_after, at_owned = now, self._work()
            for number, comers in enumerate(self._rooms):
                if number not in raced_after and _answered(comers) > answered[number]:
                    raced_after[number] = now
            await asyncio.sleep(_LOOK_SECONDS)
        after = self._work()
        back = sorted(comer.back_at - began for comer in self._comers) or [0.0]
        return TakenOver(
            self._what,
            owned_after,
            at_owned.servers - before.servers,
            at_owned.database - before.database,
            back[len(back) // 2],
            back[-1],
            max(raced_after.values(), default=0.0),
            after.servers - before.servers,
            after.database - before.database,
            after.clients - before.clients,
            sum(map(_answered, self._rooms)) - sum(answered),
            sum(comer.tries for comer in self._comers),
            sorted(shares.values()),
            load,
        )

    def _all_back(self, since: float) -> bool:
        return all(comer.back_at > since for comer in self._comers)


def _answered(comers: list[Comer]) -> int:
    return sum(len(comer.counts.answers) for comer in comers)
