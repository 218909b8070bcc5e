"""The guests of a machine, by whichever door they come in: who may, who is inside, who is asked to leave.

Doors know how to speak to a guest's program; the house behind them is one. It has the fork server, the
guests' folders, the limits and the list of those inside, and tells the host what happens.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from heat_core.files import shown_path
from heat_core.text import counted
from heat_core.wire.address import Address
from heat_core.wire.ip_numbers import number_of
from heat_tui.doors.goodbye import CLOSED, ELSEWHERE, FAULT, NO_ROOM, REMOVED, Goodbye, Refused
from heat_tui.doors.guest_folders import GuestFolders, Known, NoRoom
from heat_tui.doors.login_names import LoginName
from heat_tui.doors.news import GuestInside, News, Way
from heat_tui.doors.programs import FORK_SERVER, ForkServerGone, Programs
from heat_tui.doors.running import NotOpened
from heat_tui.doors.tries import Tries
from heat_tui.state import CRASH_FILE

_END_SECONDS: Final = 10.0
_MOST_LOSSES: Final = 4
_LOSSES_SECONDS: Final = 60.0
"""A fork server that has ended so often within so long is not started again."""


class HouseSettings(NamedTuple):
    """What is the same at all doors.

    Attributes:
        server: The only one that guests reach.
        most_logins: At a time.
        most_from_address: Of these from one address.
        idle_seconds: After so long without a key a login ends.
        door_socket: Where that server takes guests; None: they come to its port, from this machine.
    """

    server: Address
    most_logins: int
    most_from_address: int
    idle_seconds: float
    door_socket: Path | None = None


class Arrival(NamedTuple):
    """Somebody who has opened a door.

    Attributes:
        name: The driver, and the room to go to.
        address: Where the guest is, as limits count it.
        known_by: What the host reads of it, such as `word`.
        key: What finds the guest's folder again, and nobody else has; empty: nothing does.
        known: The guest who gave name and word; None: nobody did.
        way: By which door.
    """

    name: LoginName
    address: str
    known_by: str
    key: str
    known: Known | None
    way: Way


class Login(Protocol):
    """The login of a guest, as far as the house knows it.

    Attributes:
        ended: Set once the program has ended, or it is clear that there will be none.
    """

    ended: asyncio.Event

    def end(self, why: Goodbye) -> None:
        """Ask the program to end, and then say why."""

    def kill(self) -> None:
        """End the program at once."""


class House:
    """All guests: `guests` lists those inside, `remove` ends the login of one.

    All of it happens in the event loop that `open` was awaited in. What a host may want to know is handed to
    `tell` as it happens, which must neither wait nor raise.

    Attributes:
        settings: What is the same at all doors.
        folders: Those of the guests.
        programs: Begins the client.
        is_broken: Set when it can let nobody in any more.
        tell: Tells the host what happens.
    """

    def __init__(
        self,
        settings: HouseSettings,
        folders: GuestFolders,
        tell: Callable[[News], None],
        fork_server: str = FORK_SERVER,
        words: Sequence[str] = (),
    ) -> None:
        """Prepare; `open` loads the client.

        Args:
            settings: What is the same at all doors.
            folders: Those of the guests.
            tell: Is called with who comes and goes, who is refused, and what goes wrong.
            fork_server: The module that begins the guests' programs.
            words: Its arguments.
        """
        self.settings = settings
        self.folders = folders
        self.programs = Programs(self._lost, fork_server, words)
        self.is_broken = asyncio.Event()
        self.tell = tell
        self._inside: dict[Path, tuple[Login, GuestInside]] = {}
        self._newest = 0
        self._opening: asyncio.Task[None] | None = None
        self._losses = Tries(_MOST_LOSSES, _LOSSES_SECONDS)
        self._is_closed = False

    async def open(self) -> None:
        """Load the client, once for all doors.

        Raises:
            NotOpened: It cannot be loaded.
        """
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_task(self.programs.open())
        try:
            await self._opening
        except ForkServerGone:
            raise NotOpened("The client for guests cannot be loaded.") from None

    async def close(self) -> None:
        """End every login, and let nobody more in; each door does this once all listen no more."""
        self._is_closed = True
        inside = self._logins
        for login in inside:
            login.end(CLOSED)
        if inside:
            waits = [asyncio.ensure_future(login.ended.wait()) for login in inside]
            await asyncio.wait(waits, timeout=_END_SECONDS)
        if self._opening is not None:
            self._opening.cancel()
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
                login.end(REMOVED)
                return True
        return False

    def way_of(self, host: str, here: str) -> tuple[str, str, str] | None:
        """Say how a guest's client reaches the server, as `Guest` has it; None: over the network.

        Args:
            host: The number of the address where the guest is.
            here: The number by which the guest reached this machine.
        """
        socket = self.settings.door_socket
        if socket is None or not socket.is_socket():
            return None
        return str(socket), str(number_of(host)), str(number_of(here))

    def _lost(self) -> None:
        """Start the fork server again: who was inside is not, and comes back by the same line."""
        for login in self._logins:
            login.end(FAULT)
        assert self._opening is not None
        if not self._opening.done():
            return  # it did not even load, which is reported where that is waited for
        self._losses.note("")
        if self._losses.are_too_many(""):
            self._give_up()
        else:
            text = "the process that begins logins has ended, and all logins with it; it is started again."
            self.tell(News("warning", text))
            self._opening = asyncio.get_running_loop().create_task(self._start_again())

    async def _start_again(self) -> None:
        try:
            await self.programs.open()
        except ForkServerGone:
            self._give_up()

    def _give_up(self) -> None:
        text = "the process that begins logins ends again and again; start heat-tui serve again."
        self.tell(News("warning", text))
        self.is_broken.set()

    async def receive(
        self, login: Login, arrival: Arrival, play: Callable[[Known], Awaitable[int]]
    ) -> int | Goodbye:
        """Let somebody in who has opened a door, if that can be, and see them out.

        Args:
            play: Runs the client in the guest's folder, and gives its exit code.

        Returns:
            The exit code, or why there was no program.
        """
        try:
            assert self._opening is not None
            await asyncio.wait([self._opening])
            self._check_open()
            self._opening.result()
            known = await self._admit(login, arrival)
            try:
                return await play(known)
            finally:
                self._see_out(known)
        except Refused as refused:
            return refused.goodbye
        except NoRoom:
            return NO_ROOM
        except ForkServerGone:
            return FAULT
        except OSError as error:
            what = f"{shown_path(error.filename)}: " if error.filename else ""
            text = f"{arrival.name.driver} could not come in: {what}{error.strerror or error}."
            self.tell(News("warning", text))
            return FAULT

    async def _admit(self, login: Login, arrival: Arrival) -> Known:
        """Let somebody in; ends an older login of the same guest, whose program may hang on a dead line.

        Raises:
            Refused: All places are taken, or the house has closed.
            NoRoom: There are too many guests.
            OSError: The guest's folder cannot be written.
        """
        (name, code), address, known_by, key, known, way = arrival
        if key:
            known = self.folders.of_key(key)
        while known is not None and (older := self._inside.get(known.folder)) is not None:
            older[0].end(ELSEWHERE)
            await older[0].ended.wait()
            self._check_open()
        if refusal := self._why_not(address):
            self.tell(News("refused", f"{name} from {address} was refused: no place is free."))
            raise Refused("full", refusal)
        if known is None:
            known = self.folders.new(name, key, self._inside)
        self.folders.enter(known)
        self._newest += 1
        guest = GuestInside(self._newest, name, code, address, known_by, time.time(), way)
        self._inside[known.folder] = login, guest
        self.tell(News("came", f"{name} came in from {address} ({known_by}); {self._present}.", guest))
        return known

    def _check_open(self) -> None:
        """Look again after each wait, which the house may not have outlived.

        Raises:
            Refused: It has closed.
        """
        if self._is_closed:
            raise Refused(*CLOSED)

    def _why_not(self, address: str) -> str:
        """Say why nobody more can come in now; empty: somebody can."""
        most, most_from_address = self.settings.most_logins, self.settings.most_from_address
        if len(self._inside) >= most:
            places = counted(most, "player")
            return f"This door has room for {places}, and all places are taken. Try again later."
        if sum(guest.address == address for guest in self.guests) >= most_from_address:
            return f"This door lets in {counted(most_from_address, 'player')} from one address at a time."
        return ""

    def _see_out(self, known: Known) -> None:
        _, guest = self._inside.pop(known.folder)
        if fault := self._fault_of(known, guest):
            self.tell(News("warning", fault))
        self.folders.trim(known.folder)
        self.tell(News("left", f"{guest.name} left; {self._present}.", guest))

    @staticmethod
    def _fault_of(known: Known, guest: GuestInside) -> str:
        """Say where the details of a fault are that a guest's client had; empty: it had none."""
        file = known.folder / "state" / CRASH_FILE
        try:
            is_new = file.stat().st_mtime >= guest.since
        except OSError:
            return ""
        return f"the program of {guest.name} failed; the details are in {shown_path(file)}." if is_new else ""

    @property
    def _present(self) -> str:
        return f"now {counted(len(self._inside), 'guest')}"
