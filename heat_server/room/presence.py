"""What happens when somebody comes back, goes, or has been gone for the grace time.

A race stops or continues, a place in the lobby becomes free, or a missing host is replaced.
"""

from __future__ import annotations

from collections.abc import Iterable

from heat_server.room.broadcast import broadcast_news, broadcast_state, mark_updates, send_everything
from heat_server.room.saved_room import Person
from heat_server.room.state import RoomState
from heat_server.room.timing import NEVER


def note_presence(state: RoomState, now: float) -> None:
    """Look who is connected, send everything to those who are back, and stop or continue the race."""
    people = state.people
    changed, back = people.note_presence(now)
    if state.race is not None:
        if changed:
            agree_on_pause(state, now, may_begin=False)
        changed = state.race.note_presence(now) or changed
    # A lobby is the players'; a race keeps spectators company.
    is_kept = people.is_a_driver_there() if state.race is None else people.is_anybody_there()
    people.attendance.note_empty(None if is_kept else now)
    changed = _let_go_of_the_long_gone(state, now) or changed
    changed = _relieve_the_host(state, now) or changed
    for person, presence in back:
        send_everything(state, person, presence, None, is_back=True)
    if changed:
        broadcast_state(state)
        mark_updates(state)


def agree_on_pause(state: RoomState, now: float, *, may_begin: bool) -> None:
    """Begin or end the pause where all who are there agree on it.

    Args:
        state: The room.
        now: From when on.
        may_begin: Not where a line has merely dropped: one who wants a pause would get it of each blink.
    """
    race, saved, people = state.race, state.saved, state.people
    if race is None or race.table.is_over:
        return
    there = [member for member in people.members() if people.is_there(member)]
    if saved.is_paused and there and not any(member.wants_pause for member in there):
        saved.is_paused = False
        broadcast_news(state, "The race continues.")
    elif may_begin and not saved.is_paused and there and all(member.wants_pause for member in there):
        saved.is_paused = True
        broadcast_news(state, "Everyone has voted: the race is paused. It is saved, and can wait for days.")
    else:
        return
    for member in people.members():  # who is away too: back alone, they do not end it unasked
        member.wants_pause = saved.is_paused
    race.note_presence(now)
    mark_updates(state)


def next_wake(state: RoomState, now: float) -> float:
    """Give the time at which there is something to do though nobody asks."""
    times = [_next_departure(state), *(time for time, _ in state.expiries())]
    if state.race is not None:
        times.append(state.race.next_wake(now))
    return min(times)


def _next_departure(state: RoomState) -> float:
    waited_for = map(state.people.presence, _without_lasting_place(state))
    gone = [presence.gone_at for presence in waited_for if presence.gone_at is not None]
    return min(_host_is_missed_from(state), min(gone, default=NEVER) + state.timing.grace_seconds)


def _let_go_of_the_long_gone(state: RoomState, now: float) -> bool:
    """Let go of spectators, and of drivers too before a race; tell whether there were any."""
    grace, gone = state.timing.grace_seconds, []
    for person in _without_lasting_place(state):
        gone_at = state.people.presence(person).gone_at
        if gone_at is not None and gone_at + grace <= now:
            gone.append(person)
    for person in gone:
        state.people.let_go(person)
        broadcast_news(state, f"{person.name} was away too long and has left.")
    return bool(gone)


def _without_lasting_place(state: RoomState) -> Iterable[Person]:
    """List whom a room does not wait for for ever: in a race drivers keep their seats."""
    return state.people if state.race is None else state.saved.watchers


def _relieve_the_host(state: RoomState, now: float) -> bool:
    """Hand the room on where its host is missed; tell whether that was so."""
    people = state.people
    if people.host is None or _host_is_missed_from(state) > now:
        return False
    people.hand_on(people.host)
    assert people.host is not None
    broadcast_news(state, f"{people.host.name} is now the host.")
    return True


def _host_is_missed_from(state: RoomState) -> float:
    """Give the time from which on those who are there need another host; there may be nobody."""
    people, host = state.people, state.people.host
    gone_at = people.presence(host).gone_at if host is not None else None
    if host is None or gone_at is None or not people.is_a_driver_there():
        return NEVER
    return -NEVER if host.has_left else gone_at + state.timing.grace_seconds
