"""The door for `ssh`: it listens, lets guests in who may play, and ends all logins with itself."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import asyncssh

from heat_core.text import counted
from heat_tui.doors.entrance import Entrance
from heat_tui.doors.guest_folders import GuestFolders, Known
from heat_tui.doors.login import Login, Refused
from heat_tui.doors.news import GuestInside, News
from heat_tui.doors.programs import FORK_SERVER, ForkServerGone, Programs
from heat_tui.doors.running import NotOpened, cannot_listen
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.visitor import Visitor
from heat_tui.hosting import lan_host

HANDSHAKE_SECONDS: Final = 30.0
"""How long somebody may take to log in."""

_KEEPALIVE_SECONDS: Final = 15
_MOST_SILENT_KEEPALIVES: Final = 3
_WINDOW_BYTES: Final = 65_536
_EVERY_ADDRESS: Final = ("", "0.0.0.0", "::")
_END_SECONDS: Final = 10.0


class SshDoor:
    """The door: `open` lets guests in, `guests` lists those inside, `remove` ends the login of one.

    All of it happens in the event loop that `open` was awaited in. What a host may want to know is handed to
    `tell` as it happens, which must neither wait nor raise.

    Attributes:
        settings: What the door is like.
        fingerprint: Of its key, as programs show it.
        port: Where it listens, once it is open.
        programs: Begins the client.
        entrance: Counts who is here.
        folders: Those of the guests.
        is_broken: Set when it can let nobody in any more.
    """

    def __init__(
        self,
        settings: SshSettings,
        key: asyncssh.SSHKey,
        folder: Path,
        tell: Callable[[News], None],
        fork_server: str = FORK_SERVER,
    ) -> None:
        """Prepare; `open` listens.

        Args:
            key: The door's own, see `host_key`.
            folder: Where the folders of the guests are.
            tell: Is called with who comes and goes, who is refused, and what goes wrong.
            fork_server: The module that begins the guests' programs.
        """
        self.settings = settings
        self.fingerprint: str = key.get_fingerprint()
        self.port = settings.port
        self.entrance = Entrance(
            most_logins=settings.most_logins,
            most_from_address=settings.most_from_address,
            password=settings.password,
        )
        self.folders = GuestFolders(folder)
        self.programs = Programs(self._lost, fork_server)
        self.is_broken = asyncio.Event()
        self.tell = tell
        self._key = key
        self._inside: dict[Path, tuple[Login, GuestInside]] = {}
        self._newest = 0
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
        self.port = listening.getsockname()[1]
        if self.entrance.is_open:
            self.tell(News("warning", "anybody who reaches this port can play, without a password."))
        where = f"-p {self.port} NAME@{lan_host() if host in _EVERY_ADDRESS else host}"
        room = where.replace("NAME", "NAME+CODE")
        return [
            f"Type this to play: ssh {where} (to go to a room: ssh {room}).",
            f"The door's key: {self.fingerprint}",
            *([f"The password: {self.settings.password}"] if self.settings.is_password_shown else []),
        ]

    async def close(self) -> None:
        """Let nobody more in, and end every login."""
        if self._listening is not None:
            self._listening.close()
        inside = self._logins
        for login in inside:
            login.end("This door has closed. Your seat is kept.")
        if inside:
            waits = [asyncio.ensure_future(login.ended.wait()) for login in inside]
            await asyncio.wait(waits, timeout=_END_SECONDS)
        await self.programs.close()

    def hurry(self) -> None:
        """End every login at once."""
        for login in self._logins:
            login.kill()

    @property
    def _logins(self) -> list[Login]:
        return [login for login, _ in self._inside.values()]

    @property
    def guests(self) -> list[GuestInside]:
        """Those inside, in the order in which they came."""
        return [guest for _, guest in self._inside.values()]

    def remove(self, number: int) -> bool:
        """End the login of a guest, who reads that the host did so; the seat at the server is kept.

        Nothing keeps the guest from coming back: a ban at the server does.

        Returns:
            Whether somebody of that number is inside; the news that this guest has left follows.
        """
        for login, guest in self._inside.values():
            if guest.number == number:
                login.end("The host has removed you.")
                return True
        return False

    def _lost(self) -> None:
        text = "the process that begins logins has ended; start heat-tui serve again."
        self.tell(News("warning", text))
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
            older[0].end("You have logged in elsewhere.")
            await older[0].ended.wait()
        if refusal := self.entrance.why_not(login.address):
            text = f"{login.name.driver} from {login.address} was refused: no place is free."
            self.tell(News("refused", text))
            raise Refused(refusal)
        if known is None:
            known = self.folders.new(login.name.driver, login.fingerprint, self._inside)
        self.folders.enter(known)
        self.entrance.enter(login.address)
        by = f"key {login.fingerprint}" if login.fingerprint else "word" if login.known else "no key"
        self._newest += 1
        name, code = login.name
        guest = GuestInside(self._newest, name, code, login.address, by, time.time())
        self._inside[known.folder] = login, guest
        self.tell(News("came", f"{name} came in from {login.address} ({by}); {self._present}.", guest))
        return known

    def left(self, login: Login, known: Known) -> None:
        """Hear that somebody who was let in has left."""
        _, guest = self._inside.pop(known.folder)
        self.entrance.leave(login.address)
        self.folders.trim(known.folder)
        self.tell(News("left", f"{guest.name} left; {self._present}.", guest))

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
