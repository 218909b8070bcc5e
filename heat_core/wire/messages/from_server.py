"""The messages of the server, in the order of docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, TypeAlias, Union

import msgspec

from heat_core.options.table_options import RoomOptions, TrackId
from heat_core.race.commands import Command
from heat_core.race.events import DecisionKind, Event
from heat_core.race.events.parts import CarNumber, CarNumbers, EventNumber, Lap
from heat_core.race.setup import MAX_CARS, MIN_CARS, Colour, RaceSetup, ShownName
from heat_core.season.setup import SeasonSetup
from heat_core.season.view import SeasonView
from heat_core.track_facts import TrackFacts
from heat_core.view.race_view import RaceView
from heat_core.wire.messages.catalogue import Catalogue
from heat_core.wire.messages.values import (
    MOST_EVENTS,
    MOST_LEGAL,
    MOST_NUMBER,
    MOST_WATCHERS,
    DecisionId,
    FeatureNames,
    FrozenMessage,
    Milliseconds,
    PlaceKind,
    ProtocolNumber,
    RequestId,
    RoomCode,
    RoomPhase,
    RoomPlace,
    SaidKind,
    ServerAddress,
    ServerAddresses,
    ServerText,
    Standstill,
    StrictMessage,
)

_CarCount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MAX_CARS)]
_CarPlaces: TypeAlias = Annotated[tuple[RoomPlace | None, ...], msgspec.Meta(max_length=MAX_CARS)]


class UnknownEvent(msgspec.Struct, frozen=True, tag="UnknownEvent", tag_field="type"):
    """Stands at a client for an event that only newer programs know, as events are numbered; never sent."""


SeenEvent: TypeAlias = Event | UnknownEvent
_Events: TypeAlias = Annotated[tuple[SeenEvent, ...], msgspec.Meta(max_length=MOST_EVENTS)]


class Welcome(FrozenMessage, frozen=True, omit_defaults=True, tag="welcome"):
    """The answer to `hello`.

    Attributes:
        protocol: The version that this connection uses from now on.
        token: Secret: it identifies this player. Keep it to come back.
        features: What this server can do that others of the same protocol may not.
        servers: Addresses of all servers that share the rooms of this one, its own first; missing where there
            is one only.
    """

    re: RequestId
    protocol: int
    program: str
    version: str
    token: str
    features: FeatureNames = ()
    servers: ServerAddresses = ()


class Ok(StrictMessage, frozen=True, tag="ok"):
    """Done.

    Attributes:
        code: The room's, in answer to `create`, `join` and `watch`.
        place: The place taken, in answer to the same; None for who watches.
    """

    re: RequestId
    code: RoomCode | None = None
    place: RoomPlace | None = None


class Versions(msgspec.Struct, frozen=True):
    """The versions of the protocol that a server speaks, from the oldest to the newest."""

    least: ProtocolNumber
    most: ProtocolNumber


class ErrorData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What programs can use of an error; each code brings only what helps with it.

    Attributes:
        allowed: What would be right in the place of what was wrong: names, values, amounts.
        field: The field that is wrong, as a path: `command.gear`.
        decision: The decision that is open for the receiver now.
        retry_after_milliseconds: When the same request can succeed.
        versions: Those of the protocol that the server speaks.
        moved_to: Address of the server that has the room, or space for one; "": one of the others.
    """

    allowed: Annotated[tuple[str | int, ...], msgspec.Meta(max_length=4_000)] = ()
    field: str | None = None
    decision: DecisionId | None = None
    retry_after_milliseconds: Milliseconds | None = None
    versions: Versions | None = None
    moved_to: ServerAddress | None = None


class Error(FrozenMessage, frozen=True, tag="error"):
    """Not done, and nothing changed.

    Attributes:
        re: The request; None: no request's fault. With a code `room/...` and None, the room is gone.
        code: For programs.
        text: One sentence for people.
        data: What a program can use besides; None: nothing.
    """

    re: RequestId | None
    code: str
    text: str
    data: ErrorData | None = None


class RoomSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One room in the list.

    Attributes:
        players: Places where people or bots sit.
        has_place: Whether `join` would find a place.
        is_private: Whether a password is asked for.
    """

    code: RoomCode
    phase: RoomPhase
    track: TrackId
    laps: Lap
    cars: _CarCount
    players: _CarCount
    has_place: bool
    host: ShownName
    is_private: bool = False


class RoomList(StrictMessage, frozen=True, tag="rooms"):
    """The rooms of the server, those that can be joined first."""

    re: RequestId
    rooms: Annotated[tuple[RoomSummary, ...], msgspec.Meta(max_length=4_000)]


class TrackSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One track in the list."""

    id: TrackId
    name: ShownName


class TrackList(StrictMessage, frozen=True, tag="tracks"):
    """The tracks that rooms of this server may race on, the boards first."""

    re: RequestId
    tracks: Annotated[tuple[TrackSummary, ...], msgspec.Meta(max_length=4_000)]


class TrackDetails(StrictMessage, frozen=True, tag="track"):
    """All that a track's file says."""

    re: RequestId
    track: TrackFacts


class Legal(StrictMessage, frozen=True, tag="legal"):
    """Commands that answer a decision.

    Attributes:
        commands: All of them; or where there are more than were asked for, some drawn by lot, each with the
            same chance.
        count: How many there are in all.
    """

    re: RequestId
    decision: DecisionId
    commands: Annotated[tuple[Command, ...], msgspec.Meta(max_length=MOST_LEGAL)]
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_NUMBER)]


class PlaceState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One place of a room; kind None: nobody there, and the rest means nothing.

    Attributes:
        has_stand_in: A bot drives for this person until the next race of a championship.
        wants_pause: The person has agreed to a pause.
        more_milliseconds: What the person has for each decision beyond the time of the others.
    """

    kind: PlaceKind | None = None
    name: ShownName = ""
    colour: Colour | None = None
    is_ready: bool = False
    is_connected: bool = False
    has_stand_in: bool = False
    wants_pause: bool = False
    more_milliseconds: Milliseconds = 0


class LobbyView(StrictMessage, frozen=True, tag="room"):
    """A room as it is now: sent to all in it whenever it changes.

    Attributes:
        place: The receiver's own; None: a spectator.
        host: The host's place.
        laps: How many there will be: `options.laps`, or the track's own.
        turn_milliseconds: The same for the time of a decision; 0: no clock runs.
        invitation: The line to pass on to friends.
        watchers: Names of the spectators.
        is_private: Whether a password is asked for.
        is_paused: All have agreed to a pause.
    """

    code: RoomCode
    phase: RoomPhase
    place: RoomPlace | None
    host: RoomPlace
    options: RoomOptions
    laps: Lap
    turn_milliseconds: Milliseconds
    places: Annotated[tuple[PlaceState, ...], msgspec.Meta(min_length=MIN_CARS, max_length=MAX_CARS)]
    invitation: ServerText
    watchers: Annotated[tuple[ShownName, ...], msgspec.Meta(max_length=MOST_WATCHERS)] = ()
    is_private: bool = False
    is_paused: bool = False

    @property
    def own(self) -> PlaceState:
        """The receiver's own place; an empty one for a spectator."""
        return self.places[self.place] if self.place is not None else PlaceState()


class SeasonUpdate(StrictMessage, frozen=True, tag="season"):
    """The championship: sent when it begins, when a race ends or begins, when a seat changes hands.

    Attributes:
        setup: The public set-up; no seed.
        view: How it stands, as the receiver may see it.
        cars: The room's place of each car; None: a Legend that filled an empty place.
    """

    setup: SeasonSetup
    view: SeasonView
    cars: _CarPlaces


class Started(StrictMessage, frozen=True, tag="started"):
    """The race: sent once when it begins, and again to whoever comes back.

    Attributes:
        seat: The receiver's car; None: a spectator.
        setup: The public set-up: track, laps, names and colours by car number, rules; no seed.
        cars: The room's place of each car; None: a Legend that filled an empty place.
    """

    seat: CarNumber | None
    setup: RaceSetup
    cars: _CarPlaces


class OpenDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that the race waits for.

    Attributes:
        has_chosen: A secret choice is made and may still be changed.
        milliseconds_left: None: no time runs (the choice is made, or the race stands still).
    """

    seat: CarNumber
    kind: DecisionKind
    has_chosen: bool
    milliseconds_left: Milliseconds | None


class Update(StrictMessage, frozen=True, tag="update"):
    """What happened, and how things stand after it, as the receiver may see them.

    Attributes:
        number: Number of the last event.
        events: Those that the receiver was not yet sent; the first has the number `number - len(events) + 1`.
        view: Everything after the last event.
        decisions: Whom the race waits for, and how long.
        away: Seats whose drivers are not there, or did not answer twice: they are played by defaults.
        standstill: Why no time runs; None: it does.
    """

    number: EventNumber
    events: _Events
    view: RaceView
    decisions: Annotated[tuple[OpenDecision, ...], msgspec.Meta(max_length=MAX_CARS)]
    away: CarNumbers
    standstill: Standstill | None = None


class Meanwhile(StrictMessage, frozen=True, tag="meanwhile"):
    """What happened while the receiver was away, in one to three sentences; sent when they come back."""

    sentences: Annotated[tuple[ServerText, ...], msgspec.Meta(max_length=100)]


class Waiting(StrictMessage, frozen=True, tag="waiting"):
    """The room answers nothing for now, or does so again.

    Attributes:
        text: What it waits for, in one sentence for people; None: it no longer does.
    """

    text: ServerText | None


class Said(StrictMessage, frozen=True, tag="said"):
    """Somebody wrote something, or the room has news; a person who comes back gets the last 50 again.

    Attributes:
        number: From 1, in order: what comes twice can be passed over.
        place: The writer's; None: a spectator, or the room itself.
        name: The writer's; "" for the room.
    """

    number: EventNumber
    kind: SaidKind
    place: RoomPlace | None
    name: ShownName
    text: ServerText


class Record(StrictMessage, frozen=True, tag="record"):
    """A part of a race's record; ask again with `since` until `last` is the last event.

    Attributes:
        setup: With the seed.
        first: Number of the first event here.
        events: As they were, nothing hidden.
        last: Number of the race's last event.
    """

    re: RequestId
    setup: RaceSetup
    first: EventNumber
    events: _Events
    last: EventNumber


class Pong(StrictMessage, frozen=True, omit_defaults=True, tag="pong"):
    """The answer to `ping`.

    Attributes:
        servers: As in `welcome`, once after servers have come that this connection was not told of.
    """

    re: RequestId
    servers: ServerAddresses = ()


class Bye(FrozenMessage, frozen=True, tag="bye"):
    """The last message: the server closes the connection.

    Attributes:
        code: For programs.
        text: One sentence for people.
    """

    code: str
    text: str


ServerMessage: TypeAlias = Union[  # noqa: UP007
    Welcome,
    Ok,
    Error,
    RoomList,
    TrackList,
    TrackDetails,
    Catalogue,
    Legal,
    LobbyView,
    SeasonUpdate,
    Started,
    Update,
    Meanwhile,
    Waiting,
    Said,
    Record,
    Pong,
    Bye,
]
