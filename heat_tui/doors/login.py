"""A login: the channel of a guest's program on one side, the pseudo-terminal of the client on the other.

Theory of operation. A login begins when the guest's program has asked for a terminal and a shell, or for a
command word. Who cannot play is told why in one line. A login ends with its program, or with its channel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, TypeAlias

import asyncssh

from heat_core.names import BadName
from heat_core.wire.address import Address
from heat_tui.doors.goodbye import FAULT, Goodbye, Refused
from heat_tui.doors.guest_folders import Known
from heat_tui.doors.house import Arrival, House
from heat_tui.doors.login_names import PLACEHOLDER, LoginName, is_nameless, line_to_type, read_login
from heat_tui.doors.messages import Guest
from heat_tui.doors.running_client import RunningClient
from heat_tui.doors.terminal_requests import bounded_size, environment_of, wants_lines
from heat_tui.doors.unsent import unsent_bytes
from heat_tui.terminal.ending import RESTORING
from heat_tui.words.plain_way import WAY_BY_SSH

Channel: TypeAlias = asyncssh.SSHServerChannel[bytes]

CLOSE_SECONDS: Final = 10.0
"""How long a guest's program may take to read the end of a login; then its connection is closed."""

_GOODBYE_SECONDS: Final = 1.0
"""How long a guest's program that has read the end may take to close the connection itself."""

MOST_VARIABLES: Final = 64
"""More than any program sends; each takes memory as long as the login lasts."""

MOST_UNSENT_BYTES: Final = 262_144
"""What the system has not yet sent of a login's picture; with more, its program waits."""

_LOOK_SECONDS: Final = 0.1


class Variables(dict[bytes, bytes]):
    """A guest's variables, of which there cannot be any number."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        """Keep a variable, if it is one of few and short."""
        if len(self) < MOST_VARIABLES and len(name) + len(value) < 256:
            super().__setitem__(name, value)


class Login(asyncssh.SSHServerSession[bytes]):
    """One guest, from the request for a terminal to the end of the program.

    Attributes:
        ended: Set once the program has ended, or it is clear that there will be none.
    """

    def __init__(
        self,
        house: House,
        username: str,
        address: str,
        host: str,
        here: Address,
        fingerprint: str,
        known: Known | None,
    ) -> None:
        """Wait for a request.

        Args:
            house: Where the guests are.
            username: As it was typed.
            address: Where the guest is, as limits count it.
            host: The number of that address.
            fingerprint: Of the key that the guest came in with; empty: none.
            known: The guest who gave name and word; None: nobody did.
            here: Where the guest reached the door.
        """
        self.ended = asyncio.Event()
        self._house = house
        self._client = RunningClient(house.programs, house.settings.idle_seconds)
        self._address = address
        self._host = host
        self._fingerprint = fingerprint
        self._known = known
        self._username = username
        self._here = here
        self._channel: Channel | None = None
        self._command = ""
        self._has_screens = False
        self._has_typed_all = False
        self._task: asyncio.Task[None] | None = None
        self._look_timer: asyncio.TimerHandle | None = None

    @property
    def has_begun(self) -> bool:
        """Whether a request has been made that begins it."""
        return self._task is not None

    # --- what the guest's program asks for ------------------------------------------------------------------

    def connection_made(self, chan: Channel) -> None:
        """Take the channel."""
        self._channel = chan
        chan._env = Variables()

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Allow a terminal; what it is like is asked of the channel later."""
        return True

    def shell_requested(self) -> bool:
        """Play: there is no shell."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Play in the room whose code is given: no command is ever run."""
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse: there are no files here."""
        return False

    def session_started(self) -> None:
        """Begin, once the request has been answered."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass on another size."""
        self._client.resize(bounded_size(width, height))

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Pass on what was typed."""
        self._client.type(data)

    def eof_received(self) -> bool:
        """Hang up: nothing more will be typed. Our end stays open for how the login ends."""
        self._has_typed_all = True
        self._client.hang_up()
        return True

    def pause_writing(self) -> None:
        """Let the program wait: the guest's program reads too little."""
        self._client.hold()

    def resume_writing(self) -> None:
        """Let the program draw again."""
        self._client.read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hang up: the guest is gone, or has read the end of the login."""
        if self._channel is not None:
            self._close_connection_after(_GOODBYE_SECONDS)
        self._channel = None
        self._client.hang_up()

    # --- the program ----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Let the guest in, run the program, and say why where that cannot be."""
        try:
            name = self._read_name()
            key, known = self._fingerprint, self._known
            known_by = f"key {key}" if key else "word" if known else "no key"
            arrival = Arrival(name, self._address, known_by, key, known, "ssh")
            end = await self._house.receive(self, arrival, lambda known: self._play(name, known))
        except Refused as refused:
            end = refused.goodbye
        finally:
            self.ended.set()
            if self._look_timer is not None:
                self._look_timer.cancel()
        if self._channel is not None and not self._channel.is_closing():
            code, goodbye = (end, self._client.goodbye) if isinstance(end, int) else (1, end)
            if self._has_screens and (code < 0 or goodbye is FAULT):
                self._channel.write(RESTORING)  # the client was killed in the middle of its screens
            if goodbye is not None:
                self._channel.write(f"heat-tui: {goodbye.text}\r\n".encode())
            self._channel.exit(code if code >= 0 else 128 - code)
            self._close_connection_after(CLOSE_SECONDS)

    def _close_connection_after(self, seconds: float) -> None:
        """Give the place of the connection back: a connection has one login, and this one is over."""
        assert self._channel is not None
        asyncio.get_running_loop().call_later(seconds, self._channel.get_connection().close)

    def _read_name(self) -> LoginName:
        if self._channel is None:
            raise Refused("fault", "")  # to nobody: the guest is gone
        has_terminal = self._channel.get_terminal_type() is not None
        try:
            name = read_login(self._username, self._command)
        except BadName as error:
            if has_terminal or not self._command:
                text = f"{error} Log in as NAME, or as NAME+CODE to go to a room."
                raise Refused("name", text) from None
            name = LoginName(PLACEHOLDER, "")
        if not has_terminal:
            raise Refused("name", f"this needs a terminal. Type: {line_to_type(name, self._here)}")
        if is_nameless(self._username):  # whoever comes by a key is asked nothing
            line = line_to_type(name._replace(driver="ana"), self._here)
            text = f"Replace {PLACEHOLDER} with your own name. As ana you would type: {line}"
            raise Refused("name", text)
        return name

    async def _play(self, name: LoginName, known: Known) -> int:
        channel = self._channel
        if channel is None or self._has_typed_all:
            return 1
        environment = environment_of(channel.get_terminal_type() or "", channel.get_environment_bytes())
        columns, rows, _, _ = channel.get_terminal_size()
        guest = Guest(
            name=name.driver,
            folder=str(known.folder),
            server=self._house.settings.server.invitation,
            code=name.code,
            word=known.word,
            environment=environment,
            is_plain=wants_lines(environment),
            plain_way=WAY_BY_SSH,
            way=self._house.way_of(self._host, self._here.host),
            has_namesake=self._is_new(known) and self._house.folders.has_namesake(name.driver, known),
        )
        self._has_screens = not guest.is_plain
        size, modes = bounded_size(columns, rows), channel.get_terminal_modes()
        return await self._client.run(guest, size, modes, self._draw, self._hold_keys)

    def _is_new(self, known: Known) -> bool:
        """Tell whether a guest with a word has not given one."""
        return bool(known.word) and self._known is None

    def _draw(self, data: bytes) -> None:
        if self._channel is None or self._channel.is_closing() or not data:
            return
        self._channel.write(data)
        if self._unsent > MOST_UNSENT_BYTES:  # the channel's own bound is one that the guest's program sets
            self._client.hold()
            self._look_later()

    def _look_later(self) -> None:
        self._look_timer = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._draw_on)

    @property
    def _unsent(self) -> int:
        assert self._channel is not None
        return unsent_bytes(self._channel.get_connection())

    def _draw_on(self) -> None:
        if self._channel is None:
            return
        if self._unsent > MOST_UNSENT_BYTES:
            self._look_later()
        else:
            self._client.read_on()

    def _hold_keys(self, is_full: bool) -> None:
        if self._channel is not None:
            (self._channel.pause_reading if is_full else self._channel.resume_reading)()

    def end(self, why: Goodbye) -> None:
        """Ask the program to end, while the guest still sees how, and then say why."""
        self._client.end(why)

    def kill(self) -> None:
        """End the program at once."""
        self._client.kill()
