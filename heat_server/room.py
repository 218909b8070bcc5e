"""A room: one task that owns a lobby, then a race or a championship, and takes requests one at a time.

Theory of operation. `run` waits for the next request or the next thing that time brings, does it, and tells
all members what changed; nothing else touches the room's state. A connection's reader waits until its
request has been dealt with, so no client has more than one in the queue. News of connections that came, went
or caught up jump the queue. Bots and overdue seats play one decision between two looks at the queue. A fault
in here ends this room: `run` never raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias, assert_never

import structlog
import trio

from heat_core import commands as c
from heat_core.files import new_seed
from heat_core.refusal import Refused
from heat_core.setup import BadSetup, make_setup
from heat_core.table import Table
from heat_core.track import TrackFacts
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    AskView,
    Configure,
    Create,
    Join,
    Leave,
    Ok,
    PlaceBot,
    RoomOptions,
    RoomPhase,
    RoomState,
    RoomSummary,
    ServerMessage,
    Start,
    TakeSeat,
)
from heat_server.config import ServerConfig
from heat_server.connection import Connection
from heat_server.inbox import Inbox
from heat_server.lobby import Denied, Lobby, Member
from heat_server.log import place_of_fault
from heat_server.racing import NEVER, RaceRun
from heat_server.season import SeasonRun
from heat_server.sessions import Session

MOST_WAITING_REQUESTS: Final = 64

RoomRequest: TypeAlias = Create | Join | TakeSeat | Configure | PlaceBot | Start | Act | AskView | Leave

log = structlog.get_logger()


@dataclass(eq=False)
class Asked:
    """A request on its way through a room.

    Attributes:
        done: Set when it has been answered.
    """

    session: Session
    connection: Connection
    request: RoomRequest
    done: trio.Event = field(default_factory=trio.Event)


class News(Enum):
    """What must not wait in the queue."""

    PRESENCE = "somebody came, went or caught up"


@dataclass(eq=False)
class Returned:
    """A member has a new connection and knows nothing yet."""

    session: Session


class Room:
    """One room; see the theory of operation above.

    Attributes:
        code: What people type to join.
        inbox: For requests and news.
        is_over: Nothing in the inbox will be looked at any more.
    """

    def __init__(
        self, code: str, options: RoomOptions, tracks: Mapping[str, TrackFacts], config: ServerConfig
    ) -> None:
        """Make an empty room.

        Raises:
            Denied: The options do not fit together.
        """
        self.code = code
        self.inbox: Inbox[Asked | News | Returned] = Inbox(MOST_WAITING_REQUESTS)
        self.is_over = False
        self._config = config
        self._lobby = Lobby(options, tracks)
        self._race: RaceRun | None = None
        self._season: SeasonRun | None = None
        self._members: dict[Session, Member] = {}
        now = trio.current_time()
        self._busy_at = now
        self._empty_since: float | None = now
        self._ended_at: float | None = None

    @property
    def phase(self) -> RoomPhase:
        """Say how far the room is."""
        if self._race is None:
            return "lobby"
        if self._ended_at is not None:
            return "ended"
        return "between" if self._race.table.is_over else "racing"

    @property
    def is_deserted(self) -> bool:
        """Tell whether this is a lobby that everybody has left; it is not worth listing."""
        return self.phase == "lobby" and not self._lobby.taken()

    def summary(self) -> RoomSummary:
        """Describe the room in one line of the list."""
        lobby = self._lobby
        return RoomSummary(
            self.code,
            self.phase,
            self._track.id,
            self._laps,
            lobby.options.cars,
            lobby.taken(),
            self.phase == "lobby" and lobby.taken() < lobby.options.cars,
            lobby.host.name if lobby.host else "",
        )

    @property
    def _track(self) -> TrackFacts:
        """The track of the race, or of the one that comes first."""
        return self._race.table.setup.track if self._race is not None else self._lobby.track

    @property
    def _laps(self) -> int:
        return self._race.table.setup.laps if self._race is not None else self._lobby.laps

    async def run(self) -> None:
        """Live until the room is empty, has idled, has ended, or a fault ends it. Raises nothing."""
        code, text = ErrorCode.ROOM_CLOSED, "The room has been closed."
        try:
            text = await self._live()
        except Exception as error:  # whatever it is, it must not reach the other rooms
            code, text = ErrorCode.ROOM_CRASHED, "The room has broken down; the server's fault, not yours."
            log.error("room crashed", room=self.code, error=repr(error), at=place_of_fault(error))
        finally:
            self._end(code, text)
        log.info("room ended", room=self.code, why=text)

    async def ask(self, asked: Asked) -> None:
        """Hand in a request and wait until it is answered. Cancelled, it may or may not be done."""
        await self.inbox.put(asked)
        if self.is_over:
            self.refuse_all()
        await asked.done.wait()

    async def _live(self) -> str:
        while True:
            now = trio.current_time()
            self._note_presence(now)
            if reason := self._reason_to_end(now):
                return reason
            self._send_updates(now)
            item = await self.inbox.get(self._next_wake(now))
            if isinstance(item, Asked):
                self._handle(item)
            elif isinstance(item, Returned):
                self._welcome_back(item.session)
            # Not only when the queue is empty: whoever keeps it full must not stop timers and bots.
            if self._race is not None and self._race.next_wake(now) <= trio.current_time():
                self._advance(self._race)

    def _end(self, code: ErrorCode, text: str) -> None:
        """Tell everybody, and let go of them."""
        self.is_over = True
        for session in list(self._members):
            if session.room is self:
                session.room = None
                if session.connection is not None:
                    session.connection.error(None, code, text)
            session.rooms.discard(self)
        self._members.clear()
        self.refuse_all()

    def refuse_all(self) -> None:
        """Answer the requests that came too late for the room to look at."""
        for item in self.inbox.drain():
            if isinstance(item, Asked):
                self.refuse(item)

    @staticmethod
    def refuse(asked: Asked) -> None:
        """Answer a request that came too late."""
        asked.connection.error(asked.request.id, ErrorCode.NO_SUCH_ROOM, "That room is no longer there.")
        asked.done.set()

    # --- time -------------------------------------------------------------------------------------------

    def _note_presence(self, now: float) -> None:
        """Look who is connected, and let the race stand still or go on."""
        changed = False
        for session, member in self._members.items():
            is_here = session.is_connected and session.room is self
            if is_here is (member.gone_at is None):
                continue
            member.gone_at = None if is_here else now
            if is_here:
                member.has_left = False
                member.missed = 0
            changed = True
        if self._race is not None:
            changed = self._race.note_presence(now) or changed
        if not any(member.is_there for member in self._members.values()):
            self._empty_since = now if self._empty_since is None else self._empty_since
        else:
            self._empty_since = None
        if self._race is None and self._remove_the_long_gone(now):
            changed = True
        if changed:
            self._tell_state()
            self._mark_updates()

    def _remove_the_long_gone(self, now: float) -> bool:
        gone = [
            (session, member)
            for session, member in self._members.items()
            if member.gone_at is not None and member.gone_at + self._config.grace_seconds <= now
        ]
        for session, member in gone:
            self._let_go(session, member)
        return bool(gone)

    def _ends(self) -> list[tuple[float, str]]:
        """List what will end the room, and when, if nothing happens before."""
        config, ends = self._config, []
        if self._empty_since is not None:
            patience = {
                "lobby": config.empty_lobby_seconds,
                "racing": config.deserted_seconds,
                "between": config.deserted_seconds,
                "ended": config.grace_seconds,
            }[self.phase]
            ends.append((self._empty_since + patience, "Nobody was there any more."))
        if self._race is None:
            idle = self._busy_at + config.idle_lobby_seconds
            ends.append((idle, "Nothing has happened in this room for too long."))
        if self._ended_at is not None:
            ends.append((self._ended_at + config.ended_seconds, "The race has ended."))
        return ends

    def _reason_to_end(self, now: float) -> str | None:
        """Say why the room ends now, None if it does not."""
        return next((reason for time, reason in self._ends() if time <= now), None)

    def _next_wake(self, now: float) -> float:
        times = [NEVER, *(time for time, _ in self._ends())]
        if self._race is not None:
            times.append(self._race.next_wake(now))
        else:
            gone = (member.gone_at for member in self._members.values())
            times += [since + self._config.grace_seconds for since in gone if since is not None]
        return min(times)

    def _advance(self, race: RaceRun) -> None:
        if race.advance(trio.current_time()):
            self._race_changed(race)

    def _race_changed(self, race: RaceRun) -> None:
        self._mark_updates()
        if race.table.is_over and self._ended_at is None:
            now = trio.current_time()
            log.info("race ended", room=self.code, events=race.table.event_number)
            if self._season is not None:
                self._season.finish_race(race.table.log)
                self._lobby.begin_break()
            if self._season is None or self._season.is_over:
                self._ended_at = now
            self._send_updates(now)  # first what happened, then that the race has ended
            self._tell_season()
            self._tell_state()

    # --- requests ---------------------------------------------------------------------------------------

    def _handle(self, asked: Asked) -> None:
        """Do what a member asks, or say why not."""
        self._busy_at = trio.current_time()
        connection, number = asked.connection, asked.request.id
        try:
            self._dispatch(asked)
        except Denied as denied:
            connection.error(number, denied.code, denied.text)
        except Refused as refused:
            connection.error(number, str(refused.code), refused.text)
        except Exception:
            connection.error(number, ErrorCode.ROOM_CRASHED, "That broke the room; the server's fault.")
            raise
        finally:
            asked.done.set()

    def _dispatch(self, asked: Asked) -> None:
        session, request = asked.session, asked.request
        if session.connection is not asked.connection:
            return  # a newer connection plays; nobody reads the answer
        if isinstance(request, (Create, Join)):
            self._join(asked, request)
            return
        member = self._members.get(session)
        if member is None or session.room is not self:
            raise Denied(ErrorCode.IN_NO_ROOM, "You are in no room.")
        member.heard = member.sent
        done: Callable[[], None] = lambda: asked.connection.send(Ok(request.id))  # noqa: E731
        match request:
            case TakeSeat():
                if self.phase != "between" or request.name is not None or request.colour is not None:
                    self._need_lobby()
                self._lobby.change(member, request.name, request.colour, request.ready)
                done()
                self._tell_state()
            case Configure():
                self._need_lobby()
                self._need_host(member)
                self._lobby.configure(request.options)
                done()
                self._tell_state()
            case PlaceBot():
                if self.phase != "between":
                    self._need_lobby()
                self._need_host(member)
                self._place_bot(request)
                done()
                self._tell_season()
                self._tell_state()
            case Start():
                if self.phase != "between":
                    self._need_lobby()
                self._need_host(member)
                self._start(done)
            case Act():
                self._act(member, request, done)
            case AskView():
                done()
                is_other_race = self._season is not None and request.race != self._season.race
                self._send_everything(session, member, 0 if is_other_race else request.since)
            case Leave():
                self._leave(session, member)
                done()
            case _:
                assert_never(request)

    def _place_bot(self, request: PlaceBot) -> None:
        """Fill a place of the lobby; between two races, let a bot stand in for somebody who is away."""
        if self._season is None:
            self._lobby.put_bot(request.place, request.kind)
            return
        places = self._lobby.places
        occupant = places[request.place] if request.place < len(places) else None
        if not isinstance(occupant, Member):
            raise Denied(ErrorCode.NO_SUCH_PLACE, "No person's seat is there.")
        self._season.stand_in(occupant, request.kind)

    def _need_lobby(self) -> None:
        if self._race is not None:
            raise Denied(ErrorCode.ROOM_BEGUN, "The race has begun.")

    def _need_host(self, member: Member) -> None:
        if member is not self._lobby.host:
            raise Denied(ErrorCode.NOT_HOST, "Only the host may do that.")

    def _join(self, asked: Asked, request: Create | Join) -> None:
        session = asked.session
        member = self._members.get(session)
        if member is None:
            if self._race is not None:
                ended = self._ended_at is not None
                raise Denied(
                    ErrorCode.ROOM_ENDED if ended else ErrorCode.ROOM_BEGUN,
                    "That race is over." if ended else "That race has begun already.",
                )
            member = self._lobby.join(session, request.name, request.colour)
            self._members[session] = member
            session.rooms.add(self)
            log.info("joined", room=self.code, session=session.number, name=member.name)
        session.room = self
        place = self._lobby.place_of(member)
        asked.connection.send(Ok(request.id, self.code, place))
        if self._race is not None:
            member.has_left = False
            self._send_everything(session, member, None)
        self._tell_state()

    def _leave(self, session: Session, member: Member) -> None:
        session.room = None
        if self._race is None:
            self._let_go(session, member)
        else:
            member.has_left = True
            self._lobby.hand_on(member)
            self._mark_updates()
        self._tell_state()
        log.info("left", room=self.code, session=session.number)

    def _let_go(self, session: Session, member: Member) -> None:
        """Free a place in the lobby."""
        self._lobby.leave(member)
        del self._members[session]
        session.rooms.discard(self)
        if session.room is self:
            session.room = None

    def _start(self, done: Callable[[], None]) -> None:
        """Begin the race, or the next one of a championship."""
        lobby, now = self._lobby, trio.current_time()
        lobby.check_start()
        if self._season is not None:
            table, places = self._season.table(lobby.members()), self._season.places
        else:
            table, places = self._first_table()
        self._race = RaceRun(
            table,
            lobby.members(),
            places,
            turn_seconds=self._turn_seconds,
            grace_seconds=self._config.grace_seconds,
            now=now,
        )
        log.info("race started", room=self.code, track=table.setup.track.id, cars=len(table.setup.cars))
        done()
        self._tell_season()
        self._tell_state()
        for session, member in self._members.items():
            self._send(session, self._race.started(member))
        self._mark_updates()

    def _first_table(self) -> tuple[Table, tuple[int | None, ...]]:
        """Seat everybody, and set up what the options name."""
        lobby = self._lobby
        grid = lobby.grid()
        for member in lobby.members():
            member.seat = grid.places.index(lobby.place_of(member))
        try:
            if (season := lobby.options.season) is not None:
                self._season = SeasonRun(lobby, grid, season)
                return self._season.table(lobby.members()), self._season.places
            setup = make_setup(
                lobby.track,
                grid.cars,
                seed=new_seed(),
                laps=lobby.laps,
                rules=lobby.rules,
                modules=lobby.modules,
            )
        except BadSetup as error:
            raise Denied(ErrorCode.CANNOT_START, f"The race cannot begin: {error}.") from None
        return Table(setup, grid.drivers), tuple(grid.places)

    @property
    def _turn_seconds(self) -> float:
        milliseconds = self._lobby.options.turn_milliseconds
        return self._config.turn_seconds if milliseconds is None else milliseconds / 1000

    def _act(self, member: Member, act: Act, done: Callable[[], None]) -> None:
        race = self._race
        if race is None:
            raise Denied(ErrorCode.NOT_BEGUN, "The race has not begun.")
        was_missing = member.missed > 0
        if isinstance(act.command, c.GiveUp) and act.decision is not None:
            act = Act(act.id, None, act.command)
        try:
            changed = race.submit(member, act, trio.current_time())
        finally:
            if was_missing:
                self._mark_updates()  # the others see who is awake again
        done()
        if changed:
            self._race_changed(race)

    # --- telling ----------------------------------------------------------------------------------------

    def _send(self, session: Session, message: ServerMessage) -> None:
        if session.connection is not None and session.room is self:
            session.connection.send(message)

    def _tell_state(self) -> None:
        """Send everybody the room as it is now."""
        for session, member in self._members.items():
            if session.room is self:
                self._send(session, self._state(session, member))

    def _tell_season(self) -> None:
        """Send everybody the championship as it is now, where there is one."""
        if self._season is not None:
            for session, member in self._members.items():
                self._send(session, self._season.told(member))

    def _state(self, session: Session, member: Member) -> RoomState:
        lobby = self._lobby
        address = session.connection.address if session.connection is not None else ""
        return RoomState(
            self.code,
            self.phase,
            lobby.place_of(member),
            lobby.place_of(lobby.host or member),
            lobby.options,
            self._laps,
            round(self._turn_seconds * 1000),
            lobby.states(),
            f"heat-tui connect {self._config.announce or address or 'HOST'} {self.code}",
        )

    def _mark_updates(self) -> None:
        for member in self._members.values():
            member.needs_update = self._race is not None

    def _send_updates(self, now: float) -> None:
        """Bring everybody up to date but those who have yet to read earlier messages; these get it later."""
        if self._race is None:
            return
        for session, member in self._members.items():
            connection = session.connection
            if not member.needs_update or connection is None or session.room is not self:
                continue
            if connection.is_behind():
                continue
            connection.send(self._race.update(member, member.sent, now))
            member.sent = self._race.table.event_number
            member.needs_update = False

    def _welcome_back(self, session: Session) -> None:
        member = self._members.get(session)
        if member is not None:
            self._send_everything(session, member, None)

    def _send_everything(self, session: Session, member: Member, since: int | None) -> None:
        """Send room, race and view to somebody who knows nothing, or no longer trusts what they know.

        Args:
            since: The last event that they have; None: the last that they are sure to have had.
        """
        self._send(session, self._state(session, member))
        if self._season is not None:
            self._send(session, self._season.told(member))
        if self._race is not None:
            self._send(session, self._race.started(member))
            member.sent = member.heard if since is None else since
            member.needs_update = True
