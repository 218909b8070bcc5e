"""What a room is, in memory and on disk: these very objects are changed, saved and read back.

Anything that must survive a restart, or be undone if it cannot be saved, is a field here; nothing else is
needed.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from heat_core.drivers import BotName
from heat_core.options.table_options import RoomOptions
from heat_core.race.dump import BadDump
from heat_core.race.setup import Colour
from heat_core.wire.messages import BotKind, Said
from heat_server.room.held_answers import HeldAnswer

FORMAT: Final = 1
"""Of a `SavedRoom`; it goes up whenever what is saved changes so that older ones cannot be read."""


class Member(msgspec.Struct, tag="member", eq=False):
    """A person with a place in a room.

    Attributes:
        key: Hash of the token.
        is_here: Is in this room, connected or not, and in no other.
        name: As the others read it; nobody else in the room has it.
        colour: Of the car; no other place has it.
        is_ready: Waits for the start, in a lobby and between two races.
        has_left: Left of their own will, or was removed, during the race.
        seat: The car, once the race has begun.
        stand_in: The bot that drives the seat since a break between two races; None: the person.
        wants_pause: Has agreed that the race stands still.
        more_milliseconds: What the host gives them for each decision beyond the time of the others.
    """

    key: bytes
    is_here: bool
    name: str
    colour: Colour
    is_ready: bool
    has_left: bool
    seat: int
    stand_in: BotName | None
    wants_pause: bool
    more_milliseconds: int = 0

    @classmethod
    def new(cls, key: bytes, name: str, colour: Colour) -> Member:
        """Make somebody who has just come."""
        return cls(key, True, name, colour, False, False, 0, None, False)


class Bot(msgspec.Struct, tag="bot", eq=False):
    """A place that a program drives."""

    kind: BotKind
    name: str
    colour: Colour


class Watcher(msgspec.Struct, eq=False):
    """A spectator: sees what all may see.

    Attributes:
        key: Hash of the token.
        name: As the others read it.
    """

    key: bytes
    name: str


Person: TypeAlias = Member | Watcher
Occupant: TypeAlias = Member | Bot | None
"""Of a place; None: nobody."""


class SavedRoom(msgspec.Struct):
    """A room without its race.

    Attributes:
        format: `FORMAT`.
        options: As the host has set them, and checked.
        places: Who sits where.
        watchers: The spectators.
        host: The place of the person who decides; None in an empty room.
        password: Hash of what one must say to come in; None: nothing.
        banned: Hashed tokens of those who may not come back; of very many the newest.
        banned_addresses: The same of their machines, with the name that is banned there where others in the
            room came from it too, see `name_key`; None: all. Servers up to 0.1 did not keep them.
        chat: The last lines.
        said: How many lines there were.
        is_paused: All have agreed that the race stands still.
        is_ended: The race is over, or the last of a championship.
        race_places: The place of each car; None: a Legend that filled an empty one. Empty before a race.
    """

    format: int
    options: RoomOptions
    places: list[Occupant]
    watchers: list[Watcher]
    host: int | None
    password: bytes | None
    banned: list[bytes]
    chat: list[Said]
    said: int
    is_paused: bool
    is_ended: bool
    race_places: tuple[int | None, ...]
    banned_addresses: list[tuple[str, str | None]] = []

    @classmethod
    def new(cls, options: RoomOptions) -> SavedRoom:
        """Make an empty room."""
        return cls(FORMAT, options, [None] * options.cars, [], None, None, [], [], 0, False, False, ())


class TimerSnapshot(msgspec.Struct):
    """What of a race changes with each decision and is in no event.

    Attributes:
        seconds_left: Of each open decision: seat, decision, seconds.
        missed: By seat: decisions in a row that the time ran out for.
        heard: By seat: the last event that the person surely has.
        held: What people have answered and nobody else has seen yet.
    """

    seconds_left: list[tuple[int, int, float]] = []
    missed: dict[int, int] = {}
    heard: dict[int, int] = {}
    held: list[HeldAnswer] = []


encode_room = msgspec.msgpack.Encoder().encode
_DECODER = msgspec.msgpack.Decoder(SavedRoom)


def decode_room(data: bytes) -> SavedRoom:
    """Read a room.

    Raises:
        BadDump: It is damaged, or another version wrote it.
    """
    try:
        room = _DECODER.decode(data)
    except msgspec.DecodeError as error:
        raise BadDump(f"no room: {error}") from None
    if room.format != FORMAT:
        raise BadDump(f"room format {room.format}; this version reads format {FORMAT}")
    return room
