"""How a guest of a door reaches the server: by the server's door socket, with the guest's address said first.

A door lets people play on this machine who are elsewhere (`heat_tui.doors`, `heat_tui.browser`). If their
programs came to the server's port, limits and bans would see this machine, and one guest's ban would be
everybody's. So the door, which knows where each guest is, says so to the program that it starts, and the
program says so to the server:

    way = DoorWay(default_door_socket(), "192.0.2.7", "198.51.100.1")  # made by the door, never by the guest
    folders = folders._replace(guest_of=server, door_way=way)           # in the process of the guest
    stay = await ServerStay.begin(folders, server)                      # comes to the server as 192.0.2.7

`heat_core.files.default_door_socket` names the socket of a server that runs with its default settings
(`heat-server --door-socket` names another); a door without a server on its machine leaves `door_way` at None.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from heat_core.wire.ip_numbers import number_of
from heat_core.wire.proxy import binary_header


class DoorWay(NamedTuple):
    """The way to a server for one guest.

    Attributes:
        socket: The server's, absolute.
        guest: The number of the address where the guest is.
        here: The number by which the guest reached this machine, for the invitations of rooms; "": not known.
    """

    socket: Path
    guest: str
    here: str = ""

    @property
    def header(self) -> bytes:
        """What the program says before all else. It goes out in one piece with the hello.

        A server that turns the guest away closes at once, and a second piece would then lose its answer.

        Raises:
            ValueError: An address is no number.
        """
        return binary_header(number_of(self.guest), number_of(self.here) if self.here else None)
