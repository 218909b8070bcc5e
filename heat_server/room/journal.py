"""What of a room is on disk: writes made from its state, and a state made from what was written.

Theory of operation. A `Journal` remembers what it has given to the store, and compares: the writes are what
differs, so nobody has to say what they changed, only that they changed the room (`RoomState.note_change`):
most steps change the race alone, and the room is not encoded for them. Of a race the store has the set-up,
the drivers and every event; from these the race is dealt again. What is in no event and changes with each
(deadlines and the like) is the `TimerSnapshot`. To the store all of it is bytes.
"""

from __future__ import annotations

from typing import Final

import msgspec
import structlog

from heat_core.race.dump import BadDump
from heat_core.season.state import Season
from heat_core.table import Table
from heat_server.log import kind_of_fault
from heat_server.room.bot_scheduler import Pace
from heat_server.room.broadcast import broadcast_news
from heat_server.room.context import RoomContext
from heat_server.room.held_answers import HeldAnswer
from heat_server.room.participants import Attendance
from heat_server.room.race_clock import RaceClock
from heat_server.room.saved_room import TimerSnapshot, decode_room, encode_room
from heat_server.room.season import SeasonRun
from heat_server.room.state import RoomState, pack_events
from heat_server.room.timing import NEVER
from heat_server.store.contract import SavedMatch, SavedRace
from heat_server.store.encoding import (
    decode_drivers,
    decode_events,
    decode_setup,
    encode_drivers,
    encode_events,
    encode_setup,
)
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    SaveClocks,
    SaveRoom,
    SaveSeason,
    SaveSessions,
    Write,
)

SECONDS_BETWEEN_CLOCKS: Final = 10.0
"""How much more time than was left a decision may have after a restart."""

log = structlog.get_logger()


class Journal:
    """What the store has of one room."""

    def __init__(self) -> None:
        """Begin with a room that the store knows nothing of."""
        self._match = ""
        self._forget()

    def _forget(self) -> None:
        self._room: SaveRoom | None = None
        self._sessions: SaveSessions | None = None
        self._season = 0
        self._race: RaceClock | None = None
        self._events = 0
        self._held: list[HeldAnswer] = []
        self._clocks_at = float("-inf")
        self._is_over = False

    @classmethod
    def of_restored(cls, state: RoomState) -> Journal:
        """Begin with a room as the store has just given it."""
        journal = cls()
        journal._match = state.match
        if state.race is not None:
            journal._race = state.race
            journal._events = state.race.table.event_number
            journal._is_over = state.race.table.is_over
            journal._held = state.race.held
        if state.season is not None:
            journal._season = state.season.event_number
        return journal

    def changes(self, state: RoomState, now: float) -> list[Write]:
        """Make the writes that bring the store up to date; they count as done from then on.

        Args:
            state: The room as it is.
            now: The time on the room's clock.
        """
        writes: list[Write] = []
        if state.match != self._match:
            if self._match:  # a rematch: what was played has its record
                writes.append(CloseMatch(self._match, "ended", "The race has ended."))
            self._match = state.match
            self._forget()
        if state.is_changed:
            state.is_changed = False
            self._room_changes(state, writes)
        if state.race is not None:
            self._race_changes(state, state.race, now, writes)
        if state.season is not None and state.season.event_number != self._season:
            self._season = state.season.event_number
            writes.append(SaveSeason(state.match, state.season.dump()))
        return writes

    def _room_changes(self, state: RoomState, writes: list[Write]) -> None:
        saved = SaveRoom(state.match, state.code, state.sleep_phase, _title(state), encode_room(state.saved))
        if saved != self._room:
            self._room = saved
            writes.append(saved)
        people = state.people
        left = tuple(person.key for person in people if not people.is_here(person))
        sessions = SaveSessions(state.match, people.keys(), left)
        if sessions != (self._sessions or SaveSessions(state.match, ())):
            self._sessions = sessions
            writes.append(sessions)

    def next_clocks(self, state: RoomState) -> float:
        """Give the time at which the clocks on disk are too old, though nothing happens."""
        race = state.race
        if race is None:
            return NEVER
        if race.is_standing_still or race.table.is_over:
            return NEVER if self._clocks_at > float("-inf") else self._clocks_at
        return self._clocks_at + SECONDS_BETWEEN_CLOCKS

    def renew_clocks(self) -> None:
        """Let the next changes bring the clocks, however new those on disk are."""
        self._clocks_at = float("-inf")

    def _race_changes(self, state: RoomState, race: RaceClock, now: float, writes: list[Write]) -> None:
        match, number, table = state.match, state.race_number, race.table
        if race is not self._race:
            self._race, self._events, self._is_over = race, 0, False
            drivers = encode_drivers(table.drivers)
            writes.append(BeginRace(match, number, encode_setup(table.setup), drivers))
        if table.event_number > self._events:
            events = table.log[self._events :]
            writes.append(AddEvents(match, number, self._events + 1, len(events), encode_events(events)))
            self._events = table.event_number
            self._clocks_at = float("-inf")
        if (held := race.held) != self._held:
            self._held = held
            self._clocks_at = float("-inf")
        if self.next_clocks(state) <= now:
            self._clocks_at = now
            writes.append(SaveClocks(match, _encode_timers(race.timers(now))))
        if table.is_over and not self._is_over:
            self._is_over = True
            writes.append(EndRace(match, number, table.view(None).end or "", _result(table)))


def _title(state: RoomState) -> str:
    """Describe a room in one line of a listing."""
    options = state.saved.options
    names = ", ".join(place.name for place in state.saved.places if place is not None)
    what = options.track
    if options.season is not None:
        year = options.season.year
        what = f"season {year}" if year is not None else f"season {' '.join(options.season.tracks)}"
    return f"{what}: {names}"


def _result(table: Table) -> str:
    """Say in one line how a race ended."""
    view, cars = table.view(None), table.setup.cars
    return ", ".join(f"{standing.place} {cars[standing.car].name}" for standing in view.standings)


async def restore(
    context: RoomContext, match: str, pace: Pace, now: float, attendance: Attendance | None = None
) -> RoomState:
    """Make a room's state of what is on disk.

    Args:
        context: Where it stands.
        match: Its identifier in the store.
        pace: The room's.
        now: The time on the room's clock.
        attendance: What has been seen of its people, where it takes the place of another one that could not
            be saved; None: nobody counts as there yet.

    Raises:
        NoSuchMatch: It is closed, or was never there.
        StoreFailed: It cannot be read.
        BadDump: It can never be read: damaged, or written by another version.
    """
    saved, past_logs = await _load(context.worker, match)
    room, timers = decode_room(saved.state), _decode_timers(saved.clocks)
    season = Season.load(saved.season) if saved.season else None
    table = _table_of(saved.race) if saved.race is not None else None
    attendance = attendance or Attendance.beginning(now)
    # Only from here on do clients come back: a room that cannot be read leaves none behind.
    state = RoomState(context, saved.code, saved.match, room, attendance, pace, now)
    state.past_logs = past_logs
    if season is not None:
        state.season = SeasonRun(season)
    if saved.race is not None and table is not None:
        state.race = RaceClock(table, room, state.people, state.timing, now, pace, timers)
        state.race_number = saved.race.number
        if season is not None and table.is_over:
            state.past_logs[saved.race.number] = pack_events(table.log)
    elif lost := state.lobby.mend():
        broadcast_news(state, lost)
    return state


def _table_of(race: SavedRace) -> Table:
    """Bring the table of a race back.

    Raises:
        BadDump: It is damaged, or by other rules.
        StoreDamaged: What was saved is nothing of this version.
    """
    log = [event for step in race.steps for event in decode_events(step)]
    return Table.resume(decode_setup(race.setup), decode_drivers(race.drivers), log)


def _decode_timers(clocks: bytes | None) -> TimerSnapshot:
    """Read what of a race is in no event.

    Raises:
        BadDump: It is damaged.
    """
    try:
        return _TIMERS_DECODER.decode(clocks) if clocks else TimerSnapshot()
    except msgspec.DecodeError as error:
        raise BadDump(f"no clocks: {error}") from None


async def _load(worker: StoreWorker, match: str) -> tuple[SavedMatch, dict[int, bytes]]:
    """Read a room: its match, and the logs of the races of a championship before its newest one.

    Raises:
        NoSuchMatch: It is closed, or was never there.
        StoreFailed: It cannot be read.
    """
    saved = await worker.load(match)
    past_logs = {}
    if saved.race is not None and saved.race.number > 0:
        for race in await worker.races(match):
            if race.number < saved.race.number:
                log = [event for step in race.steps for event in decode_events(step.events)]
                past_logs[race.number] = pack_events(log)
    return saved, past_logs


async def close_match(worker: StoreWorker, code: str, write: CloseMatch) -> None:
    """Note on disk that a match is over, as well as that goes: nothing may stop its room from going."""
    try:
        await worker.commit([write])
    except Exception as error:  # whatever it is, it must not reach the other rooms
        log.error("match not closed", room=code, fault=kind_of_fault(error))


_encode_timers = msgspec.msgpack.Encoder().encode
_TIMERS_DECODER = msgspec.msgpack.Decoder(TimerSnapshot)
