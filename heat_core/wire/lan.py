"""Server discovery on the local network: the name of the DNS-SD service and its properties."""

from __future__ import annotations

from typing import Final, NamedTuple

SERVICE_TYPE: Final = "_heat-race._tcp.local."

ROOMS: Final = "rooms"
"""The property with how many rooms there are."""

VERSION: Final = "version"
"""The property with the version of the program."""

PROTOCOL: Final = "protocol"
"""The property with the newest version of the protocol that the server speaks."""

LEAST_PROTOCOL: Final = "least_protocol"
"""The property with the oldest one; without it: only the newest."""

TLS: Final = "tls"
"""The property with the fingerprint of the server's certificate, if it encrypts."""

SSH_PORT: Final = "ssh"
"""The property with the port at which the same machine lets players in by ssh, if it does."""

WEB_PORT: Final = "web"
"""The property with the port of the page on which they play in a browser, if there is one."""


class Doors(NamedTuple):
    """The ports at which a server's machine lets players in who have nothing installed; None: not open.

    Attributes:
        ssh: For logins.
        web: For browsers.
    """

    ssh: int | None = None
    web: int | None = None
