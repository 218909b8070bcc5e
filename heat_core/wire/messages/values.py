"""What messages are made of: numbers and texts with their bounds, a room's options, the two bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from heat_core.bots import BotName
from heat_core.presets import LegendLevel, PresetName
from heat_core.season_setup import RACES_OF_A_SEASON
from heat_core.setup import MAX_CARS, MIN_CARS, USUAL_CARS, GarageName

PROTOCOL: Final = 6
"""The version of the protocol: both sides must speak the same."""

DEFAULT_PORT: Final = 7777

MOST_NUMBER: Final = 2**31 - 1

RequestId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
"""Chosen by the client; the answer repeats it as `re`."""

Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
EventNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
DecisionId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
Place: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARS)]
"""A place of the lobby, from 0. Cars are numbered anew at the start: see `Started`."""

RoomCode: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
TypedName: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
"""As people typed it; `heat_core.names` makes a name of it or refuses it."""

ShortText: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
TrackId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,32}\Z")]

SettingWord: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
MOST_SETTINGS: Final = 16

BotKind: TypeAlias = BotName | Literal["legend:easy", "legend:medium", "legend:hard"]
PlaceKind: TypeAlias = Literal["human"] | BotKind
RoomPhase: TypeAlias = Literal["lobby", "racing", "between", "ended"]
"""Between: two races of a championship."""

Password: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ChatText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
"""As people typed it; `heat_core.names.clean_line` makes a line of it or refuses it."""

Reaction: TypeAlias = Literal["bravo", "ouch", "hurry", "sorry", "thanks", "good race"]
SaidKind: TypeAlias = Literal["chat", "reaction", "news"]
"""What a person wrote; a short reaction; what the room tells."""

AwayDriver: TypeAlias = Literal["defaults", "steady"]
"""Who drives for somebody who is away: the defaults of the rules, or a bot."""

Standstill: TypeAlias = Literal["nobody", "paused"]
"""Why a race stands still: nobody is there, or all have agreed to a pause."""

LEAST_TURN_MILLISECONDS: Final = 50
MOST_TURN_MILLISECONDS: Final = 24 * 60 * 60 * 1000


class SeasonOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a championship of a room.

    Attributes:
        year: A printed season; None: on `tracks`.
        tracks: 3 or 4 identifiers, in order; of no account for a printed season.
        events: Whether each race on a chosen track draws an event card.
        sponsorships: Whether there are Sponsorship cards.
    """

    year: Annotated[int, msgspec.Meta(ge=1900, le=2100)] | None = None
    tracks: Annotated[tuple[TrackId, ...], msgspec.Meta(max_length=RACES_OF_A_SEASON[-1])] = ()
    events: bool = False
    sponsorships: bool = False


class RoomOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host settles before the race.

    Attributes:
        track: Identifier of a track that the server has; of no account in a championship.
        laps: In [1, 5), of each race; None: the track's own.
        cars: How many places the room has.
        legends: How many of the places that are still empty at the start Legends take.
        level: How those Legends drive.
        rules: The preset.
        settings: What differs from it: name of a setting -> word of its value, as in `heat_core.settings`.
        turn_milliseconds: How long each decision may take; None: what the server sets.
        grace_milliseconds: How long the others wait for somebody whose connection is gone; None: the same.
        away_driver: Who drives for those who are away.
        garage: Which upgrades are drafted before the race.
        expansion: Whether the expansion's upgrades are among them.
        weather: Whether there are weather and road tokens.
        season: None: a single race.
    """

    track: TrackId = "usa"
    laps: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    cars: Annotated[int, msgspec.Meta(ge=MIN_CARS, le=MAX_CARS)] = USUAL_CARS
    legends: Annotated[int, msgspec.Meta(ge=0, lt=MAX_CARS)] = 0
    level: LegendLevel = "medium"
    rules: PresetName = "standard"
    settings: Annotated[Mapping[SettingWord, SettingWord], msgspec.Meta(max_length=MOST_SETTINGS)] = {}
    turn_milliseconds: (
        Annotated[int, msgspec.Meta(ge=LEAST_TURN_MILLISECONDS, le=MOST_TURN_MILLISECONDS)] | None
    ) = None
    grace_milliseconds: (
        Annotated[int, msgspec.Meta(ge=LEAST_TURN_MILLISECONDS, le=MOST_TURN_MILLISECONDS)] | None
    ) = None
    away_driver: AwayDriver = "defaults"
    garage: GarageName = "none"
    expansion: bool = False
    weather: bool = False
    season: SeasonOptions | None = None


class FrozenMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of the messages that never change: fields that a later version may add are passed over."""


class StrictMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all other messages."""
