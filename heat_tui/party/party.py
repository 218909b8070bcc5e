"""The party itself: it starts server and doors, follows what happens there, and ends both.

Theory of operation. `open` starts the server, a room and the doors; from then on two tasks run beside whoever
shows the party. One asks the server every second who is there, and starts it again, with its saved races,
should it die; the other hears the doors. What they find out is in plain values, and `wait` tells that some of
them have changed. Whoever shows a party only reads, and asks for three things: `remove`, `ban` and `end`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from heat_core.files import shown_path
from heat_core.wire.address import LOOPBACK, Address
from heat_core.wire.lan import Doors
from heat_core.wire.messages import RoomPhase
from heat_core.wire.operator import (
    AnnounceDoors,
    AskConnections,
    AskRooms,
    Ban,
    ConnectionList,
    Done,
    NotDone,
    OpenRoom,
    OperatorAnswer,
    OperatorRequest,
    Remove,
    RoomInfo,
    Rooms,
)
from heat_tui.doors.news import GuestInside, News
from heat_tui.flow.invitation import WayIn
from heat_tui.hosting import HostedServer, HostingFailed, ServerOptions, start_server
from heat_tui.party.doors import PartyDoors
from heat_tui.party.messages import OpenDoors
from heat_tui.party.operator import NoAnswer, ask_operator
from heat_tui.party.people import Person, people_of
from heat_tui.party.saved import SavedParty, forget_party, save_party, saved_parties
from heat_tui.party.wish import DoorsOpen, Happened, Wish
from heat_tui.party.words import other_addresses, ways_in

LOOK_SECONDS: Final = 1.0
MOST_EVENTS: Final = 200
RESTART_SECONDS: Final = 2.0
SOCKET_SECONDS: Final = 10.0
"""More than a server that listens takes to answer its operator, too."""

_SOON_SECONDS: Final = 0.05


class Party:
    """A server with its doors and one room.

    Attributes:
        wish: What was wanted; once the server runs, with its port.
        hosts: The addresses of this machine, the likeliest first.
        doors: What is open by now, and what is not.
        code: Of the room that is open; empty: none is yet.
        people: Who is here, the first who came first.
        rooms: All rooms that are awake.
        happened: What has happened of late, the newest last.
        is_saved: Whether the party can be continued after its end, since its race is not over.
        number_of_news: How much has happened in all.
        changes: Goes up whenever any of these changes.
    """

    def __init__(self, wish: Wish, hosts: Sequence[str], state_folder: Path) -> None:
        """Prepare; `open` begins.

        Args:
            hosts: The addresses of this machine, the likeliest first.
            state_folder: Where the files of the server and of the doors are.
        """
        self.wish = wish
        self.hosts = hosts
        self.doors = DoorsOpen()
        self.code = ""
        self._refusal = ""
        self.people: tuple[Person, ...] = ()
        self.rooms: tuple[RoomInfo, ...] = ()
        self.happened: deque[Happened] = deque(maxlen=MOST_EVENTS)
        self.number_of_news = 0
        self.changes = 0
        self._state_folder = state_folder
        self._server: HostedServer | None = None
        self._announced: Doors | None = None  # what the server that runs knows of
        self._guests: tuple[GuestInside, ...] = ()
        self._removed: set[tuple[int | None, int | None]] = set()
        self._phases: dict[str, RoomPhase] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._have_files_of(wish.port)

    def _have_files_of(self, port: int) -> None:
        """Use the files that belong to a port of the server."""
        self.is_saved = any(saved.port == port for saved in saved_parties(self._state_folder))
        self._process = PartyDoors(self._state_folder / f"doors-{port}.out", self._hear_doors)

    async def open(self) -> None:
        """Open everything; the doors open a moment later, see `doors_known`.

        Raises:
            HostingFailed: The server does not start, or opens no room; `end` is called all the same.
        """
        await self._start_server()
        wish = self.wish
        if wish.ssh is not None or wish.web is not None:
            here, socket = str(Address(LOOPBACK, wish.port)), str(self.server.door_socket)
            self._process.start(
                OpenDoors(
                    *(wish.host, here, socket, wish.ports("ssh"), wish.ports("web")),
                    *(wish.password, wish.secret),
                )
            )
        deadline = time.monotonic() + SOCKET_SECONDS
        while not self.code:  # the server's socket is there a moment after its port
            if time.monotonic() > deadline:  # or never: systems bound the length of its path
                where = shown_path(self.server.socket)
                raise HostingFailed(f"The server does not answer at {where}. That path may be too long.")
            if self._refusal or self.server.has_ended():
                raise HostingFailed(self._refusal or "The server has stopped.")
            await asyncio.sleep(_SOON_SECONDS)
            await self._look()
        if wish.code:
            self.note(f"The party is continued. The race in room {self.code} waits for its drivers.")
        self._tasks = [asyncio.create_task(self._follow())]

    async def doors_known(self) -> None:
        """Wait until it is known of every door whether it is open."""
        if self.wish.ssh is not None or self.wish.web is not None:
            await self._process.ready()

    async def end(self) -> None:
        """End everything, and wait until nothing is left running."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._process.end()
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)

    # --- what is shown ------------------------------------------------------------------------------------

    @property
    def server(self) -> HostedServer:
        """The running server."""
        assert self._server is not None
        return self._server

    @property
    def address(self) -> Address:
        """Where the host's own client reaches the server."""
        return Address(self.hosts[0], self.wish.port)

    @property
    def ways(self) -> tuple[WayIn, ...]:
        """Every way in."""
        return ways_in(self.wish, self.doors, self.code, self.hosts)

    def ways_to(self, address: Address, code: str) -> tuple[WayIn, ...]:
        """List the ways into a room; none if its server is not this party's."""
        return ways_in(self.wish, self.doors, code, self.hosts) if address == self.address else ()

    @property
    def elsewhere(self) -> str:
        """By which other addresses this machine is reached, in a sentence; empty: by none."""
        return other_addresses(self.hosts)

    @property
    def racing(self) -> int:
        """How many people are in races now."""
        return sum(room.drivers for room in self.rooms if room.phase in ("racing", "between"))

    async def wait(self, changes: int) -> None:
        """Wait until `changes` differs from a number."""
        while self.changes == changes:
            await self._changed.wait()

    def _note_change(self) -> None:
        self.changes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def note(self, text: str, *, is_warning: bool = False) -> None:
        """Note that something has happened that the host may want to read."""
        self.happened.append(Happened(time.time(), text, is_warning))
        self.number_of_news += 1
        self._note_change()

    def news_since(self, number: int) -> list[Happened]:
        """List what has happened since `number_of_news` was a number, as far as it is kept."""
        new = self.number_of_news - number
        return list(self.happened)[-new:] if new else []

    # --- what the host does -------------------------------------------------------------------------------

    async def remove(self, person: Person) -> str:
        """End somebody's stay; what keeps them from coming back is a ban.

        Returns:
            What came of it, in one sentence.
        """
        if person.guest is not None:
            self._remove_guest(person.guest)
            return f"{person.name} has been removed."
        self._removed.add(_numbers(person))
        refusal = await self._ask_done(Remove(str(person.connection)))
        if refusal:
            self._removed.discard(_numbers(person))
        return refusal or f"{person.name} has been removed."

    def _remove_guest(self, number: int) -> None:
        self._removed.add((number, None))
        self._process.remove(number)

    async def ban(self, person: Person) -> str:
        """Remove somebody, and let nobody in from that address any more.

        Returns:
            What came of it, in one sentence.
        """
        self._removed.add(_numbers(person))
        refusal = await self._ask_done(Ban(person.address, f"{person.name}, at a party"))
        if refusal:
            self._removed.discard(_numbers(person))
            return refusal
        if person.guest is not None:
            self._remove_guest(person.guest)
        return f"{person.name} has been removed, and {person.address} is banned."

    def can_ban(self, person: Person) -> bool:
        """Tell whether somebody's address can be banned: not where that is this machine's, the host's own."""
        host = person.address
        return "/" in host or not (host in self.hosts or ip_address(host).is_loopback)

    async def _ask_done(self, request: OperatorRequest) -> str:
        """Ask for something to be done; gives why it was not, in one sentence, or nothing."""
        try:
            answer = await self._ask(request)
        except NoAnswer:
            return "The server does not answer. Try again in a moment."
        return f"That cannot be done: {answer.text}." if isinstance(answer, NotDone) else ""

    async def _ask(self, request: OperatorRequest) -> OperatorAnswer:
        return await ask_operator(self.server.socket, request)

    # --- the server ---------------------------------------------------------------------------------------

    async def _start_server(self) -> None:
        wish = self.wish
        given = wish.port if "port" in wish.fixed else None
        options = ServerOptions(wish.host, wish.is_announced)
        folder = self._state_folder
        self._server = await asyncio.to_thread(start_server, folder, given, options, first_port=wish.port)
        self._announced = None
        port = self._server.address.port
        self.wish = wish._replace(port=port, fixed=wish.fixed | {"port"})  # friends have it from now on
        if port != wish.port:
            self._have_files_of(port)

    async def _follow(self) -> None:
        """Look every second; start the server again where it has died."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.server.has_ended():
                await self._restart_server()
            await self._look()

    async def _restart_server(self) -> None:
        """Start the server again, as often as that takes; the same fault again is no news."""
        self.note("The server has stopped; it is started again.", is_warning=True)
        fault = ""
        while self.server.has_ended():
            try:
                await self._start_server()
            except (HostingFailed, OSError) as error:
                if str(error) != fault:
                    fault = str(error)
                    self.note(fault, is_warning=True)
                await asyncio.sleep(RESTART_SECONDS)
        await self._look()
        self.note("The server is back, with its races.")

    async def _look(self) -> None:
        """Ask the server who is there, and see to it that the room is open and the doors are announced."""
        with contextlib.suppress(NoAnswer):
            await self._announce_doors()
            rooms, connections = await self._ask(AskRooms()), await self._ask(AskConnections())
            if not isinstance(rooms, Rooms) or not isinstance(connections, ConnectionList):
                return
            own = next((room for room in rooms.rooms if room.code == self.code), None)
            if own is None:
                await self._open_room()
            elif (is_under_way := own.phase in ("racing", "between")) != self.is_saved:
                self._save(is_under_way=is_under_way)
            people = people_of(self._guests, connections.connections, time.time())
            self._note_rooms(rooms.rooms)
            self._note_people(people)

    async def _open_room(self) -> None:
        """Open the room under the code that it had."""
        answer = await self._ask(OpenRoom(self.code or self.wish.code, self.wish.options))
        match answer:
            case Done(code):
                self.code = code
                self._note_change()
            case NotDone(why) if why != self._refusal:
                self._refusal = why
                self.note(f"No room could be opened: {why}", is_warning=True)

    def _save(self, *, is_under_way: bool) -> None:
        """Have the party continued by the next one while its race is under way, however this one ends."""
        wish = self.wish
        if is_under_way:
            saved = SavedParty(
                *(wish.port, self.code, self.doors.ssh_port or wish.ssh, self.doors.web_port or wish.web),
                *(wish.password, wish.secret, wish.host, wish.is_announced),
            )
            save_party(self._state_folder, saved)
        else:
            forget_party(self._state_folder, wish.port)
        self.is_saved = is_under_way

    async def _announce_doors(self) -> None:
        doors = Doors(self.doors.ssh_port, self.doors.web_port)
        if doors != self._announced:
            await self._ask(AnnounceDoors(doors))
            self._announced = doors

    def _note_rooms(self, rooms: Sequence[RoomInfo]) -> None:
        for room in rooms:  # a race that slept meanwhile has not begun now
            was, now = self._phases.get(room.code, "lobby"), room.phase
            self._phases[room.code] = now
            if now == "racing" and was != "racing":
                self.note(f"A race has begun in room {room.code}.")
            elif now == "ended" and was == "racing":
                self.note(f"The race in room {room.code} has ended.")
        if self.rooms != (rooms := tuple(rooms)):
            self.rooms = rooms
            self._note_change()

    def _note_people(self, people: tuple[Person, ...]) -> None:
        """Note who has come or gone with a client of their own; of guests the doors tell that."""
        before, now = _by_connection(self.people), _by_connection(people)
        for person in (one for number, one in now.items() if number not in before):
            self.note(f"{person.name} came in with heat-tui from {person.address}.")
        for person in (one for number, one in before.items() if number not in now):
            self._note_gone(person.name, _numbers(person))
        if people != self.people:
            self.people = people
            self._note_change()

    def _note_gone(self, name: str, numbers: tuple[int | None, int | None]) -> None:
        is_removed = numbers in self._removed
        self._removed.discard(numbers)
        self.note(f"{name} was removed." if is_removed else f"{name} has left.")

    # --- the doors ----------------------------------------------------------------------------------------

    def _hear_doors(self, doors: DoorsOpen, news: News | None) -> None:
        """Take in what the doors say: how they stand, and perhaps what has happened."""
        if doors != self.doors:
            self.doors = doors
            self._note_change()
        if doors.ssh_port is None and doors.web_port is None:
            self._guests = ()
            self._removed = {numbers for numbers in self._removed if numbers[0] is None}
        if news is None:
            return
        match news.kind, news.guest:
            case "came", GuestInside() as guest:
                self._guests = (*self._guests, guest)
                by = "by ssh" if guest.way == "ssh" else "by browser"
                self.note(f"{guest.name} came in {by} from {guest.address}.")
            case "left", GuestInside() as guest:
                self._guests = tuple(one for one in self._guests if one.number != guest.number)
                self._note_gone(guest.name, (guest.number, None))
            case kind, _:
                self.note(news.text[0].upper() + news.text[1:], is_warning=kind == "warning")


def _numbers(person: Person) -> tuple[int | None, int | None]:
    """Give the numbers by which somebody is known when gone: at the doors, else at the server."""
    return (person.guest, None) if person.guest is not None else (None, person.connection)


def _by_connection(people: Sequence[Person]) -> dict[int | None, Person]:
    """Find those in a room who came by no door, by the numbers of their connections."""
    return {one.connection: one for one in people if one.guest is None and one.room}
