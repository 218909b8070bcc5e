"""The messages of the protocol. docs/protocol.md says when each is sent; a test compares the two.

Every message is one map with the key `type`. `hello`, `welcome`, `error` and `bye` are frozen for ever, so
that programs of different versions can tell each other so; all others may change with `PROTOCOL`.
A long file, in the order of that document and read beside it; what messages share stands in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, Union

import msgspec

from heat_core.commands import Command
from heat_core.events import DecisionKind, Event
from heat_core.presets import LegendLevel, PresetName
from heat_core.season_setup import RACES_OF_A_SEASON, SeasonSetup
from heat_core.season_view import SeasonView
from heat_core.setup import MAX_CARS, MIN_CARS, USUAL_CARS, Colour, GarageName, RaceSetup
from heat_core.track import TrackFacts
from heat_core.view import RaceView

PROTOCOL: Final = 5
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

BotKind: TypeAlias = Literal["steady", "random", "legend:easy", "legend:medium", "legend:hard"]
PlaceKind: TypeAlias = Literal["human", "steady", "random", "legend:easy", "legend:medium", "legend:hard"]
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


class _Frozen(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of the messages that never change: fields that a later version may add are passed over."""


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all other messages."""


# --- what a client says ---------------------------------------------------------------------------------


class Hello(_Frozen, frozen=True, tag="hello"):
    """The first message of a connection.

    Attributes:
        protocol: The client's `PROTOCOL`.
        program: Name of the client, for the server's log.
        version: Its version.
        token: From an earlier `welcome`, to come back; None: somebody new.
    """

    id: RequestId
    protocol: Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBER)]
    program: ShortText = ""
    version: ShortText = ""
    token: Annotated[str, msgspec.Meta(max_length=128)] | None = None


class Create(_Message, frozen=True, tag="create"):
    """Open a room and take its first place, as host. The answer names code and place.

    Attributes:
        colour: None: the first free one.
        password: What others must say to come in; None: nothing.
    """

    id: RequestId
    name: TypedName
    colour: Colour | None = None
    options: RoomOptions = RoomOptions()
    password: Password | None = None


class ListRooms(_Message, frozen=True, tag="rooms"):
    """Ask which rooms there are; answered by `RoomList`."""

    id: RequestId


class ListTracks(_Message, frozen=True, tag="tracks"):
    """Ask which tracks the server has; answered by `TrackList`."""

    id: RequestId


class AskTrack(_Message, frozen=True, tag="track"):
    """Ask for all that a track's file says; answered by `TrackTold`."""

    id: RequestId
    track: TrackId


class Join(_Message, frozen=True, tag="join"):
    """Take a place in a room, or go back to one's own after `leave`. The answer names code and place.

    Attributes:
        code: In either letter case.
        colour: None: the first free one.
        password: Of a private room; who has a place there already needs none.
    """

    id: RequestId
    code: RoomCode
    name: TypedName
    colour: Colour | None = None
    password: Password | None = None


class Watch(_Message, frozen=True, tag="watch"):
    """Look on, in any phase of a room: the public view only. The answer names the code.

    Attributes:
        code: In either letter case.
        name: For the others to see.
        password: Of a private room.
    """

    id: RequestId
    code: RoomCode
    name: TypedName
    password: Password | None = None


class TakeSeat(_Message, frozen=True, tag="seat"):
    """Change one's own name, colour or ready mark; None leaves it as it is."""

    id: RequestId
    name: TypedName | None = None
    colour: Colour | None = None
    ready: bool | None = None


class Configure(_Message, frozen=True, tag="configure"):
    """Change the options, as host; clears all ready marks."""

    id: RequestId
    options: RoomOptions


class PlaceBot(_Message, frozen=True, tag="bot"):
    """Put a bot or a Legend on a place where no person sits, or with None clear it, as host.

    Between two races of a championship: hand the seat of somebody who is not there to a bot, or with None
    back to them.
    """

    id: RequestId
    place: Place
    kind: BotKind | None


class Start(_Message, frozen=True, tag="start"):
    """Begin the race, or the next one of a championship, as host; said again, though some are not ready."""

    id: RequestId


class Act(_Message, frozen=True, tag="act"):
    """Answer a decision.

    Attributes:
        decision: Its id, from `RaceView.own.decision`; None with `GiveUp`.
    """

    id: RequestId
    decision: DecisionId | None
    command: Command


class AskView(_Message, frozen=True, tag="view"):
    """Send me everything: answered by `ok`, then `room`, `season`, and in a race `started` and `update`.

    Attributes:
        since: The last event that the client has; None: as the server remembers it.
        race: Which race of a championship that event belongs to, from 0.
    """

    id: RequestId
    since: EventNumber | None = None
    race: Annotated[int, msgspec.Meta(ge=0, lt=RACES_OF_A_SEASON[-1])] = 0


class Say(_Message, frozen=True, tag="say"):
    """Write a line to all in the room."""

    id: RequestId
    text: ChatText


class React(_Message, frozen=True, tag="react"):
    """Show all in the room a short reaction."""

    id: RequestId
    reaction: Reaction


class Pause(_Message, frozen=True, tag="pause"):
    """Agree that the race stands still, or that it goes on: it does as soon as all who are there agree."""

    id: RequestId
    wanted: bool


class Kick(_Message, frozen=True, tag="kick"):
    """Put somebody out of the room, as host. In a race their seat is driven for them from now on.

    Attributes:
        name: A person's or spectator's.
        is_banned: Whether they may not come back.
    """

    id: RequestId
    name: TypedName
    is_banned: bool = False


class Lock(_Message, frozen=True, tag="lock"):
    """Set the room's password, or with None open it, as host. Who is in stays in."""

    id: RequestId
    password: Password | None


class Rematch(_Message, frozen=True, tag="rematch"):
    """Go back to the lobby after the race, as host: same seats, same options."""

    id: RequestId


class AskRecord(_Message, frozen=True, tag="record"):
    """Ask for the record of a race that is over, seed and hidden cards too; answered by `Record`.

    Attributes:
        race: Which race of a championship, from 0; none is told before the championship is over.
        since: The last event that the client has; 0 for the first part.
    """

    id: RequestId
    race: Annotated[int, msgspec.Meta(ge=0, lt=RACES_OF_A_SEASON[-1])] = 0
    since: EventNumber = 0


class Leave(_Message, frozen=True, tag="leave"):
    """Leave the room. In a race the seat is played by defaults from now on; `join` leads back to it."""

    id: RequestId


class Ping(_Message, frozen=True, tag="ping"):
    """Ask for a sign of life; answered by `pong`."""

    id: RequestId


Request: TypeAlias = Union[  # noqa: UP007  # because msgspec wants a Union and mypy an alias
    Create,
    ListRooms,
    ListTracks,
    AskTrack,
    Join,
    TakeSeat,
    Configure,
    PlaceBot,
    Start,
    Act,
    AskView,
    Watch,
    Say,
    React,
    Pause,
    Kick,
    Lock,
    Rematch,
    AskRecord,
    Leave,
    Ping,
]
"""What a client may say after `hello`."""

ClientMessage: TypeAlias = Union[Hello, Request]  # noqa: UP007


# --- what the server says -------------------------------------------------------------------------------


class Welcome(_Frozen, frozen=True, tag="welcome"):
    """The answer to `hello`.

    Attributes:
        token: Secret: who has it is this player. Keep it to come back.
    """

    re: RequestId
    protocol: int
    program: str
    version: str
    token: str


class Ok(_Message, frozen=True, tag="ok"):
    """Done.

    Attributes:
        code: The room's, in answer to `create` and `join`.
        place: The place taken, in answer to the same.
    """

    re: RequestId
    code: RoomCode | None = None
    place: Place | None = None


class Error(_Frozen, frozen=True, tag="error"):
    """Not done, and nothing changed.

    Attributes:
        re: The request; None: no request's fault. With a code `room/...` and None, the room is gone.
        code: For programs.
        text: One sentence for people.
    """

    re: RequestId | None
    code: str
    text: str


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
    laps: int
    cars: int
    players: int
    has_place: bool
    host: str
    is_private: bool = False


class RoomList(_Message, frozen=True, tag="rooms"):
    """The rooms of the server, those that can be joined first."""

    re: RequestId
    rooms: tuple[RoomSummary, ...]


class TrackSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One track in the list."""

    id: TrackId
    name: str


class TrackList(_Message, frozen=True, tag="tracks"):
    """The tracks that rooms of this server may race on, those of the box first."""

    re: RequestId
    tracks: tuple[TrackSummary, ...]


class TrackTold(_Message, frozen=True, tag="track"):
    """All that a track's file says."""

    re: RequestId
    track: TrackFacts


class PlaceState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One place of a room; kind None: nobody there, and the rest means nothing.

    Attributes:
        has_stand_in: A bot drives for this person until the next race of a championship.
        wants_pause: The person has agreed to a pause.
    """

    kind: PlaceKind | None = None
    name: str = ""
    colour: Colour | None = None
    is_ready: bool = False
    is_connected: bool = False
    has_stand_in: bool = False
    wants_pause: bool = False


class RoomState(_Message, frozen=True, tag="room"):
    """A room as it is now: sent to all in it whenever it changes.

    Attributes:
        place: The receiver's own; None: a spectator.
        host: The host's place.
        laps: How many there will be: `options.laps`, or the track's own.
        turn_milliseconds: The same for the time of a decision.
        invitation: The line to pass on to friends.
        watchers: Names of the spectators.
        is_private: Whether a password is asked for.
        is_paused: All have agreed to a pause.
    """

    code: RoomCode
    phase: RoomPhase
    place: Place | None
    host: Place
    options: RoomOptions
    laps: int
    turn_milliseconds: Milliseconds
    places: tuple[PlaceState, ...]
    invitation: str
    watchers: tuple[str, ...] = ()
    is_private: bool = False
    is_paused: bool = False

    @property
    def own(self) -> PlaceState:
        """The receiver's own place; an empty one for a spectator."""
        return self.places[self.place] if self.place is not None else PlaceState()


class SeasonTold(_Message, frozen=True, tag="season"):
    """The championship: sent when it begins, when a race ends or begins, when a seat changes hands.

    Attributes:
        setup: The public set-up; no seed.
        view: How it stands, as the receiver may see it.
        cars: The room's place of each car; None: a Legend that filled an empty place.
    """

    setup: SeasonSetup
    view: SeasonView
    cars: tuple[Place | None, ...]


class Started(_Message, frozen=True, tag="started"):
    """The race: sent once when it begins, and again to whoever comes back.

    Attributes:
        seat: The receiver's car; None: a spectator.
        setup: The public set-up: track, laps, names and colours by car number, rules; no seed.
        cars: The room's place of each car; None: a Legend that filled an empty place.
    """

    seat: int | None
    setup: RaceSetup
    cars: tuple[Place | None, ...]


class OpenDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that the race waits for.

    Attributes:
        has_chosen: A secret choice is made and may still be changed.
        milliseconds_left: None: no time runs (the choice is made, or the race stands still).
    """

    seat: int
    kind: DecisionKind
    has_chosen: bool
    milliseconds_left: Milliseconds | None


class Update(_Message, frozen=True, tag="update"):
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
    events: tuple[Event, ...]
    view: RaceView
    decisions: tuple[OpenDecision, ...]
    away: tuple[int, ...]
    standstill: Standstill | None = None


class Meanwhile(_Message, frozen=True, tag="meanwhile"):
    """What happened while the receiver was away, in one to three sentences; sent when they come back."""

    sentences: tuple[str, ...]


class Said(_Message, frozen=True, tag="said"):
    """Somebody wrote something, or the room has news; who comes back gets the last 50 again.

    Attributes:
        number: From 1, in order: what comes twice can be passed over.
        place: The writer's; None: a spectator, or the room itself.
        name: The writer's; "" for the room.
    """

    number: EventNumber
    kind: SaidKind
    place: Place | None
    name: str
    text: str


class Record(_Message, frozen=True, tag="record"):
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
    events: tuple[Event, ...]
    last: EventNumber


class Pong(_Message, frozen=True, tag="pong"):
    """The answer to `ping`."""

    re: RequestId


class Bye(_Frozen, frozen=True, tag="bye"):
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
    TrackTold,
    RoomState,
    SeasonTold,
    Started,
    Update,
    Meanwhile,
    Said,
    Record,
    Pong,
    Bye,
]
