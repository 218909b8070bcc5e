"""What the program that started the server is told: systemd and podman wait until a service is ready.

They name a datagram socket in the environment; see sd_notify(3). Started by hand there is none.
"""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Final, Literal

SOCKET_VARIABLE: Final = "NOTIFY_SOCKET"


def notify_manager(state: Literal["READY=1", "STOPPING=1"]) -> None:
    """Tell the service manager, if there is one, that the server takes players or has begun to stop.

    A manager that cannot be reached is no reason not to serve.
    """
    if place := os.environ.get(SOCKET_VARIABLE):
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel,
        ):
            # "@" begins the name of a socket in the abstract namespace of Linux.
            channel.sendto(state.encode(), f"\0{place[1:]}" if place.startswith("@") else place)
