"""What rooms give to the store. It knows no rules: states, set-ups and events are bytes to it.

Writes that are given together are all saved, or none is. A match has a name that no other match ever had;
its writer numbers its races and events.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Outcome: TypeAlias = Literal["ended", "closed", "faulted"]
"""How a match is over: played to its end, closed before, or by a fault of its room."""


class SaveRoom(msgspec.Struct, frozen=True, gc=False):
    """Save a room as it is now; the first one of a match makes the match.

    Attributes:
        match: The match's name.
        code: What people type to join.
        phase: How far the room is.
        title: One line for listings.
        state: Everything else that the room has to know.
    """

    match: str
    code: str
    phase: str
    title: str
    state: bytes


class SaveClocks(msgspec.Struct, frozen=True, gc=False):
    """Save what of the newest race changes with each step and is in no event; small, for it comes often.

    Attributes:
        match: The match's name.
        clocks: It replaces the earlier one; the store forgets it with the match's end.
    """

    match: str
    clocks: bytes


class SaveSessions(msgspec.Struct, frozen=True):
    """Save which tokens belong to the match; they replace the earlier ones.

    Attributes:
        match: The match's name.
        keys: A hash of each token.
        left: Those of players who have left and can come back. A store that servers share leads their tokens
            here only if they are in no other match.
    """

    match: str
    keys: tuple[bytes, ...]
    left: tuple[bytes, ...] = ()


class SaveSeason(msgspec.Struct, frozen=True, gc=False):
    """Save a championship as it stands; it replaces the earlier one."""

    match: str
    season: bytes


class BeginRace(msgspec.Struct, frozen=True, gc=False):
    """Begin a race, which is the match's newest from then on.

    Attributes:
        match: The match's name.
        race: Greater than that of each earlier race of the match.
        setup: What the race follows from.
        drivers: Who decides for each seat.
    """

    match: str
    race: int
    setup: bytes
    drivers: bytes


class AddEvents(msgspec.Struct, frozen=True, gc=False):
    """Add a step to the newest race; the store stamps it with the server's time (NET-11).

    Attributes:
        match: The match's name.
        race: The newest race.
        first: The number of the first event: 1, then one more than the last event so far.
        count: How many events, at least 1.
        events: All that happened since the step before: of one command, or of the few that share a commit.
    """

    match: str
    race: int
    first: int
    count: int
    events: bytes


class EndRace(msgspec.Struct, frozen=True, gc=False):
    """Note that the newest race is over, so that its record may be shown.

    Attributes:
        match: The match's name.
        race: The newest race.
        reason: Why it ended.
        result: One line for listings.
    """

    match: str
    race: int
    reason: str
    result: str


class CloseMatch(msgspec.Struct, frozen=True, gc=False):
    """Close a match: it is not brought back, its tokens are forgotten, its record stays.

    A match that is closed already stays as it was closed; any other write to it is a mistake.

    Attributes:
        match: The match's name.
        outcome: How it is over.
        reason: One sentence for listings.
    """

    match: str
    outcome: Outcome
    reason: str


Write: TypeAlias = (
    SaveRoom | SaveClocks | SaveSessions | SaveSeason | BeginRace | AddEvents | EndRace | CloseMatch
)


def name_of_write(write: Write) -> str:
    """Name a write without what it holds: there may be secrets in it."""
    race = getattr(write, "race", None)
    return f"{type(write).__name__} of match {write.match!r}" + ("" if race is None else f", race {race}")
