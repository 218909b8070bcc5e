"""Hosts in network namespaces, and cables to them that can be cut: packets vanish, and nothing answers.

Theory of operation. A cable is a pair of virtual Ethernet devices. One end stays with the tests, the other is
in the host's namespace; each end knows the other's hardware address by a fixed entry. To cut one direction,
its sender gets the wrong address: what it sends arrives and is dropped by the receiver. So the sender sees
neither a refusal nor a link that is down, as with a cable that is cut behind a switch.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Address
from typing import Final, Literal, TypeAlias

import pytest

Direction: TypeAlias = Literal["both", "to host", "from host"]

_NETWORK: Final = int(IPv4Address("198.18.0.0"))
"""For tests of networks (RFC 2544), 131,072 addresses, of which each process of tests takes 32."""

_BLOCKS: Final = 4096
NETWORKS: Final = "198.18.0.0/15"

_NOBODY: Final = "02:00:00:00:00:66"
"""A hardware address that no device has."""


class Cable:
    """A cable to a host.

    Attributes:
        here: The address of the tests' end.
        there: The address of the host's end.
    """

    def __init__(self, host: str, number: int) -> None:
        """Plug a cable in.

        Args:
            host: The namespace.
            number: Of the cable in this process, in [0, 8).
        """
        self._host = host
        self._name = f"hc{os.getpid()}n{number}"
        first = _NETWORK + 32 * (os.getpid() % _BLOCKS) + 4 * number
        self.here, self.there = str(IPv4Address(first + 1)), str(IPv4Address(first + 2))
        far = f"{self._name}x"
        _ip("link", "add", self._name, "type", "veth", "peer", "name", far, "netns", host)
        _ip("addr", "add", f"{self.here}/30", "dev", self._name)
        _ip("link", "set", self._name, "up")
        _ip("-n", host, "addr", "add", f"{self.there}/30", "dev", far)
        _ip("-n", host, "link", "set", far, "up")
        self._hardware_here = _ip("-br", "link", "show", self._name).split()[2]
        self._hardware_there = _ip("-n", host, "-br", "link", "show", far).split()[2]
        self.mend()

    def cut(self, direction: Direction = "both") -> None:
        """Let what is sent vanish."""
        if direction != "from host":
            self._set_there(_NOBODY)
        if direction != "to host":
            self._set_here(_NOBODY)

    def mend(self) -> None:
        """Let everything arrive again."""
        self._set_there(self._hardware_there)
        self._set_here(self._hardware_here)

    def _set_there(self, hardware: str) -> None:
        """Set the hardware address that the tests send to."""
        _ip("neigh", "replace", self.there, "lladdr", hardware, "dev", self._name, "nud", "permanent")

    def _set_here(self, hardware: str) -> None:
        """Set the hardware address that the host sends to."""
        entry = ("lladdr", hardware, "dev", f"{self._name}x", "nud", "permanent")
        _ip("-n", self._host, "neigh", "replace", self.here, *entry)


class Host:
    """A host with a cable to its players and one to its database.

    Attributes:
        players: The cable by which the tests reach its servers.
        database: The cable by which its servers reach the tests' database.
        prefix: Begins a command that shall run there.
    """

    def __init__(self, number: int) -> None:
        """Plug it in; `hosts` removes it.

        Args:
            number: In this process, in [0, 4).
        """
        self.name = f"heat{os.getpid()}n{number}"
        self.prefix = ("ip", "netns", "exec", self.name)
        _ip("netns", "add", self.name)
        try:
            _ip("-n", self.name, "link", "set", "lo", "up")
            self.players = Cable(self.name, 2 * number)
            self.database = Cable(self.name, 2 * number + 1)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove it with its cables; what runs there must have ended."""
        _ip("netns", "delete", self.name)


@contextmanager
def hosts(number: int) -> Iterator[list[Host]]:
    """Make hosts; where that is not allowed the test is skipped, in CI it fails."""
    with ExitStack() as made:
        found: list[Host] = []
        try:
            for each in range(number):
                found.append(Host(each))
                made.callback(found[-1].remove)
        except (OSError, subprocess.CalledProcessError) as error:
            if os.environ.get("CI") and os.geteuid() == 0 and shutil.which("ip"):
                raise
            words = error.stderr if isinstance(error, subprocess.CalledProcessError) else error
            pytest.skip(f"network namespaces need root and `ip` of iproute2: {words}".strip())
        yield found


def _ip(*words: str) -> str:
    """Run `ip`; give what it says.

    Raises:
        OSError: There is none.
        CalledProcessError: It says no.
    """
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=True).stdout
