"""The log: bounded, without secrets, and it may be lost where the races may not."""

from __future__ import annotations

import io
import json
import logging
import os
import stat
from pathlib import Path
from typing import Literal

import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.wire.codes import ByeCode, ErrorCode
from heat_server import log as log_module
from heat_server.config import ServerConfig
from heat_server.log import SOURCE_AT_ONCE, LogLimiter, kind_of_fault, log_suppressed, open_log
from tests.server.support import House


class _Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_log_that_cannot_be_written_is_lost_without_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", _Full())
    with open_log(ServerConfig()):
        structlog.get_logger().info("connected", connection=1)


def test_a_folder_of_the_log_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_log(ServerConfig(log_file=tmp_path / "no" / "log")):
        pass


def passes(limiter: LogLimiter, **values: object) -> bool:
    try:
        limiter(None, "info", {"event": "knock", **values})
    except structlog.DropEvent:
        return False
    return True


def test_a_connection_and_all_together_say_so_much_and_the_rest_is_counted() -> None:
    now = [0.0]
    limiter = LogLimiter(lambda: now[0])
    assert sum(passes(limiter, connection=1) for _ in range(50)) == SOURCE_AT_ONCE
    assert passes(limiter, connection=2)
    assert sum(passes(limiter, connection=number) for number in range(10, 1010)) == 100 - SOURCE_AT_ONCE - 1
    assert limiter.take_suppressed() == {"knock": 45 + 906}
    assert limiter.take_suppressed() == {}
    now[0] = 10.0
    assert sum(passes(limiter, connection=number) for number in range(2000, 2100)) == 20
    assert len(limiter._of_source) <= log_module.MOST_REMEMBERED


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_what_was_held_back_is_told_in_a_line_of_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path)):
        for _ in range(SOURCE_AT_ONCE + 312):
            structlog.get_logger().info("bad message", connection=1)
        log_suppressed()
        log_suppressed()
    written = lines(path)
    assert len(written) == SOURCE_AT_ONCE + 1
    assert "event='bad message: more like this' count=312" in written[-1]


def test_a_line_is_a_json_object_where_that_is_wished(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path, log_format="json", log_level="warning")):
        structlog.get_logger().info("joined")
        structlog.get_logger().warning("joined", name='\x1b[31m"ana"\n')
    (line,) = lines(path)
    assert line.isascii()
    told = json.loads(line)
    assert (told["event"], told["level"], told["name"]) == ("joined", "warning", '\x1b[31m"ana"\n')


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_code_stands_in_the_log_as_its_text(tmp_path: Path, log_format: Literal["text", "json"]) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path, log_format=log_format)):
        structlog.get_logger().info("bad message", code=ErrorCode.BAD_MESSAGE, reason=ByeCode.IDLE)
    (line,) = lines(path)
    assert "'wire/bad_message'" in line.replace('"', "'")
    assert "'bye/idle'" in line.replace('"', "'")
    assert "Code" not in line


def test_a_log_file_is_for_its_owner_alone_and_so_is_the_one_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_module, "MOST_FILE_BYTES", 1000)
    before = os.umask(0)
    try:
        with open_log(ServerConfig(log_file=tmp_path / "log")):
            for number in range(40):
                structlog.get_logger().info("room created", room=number)
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {"log": 0o600, "log.1": 0o600}


def test_a_log_file_does_not_grow_without_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "MOST_FILE_BYTES", 1000)
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path)):
        for number in range(80):
            structlog.get_logger().info("room created", room=number)
    assert {file.name for file in tmp_path.iterdir()} == {"log", "log.1"}
    assert all(0 < file.stat().st_size <= 1000 for file in tmp_path.iterdir())
    assert "room=79" in lines(path)[-1]


def test_what_a_library_logs_is_a_line_without_traceback(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path)):
        try:
            raise OSError(24, "Too many open files", "secret")
        except OSError:
            for _ in range(100):
                logging.getLogger("trio.serve_listeners").exception("accept returned %s", "secret")
    written = lines(path)
    assert len(written) == SOURCE_AT_ONCE + 1
    assert "cannot take a connection" in written[0]
    assert "Too many open files" in written[0]
    assert "secret" not in written[0]


def test_a_fault_is_named_without_its_text() -> None:
    assert kind_of_fault(KeyError("token")) == "KeyError"


@pytest.mark.trio
async def test_a_race_leaves_no_secret_in_the_log(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_module, "AT_ONCE", 1_000_000)
    monkeypatch.setattr(log_module, "SOURCE_AT_ONCE", 1_000_000)
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path, log_level="debug")):
        house = House(nursery)
        ana, ben = await house.full_lobby(["ana'[/]\"", "ben"])
        await ana.start()
        (room,) = house.server.rooms.values()
        assert room.state.race is not None
        seed = room.state.race.table.setup.seed
        await ana.stream.send_all(b"\0\0\0\x04ben!")
        async with trio.open_nursery() as playing:
            playing.start_soon(ana.race)
            playing.start_soon(ben.race)
    text = path.read_text(encoding="utf-8")
    assert "race ended" in text
    for secret in (str(seed), ana.token, ben.token, "ben!", "hand", "cards"):
        assert secret not in text
    assert repr("ana'[/]\"") in text
    assert all(line.startswith("timestamp='") for line in text.splitlines())


@pytest.mark.trio
@pytest.mark.parametrize("sent", [b"", b"\0\0"])
async def test_who_hangs_up_before_hello_is_not_said_to_have_been_silent(
    sent: bytes, tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_file=path)):
        player = House(nursery).connect()
        if sent:
            await player.stream.send_all(sent)
        await player.hang_up()
        await trio.sleep(60)
    text = path.read_text(encoding="utf-8")
    assert text.count("event='hung up before hello' connection=1") == 1
    assert "no_hello" not in text
    assert "closing" not in text
