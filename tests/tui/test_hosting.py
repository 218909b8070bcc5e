"""A server started from the client."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import ifaddr
import pytest
from textual.widgets import Static

from heat_core.files import TRACKS_VARIABLE
from heat_core.wire.address import Address
from heat_core.wire.messages import RoomOptions
from heat_tui import hosting, own_ports
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.home import SERVER_ENDS
from heat_tui.hosting import ServerOptions, open_output, start_server
from heat_tui.own_networks import lan_host, lan_hosts
from heat_tui.screens.dialogs import ConfirmDialog
from tests.tui.support_app import SMALL, folders_in, until

pytestmark = pytest.mark.asyncio


async def test_a_server_started_here_has_the_players_own_tracks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my tracks"
    monkeypatch.setenv(TRACKS_VARIABLE, str(folder))
    for own in ([], ["oval"]):
        if own:
            folder.mkdir()
            oval = Path(__file__).parents[2] / "examples" / "oval.json"
            (folder / "mine.json").write_bytes(oval.read_bytes())
        server = await asyncio.to_thread(start_server, tmp_path / "state")
        try:
            stay = await ServerStay.begin(folders_in(tmp_path), Address("127.0.0.1", server.address.port))
            assert [track.id for track in await stay.tracks()][8:] == own
            await stay.close()
        finally:
            await asyncio.to_thread(server.stop)


async def test_a_server_started_to_encrypt_is_reached_by_its_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # where the server keeps its certificate
    server = await asyncio.to_thread(
        start_server, tmp_path / "state", options=ServerOptions(is_encrypted=True)
    )
    try:
        assert server.address.is_tls
        assert server.address.fingerprint
        stay = await ServerStay.begin(folders_in(tmp_path), server.address)
        await stay.create("Ana", "red", RoomOptions())
        await until(lambda: stay.link.room)
        assert stay.link.room is not None
        assert f"heat-tui connect {server.address.invitation} " in stay.link.room.invitation
        await stay.close()
    finally:
        await asyncio.to_thread(server.stop)


@pytest.mark.parametrize(
    ("found", "hosts"),
    [
        (["127.0.0.1", "192.0.2.7", "198.51.100.4"], ["192.0.2.7", "198.51.100.4"]),
        (["127.0.0.1"], ["127.0.0.1"]),
    ],
)
async def test_without_a_way_to_other_networks_the_own_numbers_are_still_found(
    monkeypatch: pytest.MonkeyPatch, found: list[str], hosts: list[str]
) -> None:
    class NoRoute(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("Network is unreachable")

    numbers = [SimpleNamespace(ip=ip, network_prefix=24) for ip in found]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [SimpleNamespace(ips=numbers)])
    monkeypatch.setattr(socket, "socket", NoRoute)
    assert lan_hosts() == hosts
    assert lan_host() == hosts[0]


async def test_what_lies_in_the_players_folder_is_no_part_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("heat_server", "heat_core", "random"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    server = await asyncio.to_thread(start_server, tmp_path / "state")
    await asyncio.to_thread(server.stop)
    assert not (tmp_path / "ran").exists()


async def test_a_server_that_is_just_starting_ends_with_the_program_too(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("o")
        await until(lambda: app.home.server._starting is not None)
        app.exit()
    assert app.home.server.address is not None, "it came up behind the program's back"
    assert not app.home.server.is_running
    log = tmp_path / "state" / f"server-{app.home.server.address.port}.out"
    assert "listening on" in log.read_text()


_STARTS_A_SERVER = """
import sys, time
from pathlib import Path
from heat_tui.hosting import ServerOptions, start_server
stays = sys.argv[3] == "keep"
options = ServerOptions(is_announced=False, outlives_this=stays)
server = start_server(Path(sys.argv[1]), int(sys.argv[2]), options)
print(server.process_id, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("what", ["end", "keep"])
async def test_a_server_ends_with_a_killed_program_unless_it_is_to_stay(tmp_path: Path, what: str) -> None:
    with socket.create_server(("", 0)) as unused:
        port = unused.getsockname()[1]
    command = [sys.executable, "-c", _STARTS_A_SERVER, str(tmp_path / "state"), str(port), what]
    starter = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    try:
        assert starter.stdout is not None
        number = int(await starter.stdout.readline())
        server = os.pidfd_open(number)
        starter.kill()
        if what == "end":
            await until(lambda: has_ended(server))
            assert (tmp_path / "state" / f"server-{port}.sqlite3").exists(), "what was played is saved"
        else:
            await asyncio.sleep(1)
            assert not has_ended(server)
            signal.pidfd_send_signal(server, signal.SIGTERM)
            await until(lambda: has_ended(server))
        os.close(server)
    finally:
        await starter.wait()


def has_ended(process: int) -> bool:
    return bool(select.select([process], [], [], 0)[0])


async def test_quitting_asks_where_the_server_was_started_before_the_client(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as unused:
        port = unused.getsockname()[1]
    server = await asyncio.to_thread(start_server, tmp_path / "state", port)
    app = HeatApp(folders_in(tmp_path), animate=False, server=server)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("q")
        await until(lambda: isinstance(app.screen, ConfirmDialog))
        assert f"Quit? {SERVER_ENDS}" in " ".join(str(text.render()) for text in app.screen.query(Static))
        await pilot.press("n")
        assert not server.has_ended()
        await pilot.press("q", "y")
    assert server.has_ended()


async def test_what_a_process_prints_is_for_this_user_only(tmp_path: Path) -> None:
    path = tmp_path / "doors.out"
    path.write_text("Ana came in.")
    path.chmod(0o644)
    with open_output(path) as output:
        output.write(b"Ben came in.")
    assert (path.stat().st_mode & 0o777, path.read_text()) == (0o600, "Ben came in.")


async def test_a_port_that_somebody_takes_before_the_server_listens_is_left_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_free, faster = own_ports.is_free, list[socket.socket]()

    def is_free_a_moment_more(port: int, host: str) -> bool:
        if not is_free(port, host):
            return False
        if not faster:
            faster.append(socket.create_server(("", port)))
        return True

    monkeypatch.setattr(own_ports, "is_free", is_free_a_moment_more)
    server = await asyncio.to_thread(start_server, tmp_path / "state")
    with faster[0]:
        await asyncio.to_thread(server.stop)
        assert server.address.port > faster[0].getsockname()[1]


async def test_two_servers_started_at_once_in_one_folder_both_come_up(tmp_path: Path) -> None:
    starts = [asyncio.to_thread(start_server, tmp_path / "state") for _ in range(2)]
    servers = await asyncio.gather(*starts)
    try:
        assert servers[0].address.port != servers[1].address.port
        for server in servers:
            stay = await ServerStay.begin(folders_in(tmp_path), Address("127.0.0.1", server.address.port))
            await stay.close()
    finally:
        for server in servers:
            await asyncio.to_thread(server.stop)


async def test_a_port_of_the_players_choice_that_is_in_use_is_no_other(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(hosting.HostingFailed, match=f"port {port} is in use"):
            await asyncio.to_thread(start_server, tmp_path / "state", port)
