"""The server as a program that stands in a corner: peers that are none, full tables of files, signals."""

from __future__ import annotations

import json
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import trio

from heat_core.record.record import decode_record, verify_record
from heat_core.wire.messages import RoomOptions
from heat_server.operator.socket import NoAnswer
from tests.e2e.test_server_tcp import port_of, program, run
from tests.patience import PATIENCE_SECONDS
from tests.server.operators import ask_status
from tests.server.support import HungUp, Player

STRANGERS = (
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    bytes.fromhex("160301020001000001fc0303") + b"\x55" * 500,
    b"\xff\xfb\x1f\xff\xfb\x20\r\nhelp\r\n",
    bytes(range(200, 256)) * 9,
)


async def still_serves(port: int) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        player = Player(stream)
        await player.hello()
        await player.ping()


async def bring(port: int, data: bytes) -> None:
    """Say something that is no protocol, and read until the server hangs up."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        try:
            await stream.send_all(data)
            while await stream.receive_some(1000):
                pass
        except trio.BrokenResourceError:
            pass


@pytest.mark.trio
@pytest.mark.parametrize("per_address", [50, 1000])
async def test_two_hundred_strangers_leave_few_lines_and_no_traceback(per_address: int) -> None:
    options = ["--connections-per-address", str(per_address), "--hellos-per-minute", "1000"]
    with trio.fail_after(60), program("--port", "0", *options) as process:
        port = port_of(process)
        async with trio.open_nursery() as nursery:
            for number in range(200):
                nursery.start_soon(bring, port, STRANGERS[number % len(STRANGERS)])
        await still_serves(port)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert "Traceback" not in log
    closings = [line for line in log.splitlines() if "event='closing'" in line]
    assert len(closings) <= 120
    assert len(log.splitlines()) <= 130
    untold = sum(int(count) for count in re.findall(r"event='closing: more like this' count=(\d+)", log))
    assert 200 <= len(closings) + untold <= 202
    assert all("peer='127.0.0.1'" in line for line in closings)


@contextmanager
def program_after(prepare: Callable[[], object]) -> Iterator[subprocess.Popen[str]]:
    """Run the program in a process that is prepared first, as a shell does."""
    with subprocess.Popen(
        [sys.executable, "-m", "heat_server", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def program_with_few_files(most: int) -> AbstractContextManager[subprocess.Popen[str]]:
    return program_after(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))


LOSING_FILES = """
import resource, signal, sys
from heat_server.__main__ import main

def lower(number, frame):
    resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))
    print("fewer files", flush=True)

signal.signal(signal.SIGUSR1, lower)
sys.argv = ["heat-server", "--port", "0"]
main()
"""


@contextmanager
def program_that_loses_files(most: int) -> Iterator[subprocess.Popen[str]]:
    """Run the program; at SIGUSR1 it may open fewer files than it knew of at its start."""
    command = [sys.executable, "-c", LOSING_FILES.format(most=most)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.trio
async def test_a_server_without_files_left_says_so_shortly_and_serves_on() -> None:
    with trio.fail_after(60), program_that_loses_files(40) as process:
        port = port_of(process)
        assert process.stdout is not None
        while "fewer files" not in await trio.to_thread.run_sync(process.stdout.readline):
            process.send_signal(signal.SIGUSR1)
        with ExitStack() as crowd:
            for _ in range(45):
                crowd.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert process.stderr is not None
            while "cannot take a connection" not in await trio.to_thread.run_sync(process.stderr.readline):
                pass
        await still_serves(port)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert "Traceback" not in log
    assert len([line for line in log.splitlines() if "cannot take" in line]) < 6


@pytest.mark.trio
async def test_too_few_files_for_the_connections_wished_for_lower_their_limit() -> None:
    with trio.fail_after(60), program_with_few_files(256) as process:
        port = port_of(process)
        async with AsyncExitStack() as crowd:
            byes = []
            for number in range(195):
                source = f"127.0.0.{number // 40 + 2}"  # an address has a limit of its own
                stream = await trio.open_tcp_stream("127.0.0.1", port, local_address=source)
                await crowd.enter_async_context(stream)
                player = Player(stream)
                try:
                    await player.hello()
                except HungUp:
                    byes.append(player.bye.code if player.bye is not None else None)
            assert set(byes) == {"bye/server_full"}
            assert 3 <= len(byes) <= 3 + 192 // 20 + 1  # the last ones are kept for who has a seat
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    first = log.splitlines()[0]
    assert "event='too few open files allowed' connections_wanted=1000 connections=192" in first
    assert "cannot take a connection" not in log


@pytest.mark.trio
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_each_signal_stops_it_within_five_seconds_and_nobody_comes_in_any_more(
    number: signal.Signals,
) -> None:
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0") as process:
        port = port_of(process)
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            player = Player(stream)
            await player.hello()
            await player.create()
            began = time.monotonic()
            process.send_signal(number)
            with pytest.raises(HungUp):
                await player.wait_for(int)
            assert player.bye is not None
            assert player.bye.code == "bye/server_stops"
            with pytest.raises(OSError, match="all attempts"):
                await trio.open_tcp_stream("127.0.0.1", port)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
        assert time.monotonic() - began < 5
        assert process.returncode == 0
        assert "event='stopping' connections=1 rooms=1" in log


@pytest.mark.trio
async def test_a_second_signal_ends_it_at_once() -> None:
    """A peer that does not read what waits for it keeps a stopping server for its patience, not longer."""
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0", "--send-time", "60") as process:
        assert process.stderr is not None
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGCONT)
            while "event='stopping'" not in await trio.to_thread.run_sync(process.stderr.readline):
                pass
            began = time.monotonic()
            while process.poll() is None and time.monotonic() - began < 4:  # it would end by itself at 4.5
                process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.1)
            process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode in (0, -signal.SIGTERM)


@pytest.mark.trio
@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGHUP])
async def test_signals_that_come_together_are_one(first: signal.Signals) -> None:
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0") as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            process.send_signal(first)
            began = time.monotonic()
            while process.poll() is None and time.monotonic() - began < 0.7:  # to its very end
                for number in (signal.SIGTERM, signal.SIGHUP):
                    process.send_signal(number)
            with pytest.raises(HungUp):
                await player.wait_for(int)
            assert player.bye is not None
            assert player.bye.code == "bye/server_stops"
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert log.count("event='stopping'") == 1


@pytest.mark.trio
@pytest.mark.parametrize("ignored", [[signal.SIGHUP], [signal.SIGHUP, signal.SIGINT]])
async def test_signals_that_are_ignored_at_the_start_stay_ignored(ignored: list[signal.Signals]) -> None:
    """As `nohup` starts a program, and a script's `&` under it."""

    def ignore() -> None:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)

    with trio.fail_after(PATIENCE_SECONDS), program_after(ignore) as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            for number in ignored:
                process.send_signal(number)
            await player.ping()
            process.send_signal(signal.SIGTERM)
            with pytest.raises(HungUp):
                await player.wait_for(int)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert log.count("event='stopping'") == 1


def test_a_log_file_that_cannot_be_written_is_one_line() -> None:
    code, text = run("--port", "0", "--log-file", "/dev/null/log")
    assert (code, text) == (1, "heat-server: /dev/null/log: Not a directory\n")


def test_a_log_file_takes_the_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with program("--port", "0", "--log-file", str(path), "--log-format", "json") as process:
        port_of(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors == ""
    assert '"event": "stopping"' in path.read_text()


async def told(*words: str) -> str:
    """Ask the program something, and give its output."""
    command = [sys.executable, "-m", "heat_server", *words]
    done = await trio.run_process(command, capture_stdout=True)
    return done.stdout.decode()


@pytest.mark.trio
@pytest.mark.spec("OPS-2")
async def test_a_server_tells_its_figures_and_what_it_keeps_while_it_runs(tmp_path: Path) -> None:
    place, store = tmp_path / "status.sock", tmp_path / "matches.sqlite3"
    options = ["--socket", str(place), "--store", str(store), "--messages-at-once", "100000"]
    options += ["--bot-time", "0"]  # an answer that is forced would take its time
    with trio.fail_after(100), program("--port", "0", *options) as process:
        port = port_of(process)
        async with (
            await trio.open_tcp_stream("127.0.0.1", port) as at_ana,
            await trio.open_tcp_stream("127.0.0.1", port) as at_ben,
        ):
            ana, ben = Player(at_ana), Player(at_ben)
            for player in (ana, ben):
                await player.hello()
            code = await ana.create("ana", RoomOptions(laps=1, cars=2))
            await ben.join(code, "ben")
            await ben.seat(ready=True)
            await ana.start()
            async with trio.open_nursery() as racing:
                racing.start_soon(ana.race)
                racing.start_soon(ben.race)
            status = json.loads(await told("status", "--json", "--socket", str(place)))
            assert status["rooms"] == {"lobby": 0, "racing": 0, "between": 0, "ended": 1}
            assert (status["seats"], status["drivers"], status["connections"]) == (2, 2, 2)
            assert status["commands_per_second"] > 0
            assert status["commits"] > 10
            assert 0 < status["commit_median_ms"] <= status["commit_slow_ms"]
            (match,) = json.loads(await told("matches", "--json", "--store", str(store)))
            record = await told("export", match["match"], "--store", str(store))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
    assert len(verify_record(decode_record(record.encode())).standings) == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_server_started_with_its_output_closed_serves_and_stops(closed: str, tmp_path: Path) -> None:
    place, log = tmp_path / "status.sock", tmp_path / "log"
    command = [sys.executable, "-m", "heat_server", "--port", "0", "--socket", str(place)]
    if closed == ">&-":
        command += ["--log-file", str(log)]
    with subprocess.Popen(["sh", "-c", f'exec "$@" {closed}', "sh", *command]) as process:
        try:
            deadline = time.monotonic() + 30
            while process.poll() is None and time.monotonic() < deadline:
                try:
                    assert ask_status(place).process == process.pid
                    break
                except NoAnswer:
                    time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_SECONDS) == 0
        finally:
            process.kill()


def test_an_answer_nobody_can_read_is_no_traceback() -> None:
    command = [sys.executable, "-m", "heat_server", "--help"]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], stderr=subprocess.PIPE, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")
