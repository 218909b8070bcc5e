"""What the people in a room are sent, and when: everything goes through the room's outbox.

A client that reads slowly is not sent every change: updates of the race and of the room wait until it has
read earlier messages, and then become one. So nobody can make others fall behind by changing much.
"""

from __future__ import annotations

from heat_core.view.recap import recap
from heat_core.wire.encoded_update import Sendable
from heat_core.wire.messages import LobbyView, Meanwhile, RoomPlace, Said, SaidKind
from heat_server.room.participants import Presence, seat_of
from heat_server.room.saved_room import Person
from heat_server.room.state import MOST_CHAT_LINES, RoomState


def send(state: RoomState, presence: Presence, message: Sendable) -> None:
    """Send somebody in this room a message, if they are connected."""
    state.outbox.send(presence.client.connection, message)


def broadcast_news(state: RoomState, text: str) -> None:
    """Send everybody a line about what happened in the room."""
    say(state, "news", None, "", text)


def say(state: RoomState, kind: SaidKind, place: RoomPlace | None, name: str, text: str) -> None:
    """Pass a line on to everybody, and keep it for those who come back."""
    saved = state.saved
    saved.said += 1
    line = Said(saved.said, kind, place, name, text)
    saved.chat = [*saved.chat, line][-MOST_CHAT_LINES:]
    state.note_change()
    for _, presence in state.people.here():
        send(state, presence, line)


def broadcast_state(state: RoomState) -> None:
    """Send everybody the room as it is now; who reads slowly gets it later, but another phase at once."""
    state.note_change()
    for person, presence in state.people.here():
        connection = presence.client.connection
        if connection is not None and presence.sent_phase == state.phase and connection.is_behind():
            presence.needs_state = True
        else:
            _send_state(state, person, presence)


def _send_state(state: RoomState, person: Person, presence: Presence) -> None:
    presence.sent_phase, presence.needs_state = state.phase, False
    saved, lobby, connection = state.saved, state.lobby, presence.client.connection
    address = state.config.shared_address or (connection.address if connection else "")
    setup = state.race.table.setup if state.race is not None else None
    view = LobbyView(
        state.code,
        state.phase,
        state.people.place_of(person),
        saved.host or 0,
        lobby.options,
        setup.laps if setup is not None else lobby.laps,
        state.timing.turn_milliseconds,
        lobby.states(),
        f"heat-tui connect {address or 'HOST'} {state.code}",
        tuple(watcher.name for watcher in saved.watchers),
        saved.password is not None,
        saved.is_paused,
    )
    send(state, presence, view)


def broadcast_season(state: RoomState) -> None:
    """Send everybody the championship as it is now, where there is one."""
    if state.season is not None:
        for person, presence in state.people.here():
            send(state, presence, state.season.message(seat_of(person), state.saved.race_places))


def broadcast_started(state: RoomState) -> None:
    """Send everybody the race that has begun."""
    assert state.race is not None
    for person, presence in state.people.here():
        send(state, presence, state.race.started(seat_of(person)))
    mark_updates(state)


def mark_updates(state: RoomState) -> None:
    """Note that what everybody was last sent of the race is out of date."""
    for presence in state.people.attendance.by_key.values():
        presence.needs_update = state.race is not None


def catch_up(state: RoomState, now: float) -> None:
    """Bring everybody up to date but those who have yet to read earlier messages; these get it later."""
    late = [
        (person, presence)
        for person, presence in state.people.here()
        if (presence.needs_update or presence.needs_state)
        and (connection := presence.client.connection) is not None
        and connection is presence.greeted
        and not connection.is_behind()
    ]
    if not late:
        return
    shared = state.race.shared_update(now) if state.race is not None else None
    for person, presence in late:
        if presence.needs_update and state.race is not None and shared is not None:
            send(state, presence, state.race.update(seat_of(person), presence.sent, shared))
            presence.sent = state.race.table.event_number
            presence.needs_update = False
        if presence.needs_state:
            _send_state(state, person, presence)


def send_everything(
    state: RoomState, person: Person, presence: Presence, since: int | None, *, is_back: bool = False
) -> None:
    """Send all to somebody who knows nothing, or no longer trusts what they know.

    Args:
        state: The room.
        person: Who it is, in this room now.
        presence: Theirs.
        since: The last event that they have; None: the last that they are sure to have had.
        is_back: They were away, and hear what happened meanwhile.
    """
    presence.greeted = presence.client.connection
    _send_state(state, person, presence)
    if state.season is not None:
        send(state, presence, state.season.message(seat_of(person), state.saved.race_places))
    if (race := state.race) is not None:
        send(state, presence, race.started(seat_of(person)))
        if is_back and (sentences := _recap(state, person, presence)):
            send(state, presence, Meanwhile(sentences))
        presence.sent = presence.heard if since is None else since
        presence.needs_update = True
    if is_back:
        send_chat(state, presence)


def send_chat(state: RoomState, presence: Presence) -> None:
    """Send somebody the last lines."""
    for line in state.saved.chat:
        send(state, presence, line)


def _recap(state: RoomState, person: Person, presence: Presence) -> tuple[str, ...]:
    """Say what somebody has missed: drivers since they answered or hung up, spectators since they saw."""
    assert state.race is not None
    table, seat = state.race.table, seat_of(person)
    since = max(presence.heard, presence.seen) if seat is not None else presence.sent
    if seat is None and not since:
        return ()  # new here, or since a restart nobody knows what they saw
    return recap(table.events_since(since, seat), table.view(seat), table.setup.cars, seat)
