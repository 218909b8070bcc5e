"""The messages of a client, in the order of docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, TypeAlias, Union

import msgspec

from heat_core.options.table_options import MOST_TURN_MILLISECONDS, RoomOptions, TrackId
from heat_core.race.commands import Command
from heat_core.race.events.parts import EventNumber
from heat_core.race.setup import Colour
from heat_core.season.setup import RACES_OF_A_SEASON
from heat_core.wire.messages.values import (
    MOST_LEGAL,
    MOST_TOKEN_CHARACTERS,
    BotKind,
    ChatText,
    DecisionId,
    FrozenMessage,
    Password,
    ProtocolNumber,
    Reaction,
    RequestId,
    RoomCode,
    RoomPlace,
    ShortText,
    StrictMessage,
    TypedName,
    common_protocol,
)


class Hello(FrozenMessage, frozen=True, tag="hello"):
    """The first message of a connection.

    Attributes:
        protocol: The newest version of the protocol that the client speaks.
        program: Name of the client, for the server's log.
        version: Its version.
        token: From an earlier `welcome`, to come back; None: somebody new.
        least_protocol: The oldest version of the protocol that it speaks; None: only `protocol`.
    """

    id: RequestId
    protocol: ProtocolNumber
    program: ShortText = ""
    version: ShortText = ""
    token: Annotated[str, msgspec.Meta(max_length=MOST_TOKEN_CHARACTERS)] | None = None
    least_protocol: ProtocolNumber | None = None

    @property
    def common_protocol(self) -> int | None:
        """The newest protocol that both sides speak; None where there is none."""
        return common_protocol(self._least, self.protocol)

    @property
    def versions(self) -> str:
        """The versions that it speaks: `version 7`, `versions 7 to 9`."""
        if self._least == self.protocol:
            return f"version {self.protocol}"
        return f"versions {self._least} to {self.protocol}"

    @property
    def _least(self) -> int:
        return self.protocol if self.least_protocol is None else self.least_protocol


class Create(StrictMessage, frozen=True, tag="create"):
    """Open a room and take its first place, as host. The answer names code and place.

    Attributes:
        colour: None: the first free one.
        password: What others must say to come in; None: nothing.
        elsewhere: Whether another server of the fleet may be named for it that has fewer players: say so only
            to the first one that is asked.
    """

    id: RequestId
    name: TypedName
    colour: Colour | None = None
    options: RoomOptions = RoomOptions()
    password: Password | None = None
    elsewhere: bool = False


class ListRooms(StrictMessage, frozen=True, tag="rooms"):
    """Ask which rooms there are; answered by `RoomList`."""

    id: RequestId


class ListTracks(StrictMessage, frozen=True, tag="tracks"):
    """Ask which tracks the server has; answered by `TrackList`."""

    id: RequestId


class AskTrack(StrictMessage, frozen=True, tag="track"):
    """Ask for all that a track's file says; answered by `TrackDetails`."""

    id: RequestId
    track: TrackId


class AskCatalogue(StrictMessage, frozen=True, tag="catalogue"):
    """Ask what is printed on cards and tokens; answered by `Catalogue`."""

    id: RequestId


class Join(StrictMessage, frozen=True, tag="join"):
    """Take a place in a room, or go back to your own after `leave`. The answer names code and place.

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


class Watch(StrictMessage, frozen=True, tag="watch"):
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


class TakeSeat(StrictMessage, frozen=True, tag="seat"):
    """Change your own name, colour or ready mark; None leaves it as it is."""

    id: RequestId
    name: TypedName | None = None
    colour: Colour | None = None
    ready: bool | None = None


class Configure(StrictMessage, frozen=True, tag="configure"):
    """Change the options, as host; clears all ready marks."""

    id: RequestId
    options: RoomOptions


class PlaceBot(StrictMessage, frozen=True, tag="bot"):
    """Put a bot or a Legend on a place where no person sits, or with None clear it, as host.

    Between two races of a championship: hand the seat of somebody who is not there to a bot, or with None
    back to them.
    """

    id: RequestId
    place: RoomPlace
    kind: BotKind | None


class Start(StrictMessage, frozen=True, tag="start"):
    """Begin the race, or the next one of a championship, as host; said again, though some are not ready."""

    id: RequestId


class Act(StrictMessage, frozen=True, tag="act"):
    """Answer a decision.

    Attributes:
        decision: Its id, from `RaceView.own.decision`; None with `GiveUp`.
    """

    id: RequestId
    decision: DecisionId | None
    command: Command


class AskLegal(StrictMessage, frozen=True, tag="legal"):
    """Ask which commands answer a decision; answered by `Legal`.

    Attributes:
        decision: Its id, from `RaceView.own.decision`.
        most: How many to send.
    """

    id: RequestId
    decision: DecisionId
    most: Annotated[int, msgspec.Meta(ge=1, le=MOST_LEGAL)] = MOST_LEGAL


class AskView(StrictMessage, frozen=True, tag="view"):
    """Send me everything: answered by `ok`, then `room`, `season`, and in a race `started` and `update`.

    Attributes:
        since: The last event that the client has; None: as the server remembers it.
        race: Which race of a championship that event belongs to, from 0.
    """

    id: RequestId
    since: EventNumber | None = None
    race: Annotated[int, msgspec.Meta(ge=0, lt=RACES_OF_A_SEASON[-1])] = 0


class Say(StrictMessage, frozen=True, tag="say"):
    """Write a line to all in the room."""

    id: RequestId
    text: ChatText


class React(StrictMessage, frozen=True, tag="react"):
    """Show all in the room a short reaction."""

    id: RequestId
    reaction: Reaction


class Pause(StrictMessage, frozen=True, tag="pause"):
    """Agree that the race stands still, or that it continues: it does as soon as all who are there agree."""

    id: RequestId
    wanted: bool


class Kick(StrictMessage, frozen=True, tag="kick"):
    """Put somebody out of the room, as host. In a race their seat is driven for them from now on.

    Attributes:
        name: A person's or spectator's.
        is_banned: Whether they may not come back.
    """

    id: RequestId
    name: TypedName
    is_banned: bool = False


class GiveTime(StrictMessage, frozen=True, tag="time"):
    """Give a driver more time for each decision from now on, as host; the open decision has it at once.

    Attributes:
        place: Of a person.
        milliseconds: More than the others have; 0: as much as they.
    """

    id: RequestId
    place: RoomPlace
    milliseconds: Annotated[int, msgspec.Meta(ge=0, le=MOST_TURN_MILLISECONDS)]


class Lock(StrictMessage, frozen=True, tag="lock"):
    """Set the room's password, or with None open it, as host. Who is in stays in."""

    id: RequestId
    password: Password | None


class Rematch(StrictMessage, frozen=True, tag="rematch"):
    """Go back to the lobby after the race, as host: same seats, same options."""

    id: RequestId


class AskRecord(StrictMessage, frozen=True, tag="record"):
    """Ask for the record of a race that is over, seed and hidden cards too; answered by `Record`.

    Attributes:
        race: Which race of a championship, from 0; none is shown before the championship is over.
        since: The last event that the client has; 0 for the first part.
    """

    id: RequestId
    race: Annotated[int, msgspec.Meta(ge=0, lt=RACES_OF_A_SEASON[-1])] = 0
    since: EventNumber = 0


class Leave(StrictMessage, frozen=True, tag="leave"):
    """Leave the room. In a race the seat is played by defaults from now on; `join` leads back to it."""

    id: RequestId


class Ping(StrictMessage, frozen=True, tag="ping"):
    """Ask for a sign of life; answered by `pong`."""

    id: RequestId


Request: TypeAlias = Union[  # noqa: UP007  # because msgspec wants a Union and mypy an alias
    Create,
    ListRooms,
    ListTracks,
    AskTrack,
    AskCatalogue,
    Join,
    Watch,
    TakeSeat,
    Configure,
    PlaceBot,
    Start,
    Act,
    AskLegal,
    AskView,
    Say,
    React,
    Pause,
    Kick,
    GiveTime,
    Lock,
    Rematch,
    AskRecord,
    Leave,
    Ping,
]
"""What a client may say after `hello`."""

ClientMessage: TypeAlias = Union[Hello, Request]  # noqa: UP007
