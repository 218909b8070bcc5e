"""Who may stand at a door: how many connections, in all and from one address, and who knows the password."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv4Address, ip_network
from typing import Final

from heat_core.wire.ip_numbers import number_of
from heat_tui.doors.news import News
from heat_tui.doors.tries import Tries

WAITING_CONNECTIONS: Final = 60
"""In all, besides those of logins: they have half a minute to log in."""

WAITING_FROM_ADDRESS: Final = 8

MOST_FAILURES: Final = 20
FAILURE_SECONDS: Final = 10 * 60
"""After so many wrong passwords in so long an address is turned away."""


def address_of(host: str) -> str:
    """Give what counts as one address: an IPv4 number, or the /64 network that a household has at least."""
    number = number_of(host)
    return str(number if isinstance(number, IPv4Address) else ip_network((number, 64), strict=False))


class Entrance:
    """Counts who is at a door, and looks at passwords."""

    def __init__(
        self,
        *,
        most_connections: int,
        most_from_address: int,
        password: str | None,
        tell: Callable[[News], None],
    ) -> None:
        """Begin with nobody.

        Args:
            most_connections: At a time.
            most_from_address: Of these from one address.
            password: None: none is needed.
            tell: Tells the host which address is turned away.
        """
        self._most_connections = most_connections
        self._most_from_address = most_from_address
        self._password = password
        self._tell = tell
        self._connections: Counter[str] = Counter()
        self._failures = Tries(MOST_FAILURES, FAILURE_SECONDS)

    @property
    def is_open(self) -> bool:
        """Whether no password is needed."""
        return self._password is None

    def connect(self, address: str) -> bool:
        """Count a connection in, and return whether it may stay; `disconnect` is called in either case."""
        self._connections[address] += 1
        return (
            self._connections.total() <= self._most_connections
            and self._connections[address] <= self._most_from_address
            and not self.turns_away(address)
        )

    def disconnect(self, address: str) -> None:
        """Count a connection out."""
        self._connections[address] -= 1
        if self._connections[address] <= 0:
            del self._connections[address]

    def turns_away(self, address: str) -> bool:
        """Tell whether too many wrong passwords came from an address of late."""
        return self._failures.are_too_many(address)

    def is_right(self, password: str, address: str) -> bool:
        """Tell whether a password opens the door; wrong ones count against the address."""
        if self._password is None or self.turns_away(address):
            return self._password is None
        if hmac.compare_digest(self._password.encode(), password.encode(errors="replace")):
            return True
        self._failures.note(address)
        if self.turns_away(address):
            text = f"{address} is turned away for a while: too many wrong passwords."
            self._tell(News("refused", text))
        return False
