"""Server discovery on the local network: the name of the DNS-SD service and its properties."""

from __future__ import annotations

from typing import Final

SERVICE_TYPE: Final = "_heat-race._tcp.local."

ROOMS: Final = "rooms"
"""The property with how many rooms there are."""

VERSION: Final = "version"
"""The property with the version of the program."""

PROTOCOL: Final = "protocol"
"""The property with the newest version of the protocol that the server speaks."""

LEAST_PROTOCOL: Final = "least_protocol"
"""The property with the oldest one; without it: only the newest."""
