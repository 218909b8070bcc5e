"""A server that a service manager starts: it says when it takes players, and when it stops."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from heat_server.service_manager import SOCKET_VARIABLE
from tests.e2e.test_server_tcp import port_of


@contextmanager
def manager_at(place: str) -> Iterator[socket.socket]:
    """Listen as a service manager does."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(place.replace("@", "\0", 1) if place.startswith("@") else place)
        manager.settimeout(30)
        yield manager


@contextmanager
def managed(place: str, monkeypatch: pytest.MonkeyPatch, port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Run a server as a service."""
    monkeypatch.setenv(SOCKET_VARIABLE, place)
    with subprocess.Popen(
        [sys.executable, "-m", "heat_server", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("kind", ["file", "abstract"])
def test_a_server_says_when_it_takes_players_and_when_it_stops(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "manager") if kind == "file" else f"@heat-{tmp_path.name}-{tmp_path.parent.name}"
    with manager_at(place) as manager, managed(place, monkeypatch) as process:
        assert manager.recv(100) == b"READY=1"
        with socket.create_connection(("127.0.0.1", port_of(process))):
            pass
        process.send_signal(signal.SIGTERM)
        assert manager.recv(100) == b"STOPPING=1"
        assert process.wait(30) == 0


def test_a_server_that_cannot_start_is_never_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(tmp_path / "manager")
    with socket.create_server(("0.0.0.0", 0)) as taken, manager_at(place) as manager:
        with managed(place, monkeypatch, taken.getsockname()[1]) as process:
            assert process.wait(30) == 1
        manager.setblocking(False)
        with pytest.raises(BlockingIOError):
            manager.recv(100)


def test_a_manager_that_is_gone_keeps_no_server_from_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with managed(str(tmp_path / "gone"), monkeypatch) as process:
        with socket.create_connection(("127.0.0.1", port_of(process))):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
