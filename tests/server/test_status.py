"""What a running server tells of itself, through a socket of its own."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from heat_core.version import program_version, shown_version
from heat_core.wire.messages import Watch
from heat_core.wire.operator import Status
from heat_server.metrics import MOST_TIMES, Figures
from heat_server.operator.socket import NoAnswer, serve_operator
from heat_server.operator.status import PHASE_WORDS, status_of, status_text
from tests.e2e.test_server_tcp import port_of, program
from tests.patience import PATIENCE_SECONDS
from tests.server.operators import ask_status, house_with_socket
from tests.server.support import House, Player


def test_the_rate_is_that_of_the_last_minute() -> None:
    figures = Figures(1000.0)
    for tick in range(30):
        figures.note_command(1000.0 + tick, 1000.5 + tick)
    assert figures.commands_per_second(1030.0) == pytest.approx(1.0)
    assert figures.commands_per_second(1060.0) == pytest.approx(0.5)
    assert figures.commands_per_second(1075.0) == pytest.approx(15 / 60)
    assert figures.commands_per_second(2000.0) == 0
    assert figures.commands == 30
    assert figures.uptime_seconds(2000.0) == 1000


def test_times_are_those_of_the_last_thousand() -> None:
    figures = Figures(0.0)
    assert figures.answer_times() == (0, 0)
    for number in range(5 * MOST_TIMES):
        figures.note_command(0.0, number % 100 / 1000)
    median, slow = figures.answer_times()
    assert median == pytest.approx(0.050)
    assert slow == pytest.approx(0.099)
    assert len(figures._answers._seconds) == MOST_TIMES
    assert len(figures._of_second) == 1


@pytest.mark.trio
async def test_a_status_counts_rooms_by_phase_seats_connections_and_commands(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    (cy,) = await house.full_lobby(["cy"])
    await ana.start()
    watcher = await house.player()
    assert ana.room is not None
    await watcher.ok(Watch(watcher.id(), ana.room.code, "dee"))
    await ben.hang_up()
    await cy.ping()
    status = status_of(house.server)
    assert status.rooms == {"lobby": 1, "racing": 1, "between": 0, "ended": 0}
    assert (status.seats, status.drivers, status.spectators, status.connections) == (3, 2, 1, 3)
    assert status.commands == 2 + 2 + 1 + 1  # two rooms made, one joined and ready, one start, one watched
    assert status.commits is None
    assert (status.version, f"{status.version}, engine {status.engine}") == (
        program_version(),
        shown_version(),
    )
    assert status.commands_per_second > 0
    assert 1_000_000 < status.memory_bytes < 10_000_000_000


def test_the_text_fits_80_columns_and_tells_every_figure() -> None:
    status = Status(
        version="0.1.0",
        engine="in plain Python",
        process=1234567,
        uptime_seconds=100 * 86_400 + 3_723.4,
        draining=True,
        rooms=dict.fromkeys(PHASE_WORDS, 999),
        sleeping=5000,
        seats=4321,
        drivers=4000,
        spectators=1234,
        connections=9876,
        commands=123_456_789,
        commands_per_second=2500.04,
        answer_median_ms=0.61,
        answer_slow_ms=5.5,
        store="/srv/" + "heat/" * 20 + "matches.sqlite3",
        store_trouble="the database is starting or shutting down",
        commits=999_999_999,
        commit_median_ms=0.234,
        commit_slow_ms=12.5,
        refused={"act/late": 1_000_000, "room/wrong_password": 99_999, "room/already_in_one": 10, "say/x": 1},
        dropped={},
        malformed={"wire/bad_messagepack": 12},
        certificate="A" * 22,
        handshakes=999_999_999,
        handshakes_failed={"tls/plain": 1_000_000, "tls/sslv3_alert_certificate_unknown": 99_999},
        memory_bytes=100 * 1024 * 1024,
    )
    text = status_text(status)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    for words in (
        "0.1.0, engine in plain Python, process 1234567, up 100 days 1:02:03",
        "3,996: 999 in lobby, 999 racing, 999 between races, 999 ended",
        "5,000 rooms on disk",
        "4,321 taken, 4,000 connected; 1,234 spectators",
        "9,876 connections",
        "999,999,999; median 0.23 ms, 99th percentile 12.50 ms",
        "2,500.0 a second in the last minute, 123,456,789 in total",
        "median 0.61 ms, 99th percentile 5.50 ms",
        "refused   1,100,010: 1,000,000 act/late, 99,999 room/wrong_password, ...",
        "dropped   0",
        "malformed 12: 12 wire/bad_messagepack",
        "tls       999,999,999 handshakes, fingerprint AAAAAAAAAAAAAAAAAAAAAA",
        "bad tls   1,099,999: 1,000,000 tls/plain, ...",
        "heat/heat/matches.sqlite3",
        "the store cannot be reached: the database is starting or shutting down",
        "drain     its rooms move to other servers: `heat-server drain` shows how far",
        "100.0 MiB",
    ):
        assert words in text


@pytest.mark.trio
async def test_the_socket_is_the_users_own_and_goes_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "status.sock"
    async with trio.open_nursery() as nursery:
        await house_with_socket(nursery, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        status = await trio.to_thread.run_sync(ask_status, path)
        assert status.rooms == dict.fromkeys(PHASE_WORDS, 0)
        nursery.cancel_scope.cancel()
    assert not path.exists()
    with pytest.raises(NoAnswer, match="no server is running"):
        ask_status(path)


@pytest.mark.trio
async def test_a_dead_servers_socket_is_replaced_a_living_ones_is_not(tmp_path: Path) -> None:
    path = tmp_path / "status.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    async with trio.open_nursery() as nursery:
        await house_with_socket(nursery, path)
        first = await trio.to_thread.run_sync(ask_status, path)
        with trio.fail_after(60):
            await serve_operator(House(nursery).server, path)  # gives up
        second = await trio.to_thread.run_sync(ask_status, path)
        assert first.uptime_seconds <= second.uptime_seconds
        nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_a_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "status.sock"
    path.write_text("mine")
    async with trio.open_nursery() as nursery:
        with trio.fail_after(60):
            await serve_operator(House(nursery).server, path)
        nursery.cancel_scope.cancel()
    assert path.read_text() == "mine"
    with pytest.raises(NoAnswer):
        ask_status(path)


@pytest.mark.trio
async def test_a_path_that_cannot_be_is_no_reason_not_to_serve(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        for path in (tmp_path / ("x" * 200), Path("/dev/null/status.sock")):
            with trio.fail_after(60):
                await serve_operator(House(nursery).server, path)
        nursery.cancel_scope.cancel()


def test_what_answers_but_is_no_server_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "other.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        with subprocess.Popen(
            [sys.executable, "-m", "heat_server", "status", "--socket", str(path)],
            stderr=subprocess.PIPE,
            text=True,
        ) as asking:
            connection, _ = other.accept()
            with connection:
                connection.sendall(b'{"version": 7}')
            _, errors = asking.communicate(timeout=PATIENCE_SECONDS)
    assert asking.returncode == 1
    assert errors == f"heat-server: {path}: the program that answers there is not a server of this version\n"


def ask(*words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "heat_server", *words], capture_output=True, text=True, timeout=30
    )
    return done.returncode, done.stdout, done.stderr


async def ask_for(*words: str) -> tuple[int, str, str]:
    return await trio.to_thread.run_sync(partial(ask, *words))


@pytest.mark.trio
async def test_the_command_asks_a_running_server_and_says_where_none_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "status.sock"
    file = tmp_path / "settings.toml"
    file.write_text('socket = "status.sock"\n')
    assert await ask_for("status", "--socket", str(path)) == (
        1,
        "",
        f"heat-server: no server is running: nothing answers at {path}\n",
    )
    assert (await ask_for("status"))[::2] == (
        2,
        "heat-server: --no-socket turns off the socket that this command needs; leave it out\n",
    )
    monkeypatch.delenv("HEAT_SERVER_NO_SOCKET")
    with trio.fail_after(60), program("--port", "0", "--config", str(file)) as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            await player.create()
            code, text, errors = await ask_for("--config", str(file), "status")
            assert (code, errors) == (0, "")
            assert "1: 1 in lobby, 0 racing" in text
            assert "1 taken, 1 connected; 0 spectators" in text
            assert "commits   none: nothing is saved" in text
            code, text, errors = await ask_for("status", "--json", "--socket", str(path))
            assert (code, errors) == (0, "")
            told = json.loads(text)
            assert (told["process"], told["connections"], told["rooms"]["lobby"]) == (process.pid, 1, 1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
    assert not path.exists()
