"""The form in which a room lies on disk; see `heat_server.keeping`."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from heat_core.bots import BotName
from heat_core.setup import Colour
from heat_core.wire.messages import BotKind, RoomOptions, Said

FORMAT: Final = 1
"""Of a `KeptRoom`; it goes up whenever what is kept changes so that older ones cannot be read."""


class KeptMember(msgspec.Struct, tag="member"):
    """A person with a place; see `Member`.

    Attributes:
        key: Hash of the token.
        is_here: Whether the person was in this room, and not in another.
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


class KeptBot(msgspec.Struct, tag="bot"):
    """A place that a program drives."""

    kind: BotKind
    name: str
    colour: Colour


class KeptWatcher(msgspec.Struct):
    """A spectator."""

    key: bytes
    name: str


KeptPlace: TypeAlias = KeptMember | KeptBot | None


class KeptRoom(msgspec.Struct):
    """A room without its race; see `Paddock`.

    Attributes:
        format: `FORMAT`.
        host: Their place; None: nobody is.
        race_places: The lobby's place of each car; empty before a race.
        banned_addresses: See `Paddock`; servers up to 0.1 did not keep them.
    """

    format: int
    options: RoomOptions
    places: list[KeptPlace]
    watchers: list[KeptWatcher]
    host: int | None
    password: bytes | None
    banned: list[bytes]
    chat: list[Said]
    said: int
    is_paused: bool
    is_ended: bool
    race_places: tuple[int | None, ...]
    banned_addresses: list[tuple[str, str | None]] = []
