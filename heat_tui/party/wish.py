"""What a host wants to open, what is open of it, and what has happened: the plain values of a party."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.wire.messages import RoomOptions
from heat_tui.doors.news import Way
from heat_tui.own_ports import PORTS_TRIED


class Wish(NamedTuple):
    """What the host wants to open.

    Attributes:
        host: Where to listen; empty: at every address.
        port: Of the server.
        ssh: The port for ssh; None: not by ssh.
        web: The port of the page for browsers; None: not by browser.
        password: For ssh; None: anybody comes in.
        secret: Of the link for browsers; None: anybody comes in.
        is_announced: Whether clients nearby may list the server.
        options: Of the room that is opened at once.
        code: Of the room, where a party is continued; empty: any.
        fixed: Which of the ports must be these, by their names here; others may be the next free ones.
    """

    host: str
    port: int
    ssh: int | None
    web: int | None
    password: str | None
    secret: str | None
    is_announced: bool
    options: RoomOptions
    code: str = ""
    fixed: frozenset[str] = frozenset({"port", "ssh", "web"})

    def ports(self, name: str) -> tuple[int, ...]:
        """List the ports to try for one that is named as here, in their order; none: it stays closed."""
        first = {"port": self.port, "ssh": self.ssh, "web": self.web}[name]
        if first is None:
            return ()
        return (first,) if name in self.fixed else tuple(range(first, min(first + PORTS_TRIED, 65536)))


class Happened(NamedTuple):
    """Something that a host may want to read.

    Attributes:
        at: In seconds since the epoch.
        text: One printable sentence.
        is_warning: Whether the host should look after it.
    """

    at: float
    text: str
    is_warning: bool = False


class DoorsOpen(NamedTuple):
    """What is open.

    Attributes:
        ssh_port: None: ssh is not open.
        fingerprint: Of the key of the door for ssh.
        web_port: None: the page for browsers is not open.
        closed: Each way that was to be open and is not, with the reason in a sentence.
    """

    ssh_port: int | None = None
    fingerprint: str = ""
    web_port: int | None = None
    closed: tuple[tuple[Way, str], ...] = ()
