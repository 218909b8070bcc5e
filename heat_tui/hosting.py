"""A server of your own: `heat-server` as a process on this machine, and its address for friends."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from heat_core.files import own_track_folder
from heat_core.wire.address import Address
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.own_networks import lan_host
from heat_tui.own_ports import NoFreePort, free_ports
from heat_tui.state import lock

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


class ServerOptions(NamedTuple):
    """How a server is started here.

    Attributes:
        host: The address to listen at; empty: all.
        is_announced: Whether clients nearby may list it, as the server's own settings say.
        outlives_this: Whether it goes on when this program ends, by whatever cause.
        is_encrypted: Whether it speaks TLS, by a certificate of its own.
    """

    host: str = ""
    is_announced: bool = True
    outlives_this: bool = False
    is_encrypted: bool = False


DEFAULT_OPTIONS: Final = ServerOptions()


def start_server(
    state_folder: Path,
    port: int | None = None,
    options: ServerOptions = DEFAULT_OPTIONS,
    *,
    first_port: int = DEFAULT_PORT,
) -> HostedServer:
    """Start a server and wait until it answers; blocks for a second or so.

    Args:
        state_folder: Where its log, its store and its sockets for operator and doors are.
        port: None: `first_port`, or the next that is free.
        options: How it is started.
        first_port: See `port`.

    Raises:
        HostingFailed: It did not start.
    """
    if port is not None:
        return _start_at(state_folder, port, options)
    try:
        for free in free_ports(first_port, options.host):
            with contextlib.suppress(PortTaken):  # between the look at the port and the server's start
                return _start_at(state_folder, free, options)
    except NoFreePort as error:
        raise HostingFailed(str(error)) from None
    raise AssertionError("the ports end with an error")


def _start_at(state_folder: Path, port: int, options: ServerOptions) -> HostedServer:
    operator_socket = state_folder / f"server-{port}.sock"
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
            _command(state_folder, port, operator_socket, options),
            stdin=subprocess.DEVNULL if options.outlives_this else subprocess.PIPE,
            stdout=output_file,
            stderr=output_file,
            start_new_session=True,
        )
    server = HostedServer(process, Address(options.host or lan_host(), port), operator_socket, output)
    _await_answer(server, options)
    return server


def _command(state_folder: Path, port: int, operator_socket: Path, options: ServerOptions) -> list[str]:
    # -P: whatever lies in the folder that the player is in, it is no part of the program.
    command = [sys.executable, "-P", "-m", "heat_server", "--port", str(port)]
    if (tracks := own_track_folder()).is_dir():
        command += ["--tracks", str(tracks)]  # whoever hosts races on their own tracks too
    # Files of its own: the default ones may be in use by a server that runs all the time.
    command += ["--store", str(state_folder / f"server-{port}.sqlite3")]
    if not options.is_announced:
        command.append("--no-lan")
    command += ["--socket", str(operator_socket), "--door-socket", str(_door_socket(operator_socket))]
    command += ["--log-file", str(state_folder / f"server-{port}.log")]  # it bounds that file itself
    if options.host:
        command += ["--host", options.host]
    if not options.outlives_this:
        command.append("--end-with-input")
    if options.is_encrypted:
        command.append("--tls")
    return command


def _await_answer(server: HostedServer, options: ServerOptions) -> None:
    """Wait until a server that was started listens.

    Raises:
        PortTaken: Another program was faster at its port; it has ended.
        HostingFailed: It did not start in time; it has ended.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.has_ended():
            server.stop()
            failure = PortTaken if server.found_port_taken() else HostingFailed
            raise failure(f"heat-server did not start: {server.last_words()}")
        # Not by connecting: another server could be the one that answers.
        if server.is_listening() and (not options.is_encrypted or server.learns_certificate()):
            return
        time.sleep(0.03)
    server.stop()
    port = server.address.port
    raise HostingFailed(f"heat-server did not answer on port {port} within {START_SECONDS:.0f} seconds.")
