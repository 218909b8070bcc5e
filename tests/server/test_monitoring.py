"""What programs that watch a server are answered: metrics for Prometheus, and health."""

from __future__ import annotations

import math
import re
import signal
import ssl
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock

from heat_core.refusal import RefusalCode
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.messages import Create, Join, Say, Watch
from heat_server.config import ServerConfig
from heat_server.metrics import BUCKET_SECONDS, Stopwatch
from heat_server.monitoring.exposition import PAGES_AT_ONCE, PAGES_PER_SECOND
from heat_server.monitoring.http import HttpServer
from heat_server.monitoring.serve import pages_of, serve_monitoring
from heat_server.net.certificate import Certificate
from heat_server.operator.status import status_of
from heat_server.store.contract import Store
from heat_server.store.errors import BadWrites, StoreFailed
from heat_server.store.no_store import NoStore
from heat_server.store.worker import FAILING_SECONDS, StoreWorker
from heat_server.store.writes import Write
from tests.e2e.test_server_tcp import port_of, program
from tests.patience import PATIENCE_SECONDS
from tests.server.scraping import QUESTION, address_in, ask, get, samples_of, scrape, values_of
from tests.server.support import QUICK, House, Player, server_on

# --- metrics ------------------------------------------------------------------------------------------


def test_a_histogram_counts_each_time_in_every_bucket_that_it_fits() -> None:
    stopwatch = Stopwatch()
    for seconds in (0.0, 0.0005, 0.0006, 0.3, 99.0):
        stopwatch.note(seconds)
    counts, total = stopwatch.histogram()
    assert dict(zip(BUCKET_SECONDS, counts[:-1], strict=True)) == {
        bound: sum(seconds <= bound for seconds in (0.0, 0.0005, 0.0006, 0.3)) for bound in BUCKET_SECONDS
    }
    assert counts[-1] == stopwatch.count == 5
    assert total == pytest.approx(99.3011)


@pytest.mark.trio
async def test_metrics_are_the_figures_of_the_status(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store, ServerConfig(bot_seconds=0, most_rooms=7, most_connections=12)) as house:
        ana, _ = await house.full_lobby(["ana", "ben"])
        await house.full_lobby(["cy"])
        await ana.start()
        assert ana.room is not None
        dee = await house.player()
        await dee.ok(Watch(dee.id(), ana.room.code, "dee"))
        assert await ana.refused(Say(ana.id(), " ")) == "say/empty"
        text = await scrape(house)
        status, values = status_of(house.server), values_of(text)
    assert {phase: values[f"heat_server_rooms {phase}"] for phase in status.rooms} == status.rooms
    for name, value in {
        "seats": 3,
        "drivers": 3,
        "spectators": 1,
        "connections": 4,
        "sleeping_rooms": 0,
        "rooms_limit": 7,
        "connections_limit": 12,
        "ready": 1,
        "commands_total": status.commands,
        "answer_seconds_count": status.commands,
        "refused_total say/empty": 1,
        "commit_seconds_count": status.commits,
        "commit_seconds_bucket +Inf": status.commits,
        "commit_failures_total": 0,
    }.items():
        assert values[f"heat_server_{name}"] == value, name
    assert status.commits
    assert values["heat_server_commit_seconds_sum"] > 0
    assert values["process_resident_memory_bytes"] > 1_000_000
    assert f'heat_server_build_info{{engine="{status.engine}",version="{status.version}"}} 1.0' in text


@pytest.mark.trio
async def test_names_and_units_are_as_prometheus_wants_them(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        text = await scrape(house)
    families = list(text_string_to_metric_families(text))
    for family in families:
        assert family.documentation, family.name
        assert re.fullmatch(r"(heat_server|process|python)_[a-z_]+", family.name)
        if family.type == "histogram":
            assert family.name.endswith("_seconds")
    assert len({family.name for family in families}) == len(families)


@pytest.mark.trio
async def test_a_scrape_holds_nobody_up(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    """It takes half a millisecond of the thread that answers everybody; forty times that is allowed here."""
    house = House(nursery, ServerConfig(bot_seconds=0))
    for _ in range(10):
        await house.full_lobby(["ana", "ben"])
    respond, least = pages_of(house.server), math.inf
    for _ in range(5):
        began = time.thread_time()
        assert respond("/metrics") is not None
        least = min(least, time.thread_time() - began)
    assert least < 0.020


@pytest.mark.trio
async def test_a_server_that_saves_nothing_has_no_figures_of_commits(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    values = values_of(await scrape(House(nursery)))
    assert values["heat_server_ready"] == 1
    assert not [name for name in values if "commit" in name or "tls" in name]


@pytest.mark.trio
async def test_handshakes_are_counted_where_the_port_encrypts(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    house.server.certificate = Certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), "sha256", True)
    house.server.figures.handshakes = 3
    house.server.figures.handshakes_failed["tls/plain"] = 2
    values = values_of(await scrape(house))
    assert values["heat_server_tls_handshakes_total"] == 3
    assert values["heat_server_tls_handshakes_failed_total tls/plain"] == 2


MARK = "zebrafinch"
ADDRESS = "198.51.100.77"


async def _race_under_marked_names(house: House) -> Sequence[str]:
    """Have everything happen that has a name; give what no answer may show."""
    ana, ben, cy = [await house.player(peer=ADDRESS) for _ in range(3)]
    code = (await ana.ok(Create(ana.id(), f"{MARK} one", None, QUICK, f"{MARK}-password"))).code
    assert code is not None
    await ben.refused(Watch(ben.id(), code, f"{MARK} two"))
    await ben.refused(Watch(ben.id(), f"{MARK}-code"[:16], f"{MARK} two"))
    await ben.ok(Watch(ben.id(), code, f"{MARK} two", f"{MARK}-password"))
    await cy.ok(Join(cy.id(), code, f"{MARK} three", None, f"{MARK}-password"))
    await ana.say(f"{MARK} says hello")
    for player in (ana, cy):
        await player.seat(ready=True)
    await ana.start()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ana.race)
        nursery.start_soon(cy.race)
    garbage = house.connect(peer=ADDRESS)
    await garbage.stream.send_all(MARK.encode() * 50)
    await trio.testing.wait_all_tasks_blocked()
    return [MARK, code, ADDRESS, ana.token, ben.token, cy.token]


@pytest.mark.trio
async def test_no_name_code_address_or_token_is_in_any_answer(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store, ServerConfig(bot_seconds=0, messages_at_once=1_000_000)) as house:
        secrets = await _race_under_marked_names(house)
        text = await scrape(house)
        phases = status_of(house.server).rooms
    assert [secret for secret in secrets if secret.lower() in text.lower()] == []
    assert values_of(text)["heat_server_commands_total"] > 20
    allowed = {
        "phase": set(phases),
        "code": {*map(str, ErrorCode), *map(str, ByeCode), *map(str, RefusalCode), "proxy/header"},
        "le": {*map(str, BUCKET_SECONDS), "+Inf"},
    }
    labelled = [one for one in samples_of(text) if one.name.startswith("heat_server_") and one.labels]
    for one in labelled:
        if one.name != "heat_server_build_info":
            ((label, value),) = one.labels.items()
            assert value in allowed[label], one
    assert {"phase", "code", "le"} <= {label for one in labelled for label in one.labels}


# --- health -------------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_a_server_that_cannot_save_is_not_ready_until_it_can(
    store: Store, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, faults = store.write, [StoreFailed("the disk is full"), BadWrites("no such match")]

    def failing(writes: Sequence[Write]) -> None:
        if faults:
            raise faults.pop(0)
        write(writes)

    async with server_on(store) as house:
        server = HttpServer(pages_of(house.server))
        assert await ask(server, "/health/ready") == (200, "ready\n")
        (ana,) = await house.full_lobby(["ana"])
        monkeypatch.setattr(store, "write", failing)
        assert await ana.refused(Say(ana.id(), "hello")) == "server/not_saved"
        assert await ask(server, "/health/ready") == (503, "store\n")
        assert await ask(server, "/health/live") == (200, "live\n")
        with pytest.raises(BadWrites):  # this is no fault of the disk, and no proof that it is well again
            await house.server.worker.commit([])
        values = values_of(await scrape(house))
        assert (values["heat_server_ready"], values["heat_server_commit_failures_total"]) == (0, 1)
        await ana.say("hello")
        assert await ask(server, "/health/ready") == (200, "ready\n")


def test_a_failure_that_nothing_follows_is_forgotten_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(NoStore):
        def write(self, writes: Sequence[Write]) -> None:
            raise StoreFailed("the disk is full")

    times = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: times[-1])
    worker = StoreWorker(Full(), in_thread=False)
    states = [worker.is_writing]
    with pytest.raises(StoreFailed):
        worker._write([])
    for seconds in (0.0, FAILING_SECONDS - 1, FAILING_SECONDS):
        times.append(1000.0 + seconds)
        states.append(worker.is_writing)
    assert states == [True, False, False, True]


@pytest.mark.trio
async def test_a_server_that_is_being_stopped_is_not_ready_but_lives(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    await house.player()
    server = HttpServer(pages_of(house.server))
    nursery.start_soon(house.server.stop)
    await trio.testing.wait_all_tasks_blocked()
    assert await ask(server, "/health/ready") == (503, "stopping\n")
    assert await ask(server, "/health/live") == (200, "live\n")


# --- the whole ----------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_a_port_in_use_is_no_reason_not_to_serve(nursery: trio.Nursery) -> None:
    from heat_core.wire.address import Address

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    with trio.fail_after(60):
        await serve_monitoring(House(nursery).server, Address("127.0.0.1", port))
        await serve_monitoring(House(nursery).server, Address("x" * 100, 0))
    await listener.aclose()


@pytest.mark.trio
@pytest.mark.spec("FLEET-5.1")
async def test_a_server_shows_metrics_and_health_on_an_address_of_their_own_and_nobodys_name(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    options = ("--log-format", "json", "--log-file", str(log))
    with trio.fail_after(60), program("--port", "0", "--metrics", "0", *options) as process:
        port, address = port_of(process), await address_in(log)
        assert re.fullmatch(r"127\.0\.0\.1:[0-9]+", address)
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            player = Player(stream)
            await player.hello()
            code = await player.create(MARK, QUICK)

            async def read(path: str) -> str:
                return await trio.to_thread.run_sync(get, address, path)

            text = await read("/metrics")
            assert values_of(text)["heat_server_rooms lobby"] == 1
            assert [one for one in (MARK, code, player.token, "127.0.0.1") if one in text] == []
            assert (await read("/health/live"), await read("/health/ready")) == ("live\n", "ready\n")
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(QUESTION % b"/metrics")
            assert b"heat_server_" not in await stream.receive_some(), "the game port shows none of it"
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0


@pytest.mark.trio
async def test_metrics_are_written_a_few_times_a_second_however_many_ask(autojump_clock: MockClock) -> None:
    async with server_on(NoStore()) as house:
        page = pages_of(house.server)

        def connections() -> float:
            answer = page("/metrics")
            assert answer is not None
            return values_of(answer.body.decode())["heat_server_connections"]

        assert [connections() for _ in range(2 * PAGES_AT_ONCE)] == [0] * 2 * PAGES_AT_ONCE
        await house.player()
        assert connections() == 0, "the page of a moment before"
        await trio.sleep(1 / PAGES_PER_SECOND)
        assert connections() == 1
