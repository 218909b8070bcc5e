"""How a room moves on from one race to the next: after each step, at the finish, and for a rematch."""

from __future__ import annotations

import structlog

from heat_server.room.broadcast import (
    broadcast_news,
    broadcast_season,
    broadcast_state,
    catch_up,
    mark_updates,
)
from heat_server.room.saved_room import Member
from heat_server.room.state import RoomState, new_match, pack_events

log = structlog.get_logger()


def advance(state: RoomState, now: float) -> None:
    """Play one decision of a bot, or of a seat whose time is up, if one is due."""
    if state.race is not None and state.race.advance(now):
        race_changed(state, now)


def race_changed(state: RoomState, now: float) -> None:
    """Follow up on what has happened in the race."""
    assert state.race is not None
    mark_updates(state)
    table, saved = state.race.table, state.saved
    if not table.is_over or saved.is_ended:
        return
    log.info("race ended", room=state.code, events=table.event_number)
    if state.season is not None:
        state.season.finish_race(table.log)
        state.past_logs[state.race_number] = pack_events(table.log)
        state.lobby.clear_ready_marks()
    if state.season is None or state.season.is_over:
        saved.is_ended = True
        state.people.attendance.ended_at = now
    saved.is_paused = False
    for member in state.people.members():
        member.wants_pause = False
    catch_up(state, now)  # first what happened, then that the race has ended
    broadcast_season(state)
    broadcast_state(state)


def begin_rematch(state: RoomState, now: float) -> None:
    """Go back to the lobby, as a match of its own; who has left gives their place up."""
    people, saved = state.people, state.saved
    for person in list(people):
        presence = people.presence(person)
        presence.sent = presence.heard = presence.seen = presence.missed = 0
        presence.needs_update = False
        if isinstance(person, Member):
            person.stand_in = None
            if person.has_left:
                people.let_go(person)
    saved.is_ended = False
    saved.race_places = ()
    people.attendance.busy_at = now
    state.match = new_match()
    state.race = None
    state.race_number = 0
    state.season = None
    state.past_logs = {}
    state.lobby.clear_ready_marks()
    if lost := state.lobby.mend():
        broadcast_news(state, lost)
