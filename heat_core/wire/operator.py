"""What the operator of a running server can ask, and what it answers: one value each, sent as JSON."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from heat_core.wire.lan import Doors
from heat_core.wire.messages import RoomOptions, RoomPhase


class AskStatus(msgspec.Struct, frozen=True, tag="status"):
    """How is the server doing? Answered by `Status`."""


class AskConnections(msgspec.Struct, frozen=True, tag="connections"):
    """Who is connected? Answered by `ConnectionList`."""


class AskBans(msgspec.Struct, frozen=True, tag="bans"):
    """Who is banned? Answered by `Bans`."""


class CloseRoom(msgspec.Struct, frozen=True, tag="close"):
    """Close a room, awake or asleep; its record stays. Answered by `Done`."""

    room: str


class Remove(msgspec.Struct, frozen=True, tag="remove"):
    """Close connections; their players may come back. Answered by `Done`.

    Attributes:
        who: The number of a connection, an address, or a network.
    """

    who: str


class Ban(msgspec.Struct, frozen=True, tag="ban"):
    """Let nobody in from a network, and close its connections. Answered by `Done`.

    Attributes:
        network: It, or an address.
        note: Why, for the list.
    """

    network: str
    note: str = ""


class Unban(msgspec.Struct, frozen=True, tag="unban"):
    """Lift a ban. Answered by `Done`."""

    network: str


class AnnounceDoors(msgspec.Struct, frozen=True, tag="doors"):
    """Announce by which other ways this machine lets players in. Answered by `Done`."""

    doors: Doors


class StartDrain(msgspec.Struct, frozen=True, tag="drain"):
    """Let the other servers of the fleet have all rooms. Answered by `Draining`.

    Attributes:
        within_seconds: When races move that still run; None: when they end, or as an earlier request has it.
    """

    within_seconds: float | None = None


class CancelDrain(msgspec.Struct, frozen=True, tag="cancel_drain"):
    """Be a server like the others again. Answered by `Done`."""


class AskDrain(msgspec.Struct, frozen=True, tag="draining"):
    """How far is it? Answered by `Draining`."""


class AskRooms(msgspec.Struct, frozen=True, tag="rooms"):
    """Which rooms are awake? Answered by `Rooms`."""


class OpenRoom(msgspec.Struct, frozen=True, tag="open"):
    """Open a room with nobody in it, whose lobby waits for whoever comes. Answered by `Done` with its code.

    Attributes:
        code: The code that it is to have; empty: any. If a room has it already, that one waits from now on;
            a race that all have left stays asleep until somebody comes back.
        options: Of the race.
    """

    code: str
    options: RoomOptions


OperatorRequest: TypeAlias = (
    AskStatus
    | AskConnections
    | AskBans
    | AskRooms
    | StartDrain
    | CancelDrain
    | AskDrain
    | CloseRoom
    | OpenRoom
    | Remove
    | Ban
    | Unban
    | AnnounceDoors
)


class Status(msgspec.Struct, frozen=True, tag="status"):
    """A server at one moment.

    Attributes:
        version: Of the program.
        engine: How it runs: `compiled` or `in plain Python`.
        process: The number by which the system knows it.
        uptime_seconds: Since its start.
        draining: Whether the other servers of the fleet are to have its rooms.
        rooms: How many are in each phase; without those that sleep.
        sleeping: Rooms that rest on disk, until somebody comes back to them.
        seats: Places taken by people and bots in the rooms that are awake.
        drivers: People at these places who are connected.
        spectators: Who watches.
        connections: The open ones, those that watch or are in no room too.
        commands: Requests to rooms, in all.
        commands_per_second: In the last minute.
        answer_median_ms: From reading a command to its answer, of the last thousand.
        answer_slow_ms: The 99th percentile of the same.
        store: What people call the store: its path, or its address without secrets.
        store_trouble: Why it cannot be reached now; None: it can.
        commits: Transactions of the store; None: nothing is saved.
        commit_median_ms: How long the last thousand took.
        commit_slow_ms: The 99th percentile of the same.
        refused: By code: requests that were answered with an error, and connections that were turned away.
        dropped: By code: connections that were closed for silence, slowness or too many errors.
        malformed: By code: frames, messages and PROXY headers that could not be read.
        certificate: The fingerprint of the one by which the port speaks TLS; "": it speaks none.
        handshakes: How many handshakes of TLS were completed.
        handshakes_failed: By code: those that failed.
        memory_bytes: What the process holds; where the system does not say, the most it ever held.
    """

    version: str
    engine: str
    process: int
    uptime_seconds: float
    draining: bool
    rooms: dict[str, int]
    sleeping: int
    seats: int
    drivers: int
    spectators: int
    connections: int
    commands: int
    commands_per_second: float
    answer_median_ms: float
    answer_slow_ms: float
    store: str
    store_trouble: str | None
    commits: int | None
    commit_median_ms: float
    commit_slow_ms: float
    refused: dict[str, int]
    dropped: dict[str, int]
    malformed: dict[str, int]
    certificate: str
    handshakes: int
    handshakes_failed: dict[str, int]
    memory_bytes: int


class Draining(msgspec.Struct, frozen=True, tag="draining"):
    """How far a drain is.

    Attributes:
        is_on: Whether there is one.
        rooms: How many rooms that are awake are still here, by phase.
        sleeping: How many of those that sleep.
        connections: The open ones.
        seconds_left: Until races move that still run; None: they move when they end.
        waits_for: What it waits for, in one sentence; "": nothing but races.
        rules_only_here: The version of the rules that no other server plays by, so that races end here; None:
            races can move.
    """

    is_on: bool
    rooms: dict[str, int]
    sleeping: int
    connections: int
    seconds_left: float | None
    waits_for: str
    rules_only_here: int | None = None

    @property
    def rooms_left(self) -> int:
        """All rooms that are still here."""
        return sum(self.rooms.values()) + self.sleeping


class ConnectionInfo(msgspec.Struct, frozen=True):
    """One connection.

    Attributes:
        number: As in the log.
        peer: Where it comes from, as limits count it.
        open_seconds: Since it came.
        silent_seconds: Since its last message.
        program: What its hello said, as it came; "" before that.
        room: The code of the room that its player is in; "": none.
        name: The player's name there.
        is_by_door: Whether it came by the door socket: it is the connection of a guest.
    """

    number: int
    peer: str
    open_seconds: float
    silent_seconds: float
    program: str
    room: str
    name: str
    is_by_door: bool = False


class ConnectionList(msgspec.Struct, frozen=True, tag="connections"):
    """All connections, the oldest first."""

    connections: tuple[ConnectionInfo, ...]


class RoomInfo(msgspec.Struct, frozen=True):
    """One room.

    Attributes:
        phase: How far it is.
        track: The identifier of its track.
        drivers: How many people with a place in it are there.
        spectators: How many watch.
        host: The name of its host; "": nobody is in it.
    """

    code: str
    phase: RoomPhase
    track: str
    drivers: int
    spectators: int
    host: str


class Rooms(msgspec.Struct, frozen=True, tag="rooms"):
    """All rooms that are awake."""

    rooms: tuple[RoomInfo, ...]


class BanInfo(msgspec.Struct, frozen=True):
    """One ban.

    Attributes:
        network: An address, or a network of addresses.
        note: The reason, "" where none was given.
        is_saved: Whether it is in the store; else it holds only at this server, until that stops.
    """

    network: str
    note: str
    is_saved: bool = True


class Bans(msgspec.Struct, frozen=True, tag="bans"):
    """All bans."""

    bans: tuple[BanInfo, ...]


class Done(msgspec.Struct, frozen=True, tag="done"):
    """It is done; the text says what."""

    text: str


class NotDone(msgspec.Struct, frozen=True, tag="not_done"):
    """It cannot be done; the text says why."""

    text: str


OperatorAnswer: TypeAlias = Status | Draining | ConnectionList | Rooms | Bans | Done | NotDone
