"""The figures of a server in the form that Prometheus scrapes.

Theory of operation. Nothing is counted here: a scrape looks at the server as `heat-server status` does, and
writes what it sees by Prometheus' own library. Labels take their values from fixed lists (phases of rooms,
codes of the protocol), so that no code of a room, name, address or token can be in an answer. Writing takes
some of the time that players wait for, so however many ask, the page is not written anew more than some times
a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import trio
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from heat_core.wire.operator import Status
from heat_server.config import ServerConfig
from heat_server.metrics import BUCKET_SECONDS, Figures, Histogram
from heat_server.monitoring.health import why_not_ready
from heat_server.net.token_bucket import TokenBucket
from heat_server.operator.status import status_of
from heat_server.room.room_exit import RoomExit
from heat_server.store.worker import StoreWorker

if TYPE_CHECKING:
    from heat_server.server import Server

PREFIX: Final = "heat_server"
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

PAGES_AT_ONCE: Final = 20
PAGES_PER_SECOND: Final = 5.0


class Exposition:
    """Writes the figures of one server, and those that the library has of its process."""

    def __init__(self, server: Server) -> None:
        """Collect nothing yet."""
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(ServerCollector(server))
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self._allowance = TokenBucket(PAGES_AT_ONCE, PAGES_PER_SECOND, trio.current_time())
        self._page = b""

    def written(self) -> bytes:
        """Write all of them, as `CONTENT_TYPE` says; while many ask, give those of a moment before."""
        if self._allowance.take(trio.current_time()):
            self._page = generate_latest(self._registry)
        return self._page


class ServerCollector(Collector):
    """Gives the figures of a server to Prometheus' library."""

    def __init__(self, server: Server) -> None:
        """Look at a server when asked."""
        self._server = server

    def collect(self) -> Iterator[Metric]:
        """Look at the server now."""
        status = status_of(self._server)
        build = {"version": status.version, "engine": status.engine}
        yield InfoMetricFamily(f"{PREFIX}_build", "Version, and how the engine runs.", build)
        yield _gauge("ready", "Whether the server takes players: 1, or 0.", not why_not_ready(self._server))
        yield from _population(status, self._server.config)
        yield from _traffic(status, self._server.figures)
        if self._server.worker.saves:
            yield from _commits(self._server.worker)
        if self._server.worker.is_shared:
            yield from _fleet(self._server, status.draining)


def _population(status: Status, config: ServerConfig) -> Iterator[Metric]:
    yield _labelled(GaugeMetricFamily, "rooms", "Rooms awake, by phase.", "phase", status.rooms)
    yield _gauge("rooms_limit", "The most rooms at a time.", config.most_rooms)
    yield _gauge("sleeping_rooms", "Rooms that are on disk only.", status.sleeping)
    yield _gauge("seats", "Seats taken in rooms awake.", status.seats)
    yield _gauge("drivers", "Drivers who are connected.", status.drivers)
    yield _gauge("spectators", "Spectators who are connected.", status.spectators)
    yield _gauge("connections", "Open connections.", status.connections)
    yield _gauge("connections_limit", "The most connections at a time.", config.most_connections)


def _traffic(status: Status, figures: Figures) -> Iterator[Metric]:
    yield _counter("commands", "Commands that clients sent, pings apart.", status.commands)
    yield _histogram("answer", "From reading a command to sending its answer.", figures.answer_histogram())
    for name, text, counts in (
        ("refused", "Requests answered with an error, and connections turned away.", status.refused),
        ("dropped", "Connections closed for silence, slowness or wrong messages.", status.dropped),
        ("malformed", "Frames, messages and headers that could not be read.", status.malformed),
    ):
        yield _labelled(CounterMetricFamily, name, text, "code", counts)
    if status.certificate:
        yield _counter("tls_handshakes", "TLS handshakes completed.", status.handshakes)
        text, failed = "TLS handshakes that failed, by reason.", status.handshakes_failed
        yield _labelled(CounterMetricFamily, "tls_handshakes_failed", text, "code", failed)


def _commits(worker: StoreWorker) -> Iterator[Metric]:
    yield _histogram("commit", "Transactions of the store, failed ones too.", worker.commit_histogram())
    yield _counter("commit_failures", "Commits that failed.", worker.figures.failures)


def _fleet(server: Server, is_draining: bool) -> Iterator[Metric]:
    """What a server knows of its fleet without asking the database for it."""
    figures, rooms, peers = server.figures, server.rooms, server.peers
    yield _gauge("draining", "Whether its rooms are to move to other servers: 1, or 0.", is_draining)
    age = trio.current_time() - figures.renewed_at
    yield _gauge("lease_age_seconds", "Time since the lease was renewed.", age)
    yield _counter("lease_failures", "Renewals of the lease that failed.", figures.renewals_failed)
    moves = {
        "taken_over": rooms.taken_over,
        "moved": rooms.exits[RoomExit.MOVED],
        "lost": rooms.exits[RoomExit.LOST],
    }
    text = "Rooms that came from other servers, were moved to them, or were taken by them."
    yield _labelled(CounterMetricFamily, "room_moves", text, "how", moves)
    draining = peers.draining + is_draining
    states = {"running": peers.others + 1 - draining, "draining": draining, "silent": peers.silent}
    yield _labelled(GaugeMetricFamily, "fleet_servers", "Servers as this one sees them.", "state", states)
    own = len(rooms) + len(rooms.sleeping)
    yield _gauge("fleet_rooms", "Open rooms of all servers that run.", own + peers.their_rooms)
    if not server.drain.heir():  # else it does not look
        text = "Open rooms that no running server owns."
        yield _gauge("fleet_rooms_without_owner", text, server.worker.unowned)


def _counter(name: str, text: str, count: int) -> CounterMetricFamily:
    return CounterMetricFamily(f"{PREFIX}_{name}", text, count)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", text, value)


def _labelled(
    kind: type[GaugeMetricFamily | CounterMetricFamily],
    name: str,
    text: str,
    label: str,
    counts: Mapping[str, int],
) -> Metric:
    family = kind(f"{PREFIX}_{name}", text, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family


def _histogram(name: str, text: str, times: Histogram) -> HistogramMetricFamily:
    bounds = [*(str(bound) for bound in BUCKET_SECONDS), "+Inf"]
    buckets = list(zip(bounds, map(float, times.counts), strict=True))
    return HistogramMetricFamily(f"{PREFIX}_{name}_seconds", text, buckets, times.total_seconds)
