"""The door for `ssh`: it listens, lets guests in who may play, and ends all logins with itself."""

from __future__ import annotations

import logging
from typing import Final

import asyncssh

from heat_tui.doors.entrance import WAITING_CONNECTIONS, WAITING_FROM_ADDRESS, Entrance
from heat_tui.doors.house import House
from heat_tui.doors.news import News
from heat_tui.doors.running import EVERY_ADDRESS, NotOpened, listen
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.visitor import Visitor
from heat_tui.own_networks import lan_host

HANDSHAKE_SECONDS: Final = 30.0
"""How long somebody may take to log in."""

_KEEPALIVE_SECONDS: Final = 15
_MOST_SILENT_KEEPALIVES: Final = 3
_WINDOW_BYTES: Final = 65_536


class SshDoor:
    """The door: `open` lets guests into a house.

    Attributes:
        settings: What the door is like.
        house: Where the guests are.
        fingerprint: Of its key, as programs show it.
        port: Where it listens, once it is open.
        entrance: Looks at who stands at the door.
        is_broken: Set when it can let nobody in any more.
    """

    def __init__(self, settings: SshSettings, key: asyncssh.SSHKey, house: House) -> None:
        """Prepare; `open` listens.

        Args:
            key: The door's own, see `host_key`.
        """
        self.settings = settings
        self.house = house
        self.fingerprint: str = key.get_fingerprint()
        self.port = settings.port
        self.entrance = Entrance(
            most_connections=house.settings.most_logins + WAITING_CONNECTIONS,
            most_from_address=house.settings.most_from_address + WAITING_FROM_ADDRESS,
            password=settings.password,
            tell=house.tell,
        )
        self.is_broken = house.is_broken
        self._key = key
        self._listening: asyncssh.SSHAcceptor | None = None

    async def open(self) -> list[str]:
        """Load the client and listen, and say what to type.

        Raises:
            NotOpened: Nothing can listen there, or the client cannot be loaded.
        """
        # What strangers send is no news, and none of it may reach a terminal raw.
        asyncssh.logger.logger.addHandler(logging.NullHandler())
        asyncssh.logger.logger.propagate = False
        host, port = self.settings.host, self.settings.port
        listening = listen(host, port, "--ssh")
        try:
            await self.house.open()
        except NotOpened:
            listening.close()
            raise
        self._listening = await asyncssh.listen(
            sock=listening,
            server_factory=lambda: Visitor(self.house, self.entrance, self.settings.authorized_keys),
            server_host_keys=[self._key],
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            line_editor=False,
            gss_host=None,
            encoding=None,
            compression_algs=None,
            window=_WINDOW_BYTES,
            login_timeout=HANDSHAKE_SECONDS,
            keepalive_interval=_KEEPALIVE_SECONDS,
            keepalive_count_max=_MOST_SILENT_KEEPALIVES,
        )
        self.port = listening.getsockname()[1]
        if self.entrance.is_open:
            text = "anybody who reaches this port can play, without a password."
            self.house.tell(News("warning", text))
        where = f"-p {self.port} NAME@{lan_host() if host in EVERY_ADDRESS else host}"
        room = where.replace("NAME", "NAME+CODE")
        return [
            f"Type this to play: ssh {where} (to go to a room: ssh {room}).",
            f"The door's key: {self.fingerprint}",
            *([f"The password: {self.settings.password}"] if self.settings.is_password_shown else []),
        ]

    def shut(self) -> None:
        """Listen no more."""
        if self._listening is not None:
            self._listening.close()

    async def close(self) -> None:
        """Listen no more, and end every login."""
        self.shut()
        await self.house.close()

    def hurry(self) -> None:
        """End every login at once."""
        self.house.hurry()
