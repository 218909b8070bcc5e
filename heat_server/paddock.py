"""All that a room is: people, lobby, race or championship, chat; and what they are told of it. No I/O.

Theory of operation. Requests (`heat_server.requests`) and time change what is here; what there is to say
goes into `post`, which the room's task delivers once the change is on disk. Should that fail, the whole
paddock is thrown away and made anew from what is on disk (`heat_server.keeping`).
"""

from __future__ import annotations

import secrets
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import structlog

from heat_core.events import Event
from heat_core.setup import RaceSetup
from heat_core.wire.messages import RoomPhase, RoomSummary, Said
from heat_server.config import ServerConfig
from heat_server.departures import let_go_of_the_long_gone, next_departure, relieve_the_host
from heat_server.lobby import Lobby
from heat_server.people import Member, Person, Watcher
from heat_server.post import Post
from heat_server.racing import RaceRun
from heat_server.season import SeasonRun
from heat_server.sessions import Session
from heat_server.sleeping import SleepPhase, patience_seconds
from heat_server.store.values import decode_events, encode_events
from heat_server.telling import catch_up, mark_updates, tell_everything, tell_news, tell_season, tell_state
from heat_server.timing import Timing

if TYPE_CHECKING:
    from heat_server.room import Room

MOST_CHAT_LINES: Final = 50
"""How many are kept for those who come back."""

MOST_BANNED: Final = 200

log = structlog.get_logger()


class Paddock:
    """The state of one room.

    Attributes:
        code: What people type to join.
        match: Identifier in the store; a rematch gets a new one.
        lobby: Places and options.
        race: The race that is under way or was the last.
        race_number: Which of the championship that is, from 0.
        season: The championship, once it has begun.
        people: Everybody who belongs here, connected or not.
        password: Hash of what one must say to come in; None: nothing.
        banned: Hashed tokens of those who may not come back; of very many the newest.
        banned_addresses: The same of their machines, with the name that is banned there where others in the
            room came from it too, see `name_key`; None: all.
        past_logs: By number: the races of a championship that are over, for their records; packed.
        chat: The last lines.
        said: How many lines there were.
        post: What there is to say.
        config: The server's settings.
        told_summary: The room in one line; None: it has changed since that was made.
        busy_at: When somebody last asked for something.
        empty_since: Since when nobody is there; None: somebody is.
        ended_at: When the last race ended; None: it has not.
        pace: What the room may play for bots and those who are away.
    """

    def __init__(
        self, room: Room, code: str, match: str, lobby: Lobby, config: ServerConfig, now: float
    ) -> None:
        """Begin empty.

        Args:
            room: The room that this is the state of: sessions know themselves in it.
            code: Of the room.
            match: For the store.
            lobby: With its options.
            config: The server's.
            now: The time on the caller's clock.
        """
        self.code = code
        self.match = match
        self.lobby = lobby
        self.race: RaceRun | None = None
        self.race_number = 0
        self.season: SeasonRun | None = None
        self.people: dict[Session, Person] = {}
        self.password: bytes | None = None
        self.banned: deque[bytes] = deque(maxlen=MOST_BANNED)
        self.banned_addresses: deque[tuple[str, str | None]] = deque(maxlen=MOST_BANNED)
        self.past_logs: dict[int, bytes] = {}
        self.chat: deque[Said] = deque(maxlen=MOST_CHAT_LINES)
        self.said = 0
        self.post = Post()
        self.told_summary: RoomSummary | None = None
        self.busy_at = now
        self.empty_since: float | None = now
        self.ended_at: float | None = None
        self.config = config
        self.pace = room.pace
        self._room = room

    # --- how things stand -------------------------------------------------------------------------------

    @property
    def phase(self) -> RoomPhase:
        """Say how far the room is."""
        if self.race is None:
            return "lobby"
        if self.ended_at is not None:
            return "ended"
        return "between" if self.race.table.is_over else "racing"

    @property
    def has_place_to_watch(self) -> bool:
        """Tell whether one more may look on."""
        return len(self.lobby.watchers) < self.config.most_watchers

    @property
    def is_paused(self) -> bool:
        """Tell whether all have agreed that the race stands still."""
        return self.race is not None and self.race.is_paused

    @property
    def sleep_phase(self) -> SleepPhase:
        """Say how far the room is, in the words of those that sleep."""
        return "paused" if self.is_paused and self.phase == "racing" else self.phase

    @property
    def timing(self) -> Timing:
        """How long a race of this room waits for people."""
        options, config = self.lobby.options, self.config
        turn, grace = options.turn_milliseconds, options.grace_milliseconds
        return Timing(
            config.turn_seconds if turn is None else turn / 1000,
            config.grace_seconds if grace is None else grace / 1000,
            config.bot_seconds,
            options.away_driver,
        )

    def summary(self) -> RoomSummary:
        """Describe the room in one line of the list; made once for each state that was told."""
        if self.told_summary is None:
            self.told_summary = self._make_summary()
        return self.told_summary

    def _make_summary(self) -> RoomSummary:
        lobby = self.lobby
        setup = self.race.table.setup if self.race is not None else None
        return RoomSummary(
            self.code,
            self.phase,
            setup.track.id if setup is not None else lobby.track.id,
            setup.laps if setup is not None else lobby.laps,
            lobby.options.cars,
            lobby.taken(),
            self.phase == "lobby" and lobby.taken() < lobby.options.cars,
            lobby.host.name if lobby.host else "",
            self.password is not None,
        )

    def here(self) -> Iterator[tuple[Session, Person]]:
        """List the people whose sessions are in this room now, connected or not."""
        return ((session, person) for session, person in self.people.items() if session.room is self._room)

    def is_here(self, session: Session) -> bool:
        """Tell whether somebody is in this room now, connected or not."""
        return session in self.people and session.room is self._room

    def belong(self, person: Person, *, is_here: bool) -> None:
        """Let somebody's session know that the room keeps a place for them.

        Args:
            is_here: Whether they are in this room now, and not in another.
        """
        session = person.session
        self.people[session] = person
        session.rooms.add(self._room)
        if is_here and session.room is None:
            session.room = self._room

    def let_go(self, session: Session) -> None:
        """Forget somebody for good; in a lobby their place becomes free."""
        person = self.people.pop(session)
        if isinstance(person, Member):
            self.lobby.leave(person)
        elif isinstance(person, Watcher):
            self.lobby.watchers.remove(person)
        session.rooms.discard(self._room)
        if session.room is self._room:
            session.room = None

    def note_presence(self, now: float) -> None:
        """Look who is connected, tell those who are back everything, let the race stand still or go on."""
        changed = False
        back = [
            session
            for session, person in self.here()
            if session.is_connected and session.connection is not person.greeted
        ]
        for session, person in self.people.items():
            is_here = session.is_connected and session.room is self._room
            if is_here is (person.gone_at is None):
                continue
            person.gone_at = None if is_here else now
            if is_here:
                person.has_left = False
                if isinstance(person, Member):
                    person.missed = 0
            changed = True
        if self.race is not None:
            if changed:
                self.agree_on_pause(now, may_begin=False)
            changed = self.race.note_presence(now) or changed
        # A lobby is the players'; a race keeps spectators company.
        kept_by = self.lobby.members() if self.race is None else self.people.values()
        if not any(person.is_there for person in kept_by):
            self.empty_since = now if self.empty_since is None else self.empty_since
        else:
            self.empty_since = None
        changed = let_go_of_the_long_gone(self, now) or changed
        changed = relieve_the_host(self, now) or changed
        for session in back:
            tell_everything(self, session, None, is_back=True)
        if changed:
            tell_state(self)
            mark_updates(self)

    def agree_on_pause(self, now: float, *, may_begin: bool) -> None:
        """Begin or end the pause where all who are there agree on it.

        Args:
            now: From when on.
            may_begin: Not where a line has merely dropped: one who wants a pause would get it of each blink.
        """
        race = self.race
        if race is None or race.table.is_over:
            return
        there = [member for member in race.members.values() if member.is_there]
        if race.is_paused and there and not any(member.wants_pause for member in there):
            race.is_paused = False
            tell_news(self, "The race goes on.")
        elif may_begin and not race.is_paused and there and all(member.wants_pause for member in there):
            race.is_paused = True
            tell_news(self, "All agree: the race is paused, and kept for days.")
        else:
            return
        for member in race.members.values():  # who is away too: back alone, they do not end it unasked
            member.wants_pause = race.is_paused
        race.note_presence(now)
        mark_updates(self)

    def patience_ends(self) -> list[tuple[float, str]]:
        """List what will end the room, and when, if nothing happens before."""
        config, ends = self.config, []
        if self.empty_since is not None:
            patience = patience_seconds(config)[self.sleep_phase]
            if self.phase == "ended":  # who saw the results has gone; a sleeping room waits for who has not
                patience = config.grace_seconds
            ends.append((self.empty_since + patience, "Nobody was there any more."))
        if self.race is None:
            idle = self.busy_at + config.idle_lobby_seconds
            ends.append((idle, "Nothing has happened in this room for too long."))
        if self.ended_at is not None:
            ends.append((self.ended_at + config.ended_seconds, "The race has ended."))
        return ends

    def next_wake(self, now: float) -> float:
        """Give the time at which there is something to do though nobody asks."""
        times = [next_departure(self), *(time for time, _ in self.patience_ends())]
        if self.race is not None:
            times.append(self.race.next_wake(now))
        return min(times)

    def advance(self, now: float) -> None:
        """Play one decision of a bot, or of a seat whose time is up, if one is due."""
        if self.race is not None and self.race.advance(now):
            self.race_changed(now)

    def race_changed(self, now: float) -> None:
        """Follow up on what has happened in the race."""
        assert self.race is not None
        mark_updates(self)
        if not self.race.table.is_over or self.ended_at is not None:
            return
        log.info("race ended", room=self.code, events=self.race.table.event_number)
        if self.season is not None:
            self.season.finish_race(self.race.table.log)
            self.past_logs[self.race_number] = pack_events(self.race.table.log)
            self.lobby.clear_ready_marks()
        if self.season is None or self.season.is_over:
            self.ended_at = now
        for member in self.race.members.values():
            member.wants_pause = False
        catch_up(self, now)  # first what happened, then that the race has ended
        tell_season(self)
        tell_state(self)

    def begin_rematch(self, now: float) -> None:
        """Go back to the lobby, as a match of its own; who has left gives their place up."""
        for session, person in list(self.people.items()):
            person.sent = person.heard = 0
            person.needs_update = False
            if person.has_left:
                self.let_go(session)
            elif isinstance(person, Member):
                person.stand_in = None
                person.missed = 0
        self.match = new_match()
        self.race = None
        self.race_number = 0
        self.season = None
        self.past_logs = {}
        self.ended_at = None
        self.busy_at = now
        self.lobby.clear_ready_marks()
        if lost := self.lobby.mend():
            tell_news(self, lost)

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


def new_match() -> str:
    """Make an identifier for the store that no other match has."""
    return secrets.token_hex(6)


def pack_events(log: Sequence[Event]) -> bytes:
    """Make a race's log small: records are asked for seldom."""
    return zlib.compress(encode_events(log))


def unpack_events(packed: bytes) -> list[Event]:
    """Undo `pack_events`."""
    return decode_events(zlib.decompress(packed))
