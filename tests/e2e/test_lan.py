"""Servers announce themselves and clients list them. Here on the loopback interface only."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
import structlog
import trio
from textual.widgets import Input, OptionList
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from heat_core.version import program_version
from heat_core.wire.address import Address
from heat_core.wire.lan import SERVICE_TYPE, Doors
from heat_core.wire.messages import PROTOCOL
from heat_server.config import ServerConfig
from heat_server.discovery import Announcement, announce
from heat_server.net.certificate import certificate_of
from heat_tui.app import HeatApp
from heat_tui.nearby import NearbyServer, NoNetwork, _read, watch_nearby
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.server_list import ServerOption
from tests.patience import PATIENCE_SECONDS
from tests.server.support import House
from tests.tui.support_app import SMALL, folders_in, shown, until

LOOP = ("127.0.0.1",)
NOWHERE = "203.0.113.9"


forgets_a_socket = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""The library leaves a socket open where an interface is not there."""


class Watch:
    """What a client lists."""

    def __init__(self) -> None:
        self.servers: Sequence[NearbyServer] = ()

    def change(self, servers: Sequence[NearbyServer]) -> None:
        self.servers = servers

    def at(self, port: int) -> NearbyServer | None:
        return next((server for server in self.servers if server.address.port == port), None)


@asynccontextmanager
async def watching() -> AsyncIterator[Watch]:
    watch = Watch()
    task = asyncio.create_task(watch_nearby(watch.change, LOOP))
    try:
        yield watch
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@contextmanager
def announced_server(*options: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Run the program with the announcement on, at the loopback interface."""
    command = [sys.executable, "-m", "heat_server", "--host", "127.0.0.1", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"port (\d+)", process.stdout.readline())
            assert found
            yield int(found[1]), process
        finally:
            process.kill()


@pytest.mark.asyncio
async def test_a_server_is_listed_while_it_runs_and_gone_when_it_stops() -> None:
    async with watching() as watch:
        with announced_server("--lan") as (port, process):
            await until(lambda: watch.at(port), 20)
            server = watch.at(port)
            assert server is not None
            assert server.address == Address("127.0.0.1", port)
            assert (server.rooms, server.version, server.is_speaking_ours) == (0, program_version(), True)
            process.send_signal(signal.SIGTERM)
            await until(lambda: watch.at(port) is None, 20)
            assert await asyncio.to_thread(process.wait, 10) == 0


def open_sockets() -> int:
    sockets = (one for one in gc.get_objects() if isinstance(one, socket.socket))
    return sum(one.type == socket.SOCK_DGRAM and one.fileno() >= 0 for one in sockets)


@pytest.mark.asyncio
@pytest.mark.parametrize("turns", [0, 1, 2, 50])
async def test_who_is_stopped_while_it_stops_leaves_no_socket_open(turns: int) -> None:
    """A screen that closes stops the watch; the program that ends right then stops it once more.

    Args:
        turns: So many turns of the event loop after the library has begun.
    """
    before = open_sockets()
    task = asyncio.create_task(watch_nearby(lambda servers: None, LOOP))
    for _ in range(1_000_000):  # turns: the library is imported in a thread of its own
        if open_sockets() > before:
            break
        await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert open_sockets() == before


@pytest.mark.asyncio
async def test_a_server_that_is_to_be_quiet_is_not_listed() -> None:
    async with watching() as watch:
        with announced_server("--no-lan") as (quiet, process), announced_server("--lan") as (loud, _):
            await until(lambda: watch.at(loud), 20)
            assert watch.at(quiet) is None
            process.send_signal(signal.SIGTERM)
            _, log = await asyncio.to_thread(process.communicate, timeout=PATIENCE_SECONDS)
            assert "network" not in log


@pytest.mark.asyncio
async def test_the_number_of_rooms_and_the_doors_are_told_when_they_change(tmp_path: Path) -> None:
    certificate = certificate_of(ServerConfig(tls=True, tls_certificate=tmp_path / "own.pem"))
    announcement = Announcement([("127.0.0.1", 47_771)], certificate)
    async with watching() as watch:
        await asyncio.to_thread(announcement.begin, 3)
        try:
            await until(lambda: (server := watch.at(47_771)) and server.rooms == 3, 20)
            await asyncio.to_thread(announcement.update, 4)
            await until(lambda: (server := watch.at(47_771)) and server.rooms == 4, 20)
            assert (plain := watch.at(47_771))
            assert plain.other_ways == ""
            assert str(plain.address) == "tls://127.0.0.1:47771"
            assert not plain.address.fingerprint, "somebody else on the network could announce another one"
            await asyncio.to_thread(announcement.update, 4, Doors(ssh=2222, web=8000))
            await until(lambda: (server := watch.at(47_771)) and server.doors == Doors(2222, 8000), 20)
            assert (with_doors := watch.at(47_771))
            assert with_doors.other_ways == "ssh 2222, web 8000"
        finally:
            await asyncio.to_thread(announcement.end)
        await until(lambda: watch.at(47_771) is None, 20)


@pytest.mark.asyncio
async def test_what_strangers_announce_is_cleaned_and_bounded() -> None:
    network = AsyncZeroconf(interfaces=list(LOOP))
    entry = ServiceInfo(
        SERVICE_TYPE,
        f"[31m[/b]\u202e{'x' * 50}.{SERVICE_TYPE}",
        parsed_addresses=["127.0.0.1"],
        port=47_772,
        properties={"rooms": "9" * 90, "version": b"\xff\x1b" * 20, "protocol": str(PROTOCOL + 1)},
        server="stranger.local.",
    )
    nowhere = ServiceInfo(SERVICE_TYPE, f"none.{SERVICE_TYPE}", port=0, server="stranger2.local.")
    try:
        async with watching() as watch:
            for one in (nowhere, entry):
                await (await network.async_register_service(one, strict=False))
            await until(lambda: watch.at(47_772), 20)
            server = watch.at(47_772)
            assert server is not None
            assert server.name.startswith("[31m[/b]?xxx")
            assert len(server.name) == 40
            assert (server.rooms, server.is_speaking_ours) == (None, False)
            assert server.version.isprintable()
            assert watch.at(0) is None
    finally:
        await network.async_unregister_all_services()
        await network.async_close()


@pytest.mark.parametrize(
    ("properties", "speaks_ours"),
    [
        ({"protocol": str(PROTOCOL)}, True),
        ({"protocol": str(PROTOCOL + 1)}, False),
        ({"protocol": str(PROTOCOL + 1), "least_protocol": str(PROTOCOL)}, True),
        ({"protocol": str(PROTOCOL + 2), "least_protocol": str(PROTOCOL + 1)}, False),
        ({"protocol": str(PROTOCOL), "least_protocol": "all"}, False),
        ({}, False),
    ],
)
def test_a_newer_server_is_listed_as_fitting_if_it_also_speaks_our_protocol(
    properties: dict[str, str], speaks_ours: bool
) -> None:
    name = f"server.{SERVICE_TYPE}"
    info = ServiceInfo(SERVICE_TYPE, name, parsed_addresses=["127.0.0.1"], port=7777, properties=properties)
    server = _read(info)
    assert server is not None
    assert server.is_speaking_ours == speaks_ours


@forgets_a_socket
@pytest.mark.trio
async def test_without_a_network_the_server_serves_on_and_a_line_says_so(nursery: trio.Nursery) -> None:
    house = House(nursery, ServerConfig())
    with structlog.testing.capture_logs() as lines, trio.fail_after(PATIENCE_SECONDS):
        await announce(house.server, [(NOWHERE, 7777)], trio.Event())
    gc.collect()
    (line,) = lines
    assert line["event"] == "not announced on the network"
    assert line["log_level"] == "warning"
    assert "--no-lan" in line["remedy"]
    assert "--announce HOST" in line["remedy"]
    assert not [thread.name for thread in threading.enumerate() if "zeroconf" in thread.name.lower()]


@forgets_a_socket
@pytest.mark.asyncio
async def test_without_a_network_there_is_nothing_to_look_at() -> None:
    with pytest.raises(NoNetwork):
        await watch_nearby(lambda _: None, (NOWHERE,))
    gc.collect()


@pytest.mark.asyncio
@pytest.mark.spec("OPS-3")
async def test_servers_announce_themselves_clients_list_them_and_both_can_be_turned_off(
    tmp_path: Path,
) -> None:
    with announced_server("--lan") as (port, _), announced_server("--no-lan") as (quiet, _):
        app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana", nearby_on=LOOP)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("j")
            await until(lambda: f":{port} " in shown(pilot), 20)
            assert "Servers nearby" in shown(pilot)
            assert f":{quiet} " not in shown(pilot)
            app.screen.query_one("#nearby").focus()
            listed = app.screen.query_one("#nearby", OptionList)
            assert isinstance(app.screen, JoinScreen)
            listed.highlighted = next(
                number
                for number, option in enumerate(listed.options)
                if isinstance(option, ServerOption) and option.server.address.port == port
            )
            await pilot.press("enter")
            await until(lambda: not app.screen.query_one("#lower").disabled)
            assert app.screen.query_one("#server", Input).value == f"127.0.0.1:{port}"
            await until(lambda: "No rooms yet" in shown(pilot))
            await pilot.press("escape")
            app.change_settings(type(app.settings)(nearby=False))
            await pilot.press("j")
            await until(lambda: isinstance(app.screen, JoinScreen))
            assert not app.screen.query_one("#near").display
            assert not [worker for worker in app.workers if worker.group == "nearby" and worker.is_running]


def test_the_client_starts_without_importing_what_looks_around() -> None:
    code = "import sys, heat_tui.app, heat_tui.screens.join; print('zeroconf' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert done.stdout == "False\n"
