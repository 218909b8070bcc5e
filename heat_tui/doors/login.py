"""A login: the channel of a guest's program on one side, the pseudo-terminal of the client on the other.

Theory of operation. A login begins when the guest's program has asked for a terminal and a shell, or for a
command word. Who cannot play is told why in one line. Bytes are passed on both ways, and neither side gets
ahead of the other: while the guest's program reads too little, nothing is read from the terminal, so that the
client waits; while the client reads too little, the channel is paused. A login ends with its program, with
its channel, or for idling; then the program loses its terminal, and its seat at the server stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

import asyncssh

from heat_core.files import shown_path
from heat_core.names import BadName
from heat_core.text import counted
from heat_core.wire.address import Address
from heat_tui.doors.entrance import Entrance
from heat_tui.doors.guest_folders import GuestFolders, Known, NoRoom
from heat_tui.doors.guest_words import IDLE_WARNING_SECONDS
from heat_tui.doors.login_names import LoginName, line_to_type, read_login
from heat_tui.doors.messages import Guest
from heat_tui.doors.news import News
from heat_tui.doors.programs import ForkServerGone, Programs
from heat_tui.doors.pseudo_terminal import PseudoTerminal
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.terminal_requests import bounded_size, environment_of, wants_lines

Channel: TypeAlias = asyncssh.SSHServerChannel[bytes]

KILL_SECONDS: Final = 8.0
"""How long a program may take to end once it was asked to; then it is killed."""

CLOSE_SECONDS: Final = 10.0
"""How long a guest's program may take to read the end of a login; then its connection is closed."""

_GOODBYE_SECONDS: Final = 1.0
"""How long a guest's program that has read the end may take to close the connection itself."""

MOST_VARIABLES: Final = 64
"""More than any program sends; each takes memory as long as the login lasts."""

MOST_UNSENT_BYTES: Final = 262_144
"""What the system has not yet sent of a login's picture; with more, its program waits."""

_LOOK_SECONDS: Final = 0.1


class DoorOfLogin(Protocol):
    """The door, as far as a login knows it.

    Attributes:
        programs: Begins the client.
        entrance: Counts who is here.
        folders: Those of the guests.
        settings: What the door is like.
        tell: Tells the host what goes wrong.
    """

    programs: Programs
    entrance: Entrance
    folders: GuestFolders
    settings: SshSettings
    tell: Callable[[News], None]

    async def admit(self, login: Login) -> Known:
        """Let somebody in whose name is right; ends an older login of the same guest.

        Raises:
            Refused: Nobody can come in now.
            NoRoom: There are too many guests.
            OSError: The guest's folder cannot be written.
        """
        ...

    def left(self, login: Login, known: Known) -> None:
        """Hear that somebody who was let in has left."""


class Refused(Exception):
    """A login that cannot begin; the text says why in one line."""


class Variables(dict[bytes, bytes]):
    """A guest's variables, of which there cannot be any number."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        """Keep a variable, if it is one of few and short."""
        if len(self) < MOST_VARIABLES and len(name) + len(value) < 256:
            super().__setitem__(name, value)


class Login(asyncssh.SSHServerSession[bytes]):
    """One guest, from the request for a terminal to the end of the program.

    Attributes:
        address: Where the guest is, as limits count it.
        fingerprint: Of the key that the guest came in with; empty: none.
        known: The guest who gave name and word; None: nobody did.
        ended: Set once the program has ended, or it is clear that there will be none.
    """

    def __init__(
        self,
        door: DoorOfLogin,
        username: str,
        address: str,
        here: Address,
        fingerprint: str,
        known: Known | None,
    ) -> None:
        """Wait for a request.

        Args:
            username: As it was typed.
            here: Where the guest reached the door.
        """
        self.address = address
        self.fingerprint = fingerprint
        self.known = known
        self.ended = asyncio.Event()
        self.name = LoginName("", "")
        self._door = door
        self._username = username
        self._here = here
        self._channel: Channel | None = None
        self._terminal: PseudoTerminal | None = None
        self._number = 0
        self._command = ""
        self._task: asyncio.Task[None] | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._warned_after = 0.0
        self._last_key = 0.0
        self._last_words = ""

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
        if self._terminal is not None:
            self._terminal.resize(bounded_size(width, height))

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Pass on what was typed."""
        self._last_key = asyncio.get_running_loop().time()
        if self._terminal is not None:
            self._terminal.write(data)

    def eof_received(self) -> bool:
        """Hang up: nothing more will be typed."""
        self.hang_up()
        return False

    def pause_writing(self) -> None:
        """Let the program wait: the guest's program reads too little."""
        if self._terminal is not None:
            self._terminal.hold()

    def resume_writing(self) -> None:
        """Let the program draw again."""
        if self._terminal is not None:
            self._terminal.read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hang up: the guest is gone, or has read the end of the login."""
        if self._channel is not None:
            self._close_connection_after(_GOODBYE_SECONDS)
        self._channel = None
        self.hang_up()

    # --- the program ----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Let the guest in, run the program, and say why where that cannot be."""
        code = 1
        try:
            self.name = self._read_name()
            known = await self._door.admit(self)
            try:
                code = await self._play(known)
            finally:
                self._door.left(self, known)
        except Refused as refused:
            self._last_words = str(refused)
        except (ForkServerGone, NoRoom):
            self._last_words = "This door has no room for another player now. Try again later."
        except OSError as error:
            self._last_words = "This door has a fault. Its host has been told."
            what = f"{shown_path(error.filename)}: " if error.filename else ""
            text = f"{self.name.driver} could not come in: {what}{error.strerror or error}."
            self._door.tell(News("warning", text))
        finally:
            self.ended.set()
            for timer in self._timers:
                timer.cancel()
        if self._channel is not None and not self._channel.is_closing():
            if self._last_words:
                self._channel.write(f"heat-tui: {self._last_words}\r\n".encode())
            self._channel.exit(code if code >= 0 else 128 - code)
            self._close_connection_after(CLOSE_SECONDS)

    def _close_connection_after(self, seconds: float) -> None:
        """Give the place of the connection back: a connection has one login, and this one is over."""
        assert self._channel is not None
        asyncio.get_running_loop().call_later(seconds, self._channel.get_connection().close)

    def _read_name(self) -> LoginName:
        if self._channel is None:
            raise Refused("")  # to nobody: the guest is gone
        has_terminal = self._channel.get_terminal_type() is not None
        try:
            name = read_login(self._username, self._command)
        except BadName as error:
            if has_terminal or not self._command:
                raise Refused(f"{error} Log in as NAME, or as NAME+CODE to go to a room.") from None
            name = LoginName("NAME", "")
        if not has_terminal:
            raise Refused(f"this needs a terminal. Type: {line_to_type(name, self._here)}")
        return name

    async def _play(self, known: Known) -> int:
        channel = self._channel
        if channel is None:
            return 1
        environment = environment_of(channel.get_terminal_type() or "", channel.get_environment_bytes())
        columns, rows, _, _ = channel.get_terminal_size()
        guest = Guest(
            name=self.name.driver,
            folder=str(known.folder),
            server=str(self._door.settings.server),
            code=self.name.code,
            word=known.word,
            environment=environment,
            is_plain=wants_lines(environment),
        )
        self._terminal = terminal = PseudoTerminal(bounded_size(columns, rows), channel.get_terminal_modes())
        try:
            self._number, ended = self._door.programs.begin(guest, terminal.inner)
        except ForkServerGone:
            terminal.close()
            raise
        finally:
            terminal.give_inner_away()
        terminal.start(self._draw, self._hold_keys)
        self._last_key = asyncio.get_running_loop().time()
        self._watch_idling()
        code = await ended
        terminal.drain()
        terminal.close()
        return code

    def _draw(self, data: bytes) -> None:
        if self._channel is None or self._channel.is_closing() or not data:
            return
        self._channel.write(data)
        if self._unsent > MOST_UNSENT_BYTES:  # the channel's own bound is one that the guest's program sets
            assert self._terminal is not None
            self._terminal.hold()
            self._later(_LOOK_SECONDS, self._draw_on)

    @property
    def _unsent(self) -> int:
        """How many bytes of the connection the system has not taken yet."""
        assert self._channel is not None
        transport = self._channel.get_connection()._transport
        return transport.get_write_buffer_size() if transport is not None else 0

    def _draw_on(self) -> None:
        if self._channel is None or self._terminal is None:
            return
        if self._unsent > MOST_UNSENT_BYTES:
            self._later(_LOOK_SECONDS, self._draw_on)
        else:
            self._terminal.read_on()

    def _hold_keys(self, is_full: bool) -> None:
        if self._channel is not None:
            (self._channel.pause_reading if is_full else self._channel.resume_reading)()

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._timers = [timer for timer in self._timers if timer.when() > now and not timer.cancelled()]
        self._timers.append(loop.call_later(seconds, call))

    # --- ending ---------------------------------------------------------------------------------------------

    def hang_up(self) -> None:
        """Take the terminal away: the program hears of it and ends, and is killed where it does not."""
        if self._terminal is not None and not self.ended.is_set():
            self._terminal.close()
            self._door.programs.nudge(self._number, "end")
            self._later(KILL_SECONDS, self.kill)

    def end(self, why: str) -> None:
        """Ask the program to end, while the guest still sees how, and then say why."""
        if self._terminal is not None and not self.ended.is_set():
            self._last_words = why
            self._door.programs.nudge(self._number, "end")
            self._later(KILL_SECONDS, self.kill)

    def kill(self) -> None:
        """End the program at once."""
        self._door.programs.nudge(self._number, "kill")

    def _watch_idling(self) -> None:
        """Warn a guest who presses no key, then end the login; the seat stays."""
        idle = asyncio.get_running_loop().time() - self._last_key
        left = self._door.settings.idle_seconds - idle
        if left <= 0:
            minutes = counted(round(self._door.settings.idle_seconds / 60), "minute")
            self.end(f"You pressed no key for {minutes}, so you were logged out. Your seat is kept.")
            return
        if left > IDLE_WARNING_SECONDS:
            self._later(left - IDLE_WARNING_SECONDS, self._watch_idling)
            return
        if self._warned_after != self._last_key:
            self._warned_after = self._last_key
            self._door.programs.nudge(self._number, "warn")
        self._later(min(left, 1.0), self._watch_idling)
