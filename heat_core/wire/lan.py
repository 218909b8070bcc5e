"""Server discovery on the local network: the name of the DNS-SD service and its properties."""

from __future__ import annotations

from typing import Final

SERVICE_TYPE: Final = "_heat-race._tcp.local."

ROOMS: Final = "rooms"
"""The property with how many rooms there are."""

VERSION: Final = "version"
"""The property with the version of the program."""

PROTOCOL: Final = "protocol"
"""The property with the version of the protocol."""
