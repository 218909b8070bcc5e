"""Who is in a room: members with a seat, bots, spectators; and how a request is denied."""

from __future__ import annotations

from dataclasses import dataclass

from heat_core.bots import BotName
from heat_core.setup import Colour
from heat_core.wire.messages import BotKind, RoomPhase
from heat_server.connection import Connection
from heat_server.sessions import Session


class Denied(Exception):
    """A request that cannot be granted.

    Attributes:
        code: For programs.
        text: One sentence for people.
    """

    def __init__(self, code: str, text: str) -> None:
        """Note code and text."""
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(eq=False)
class Person:
    """Somebody who follows what happens in a room.

    Attributes:
        session: The player.
        name: As the others read it; nobody else in the room has it.
        gone_at: Since when the person is not there; None: there.
        has_left: Left of their own will, or was put out, during the race.
        sent: Number of the last event sent.
        heard: Number of the last event sent when the person last said anything.
        needs_update: What was last sent of the race is out of date.
        needs_state: What was last sent of the room is out of date.
        told_phase: The room's phase as it was last sent; None: never.
        greeted: The connection that has been told everything; another one knows nothing yet.
    """

    session: Session
    name: str
    gone_at: float | None = None
    has_left: bool = False
    sent: int = 0
    heard: int = 0
    needs_update: bool = False
    needs_state: bool = False
    told_phase: RoomPhase | None = None
    greeted: Connection | None = None

    @property
    def is_there(self) -> bool:
        """Tell whether the person follows what happens in the room."""
        return self.gone_at is None and not self.has_left


@dataclass(eq=False, kw_only=True)
class Member(Person):
    """A person with a place in a room.

    Attributes:
        colour: Of the car; no other place has it.
        is_ready: Waits for the start, in a lobby and between two races.
        seat: The car, once the race has begun.
        stand_in: The bot that drives the seat since a break between two races; None: the person.
        missed: How many decisions in a row the time ran out for.
        changes: How often the open secret choice has been changed.
        wants_pause: Has agreed that the race stands still.
    """

    colour: Colour
    is_ready: bool = False
    seat: int = 0
    stand_in: BotName | None = None
    missed: int = 0
    changes: int = 0
    wants_pause: bool = False


@dataclass(eq=False)
class Watcher(Person):
    """A spectator: sees what all may see."""


@dataclass(eq=False)
class Bot:
    """A place that a program drives."""

    kind: BotKind
    name: str
    colour: Colour
