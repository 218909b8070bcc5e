"""What of a room is on disk: making it from a paddock, and a paddock from it. The store sees only bytes.

Theory of operation. A `Ledger` remembers what it has handed to the store, and makes of a changed paddock the
writes that bring the store up to date; nobody has to remember what they changed. Of a race the store has
set-up, drivers and every event; from these the race is dealt anew. What is in no event and changes with each
(deadlines and the like) is the `Pulse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from heat_core.race import BadDump
from heat_core.season import Season
from heat_core.table import Table
from heat_core.track import TrackFacts
from heat_server.config import ServerConfig
from heat_server.holding import Held
from heat_server.kept import FORMAT, KeptBot, KeptMember, KeptPlace, KeptRoom, KeptWatcher
from heat_server.lobby import Lobby
from heat_server.log import kind_of_fault
from heat_server.paddock import Paddock, pack_events
from heat_server.people import Bot, Member, Person, Watcher
from heat_server.racing import Pulse, RaceRun
from heat_server.season import SeasonRun
from heat_server.sessions import Sessions
from heat_server.store.keeper import Keeper
from heat_server.store.reading import KeptMatch, KeptRace
from heat_server.store.values import (
    decode_drivers,
    decode_events,
    decode_setup,
    encode_drivers,
    encode_events,
    encode_setup,
)
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    KeepClocks,
    KeepRoom,
    KeepSeason,
    KeepSessions,
    Write,
)
from heat_server.telling import tell_news
from heat_server.timing import NEVER

if TYPE_CHECKING:
    from heat_server.room import Room

SECONDS_BETWEEN_CLOCKS: Final = 10.0
"""How much more time than was left a decision may have after a restart."""

log = structlog.get_logger()


class Ledger:
    """What the store has of one room."""

    def __init__(self) -> None:
        """Begin with a room that the store knows nothing of."""
        self._match = ""
        self._forget()

    def _forget(self) -> None:
        self._room: KeepRoom | None = None
        self._keys: tuple[bytes, ...] = ()
        self._season = 0
        self._race: RaceRun | None = None
        self._events = 0
        self._held: list[Held] = []
        self._clocks_at = float("-inf")
        self._is_over = False

    @classmethod
    def of_restored(cls, paddock: Paddock) -> Ledger:
        """Begin with a room as the store has just given it."""
        ledger = cls()
        ledger._match = paddock.match
        if paddock.race is not None:
            ledger._race = paddock.race
            ledger._events = paddock.race.table.event_number
            ledger._is_over = paddock.race.table.is_over
            ledger._held = paddock.race.held
        if paddock.season is not None:
            ledger._season = paddock.season.event_number
        return ledger

    def changes(self, paddock: Paddock, now: float) -> list[Write]:
        """Make the writes that bring the store up to date; they count as done from then on.

        Args:
            paddock: The room as it is.
            now: The time on the paddock's clock.
        """
        writes: list[Write] = []
        if paddock.match != self._match:
            if self._match:  # a rematch: what was played has its record
                writes.append(CloseMatch(self._match, "ended", "The race has ended."))
            self._match = paddock.match
            self._forget()
        kept = KeepRoom(
            paddock.match, paddock.code, paddock.sleep_phase, _title(paddock), _ENCODE(_keep(paddock))
        )
        if kept != self._room:
            self._room = kept
            writes.append(kept)
        keys = tuple(session.key for session in paddock.people)
        if keys != self._keys:
            self._keys = keys
            writes.append(KeepSessions(paddock.match, keys))
        if paddock.race is not None:
            self._race_changes(paddock, paddock.race, now, writes)
        if paddock.season is not None and paddock.season.event_number != self._season:
            self._season = paddock.season.event_number
            writes.append(KeepSeason(paddock.match, paddock.season.dump()))
        return writes

    def next_clocks(self, paddock: Paddock) -> float:
        """Give the time at which the clocks on disk are too old, though nothing happens."""
        race = paddock.race
        if race is None:
            return NEVER
        if race.is_standing_still or race.table.is_over:
            return NEVER if self._clocks_at > float("-inf") else self._clocks_at
        return self._clocks_at + SECONDS_BETWEEN_CLOCKS

    def _race_changes(self, paddock: Paddock, race: RaceRun, now: float, writes: list[Write]) -> None:
        match, number, table = paddock.match, paddock.race_number, race.table
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
        if self.next_clocks(paddock) <= now:
            self._clocks_at = now
            writes.append(KeepClocks(match, _ENCODE(race.pulse(now))))
        if table.is_over and not self._is_over:
            self._is_over = True
            writes.append(EndRace(match, number, table.view(None).end or "", _result(table)))


def _title(paddock: Paddock) -> str:
    """Describe a room in one line of a listing."""
    lobby = paddock.lobby
    names = ", ".join(place.name for place in lobby.places if place is not None)
    options = lobby.options
    what = options.track
    if options.season is not None:
        year = options.season.year
        what = f"season {year}" if year is not None else f"season {' '.join(options.season.tracks)}"
    return f"{what}: {names}"


def _result(table: Table) -> str:
    """Say in one line how a race ended."""
    view, cars = table.view(None), table.setup.cars
    return ", ".join(f"{standing.place} {cars[standing.car].name}" for standing in view.standings)


def _keep(paddock: Paddock) -> KeptRoom:
    lobby = paddock.lobby
    return KeptRoom(
        FORMAT,
        lobby.options,
        [_keep_place(paddock, place) for place in lobby.places],
        [KeptWatcher(watcher.session.key, watcher.name) for watcher in lobby.watchers],
        lobby.place_of(lobby.host) if lobby.host is not None else None,
        paddock.password,
        list(paddock.banned),
        list(paddock.chat),
        paddock.said,
        paddock.is_paused,
        paddock.ended_at is not None,
        paddock.race.places if paddock.race is not None else (),
        list(paddock.banned_addresses),
    )


def _keep_place(paddock: Paddock, place: Member | Bot | None) -> KeptPlace:
    if isinstance(place, Member):
        return KeptMember(
            place.session.key,
            paddock.is_here(place.session),
            place.name,
            place.colour,
            place.is_ready,
            place.has_left,
            place.seat,
            place.stand_in,
            place.wants_pause,
        )
    if isinstance(place, Bot):
        return KeptBot(place.kind, place.name, place.colour)
    return None


def restore(
    room: Room,
    kept: KeptMatch,
    past_logs: Mapping[int, bytes],
    sessions: Sessions,
    tracks: Mapping[str, TrackFacts],
    config: ServerConfig,
    now: float,
) -> Paddock:
    """Make a paddock of what is on disk; nobody counts as there yet.

    Args:
        room: That it is for.
        kept: The match.
        past_logs: As the paddock has them.
        sessions: The server's.
        tracks: The server's.
        config: The server's.
        now: The time on the paddock's clock.

    Raises:
        BadDump: It cannot be read: damaged, or written by another version.
    """
    state, pulse = _decode(kept)
    season = Season.load(kept.season) if kept.season else None
    table = _table_of(kept.race) if kept.race is not None else None
    # Only from here on do sessions come back: a room that cannot be read leaves none behind.
    places: list[Member | Bot | None] = [_place(place, sessions, now) for place in state.places]
    watchers = [Watcher(sessions.adopt(one.key), one.name, gone_at=now) for one in state.watchers]
    host = places[state.host] if state.host is not None else None
    lobby = Lobby.restored(
        state.options, places, watchers, host if isinstance(host, Member) else None, tracks
    )
    paddock = Paddock(room, kept.code, kept.match, lobby, config, now)
    paddock.password = state.password
    paddock.banned.extend(state.banned)
    paddock.banned_addresses.extend(state.banned_addresses)
    paddock.chat.extend(state.chat)
    paddock.said = state.said
    paddock.past_logs = dict(past_logs)
    if state.is_ended:
        paddock.ended_at = now
    here = {place.key for place in state.places if isinstance(place, KeptMember) and place.is_here}
    people: list[Person] = [*lobby.members(), *watchers]
    for person in people:
        paddock.belong(person, is_here=isinstance(person, Watcher) or person.session.key in here)
    if season is not None:
        paddock.season = SeasonRun(season, state.race_places)
    if kept.race is not None and table is not None:
        paddock.race = RaceRun(
            table, lobby.members(), state.race_places, paddock.timing, now, paddock.pace, pulse
        )
        paddock.race.is_paused = state.is_paused
        paddock.race_number = kept.race.number
        if paddock.season is not None and table.is_over:
            paddock.past_logs[kept.race.number] = pack_events(table.log)
    elif lost := lobby.mend():
        tell_news(paddock, lost)
    return paddock


def _table_of(race: KeptRace) -> Table:
    """Bring the table of a race back.

    Raises:
        BadDump: It is damaged, or by other rules.
        StoreDamaged: What is kept is nothing of this version.
    """
    log = [event for step in race.steps for event in decode_events(step)]
    return Table.resume(decode_setup(race.setup), decode_drivers(race.drivers), log)


def _decode(kept: KeptMatch) -> tuple[KeptRoom, Pulse]:
    """Read what is kept of a room beside its race.

    Raises:
        BadDump: It is damaged, or another version wrote it.
    """
    try:
        state = _ROOM_DECODER.decode(kept.state)
        pulse = _PULSE_DECODER.decode(kept.clocks) if kept.clocks else Pulse()
    except msgspec.DecodeError as error:
        raise BadDump(f"no room: {error}") from None
    if state.format != FORMAT:
        raise BadDump(f"room format {state.format}; this version reads format {FORMAT}")
    return state, pulse


async def load_room(keeper: Keeper, match: str) -> tuple[KeptMatch, dict[int, bytes]]:
    """Read a room: its match, and the logs of the races of a championship before its newest one.

    Raises:
        NoSuchMatch: It is closed, or was never there.
        StoreFailed: It cannot be read.
    """
    kept = await keeper.load(match)
    past_logs = {}
    if kept.race is not None and kept.race.number > 0:
        for race in await keeper.races(match):
            if race.number < kept.race.number:
                log = [event for step in race.steps for event in decode_events(step.events)]
                past_logs[race.number] = pack_events(log)
    return kept, past_logs


async def close_match(keeper: Keeper, code: str, write: CloseMatch) -> None:
    """Note on disk that a match is over, as well as that goes: nothing may stop its room from going."""
    try:
        await keeper.commit([write])
    except Exception as error:  # whatever it is, it must not reach the other rooms
        log.error("match not closed", room=code, fault=kind_of_fault(error))


def _place(place: KeptPlace, sessions: Sessions, now: float) -> Member | Bot | None:
    if isinstance(place, KeptMember):
        return Member(
            sessions.adopt(place.key),
            place.name,
            gone_at=now,
            has_left=place.has_left,
            colour=place.colour,
            is_ready=place.is_ready,
            seat=place.seat,
            stand_in=place.stand_in,
            wants_pause=place.wants_pause,
        )
    if isinstance(place, KeptBot):
        return Bot(place.kind, place.name, place.colour)
    return None


_ENCODE = msgspec.msgpack.Encoder().encode
_ROOM_DECODER = msgspec.msgpack.Decoder(KeptRoom)
_PULSE_DECODER = msgspec.msgpack.Decoder(Pulse)
