"""What each request of somebody in a room does: it happens whole, or is denied and changes nothing."""

from __future__ import annotations

from contextlib import suppress
from typing import assert_never

import structlog

from heat_core import commands as c
from heat_core.files import new_seed
from heat_core.names import BadName, clean_line, clean_name, name_key
from heat_core.refusal import Refused
from heat_core.setup import BadSetup
from heat_core.table import Table
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    AskRecord,
    AskView,
    Configure,
    Create,
    Join,
    Kick,
    Leave,
    Lock,
    Ok,
    Pause,
    PlaceBot,
    React,
    Record,
    Rematch,
    Say,
    Start,
    TakeSeat,
    Watch,
)
from heat_server.costs import WRONG_PASSWORD_COST
from heat_server.denied import Denied
from heat_server.departures import agree_on_pause
from heat_server.kept import Member, Person, Watcher
from heat_server.paddock import MOST_BANNED, Paddock
from heat_server.passwords import hash_password, is_password
from heat_server.post import Asked, RoomRequest
from heat_server.progress import begin_rematch, race_changed
from heat_server.racing import RaceRun
from heat_server.season import SeasonRun
from heat_server.telling import (
    mark_updates,
    say,
    tell_chat,
    tell_everything,
    tell_news,
    tell_season,
    tell_started,
    tell_state,
)
from heat_server.updates import MOST_EVENTS

log = structlog.get_logger()


def answer(paddock: Paddock, asked: Asked, now: float) -> None:
    """Do what somebody asks, or say why not; the answer goes into the paddock's post.

    Raises:
        Exception: Whatever a fault of ours raises; the request is answered at once then.
    """
    paddock.people.attendance.busy_at = now
    number = asked.request.id
    try:
        _Answer(paddock, asked, now).dispatch()
    except Denied as denied:
        paddock.post.error(asked.connection, number, denied.code, denied.text)
    except Refused as refused:
        paddock.post.error(asked.connection, number, str(refused.code), refused.text)
    except Exception:
        asked.connection.error(number, ErrorCode.ROOM_CRASHED, "That broke the room; the server's fault.")
        asked.done.set()
        raise
    paddock.post.answered(asked)


class _Answer:
    """One request in the hands of a room."""

    def __init__(self, paddock: Paddock, asked: Asked, now: float) -> None:
        self.paddock = paddock
        self.session = asked.session
        self.connection = asked.connection
        self.request = asked.request
        self.now = now

    def dispatch(self) -> None:
        """Do what is asked."""
        if self.session.connection is not self.connection:
            return  # a newer connection plays; nobody reads the answer
        request = self.request
        if isinstance(request, (Create, Join)):
            self._join(request)
        elif isinstance(request, Watch):
            self._watch(request)
        else:
            self._do(request, self._person())

    def _do(self, request: RoomRequest, person: Person) -> None:
        presence = self.paddock.people.presence(person)
        presence.heard = presence.sent
        match request:
            case AskView():
                self._ok()
                is_other_race = self.paddock.season is not None and request.race != self.paddock.race_number
                tell_everything(self.paddock, person, presence, 0 if is_other_race else request.since)
            case AskRecord():
                self._tell_record(request)
            case Say() | React():
                self._say(request, person)
            case Leave():
                self._leave(person)
            case Start():
                self._host(person)
                self._start()
            case Configure():
                self._host(person)
                self._need_lobby()
                self.paddock.lobby.configure(request.options)
                self._ok()
                tell_state(self.paddock)
            case PlaceBot():
                self._host(person)
                self._place_bot(request)
            case Kick():
                self._kick(request, self._host(person))
            case Lock():
                self._host(person)
                self.paddock.kept.password = hash_password(request.password)
                self._ok()
                tell_state(self.paddock)
            case Rematch():
                self._host(person)
                self._rematch()
            case TakeSeat():
                self._take_seat(request, self._member(person))
            case Pause():
                self._pause(request, self._member(person))
            case Act():
                self._act(request, self._member(person))
            case Create() | Join() | Watch():
                raise AssertionError("dealt with before")
            case _:
                assert_never(request)

    def _ok(self) -> None:
        self.paddock.post.send(self.connection, Ok(self.request.id))

    # --- who may ----------------------------------------------------------------------------------------

    def _person(self) -> Person:
        person = self.paddock.people.find(self.session)
        if person is None or not self.paddock.people.is_here(person):
            raise Denied(ErrorCode.IN_NO_ROOM, "You are in no room.")
        return person

    @staticmethod
    def _member(person: Person) -> Member:
        if not isinstance(person, Member):
            raise Denied(ErrorCode.ONLY_WATCHING, "You are watching; only drivers may do that.")
        return person

    def _host(self, person: Person) -> Member:
        if not isinstance(person, Member) or person is not self.paddock.people.host:
            raise Denied(ErrorCode.NOT_HOST, "Only the host may do that.")
        return person

    def _need_lobby(self) -> None:
        if self.paddock.race is not None:
            raise Denied(ErrorCode.ROOM_BEGUN, "The race has begun.")

    def _check_welcome(self, person: Person | None, request: Join | Watch) -> None:
        """Deny somebody who may not come in.

        Args:
            person: Who comes back to their place; None: somebody new. A room may have got its password, and
                a machine its ban, after them.
            request: With name and password as they were typed.
        """
        kept, password = self.paddock.kept, request.password
        is_from_banned = person is None and self._is_from_banned(request.name)
        if self.session.key in kept.banned or is_from_banned:
            raise Denied(ErrorCode.BANNED, "The host of this room has banned you from it.")
        if person is not None or kept.password is None:
            return
        if password is None:
            raise Denied(ErrorCode.WRONG_PASSWORD, "This room asks for a password.")
        if not is_password(password, kept.password):
            self.connection.note_error()  # so that nobody tries a thousand, nor by coming anew
            self.connection.charge(WRONG_PASSWORD_COST)
            raise Denied(ErrorCode.WRONG_PASSWORD, "That is not its password.")

    def _is_from_banned(self, typed_name: str) -> bool:
        """Tell whether this machine is banned, or from this machine the name."""
        peer, banned = self.connection.peer, self.paddock.kept.banned_addresses
        with suppress(BadName):  # which the lobby denies
            if (peer, name_key(clean_name(typed_name))) in banned:
                return True
        return (peer, None) in banned

    # --- coming and going -------------------------------------------------------------------------------

    def _join(self, request: Create | Join) -> None:
        paddock, session = self.paddock, self.session
        person = paddock.people.find(session)
        if isinstance(request, Join):
            self._check_welcome(person, request)
        if person is None:
            if paddock.race is not None:
                ended = paddock.kept.is_ended
                raise Denied(
                    ErrorCode.ROOM_ENDED if ended else ErrorCode.ROOM_BEGUN,
                    "That race is over." if ended else "That race has already started; you can watch it.",
                )
            person = paddock.lobby.newcomer(session.key, request.name, request.colour)
            if isinstance(request, Create):
                paddock.kept.password = hash_password(request.password)
            else:
                self._news(f"{person.name} has joined.")
            self._log_coming("joined", person)
        self._let_in(person)

    def _watch(self, request: Watch) -> None:
        person = self.paddock.people.find(self.session)
        self._check_welcome(person, request)
        if person is None:
            if not self.paddock.has_place_to_watch:
                raise Denied(ErrorCode.ROOM_FULL, "No more people can watch this room.")
            person = self.paddock.lobby.new_watcher(self.session.key, request.name)
            self._news(f"{person.name} is watching.")
            self._log_coming("watching", person)
        self._let_in(person)

    def _log_coming(self, how: str, person: Person) -> None:
        peer, number = self.connection.peer, self.session.number
        log.info(how, room=self.paddock.code, peer=peer, session=number, name=person.name)

    def _let_in(self, person: Person) -> None:
        paddock, people = self.paddock, self.paddock.people
        people.let_in(self.session, person)
        presence = people.presence(person)
        presence.greeted = self.connection
        paddock.post.send(self.connection, Ok(self.request.id, paddock.code, people.place_of(person)))
        if paddock.race is not None:
            tell_everything(paddock, person, presence, None, is_back=True)
        else:
            tell_chat(paddock, presence)
        tell_state(paddock)

    def _leave(self, person: Person) -> None:
        self._ok()
        self._remove(person)
        self._news(f"{person.name} has left.")
        tell_state(self.paddock)
        log.info("left", room=self.paddock.code, session=self.session.number)

    def _remove(self, person: Person) -> None:
        """Take somebody out of the room; a driver keeps the place in a race."""
        paddock = self.paddock
        if paddock.race is None or isinstance(person, Watcher):
            paddock.people.let_go(person)
            return
        paddock.people.leave_race(person)
        agree_on_pause(paddock, self.now, may_begin=True)
        mark_updates(paddock)

    def _kick(self, request: Kick, host: Member) -> None:
        paddock, people = self.paddock, self.paddock.people
        key = name_key(request.name)
        person = next((one for one in people if name_key(one.name) == key), None)
        if person is None:
            raise Denied(ErrorCode.NO_SUCH_PERSON, "Nobody in this room has that name.")
        if person is host:
            raise Denied(ErrorCode.NO_SUCH_PERSON, "You cannot remove yourself; leave instead.")
        session = people.presence(person).session
        was_out = isinstance(person, Member) and person.has_left
        if request.is_banned:
            if session.key not in paddock.kept.banned:  # or one said often would push out the others
                paddock.kept.banned = [*paddock.kept.banned, session.key][-MOST_BANNED:]
            self._ban_address(person)
        was_here = people.is_here(person)
        how = "banned you from" if request.is_banned else "removed you from"
        connection = session.connection
        self._remove(person)
        if was_here and connection is not None:
            paddock.post.error(connection, None, ErrorCode.KICKED, f"The host has {how} the room.")
        self._ok()
        if not was_out:  # a driver keeps the place in a race, and could be removed from it again and again
            tell_news(paddock, f"The host has removed {person.name}.")
        tell_state(paddock)
        log.info("kicked", room=paddock.code, session=session.number, banned=request.is_banned)

    def _ban_address(self, banned: Person) -> None:
        """Ban a machine too; where others in the room come from it, only the name: a family shares one."""
        people, kept = self.paddock.people, self.paddock.kept
        presence = people.presence(banned)
        connection = presence.session.connection or presence.greeted
        peer = connection.peer if connection is not None else ""
        others = (
            other.peer
            for person in people
            if person is not banned and (other := people.presence(person).session.connection) is not None
        )
        ban = (peer, name_key(banned.name) if peer in others else None)
        if peer and ban not in kept.banned_addresses:
            kept.banned_addresses = [*kept.banned_addresses, ban][-MOST_BANNED:]

    # --- before, between and after races ----------------------------------------------------------------

    def _take_seat(self, request: TakeSeat, member: Member) -> None:
        if self.paddock.phase != "between" or request.name is not None or request.colour is not None:
            self._need_lobby()
        before = member.name
        self.paddock.lobby.change(member, request.name, request.colour, request.ready)
        self._ok()
        if member.name != before:
            self._news(f"{before} is now called {member.name}.")
        tell_state(self.paddock)

    def _place_bot(self, request: PlaceBot) -> None:
        """Fill a place of the lobby; between two races, let a bot stand in for somebody who is away."""
        paddock = self.paddock
        if paddock.phase != "between":
            self._need_lobby()
        if paddock.season is None:
            paddock.lobby.put_bot(request.place, request.kind)
        else:
            places = paddock.kept.places
            occupant = places[request.place] if request.place < len(places) else None
            if not isinstance(occupant, Member):
                raise Denied(ErrorCode.NO_SUCH_PLACE, "No person's seat is there.")
            if paddock.people.is_there(occupant):
                raise Denied(ErrorCode.PLACE_TAKEN, "A person sits there.")
            paddock.season.stand_in(occupant, request.kind)
        self._ok()
        tell_season(paddock)
        tell_state(paddock)

    def _start(self) -> None:
        """Begin the race, or the next one of a championship."""
        paddock, lobby = self.paddock, self.paddock.lobby
        if paddock.phase != "between":
            self._need_lobby()
        lobby.check_start()
        if paddock.season is not None:
            table = paddock.season.table(paddock.people)
        else:
            table = self._first_table()
        for presence in paddock.people.attendance.by_key.values():
            presence.sent = presence.heard = presence.missed = 0
        paddock.race = RaceRun(table, paddock.kept, paddock.people, paddock.timing, self.now, paddock.pace)
        paddock.race_number = paddock.season.race if paddock.season is not None else 0
        setup = table.setup
        log.info("race started", room=paddock.code, track=setup.track.id, cars=len(setup.cars))
        self._ok()
        tell_season(paddock)
        tell_state(paddock)
        tell_started(paddock)

    def _first_table(self) -> Table:
        """Seat everybody, and set up what the options name."""
        paddock, lobby, people = self.paddock, self.paddock.lobby, self.paddock.people
        grid = lobby.grid()
        try:
            if lobby.options.season is not None:
                paddock.season = SeasonRun.begin(lobby, grid)
                table = paddock.season.table(people)
            else:
                table = Table(lobby.race_setup(grid.cars, new_seed()), grid.drivers)
        except BadSetup as error:
            raise Denied(ErrorCode.CANNOT_START, f"The race cannot begin: {error}.") from None
        paddock.kept.race_places = tuple(grid.places)
        for member in people.members():
            member.seat = grid.places.index(people.place_of(member))
        return table

    def _rematch(self) -> None:
        """Go back to the lobby with everybody who is still there."""
        paddock = self.paddock
        if paddock.phase != "ended":
            raise Denied(ErrorCode.NOT_OVER, "The race is not over yet.")
        self._ok()
        begin_rematch(paddock, self.now)
        tell_news(paddock, "A rematch: same seats, same options.")
        tell_state(paddock)
        log.info("rematch", room=paddock.code)

    # --- the race ---------------------------------------------------------------------------------------

    def _act(self, act: Act, member: Member) -> None:
        race = self.paddock.race
        if race is None:
            raise Denied(ErrorCode.NOT_BEGUN, "The race has not begun.")
        presence = self.paddock.people.presence(member)
        was_missing = presence.missed > 0
        if isinstance(act.command, c.GiveUp) and act.decision is not None:
            act = Act(act.id, None, act.command)
        try:
            changed = race.submit(member, act, self.now)
        finally:
            if was_missing and not presence.missed:
                mark_updates(self.paddock)  # the others see who is awake again
        self._ok()
        if changed:
            race_changed(self.paddock, self.now)

    def _pause(self, request: Pause, member: Member) -> None:
        paddock = self.paddock
        if paddock.phase != "racing":
            raise Denied(ErrorCode.NOT_BEGUN, "There is no race that could stand still.")
        if member.wants_pause != request.wanted:
            self._need_to_talk()
            member.wants_pause = request.wanted
            wish = "would like a pause" if request.wanted else "would like to race on"
            tell_news(paddock, f"{member.name} {wish}.")
        self._ok()
        agree_on_pause(paddock, self.now, may_begin=True)
        tell_state(paddock)

    def _tell_record(self, request: AskRecord) -> None:
        """Tell a part of what happened, nothing hidden, once that gives nothing away."""
        kept = self.paddock.race_log(request.race)
        if kept is None:
            raise Denied(ErrorCode.NOT_OVER, "There is no record of that race, or not before all are over.")
        setup, log = kept
        events = tuple(log[request.since : request.since + MOST_EVENTS])
        self.paddock.post.send(
            self.connection, Record(self.request.id, setup, request.since + 1, events, len(log))
        )

    def _say(self, request: Say | React, person: Person) -> None:
        """Pass a line on, unless somebody writes too much."""
        try:
            text = request.reaction if isinstance(request, React) else clean_line(request.text)
        except BadName as error:
            raise Denied(ErrorCode.EMPTY_LINE, str(error)) from None
        self._need_to_talk()
        place = self.paddock.people.place_of(person)
        self._ok()
        say(self.paddock, "reaction" if isinstance(request, React) else "chat", place, person.name, text)

    def _need_to_talk(self) -> None:
        """Deny what would make the others read too much."""
        if not self.session.talk.take(self.now):
            raise Denied(ErrorCode.TOO_MUCH_SAID, "You write faster than others read; wait a moment.")

    def _news(self, text: str) -> None:
        """Tell of somebody who comes or goes, unless they do it so often that nobody could read the rest."""
        if self.session.talk.take(self.now):
            tell_news(self.paddock, text)
