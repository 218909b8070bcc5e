"""How a room goes on from one race to the next: what comes of each step, of the finish and of a rematch."""

from __future__ import annotations

import structlog

from heat_server.room.broadcast import catch_up, mark_updates, tell_news, tell_season, tell_state
from heat_server.room.kept import Member
from heat_server.room.state import Paddock, new_match, pack_events

log = structlog.get_logger()


def advance(paddock: Paddock, now: float) -> None:
    """Play one decision of a bot, or of a seat whose time is up, if one is due."""
    if paddock.race is not None and paddock.race.advance(now):
        race_changed(paddock, now)


def race_changed(paddock: Paddock, now: float) -> None:
    """Follow up on what has happened in the race."""
    assert paddock.race is not None
    mark_updates(paddock)
    table, kept = paddock.race.table, paddock.kept
    if not table.is_over or kept.is_ended:
        return
    log.info("race ended", room=paddock.code, events=table.event_number)
    if paddock.season is not None:
        paddock.season.finish_race(table.log)
        paddock.past_logs[paddock.race_number] = pack_events(table.log)
        paddock.lobby.clear_ready_marks()
    if paddock.season is None or paddock.season.is_over:
        kept.is_ended = True
        paddock.people.attendance.ended_at = now
    kept.is_paused = False
    for member in paddock.people.members():
        member.wants_pause = False
    catch_up(paddock, now)  # first what happened, then that the race has ended
    tell_season(paddock)
    tell_state(paddock)


def begin_rematch(paddock: Paddock, now: float) -> None:
    """Go back to the lobby, as a match of its own; who has left gives their place up."""
    people, kept = paddock.people, paddock.kept
    for person in list(people):
        presence = people.presence(person)
        presence.sent = presence.heard = presence.missed = 0
        presence.needs_update = False
        if isinstance(person, Member):
            person.stand_in = None
            if person.has_left:
                people.let_go(person)
    kept.is_ended = False
    kept.race_places = ()
    people.attendance.busy_at = now
    paddock.match = new_match()
    paddock.race = None
    paddock.race_number = 0
    paddock.season = None
    paddock.past_logs = {}
    paddock.lobby.clear_ready_marks()
    if lost := paddock.lobby.mend():
        tell_news(paddock, lost)
