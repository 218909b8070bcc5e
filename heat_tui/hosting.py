"""A server of your own: `heat-server` as a process on this machine, and its address for friends."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import BinaryIO, Final

from heat_core.files import own_track_folder
from heat_core.wire.address import LOOPBACK, Address
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.own_networks import interfaces
from heat_tui.state import lock

PORTS_TRIED: Final = 20
START_SECONDS: Final = 10.0
STOP_SECONDS: Final = 5.0


def open_output(path: Path, *, is_locked: bool = False) -> BinaryIO:
    """Open the file for what a process prints: empty, and for this user only, because it can name guests.

    Args:
        path: Of the file.
        is_locked: Whether no other may open it so until every process that it is handed to has ended.

    Raises:
        BlockingIOError: Another has it so; its text is untouched.
        OSError: It cannot be written.
    """
    path.touch(mode=0o600)
    path.chmod(0o600)  # an older version made it for everybody
    file = path.open("ab")
    if is_locked and not lock(file.fileno()):
        file.close()
        raise BlockingIOError(f"{path} is in use")
    file.truncate(0)
    return file


class HostingFailed(Exception):
    """The server did not start; the text says why in one line."""


class PortTaken(HostingFailed):
    """Another program was faster at this port."""


class HostedServer:
    """A running server process.

    Attributes:
        address: Where this machine is reached on its network, so that the line to pass on is of use.
        socket: Where it answers its operator.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], address: Address, operator_socket: Path, output: Path
    ) -> None:
        """Used by `start_server`."""
        self.address = address
        self.socket = operator_socket
        self._process = process
        self._output = output

    def stop(self) -> None:
        """End the server: asked first, then forced."""
        self.ask_to_end()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask_to_end(self) -> None:
        """Ask the server to end, without waiting for it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.poll() is None:
            self._process.terminate()

    @property
    def door_socket(self) -> Path:
        """Where the server takes the guests of doors; see `heat_tui.door_way`."""
        return _door_socket(self.socket)

    @property
    def process_id(self) -> int:
        """The number of the process."""
        return self._process.pid

    def has_ended(self) -> bool:
        """Tell whether the process is gone."""
        return self._process.poll() is not None

    def is_listening(self) -> bool:
        """Tell whether the server has said that it listens."""
        return self._has_said(rb"^listening on ") is not None

    def learns_certificate(self) -> bool:
        """Put into the address how the server encrypts, once it has said that."""
        if (found := self._has_said(rb"fingerprint (\S+)\n")) is not None:
            self.address = self.address._replace(is_tls=True, fingerprint=found[1].decode())
        return self.address.is_tls

    def found_port_taken(self) -> bool:
        """Tell whether the server has said that its port is in use."""
        return self._has_said(rb"^heat-server: port \d+ .*is in use\.") is not None

    def last_words(self) -> str:
        """Give the last line that the server printed."""
        with contextlib.suppress(OSError, IndexError):
            return self._output.read_text(errors="replace").strip().splitlines()[-1][:200]
        return "it ended immediately"

    def _has_said(self, pattern: bytes) -> re.Match[bytes] | None:
        try:
            return re.search(pattern, self._output.read_bytes(), re.MULTILINE)
        except OSError:
            return None


def _door_socket(operator_socket: Path) -> Path:
    return operator_socket.with_suffix(".doors.sock")


def start_server(
    state_folder: Path,
    port: int | None = None,
    *,
    usual: int = DEFAULT_PORT,
    host: str = "",
    is_announced: bool = True,
    outlives_this: bool = False,
    is_encrypted: bool = False,
) -> HostedServer:
    """Start a server and wait until it answers; blocks for a second or so.

    Args:
        state_folder: Where its log, its store and its sockets for operator and doors are.
        port: None: the usual one, or the next that is free.
        usual: The usual port.
        host: The address to listen at; empty: all.
        is_announced: Whether clients nearby may list it, as the server's own settings say.
        outlives_this: Whether it goes on when this program ends, by whatever cause.
        is_encrypted: Whether the server speaks TLS, by a certificate of its own.

    Raises:
        HostingFailed: It did not start.
    """
    start = partial(
        _start_at,
        state_folder,
        host=host,
        is_announced=is_announced,
        outlives_this=outlives_this,
        is_encrypted=is_encrypted,
    )
    if port is not None:
        return start(port)
    ports = _free_ports(usual, host)
    while True:
        with contextlib.suppress(PortTaken):  # between the look at the port and the server's start
            return start(next(ports))


def _start_at(
    state_folder: Path,
    port: int,
    *,
    host: str,
    is_announced: bool,
    outlives_this: bool,
    is_encrypted: bool,
) -> HostedServer:
    operator_socket = state_folder / f"server-{port}.sock"
    # -P: whatever lies in the folder that the player is in, it is no part of the program.
    command = [sys.executable, "-P", "-m", "heat_server", "--port", str(port)]
    if (tracks := own_track_folder()).is_dir():
        command += ["--tracks", str(tracks)]  # whoever hosts races on their own tracks too
    # Files of its own: the usual ones may be in use by a server that runs all the time.
    command += ["--store", str(state_folder / f"server-{port}.sqlite3")]
    if not is_announced:
        command.append("--no-lan")
    command += ["--socket", str(operator_socket), "--door-socket", str(_door_socket(operator_socket))]
    command += ["--log-file", str(state_folder / f"server-{port}.log")]  # it bounds that file itself
    if host:
        command += ["--host", host]
    if not outlives_this:
        command.append("--end-with-input")
    if is_encrypted:
        command.append("--tls")
    output = state_folder / f"server-{port}.out"
    try:
        state_folder.mkdir(parents=True, exist_ok=True)
        output_file = open_output(output, is_locked=True)
    except BlockingIOError:
        raise PortTaken(f"Port {port} is in use by another server of yours.") from None
    except OSError as error:
        raise HostingFailed(f"{output} cannot be written: {error.strerror}.") from None
    with output_file:
        # In a session of its own, so that a signal of this terminal does not reach it before the client ends.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if outlives_this else subprocess.PIPE,
            stdout=output_file,
            stderr=output_file,
            start_new_session=True,
        )
    server = HostedServer(process, Address(host or lan_host(), port), operator_socket, output)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.has_ended():
            server.stop()
            failure = PortTaken if server.found_port_taken() else HostingFailed
            raise failure(f"heat-server did not start: {server.last_words()}")
        # Not by connecting: another server could be the one that answers.
        if server.is_listening() and (not is_encrypted or server.learns_certificate()):
            return server
        time.sleep(0.03)
    server.stop()
    raise HostingFailed(f"heat-server did not answer on port {port} within {START_SECONDS:.0f} seconds.")


def free_port(usual: int, host: str = "") -> int:
    """Find a port or the next one that nothing listens on, at an address or with none at all of them.

    Raises:
        HostingFailed: A row of ports is in use.
    """
    return next(_free_ports(usual, host))


def _free_ports(usual: int, host: str) -> Iterator[int]:
    for port in range(usual, usual + PORTS_TRIED):
        if is_free(port, host):
            yield port
    raise HostingFailed(f"The ports {usual} to {usual + PORTS_TRIED - 1} are all in use.")


def lan_hosts() -> list[str]:
    """List this machine's numbers on its networks (IPv4), likeliest first; without any the loopback one."""
    found = [str(own.ip) for own in interfaces() if own.version == 4]
    hosts = dict.fromkeys([_routed_host(), *found])
    return [host for host in hosts if not ip_address(host).is_loopback] or [LOOPBACK]


def is_free(port: int, host: str = "") -> bool:
    """Tell whether a program could listen on a port now; without a host, at every address (IPv4)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((host, port))
            attempt.listen(1)
        except OSError:
            return False
    return True


def lan_host() -> str:
    """Give this machine's likeliest number on its networks, or the loopback one where there is none."""
    return lan_hosts()[0]


def _routed_host() -> str:
    """Give the number that the way to other networks begins at, or the loopback one where there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: connecting a datagram socket only picks the interface.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK
