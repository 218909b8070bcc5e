"""The real server over real sockets and in real time."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import msgpack  # type: ignore[import-untyped]
import pytest
import trio

from heat_core.wire.address import Address
from heat_core.wire.messages import PROTOCOL, ListTracks, RoomOptions, TrackList
from heat_server.__main__ import main
from heat_server.config import ServerConfig
from heat_server.serve import serve
from tests.patience import PATIENCE_SECONDS
from tests.server.support import HungUp, Player


@asynccontextmanager
async def server(config: ServerConfig) -> AsyncIterator[int]:
    """Run a server on a free port of this machine."""
    async with trio.open_nursery() as nursery:
        addresses = await nursery.start(serve, config)
        yield addresses[0][1]
        nursery.cancel_scope.cancel()


@pytest.mark.trio
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_six_seats_of_which_one_never_answers_race_to_the_end(address: str) -> None:
    with trio.fail_after(60):
        config = ServerConfig(port=0, messages_at_once=100_000, bot_seconds=0)
        async with AsyncExitStack() as sockets, server(config) as port:
            streams = [await trio.open_tcp_stream(address, port) for _ in range(6)]
            players = [Player(await sockets.enter_async_context(stream)) for stream in streams]
            for player in players:
                await player.hello()
            code = await players[0].create("ana", RoomOptions(laps=1, cars=6, turn_milliseconds=200))
            for player, name in zip(players[1:], ["ben", "cy", "dee", "eve", "fay"], strict=True):
                await player.join(code, name)
                await player.seat(ready=True)
            await players[0].start()
            async with trio.open_nursery() as playing:
                for player in players[:5]:
                    playing.start_soon(player.race)
                playing.start_soon(players[5].race, lambda _: None)
            assert len({player.view.standings for player in players}) == 1
            assert len(players[0].view.standings) == 6
            assert players[0].update is not None
            assert players[0].update.away == (5,)
            state = players[0].room
            assert state is not None
            host = f"[{address}]" if ":" in address else address
            assert state.invitation == f"heat-tui connect {host}:{port} {code}"


class ByHand:
    """A client of which no line is ours: four bytes of length, then MessagePack."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.arrived = bytearray()

    async def hear(self) -> dict[str, object]:
        while len(self.arrived) < 4 or len(self.arrived) < 4 + self.length:
            self.arrived.extend(await self.stream.receive_some())
        payload = bytes(self.arrived[4 : 4 + self.length])
        del self.arrived[: 4 + self.length]
        message = msgpack.unpackb(payload)
        assert isinstance(message, dict)
        return message

    @property
    def length(self) -> int:
        return int(struct.unpack(">I", self.arrived[:4])[0])

    async def ask(self, **fields: object) -> dict[str, object]:
        payload = msgpack.packb(fields)
        for byte in struct.pack(">I", len(payload)) + payload:  # however the bytes come
            await self.stream.send_all(bytes([byte]))
        while (message := await self.hear()).get("re") != fields["id"]:
            pass
        return message


@pytest.mark.trio
@pytest.mark.spec("NET-1")
async def test_what_the_document_says_is_enough_to_speak_with_a_server() -> None:
    """That it has every message, and that both ends share one codec: tests.wire, import contracts."""
    with trio.fail_after(PATIENCE_SECONDS):
        async with server(ServerConfig(port=0)) as port:
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                newer = ByHand(stream)
                error = await newer.ask(type="hello", id=0, protocol=PROTOCOL + 1)
                assert (error["type"], error["code"]) == ("error", "hello/other_version")
                assert f"version {PROTOCOL} of the protocol" in str(error["text"])
                assert (await newer.hear())["type"] == "bye"
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                client = ByHand(stream)
                welcome = await client.ask(type="hello", id=0, protocol=PROTOCOL)
                assert (welcome["type"], welcome["protocol"]) == ("welcome", PROTOCOL)
                made = await client.ask(type="create", id=1, name="ana")
                assert (made["type"], made["place"]) == ("ok", 0)
                room = await client.hear()
                assert (room["type"], room["code"], room["phase"]) == ("room", made["code"], "lobby")


@contextmanager
def program(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "heat_server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("listening on 0.0.0.0 port "), line
    return int(line.split()[-1])


def rest_of(process: subprocess.Popen[str]) -> str:
    """Read what is left of a program that ends; `communicate` would miss what came with the line before."""
    assert process.stdout is not None
    return process.stdout.read()


@pytest.mark.trio
@pytest.mark.parametrize("announce", ["my.place", "heat://my.place", "my.place:80"])
@pytest.mark.parametrize("options", [("--announce",), ("--announce", "one.place:7701", "--invite")])
async def test_friends_type_what_is_announced_with_the_servers_port(
    announce: str, options: tuple[str, ...]
) -> None:
    """Behind a balancer that is another address than the one by which other servers send players."""
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0", *options, announce) as process:
        port = port_of(process)
        typed = announce.removeprefix("heat://") if announce.endswith(":80") else f"my.place:{port}"
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            player = Player(stream)
            await player.hello()
            code = await player.create("ana")
            state = player.room
        assert state is not None
        assert state.invitation == f"heat-tui connect {typed} {code}"
        process.send_signal(signal.SIGTERM)
        output = rest_of(process)
    assert f"friends type: heat-tui connect {typed}\n" in output


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_for_this_machine_alone_promises_nothing_to_friends(host: str) -> None:
    with program("--host", host, "--port", "0", "--no-lan") as process:
        assert process.stdout is not None
        port = process.stdout.readline().split()[-1]
        line = process.stdout.readline()
        assert line.startswith(
            f"on this machine: heat-tui connect {Address(host, int(port))}; other machines cannot"
        )
        assert "friends" not in line


@pytest.mark.trio
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_says_bye_and_exits_0(number: signal.Signals) -> None:
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0") as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            process.send_signal(number)
            with pytest.raises(HungUp):
                await player.wait_for(int)  # reads on to the end
        assert player.bye is not None
        assert player.bye.code == "bye/server_stops"
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
        assert "Traceback" not in errors


@pytest.mark.trio
@pytest.mark.parametrize("by", ["option", "HEAT_SERVER_TRACKS", "XDG_DATA_HOME"])
async def test_tracks_come_from_the_named_folder_or_the_servers_own(
    by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "heat-server" / "tracks"
    folder.mkdir(parents=True)
    (folder / "mine.json").write_bytes((Path(__file__).parents[2] / "examples" / "oval.json").read_bytes())
    (folder / "\x1bbroken.json").write_text("{}")
    os.mkfifo(folder / "pipe.json")
    if by != "option":
        monkeypatch.setenv(by, str(tmp_path if by == "XDG_DATA_HOME" else folder))
    options = ["--tracks", str(folder)] if by == "option" else []
    with trio.fail_after(PATIENCE_SECONDS), program("--port", "0", *options) as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            listed = await player.answer(ListTracks(player.id()))
        assert isinstance(listed, TrackList)
        assert [track.id for track in listed.tracks][8:] == ["oval"]
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
    refused = [line for line in log.splitlines() if "track refused" in line]
    assert len(refused) == 2
    assert "\x1b" not in log


def run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "heat_server", *arguments], capture_output=True, text=True, timeout=30
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
@pytest.mark.parametrize("named", [False, True])
def test_a_port_in_use_is_one_line_and_exit_1(family: socket.AddressFamily, named: bool) -> None:
    with socket.socket(family) as holder:
        if family == socket.AF_INET6:
            holder.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        holder.bind(("", 0))
        holder.listen()
        port = holder.getsockname()[1]
        host = "::" if family == socket.AF_INET6 else "0.0.0.0"
        code, text = run("--port", str(port), *(["--host", host] if named else []))
    assert code == 1
    (line,) = text.splitlines()
    assert line.startswith(f"heat-server: port {port} ")
    assert "in use" in line


def test_a_second_server_on_a_store_is_one_line_and_exit_1(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    with program("--port", "0", "--store", str(store), "--no-socket") as first:
        port_of(first)
        code, text = run("--port", "0", "--store", str(store), "--no-socket")
        assert first.poll() is None, "the first one is none the worse for it"
    assert code == 1
    assert text == f"heat-server: {store}: another server uses this file; choose another with --store\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "70000"],
        ["--port", "abc"],
        ["--port", "-1"],
        ["--turn-time", "0"],
        ["--tracks", "no-such-folder"],
        ["--tracks", __file__],
        ["--nonsense"],
        ["more"],
    ],
)
def test_wrong_use_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Within this process; that the shell is given line and code, test_programs proves."""
    monkeypatch.setattr(sys, "argv", ["heat-server", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("heat-server: ")


def test_a_host_without_an_address_is_one_line() -> None:
    code, text = run("--host", "no such host.invalid")
    assert (code, text.count("\n")) == (1, 1)
    assert text.startswith("heat-server: ")
