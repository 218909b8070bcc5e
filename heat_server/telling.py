"""What the people in a room are told, and when: everything goes through the room's post.

Who reads slowly is not sent every change: updates of the race, and the room as it is, wait until earlier
messages have been read, and then tell all at once. So nobody can make others fall behind by changing much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heat_core.account import account
from heat_core.wire.messages import LobbyView, Meanwhile, Place, Said, SaidKind, ServerMessage
from heat_server.people import Member, Person
from heat_server.sessions import Session

if TYPE_CHECKING:
    from heat_server.paddock import Paddock


def seat_of(person: Person) -> int | None:
    """Give the car whose driver a person is; None: a spectator."""
    return person.seat if isinstance(person, Member) else None


def tell(paddock: Paddock, session: Session, message: ServerMessage) -> None:
    """Tell somebody something, if they are in this room and connected."""
    if paddock.is_here(session):
        paddock.post.send(session.connection, message)


def tell_news(paddock: Paddock, text: str) -> None:
    """Tell everybody what has happened in the room."""
    say(paddock, "news", None, "", text)


def say(paddock: Paddock, kind: SaidKind, place: Place | None, name: str, text: str) -> None:
    """Pass a line on to everybody, and keep it for those who come back."""
    paddock.said += 1
    line = Said(paddock.said, kind, place, name, text)
    paddock.chat.append(line)
    for session, _ in paddock.here():
        tell(paddock, session, line)


def tell_state(paddock: Paddock) -> None:
    """Send everybody the room as it is now; who reads slowly gets it later, but another phase at once."""
    paddock.told_summary = None
    for session, person in paddock.here():
        connection = session.connection
        if connection is not None and person.told_phase == paddock.phase and connection.is_behind():
            person.needs_state = True
        else:
            _send_state(paddock, session, person)


def _send_state(paddock: Paddock, session: Session, person: Person) -> None:
    person.told_phase, person.needs_state = paddock.phase, False
    lobby = paddock.lobby
    address = session.connection.address if session.connection is not None else ""
    setup = paddock.race.table.setup if paddock.race is not None else None
    state = LobbyView(
        paddock.code,
        paddock.phase,
        lobby.place_of(person) if isinstance(person, Member) else None,
        lobby.place_of(lobby.host) if lobby.host is not None else 0,
        lobby.options,
        setup.laps if setup is not None else lobby.laps,
        round(paddock.timing.turn_seconds * 1000),
        lobby.states(),
        f"heat-tui connect {paddock.config.announce or address or 'HOST'} {paddock.code}",
        tuple(watcher.name for watcher in lobby.watchers),
        paddock.password is not None,
        paddock.is_paused,
    )
    tell(paddock, session, state)


def tell_season(paddock: Paddock) -> None:
    """Send everybody the championship as it is now, where there is one."""
    if paddock.season is not None:
        for session, person in paddock.here():
            tell(paddock, session, paddock.season.told(seat_of(person)))


def tell_started(paddock: Paddock) -> None:
    """Send everybody the race that has begun."""
    assert paddock.race is not None
    for session, person in paddock.here():
        tell(paddock, session, paddock.race.started(seat_of(person)))
    mark_updates(paddock)


def mark_updates(paddock: Paddock) -> None:
    """Note that what everybody was last sent of the race is out of date."""
    for person in paddock.people.values():
        person.needs_update = paddock.race is not None


def catch_up(paddock: Paddock, now: float) -> None:
    """Bring everybody up to date but those who have yet to read earlier messages; these get it later."""
    late = [
        (session, person)
        for session, person in paddock.here()
        if (person.needs_update or person.needs_state)
        and session.connection is not None
        and session.connection is person.greeted
        and not session.connection.is_behind()
    ]
    if not late:
        return
    shared = paddock.race.shared(now) if paddock.race is not None else None
    for session, person in late:
        if person.needs_update and paddock.race is not None and shared is not None:
            tell(paddock, session, paddock.race.update(seat_of(person), person.sent, shared))
            person.sent = paddock.race.table.event_number
            person.needs_update = False
        if person.needs_state:
            _send_state(paddock, session, person)


def tell_everything(paddock: Paddock, session: Session, since: int | None, *, is_back: bool = False) -> None:
    """Send all to somebody who knows nothing, or no longer trusts what they know.

    Args:
        paddock: The room.
        session: Who it is.
        since: The last event that they have; None: the last that they are sure to have had.
        is_back: They were away, and hear what happened meanwhile.
    """
    person = paddock.people[session]
    person.greeted = session.connection
    _send_state(paddock, session, person)
    if paddock.season is not None:
        tell(paddock, session, paddock.season.told(seat_of(person)))
    if (race := paddock.race) is not None:
        tell(paddock, session, race.started(seat_of(person)))
        if is_back and (sentences := _account(paddock, person)):
            tell(paddock, session, Meanwhile(sentences))
        person.sent = person.heard if since is None else since
        person.needs_update = True
    if is_back:
        tell_chat(paddock, session)


def tell_chat(paddock: Paddock, session: Session) -> None:
    """Send somebody the last lines."""
    for line in paddock.chat:
        tell(paddock, session, line)


def _account(paddock: Paddock, person: Person) -> tuple[str, ...]:
    """Say what somebody has missed: drivers since they last answered, spectators since they last saw."""
    assert paddock.race is not None
    table, seat = paddock.race.table, seat_of(person)
    since = person.heard if seat is not None else person.sent
    if seat is None and not since:
        return ()  # new here, or since a restart nobody knows what they saw
    return account(table.events_since(since, seat), table.view(seat), table.setup.cars, seat)
