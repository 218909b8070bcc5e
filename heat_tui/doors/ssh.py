"""The door for `ssh`: it listens, lets guests in who may play, and ends all logins with itself."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh

from heat_core.text import counted
from heat_core.wire.address import Address
from heat_tui.doors.entrance import Entrance
from heat_tui.doors.guest_folders import GuestFolders, Known
from heat_tui.doors.login import Login, Refused
from heat_tui.doors.programs import FORK_SERVER, ForkServerGone, Programs
from heat_tui.doors.running import NotOpened, cannot_listen
from heat_tui.doors.visitor import Visitor
from heat_tui.hosting import lan_host

HANDSHAKE_SECONDS: Final = 30.0
"""How long somebody may take to log in."""

_KEEPALIVE_SECONDS: Final = 15
_MOST_SILENT_KEEPALIVES: Final = 3
_WINDOW_BYTES: Final = 65_536
_EVERY_ADDRESS: Final = ("", "0.0.0.0", "::")
_END_SECONDS: Final = 10.0


class SshSettings(NamedTuple):
    """What the door is to be like.

    Attributes:
        host: Where to listen; empty: at all addresses.
        port: 0: any free one.
        server: The only one that guests reach.
        password: None: anybody may come in.
        is_password_shown: Whether it was made for this door, so that nobody knows it yet.
        authorized_keys: A file of keys that open the door too; None: none do.
        most_logins: At a time.
        most_from_address: Of these from one address.
        idle_seconds: After so long without a key a login ends.
    """

    host: str
    port: int
    server: Address
    password: str | None
    is_password_shown: bool
    authorized_keys: asyncssh.SSHAuthorizedKeys | None
    most_logins: int
    most_from_address: int
    idle_seconds: float


class SshDoor:
    """The door.

    Attributes:
        programs: Begins the client.
        server: The only one that guests reach.
        idle_seconds: After so long without a key a login ends.
        entrance: Counts who is here.
        folders: Those of the guests.
        authorized_keys: The keys that open it too; None: none do.
        is_broken: Set when it can let nobody in any more.
    """

    def __init__(
        self,
        settings: SshSettings,
        key: asyncssh.SSHKey,
        folder: Path,
        tell: Callable[[str], None],
        fork_server: str = FORK_SERVER,
    ) -> None:
        """Prepare; `open` listens.

        Args:
            key: The door's own.
            folder: Where the folders of the guests are.
            tell: Is called with a line about who comes and goes, and about what goes wrong.
            fork_server: The module that begins the guests' programs.
        """
        self._settings = settings
        self.server = settings.server
        self.idle_seconds = settings.idle_seconds
        self.entrance = Entrance(
            most_logins=settings.most_logins,
            most_from_address=settings.most_from_address,
            password=settings.password,
        )
        self.folders = GuestFolders(folder)
        self.authorized_keys = settings.authorized_keys
        self.programs = Programs(self._lost, fork_server)
        self._tell = tell
        self.is_broken = asyncio.Event()
        self._key = key
        self._inside: dict[Path, Login] = {}
        self._listening: asyncssh.SSHAcceptor | None = None

    async def open(self) -> list[str]:
        """Load the client and listen, and say what to type.

        Raises:
            NotOpened: Nothing can listen there, or the client cannot be loaded.
        """
        # What strangers send is no news, and none of it may reach a terminal raw.
        asyncssh.logger.logger.addHandler(logging.NullHandler())
        asyncssh.logger.logger.propagate = False
        host, port = self._settings.host, self._settings.port
        try:
            listening = _listen(host, port)
        except OSError as error:
            raise cannot_listen(error, host, port, "--ssh") from None
        try:
            await self.programs.open()
        except ForkServerGone:
            listening.close()
            raise NotOpened("The client for guests cannot be loaded.") from None
        self._listening = await asyncssh.listen(
            sock=listening,
            server_factory=lambda: Visitor(self),
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
        if self.entrance.is_open:
            self.tell("anybody who reaches this port can play, without a password.")
        where = f"-p {listening.getsockname()[1]} NAME@{lan_host() if host in _EVERY_ADDRESS else host}"
        room = where.replace("NAME", "NAME+CODE")
        return [
            f"Type this to play: ssh {where} (to go to a room: ssh {room}).",
            f"The door's key: {self._key.get_fingerprint()}",
            *([f"The password: {self._settings.password}"] if self._settings.is_password_shown else []),
        ]

    async def close(self) -> None:
        """Let nobody more in, and end every login."""
        if self._listening is not None:
            self._listening.close()
        inside = list(self._inside.values())
        for login in inside:
            login.end("This door has closed. Your seat is kept.")
        if inside:
            waits = [asyncio.ensure_future(login.ended.wait()) for login in inside]
            await asyncio.wait(waits, timeout=_END_SECONDS)
        await self.programs.close()

    def hurry(self) -> None:
        """End every login at once."""
        for login in self._inside.values():
            login.kill()

    def tell(self, text: str) -> None:
        """Tell the host who comes and goes, or what goes wrong, in one line."""
        self._tell(text)

    def _lost(self) -> None:
        self.tell("the process that begins logins has ended; start heat-tui serve again.")
        self.is_broken.set()

    async def admit(self, login: Login) -> Known:
        """Let somebody in; ends an older login of the same guest, whose program may hang on a dead line.

        Raises:
            Refused: All places are taken.
            NoRoom: There are too many guests.
            OSError: The guest's folder cannot be written.
        """
        known = login.known
        if login.fingerprint:
            known = self.folders.of_key(login.fingerprint)
        while known is not None and (older := self._inside.get(known.folder)) is not None:
            older.end("You have logged in elsewhere.")
            await older.ended.wait()
        if refusal := self.entrance.why_not(login.address):
            raise Refused(refusal)
        if known is None:
            known = self.folders.new(login.name.driver, login.fingerprint, self._inside)
        self.folders.enter(known)
        self.entrance.enter(login.address)
        self._inside[known.folder] = login
        by = f"key {login.fingerprint}" if login.fingerprint else "word" if login.known else "no key"
        self.tell(f"{login.name.driver} came in from {login.address} ({by}); {self._present}.")
        return known

    def left(self, login: Login, known: Known) -> None:
        """Hear that somebody who was let in has left."""
        del self._inside[known.folder]
        self.entrance.leave(login.address)
        self.folders.trim(known.folder)
        self.tell(f"{login.name.driver} left; {self._present}.")

    @property
    def _present(self) -> str:
        return f"now {counted(len(self._inside), 'guest')}"


def _listen(host: str, port: int) -> socket.socket:
    """Listen at an address, or with none at every one of both kinds.

    Raises:
        OSError: That cannot be.
    """
    if host:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family)
    if socket.has_dualstack_ipv6():
        return socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("", port))
