"""All that a room is: people, options, race or championship, chat; and what is to be sent. No I/O.

Theory of operation. Requests (`room.handlers`) and time change this state. What there is to send goes into
`outbox`, which the room's task delivers once the change is on disk. If that fails, a state read from disk
takes this one's place (`room.journal`): everything is undone except what was seen of the people, and no
field can be forgotten.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from heat_core.options.table_options import NO_CLOCK
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.wire.messages import MOST_WATCHERS, RoomPhase, RoomSummary
from heat_server.room.bot_scheduler import Pace
from heat_server.room.context import RoomContext
from heat_server.room.hibernation import SleepPhase, expiry_seconds
from heat_server.room.lobby import Lobby
from heat_server.room.outbox import Outbox
from heat_server.room.participants import Attendance, Participants
from heat_server.room.race_clock import RaceClock
from heat_server.room.saved_room import SavedRoom
from heat_server.room.season import SeasonRun
from heat_server.room.timing import NEVER, Timing
from heat_server.store.encoding import decode_events, encode_events

MOST_CHAT_LINES: Final = 50
"""How many are kept for those who come back."""

MOST_BANNED: Final = 200


Occupancy: TypeAlias = Literal["held", "left", "over"]
"""Whom a room is kept for: drivers in its race or those who may come to its lobby; those who may come back to
their race; nobody but who reads its results."""


class RoomState:
    """The state of one room.

    Attributes:
        code: What people type to join.
        match: Identifier in the store; a rematch gets a new one.
        saved: What of it lies on disk beside the race.
        people: Who is in it, and who is there.
        lobby: Places and options.
        race: The race that is under way or was the last.
        race_number: Which of the championship that is, from 0.
        season: The championship, once it has begun.
        past_logs: By number: the races of a championship that are over, for their records; packed.
        outbox: What there is to say.
        config: The server's settings.
        cached_summary: The room in one line; None: it has changed since that was made.
        is_changed: Something of `saved`, or who is in the room, may have changed since it was last saved.
        pace: What the room may play for bots and those who are away.
    """

    def __init__(
        self,
        context: RoomContext,
        code: str,
        match: str,
        saved: SavedRoom,
        attendance: Attendance,
        pace: Pace,
        now: float,
    ) -> None:
        """Take a room that has no race yet.

        Args:
            context: Where it stands.
            code: Of the room.
            match: For the store.
            saved: As it is on disk, or is to be.
            attendance: What has been seen of its people.
            pace: The room's.
            now: The time on the caller's clock.
        """
        self.code = code
        self.match = match
        self.saved = saved
        self.people = Participants(code, saved, attendance, context.clients, now)
        self.lobby = Lobby(code, saved, self.people, context.tracks)
        self.race: RaceClock | None = None
        self.race_number = 0
        self.season: SeasonRun | None = None
        self.past_logs: dict[int, bytes] = {}
        self.outbox = Outbox()
        self.cached_summary: RoomSummary | None = None
        self.is_changed = True
        self.config = context.config
        self.pace = pace

    def note_change(self) -> None:
        """Note that something other than the race has changed: the room is to be saved."""
        self.cached_summary = None
        self.is_changed = True

    # --- how things stand -------------------------------------------------------------------------------

    @property
    def phase(self) -> RoomPhase:
        """Say how far the room is."""
        if self.race is None:
            return "lobby"
        if self.saved.is_ended:
            return "ended"
        return "between" if self.race.table.is_over else "racing"

    @property
    def has_place_to_watch(self) -> bool:
        """Tell whether one more may look on."""
        return len(self.saved.watchers) < min(self.config.most_watchers, MOST_WATCHERS)

    @property
    def is_paused(self) -> bool:
        """Tell whether all have agreed that the race stands still."""
        return self.saved.is_paused

    @property
    def sleep_phase(self) -> SleepPhase:
        """Say how far the room is, in the words of those that sleep."""
        return "paused" if self.is_paused and self.phase == "racing" else self.phase

    @property
    def timing(self) -> Timing:
        """How long a race of this room waits for people."""
        options, config = self.lobby.options, self.config
        turn, grace = options.turn_milliseconds, options.grace_milliseconds
        has_clock = turn != NO_CLOCK
        given = config.turn_seconds if turn is None else turn / 1000
        return Timing(
            given if has_clock else config.idle_lobby_seconds,
            config.grace_seconds if grace is None else grace / 1000,
            config.bot_seconds,
            options.away_driver or config.away_driver,
            has_clock,
        )

    def summary(self) -> RoomSummary:
        """Describe the room in one line of the list; made once for each state that was sent."""
        if self.cached_summary is None:
            self.cached_summary = self._make_summary()
        return self.cached_summary

    def _make_summary(self) -> RoomSummary:
        lobby, host = self.lobby, self.people.host
        setup = self.race.table.setup if self.race is not None else None
        return RoomSummary(
            self.code,
            self.phase,
            setup.track.id if setup is not None else lobby.track.id,
            setup.laps if setup is not None else lobby.laps,
            lobby.options.cars,
            lobby.taken(),
            self.phase == "lobby" and lobby.taken() < lobby.options.cars,
            host.name if host is not None else "",
            self.saved.password is not None,
        )

    def expiries(self) -> list[tuple[float, str]]:
        """List what will end the room, and when, if nothing happens before."""
        config, attendance = self.config, self.people.attendance
        ends: list[tuple[float, str]] = []
        if attendance.is_awaited and self.phase == "lobby":
            return ends
        if attendance.empty_since is not None:
            seconds = expiry_seconds(config)[self.sleep_phase]
            if self.phase == "ended":  # who saw the results has gone; a sleeping room waits for who has not
                seconds = config.grace_seconds
            ends.append((attendance.empty_since + seconds, "Nobody was there any more."))
        if self.race is None:
            idle = attendance.busy_at + config.idle_lobby_seconds
            ends.append((idle, "Nothing has happened in this room for too long."))
        if self.saved.is_ended:
            ends.append((attendance.ended_at + config.ended_seconds, "The race has ended."))
        return ends

    @property
    def occupancy(self) -> Occupancy:
        """Say whom the room is kept for."""
        phase = self.phase
        if phase == "ended":
            return "over"
        return "held" if phase == "lobby" or self.people.is_a_driver_there() else "left"

    @property
    def is_quiet(self) -> bool:
        """Tell whether it disturbs nobody if the room is away for a second: no race is being driven."""
        return self.phase != "racing" or self.is_paused or not self.people.is_anybody_there()

    @property
    def is_worth_listing(self) -> bool:
        """Tell whether somebody who looks for a room may find one here."""
        return self.people.attendance.is_awaited or self.phase != "lobby" or self.summary().players > 0

    @property
    def ends_at(self) -> float:
        """Give the time at which the room ends if nobody does anything; infinite: it does not."""
        return min((time for time, _ in self.expiries()), default=NEVER)

    def head_count(self) -> tuple[int, int]:
        """Count who is there: drivers and spectators."""
        people, watchers = self.people, self.saved.watchers
        return sum(map(people.is_there, people.members())), sum(map(people.is_there, watchers))

    def race_log(self, number: int) -> tuple[RaceSetup, Sequence[Event]] | None:
        """Give set-up and events of a race whose record may be told: all races are over then.

        Args:
            number: Which race of a championship, from 0.
        """
        if self.race is None or self.phase != "ended":
            return None
        if number == self.race_number:
            setup = self.season.record_setup(number) if self.season is not None else self.race.table.setup
            return setup, self.race.table.log
        if self.season is not None and number in self.past_logs:
            return self.season.record_setup(number), unpack_events(self.past_logs[number])
        return None

    def abandon(self) -> None:
        """End a race or championship that nobody has come back to."""
        if self.race is not None and not self.race.table.is_over:
            self.race.table.abandon()
        if self.season is not None and not self.season.is_over:
            self.season.abandon()
        self.note_change()


def new_match() -> str:
    """Make an identifier for the store that no other match has."""
    return secrets.token_hex(6)


def pack_events(log: Sequence[Event]) -> bytes:
    """Make a race's log small: records are asked for seldom."""
    return zlib.compress(encode_events(log))


def unpack_events(packed: bytes) -> list[Event]:
    """Undo `pack_events`."""
    return decode_events(zlib.decompress(packed))
