"""The parts of messages: numbers and texts with their bounds, and the two base classes."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from heat_core.drivers import BotName
from heat_core.race.setup import MAX_CARS

PROTOCOL: Final = 7
"""The newest version of the protocol that this program speaks."""

LEAST_PROTOCOL: Final = 7
"""The oldest one; two programs use the newest that both speak."""

FEATURES: Final[tuple[str, ...]] = ("catalogue", "legal")
"""What a server of this program can do that another of the same protocol may not: `welcome` lists it."""

DEFAULT_PORT: Final = 7777

MOST_NUMBER: Final = 2**31 - 1

MOST_LEGAL: Final = 256
"""Commands in one answer to `legal`."""

MOST_CODE_CHARACTERS: Final = 16
MOST_TOKEN_CHARACTERS: Final = 128
MOST_EVENTS: Final = 32_768
"""In one message, which a frame of the shortest events may hold; the longest races have fewer."""

MOST_WATCHERS: Final = 4_000
"""Spectators of one room."""

MOST_NAMED_SERVERS: Final = 256
"""Of a fleet, in one message."""

RequestId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
"""Chosen by the client; the answer repeats it as `re`."""

ProtocolNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
DecisionId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
RoomPlace: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARS)]
"""A place of the lobby, from 0. Cars are numbered again at the start: see `Started`."""

RoomCode: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_CODE_CHARACTERS)]
TypedName: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
"""As people typed it; `heat_core.names` makes a name of it or refuses it."""

ShortText: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
FeatureNames: TypeAlias = Annotated[tuple[ShortText, ...], msgspec.Meta(max_length=64)]
ServerAddress: TypeAlias = Annotated[str, msgspec.Meta(max_length=400)]
"""As `heat_core.wire.address` reads it, with the fingerprint of a certificate that no authority signed."""

ServerAddresses: TypeAlias = Annotated[tuple[ServerAddress, ...], msgspec.Meta(max_length=MOST_NAMED_SERVERS)]
ServerText: TypeAlias = Annotated[str, msgspec.Meta(max_length=1_000)]
"""As a server sends it: cut where it is shown."""

BotKind: TypeAlias = BotName | Literal["legend:easy", "legend:medium", "legend:hard"]
PlaceKind: TypeAlias = Literal["human"] | BotKind
RoomPhase: TypeAlias = Literal["lobby", "racing", "between", "ended"]
"""Between: two races of a championship."""

Password: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ChatText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
"""As people typed it; `heat_core.names.clean_line` makes a line of it or refuses it."""

Reaction: TypeAlias = Literal["bravo", "ouch", "hurry", "sorry", "thanks", "good race"]
SaidKind: TypeAlias = Literal["chat", "reaction", "news"]
"""What a person wrote; a short reaction; news of the room."""

Standstill: TypeAlias = Literal["nobody", "paused"]
"""Why a race stands still: nobody is there, or all have agreed to a pause."""


class FrozenMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of the messages whose fields keep their meaning for ever; later versions may add fields."""


class StrictMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all other messages; the codec leaves out what is not known before it makes one."""


def common_protocol(least: int, most: int) -> int | None:
    """Give the newest protocol that this program and another speak; None where there is none.

    Args:
        least: The oldest that the other speaks.
        most: The newest.
    """
    newest = min(PROTOCOL, most)
    return newest if newest >= max(LEAST_PROTOCOL, least) else None
