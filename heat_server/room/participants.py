"""Who is in a room, and who of them is there: the only owner of both.

Theory of operation. Who has a place, and whether they are in this room or have gone to another, is part of
the room that is saved (`room.saved_room`); only the methods here change it. What is seen of somebody (whether
they are connected, what they were sent) is their `Presence`, which is neither saved nor undone. The
server's clients learn from here in which rooms they have a place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heat_core.wire.messages import RoomPhase
from heat_server.net.clients import Clients, ConnectedClient
from heat_server.net.connection import Connection
from heat_server.room.saved_room import Member, Occupant, Person, SavedRoom, Watcher


@dataclass(eq=False, slots=True)
class Presence:
    """What is seen of somebody in a room, and what they know of it.

    Attributes:
        client: The player.
        gone_at: Since when the person is not there; None: there.
        sent: Number of the last event sent.
        heard: Number of the last event sent when the person last said anything.
        seen: Number of the last event sent when the person last hung up; a line that just breaks counts for
            nothing, as what was sent last may not have arrived.
        needs_update: What was last sent of the race is out of date.
        needs_state: What was last sent of the room is out of date.
        sent_phase: The room's phase as it was last sent; None: never.
        greeted: The connection that has been told everything; another one knows nothing yet.
        missed: How many decisions in a row the time ran out for.
        changes: How often the open secret choice has been changed.
    """

    client: ConnectedClient
    gone_at: float | None = None
    sent: int = 0
    heard: int = 0
    seen: int = 0
    needs_update: bool = False
    needs_state: bool = False
    sent_phase: RoomPhase | None = None
    greeted: Connection | None = None
    missed: int = 0
    changes: int = 0


@dataclass
class Attendance:
    """What has been seen of everybody: it holds on where what cannot be saved is undone.

    Attributes:
        is_awaited: Whether the lobby is kept for people who are yet to come, by the operator's wish.
        by_key: The presence of each person, by the hash of their token.
        busy_at: When somebody last asked for something.
        empty_since: Since when nobody is there; None: somebody is.
        ended_at: When the last race ended, where it has.
    """

    busy_at: float
    empty_since: float | None
    ended_at: float
    is_awaited: bool = False
    by_key: dict[bytes, Presence] = field(default_factory=dict)

    @classmethod
    def beginning(cls, now: float) -> Attendance:
        """Begin with nobody there."""
        return cls(now, now, now)

    def note_empty(self, now: float | None) -> None:
        """Note that nobody is there at a time, or with None that somebody is."""
        if now is None or self.empty_since is None:
            self.empty_since = now


class Participants:
    """The people of one room.

    Attributes:
        attendance: What is seen of them.
        attendance_changes: Goes up whenever somebody has come or gone.
    """

    def __init__(
        self, code: str, saved: SavedRoom, attendance: Attendance, clients: Clients, now: float
    ) -> None:
        """Take the people of a room as it is on disk, or as it is made; of who is new here nobody is there.

        Args:
            code: Of the room.
            saved: The room.
            attendance: What has been seen of them so far.
            clients: The server's; who has gone to another room is not in this one any more.
            now: The time on the caller's clock.
        """
        self.attendance = attendance
        self.attendance_changes = 0
        self._code = code
        self._saved = saved
        self._clients = clients
        self._seated: list[Occupant] = []
        self._members: tuple[Member, ...] = ()
        for member in self.members():
            member.is_here = member.is_here and self._can_be_here(member)
        saved.watchers = [watcher for watcher in saved.watchers if self._can_be_here(watcher)]
        seen = attendance.by_key
        attendance.by_key = {
            person.key: seen.get(person.key) or Presence(clients.adopt(person.key), gone_at=now)
            for person in self
        }
        self._update_clients()

    # --- who there is -------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Person]:
        """List the people, members by place."""
        return iter((*self.members(), *self._saved.watchers))

    def members(self) -> tuple[Member, ...]:
        """List the people who have places, by place."""
        if self._seated != self._saved.places:  # a dozen times a command, and hardly ever another list
            self._seated = self._saved.places.copy()
            self._members = tuple(one for one in self._seated if isinstance(one, Member))
        return self._members

    def driver(self, seat: int) -> Member:
        """Give the person of a seat, which a race has."""
        return {member.seat: member for member in self.members()}[seat]

    @property
    def host(self) -> Member | None:
        """The person who decides; None: nobody is here."""
        host = self._saved.places[self._saved.host] if self._saved.host is not None else None
        return host if isinstance(host, Member) else None

    def place_of(self, person: Person) -> int | None:
        """Give a person's place; None: a spectator."""
        return self._saved.places.index(person) if isinstance(person, Member) else None

    def find(self, client: ConnectedClient) -> Person | None:
        """Find the person who is a client."""
        return next((person for person in self if person.key == client.key), None)

    def keys(self) -> tuple[bytes, ...]:
        """List the hashed tokens of all."""
        return tuple([person.key for person in self])

    # --- who is there -------------------------------------------------------------------------------------

    def presence(self, person: Person) -> Presence:
        """Give what is seen of somebody."""
        return self.attendance.by_key[person.key]

    @staticmethod
    def is_here(person: Person) -> bool:
        """Tell whether somebody is in this room now, connected or not."""
        return not isinstance(person, Member) or person.is_here

    def here(self) -> list[tuple[Person, Presence]]:
        """List those who are in this room now, connected or not."""
        by_key = self.attendance.by_key
        return [(person, by_key[person.key]) for person in self if self.is_here(person)]

    def is_there(self, person: Person) -> bool:
        """Tell whether somebody follows what happens in the room."""
        return self.presence(person).gone_at is None and not (isinstance(person, Member) and person.has_left)

    def is_anybody_there(self) -> bool:
        """Tell whether a driver or spectator follows what happens."""
        return any(self.is_there(person) for person in self)

    def is_a_driver_there(self) -> bool:
        """Tell whether somebody with a place follows what happens."""
        return any(self.is_there(member) for member in self.members())

    def note_presence(self, now: float) -> tuple[bool, list[tuple[Person, Presence]]]:
        """Look who is connected.

        Returns:
            Whether anybody has come or gone, and those whose connection has been told nothing yet.
        """
        changed, back = False, []
        by_key = self.attendance.by_key
        for person in self:
            presence = by_key[person.key]
            connection = presence.client.connection
            is_here = connection is not None and connection.is_open and self.is_here(person)
            if is_here and connection is not presence.greeted:
                back.append((person, presence))
            if is_here is (presence.gone_at is None):
                continue
            presence.gone_at = None if is_here else now
            left = presence.greeted
            if not is_here and left is not None and left.has_hung_up and not left.is_behind():
                presence.seen = presence.sent
            if is_here:
                presence.missed = 0
                if isinstance(person, Member):
                    person.has_left = False
            changed = True
        self.attendance_changes += changed
        return changed, back

    # --- who comes and goes -------------------------------------------------------------------------------

    def let_in(self, client: ConnectedClient, person: Person) -> None:
        """Let somebody in: who is new gets the first free place, or watches; else they are back."""
        if isinstance(person, Member):
            person.is_here, person.has_left = True, False
        if person.key not in self.attendance.by_key:
            self.attendance.by_key[person.key] = Presence(client)
            if isinstance(person, Watcher):
                self._saved.watchers.append(person)
            else:
                place = self._saved.places.index(None)
                self._saved.places[place] = person
                if self._saved.host is None:
                    self._saved.host = place
        self._update_clients()

    def leave_race(self, member: Member) -> None:
        """Let a driver go who keeps their place; a host hands on."""
        member.is_here, member.has_left = False, True
        self.hand_on(member)
        self._update_clients()

    def let_go(self, person: Person) -> None:
        """Forget somebody for good; their place becomes free, and a host hands on."""
        if isinstance(person, Member):
            self.hand_on(person)
            self._saved.places[self._saved.places.index(person)] = None
        else:
            self._saved.watchers.remove(person)
        del self.attendance.by_key[person.key]
        self._update_clients()

    def let_all_go(self) -> None:
        """Let the clients forget the room: it ends, or falls asleep."""
        self._clients.note_room(self._code, {})

    def hand_on(self, member: Member) -> None:
        """Make another the host if this one is: the first who is there, else the first."""
        if self.host is member:
            others = [other for other in self.members() if other is not member]
            host = min(others, key=lambda other: not self.is_there(other), default=None)
            self._saved.host = self.place_of(host) if host is not None else None

    def _can_be_here(self, person: Person) -> bool:
        return self._clients.adopt(person.key).room in (None, self._code)

    def _update_clients(self) -> None:
        self.attendance_changes += 1
        self._clients.note_room(self._code, {person.key: self.is_here(person) for person in self})


def seat_of(person: Person) -> int | None:
    """Give the car whose driver a person is; None: a spectator."""
    return person.seat if isinstance(person, Member) else None
