"""What the people in a room are told, and when: everything goes through the room's post.

Who reads slowly is not sent every change: updates of the race, and the room as it is, wait until earlier
messages have been read, and then tell all at once. So nobody can make others fall behind by changing much.
"""

from __future__ import annotations

from heat_core.recap import recap
from heat_core.wire.messages import LobbyView, Meanwhile, Place, Said, SaidKind, ServerMessage
from heat_server.room.kept import Person
from heat_server.room.participants import Presence, seat_of
from heat_server.room.state import MOST_CHAT_LINES, Paddock


def tell(paddock: Paddock, presence: Presence, message: ServerMessage) -> None:
    """Tell somebody who is in this room something, if they are connected."""
    paddock.post.send(presence.session.connection, message)


def tell_news(paddock: Paddock, text: str) -> None:
    """Tell everybody what has happened in the room."""
    say(paddock, "news", None, "", text)


def say(paddock: Paddock, kind: SaidKind, place: Place | None, name: str, text: str) -> None:
    """Pass a line on to everybody, and keep it for those who come back."""
    kept = paddock.kept
    kept.said += 1
    line = Said(kept.said, kind, place, name, text)
    kept.chat = [*kept.chat, line][-MOST_CHAT_LINES:]
    for _, presence in paddock.people.here():
        tell(paddock, presence, line)


def tell_state(paddock: Paddock) -> None:
    """Send everybody the room as it is now; who reads slowly gets it later, but another phase at once."""
    paddock.told_summary = None
    for person, presence in paddock.people.here():
        connection = presence.session.connection
        if connection is not None and presence.told_phase == paddock.phase and connection.is_behind():
            presence.needs_state = True
        else:
            _send_state(paddock, person, presence)


def _send_state(paddock: Paddock, person: Person, presence: Presence) -> None:
    presence.told_phase, presence.needs_state = paddock.phase, False
    kept, lobby, connection = paddock.kept, paddock.lobby, presence.session.connection
    address = connection.address if connection is not None else ""
    setup = paddock.race.table.setup if paddock.race is not None else None
    state = LobbyView(
        paddock.code,
        paddock.phase,
        paddock.people.place_of(person),
        kept.host or 0,
        lobby.options,
        setup.laps if setup is not None else lobby.laps,
        round(paddock.timing.turn_seconds * 1000),
        lobby.states(),
        f"heat-tui connect {paddock.config.announce or address or 'HOST'} {paddock.code}",
        tuple(watcher.name for watcher in kept.watchers),
        kept.password is not None,
        kept.is_paused,
    )
    tell(paddock, presence, state)


def tell_season(paddock: Paddock) -> None:
    """Send everybody the championship as it is now, where there is one."""
    if paddock.season is not None:
        for person, presence in paddock.people.here():
            tell(paddock, presence, paddock.season.told(seat_of(person), paddock.kept.race_places))


def tell_started(paddock: Paddock) -> None:
    """Send everybody the race that has begun."""
    assert paddock.race is not None
    for person, presence in paddock.people.here():
        tell(paddock, presence, paddock.race.started(seat_of(person)))
    mark_updates(paddock)


def mark_updates(paddock: Paddock) -> None:
    """Note that what everybody was last sent of the race is out of date."""
    for presence in paddock.people.attendance.by_key.values():
        presence.needs_update = paddock.race is not None


def catch_up(paddock: Paddock, now: float) -> None:
    """Bring everybody up to date but those who have yet to read earlier messages; these get it later."""
    late = [
        (person, presence)
        for person, presence in paddock.people.here()
        if (presence.needs_update or presence.needs_state)
        and (connection := presence.session.connection) is not None
        and connection is presence.greeted
        and not connection.is_behind()
    ]
    if not late:
        return
    shared = paddock.race.shared(now) if paddock.race is not None else None
    for person, presence in late:
        if presence.needs_update and paddock.race is not None and shared is not None:
            tell(paddock, presence, paddock.race.update(seat_of(person), presence.sent, shared))
            presence.sent = paddock.race.table.event_number
            presence.needs_update = False
        if presence.needs_state:
            _send_state(paddock, person, presence)


def tell_everything(
    paddock: Paddock, person: Person, presence: Presence, since: int | None, *, is_back: bool = False
) -> None:
    """Send all to somebody who knows nothing, or no longer trusts what they know.

    Args:
        paddock: The room.
        person: Who it is, in this room now.
        presence: Theirs.
        since: The last event that they have; None: the last that they are sure to have had.
        is_back: They were away, and hear what happened meanwhile.
    """
    presence.greeted = presence.session.connection
    _send_state(paddock, person, presence)
    if paddock.season is not None:
        tell(paddock, presence, paddock.season.told(seat_of(person), paddock.kept.race_places))
    if (race := paddock.race) is not None:
        tell(paddock, presence, race.started(seat_of(person)))
        if is_back and (sentences := _account(paddock, person, presence)):
            tell(paddock, presence, Meanwhile(sentences))
        presence.sent = presence.heard if since is None else since
        presence.needs_update = True
    if is_back:
        tell_chat(paddock, presence)


def tell_chat(paddock: Paddock, presence: Presence) -> None:
    """Send somebody the last lines."""
    for line in paddock.kept.chat:
        tell(paddock, presence, line)


def _account(paddock: Paddock, person: Person, presence: Presence) -> tuple[str, ...]:
    """Say what somebody has missed: drivers since they last answered, spectators since they last saw."""
    assert paddock.race is not None
    table, seat = paddock.race.table, seat_of(person)
    since = presence.heard if seat is not None else presence.sent
    if seat is None and not since:
        return ()  # new here, or since a restart nobody knows what they saw
    return recap(table.events_since(since, seat), table.view(seat), table.setup.cars, seat)
