"""Requests during a race, and for its record."""

from __future__ import annotations

from heat_core.race import commands as c
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    AskLegal,
    AskRecord,
    AskView,
    GiveTime,
    Legal,
    Pause,
    Record,
)
from heat_server.room.broadcast import (
    broadcast_news,
    broadcast_state,
    mark_updates,
    send_everything,
)
from heat_server.room.denied import Denied
from heat_server.room.handlers.request_context import RequestContext
from heat_server.room.presence import agree_on_pause
from heat_server.room.progress import race_changed
from heat_server.room.saved_room import Member, Person
from heat_server.room.updates import MOST_RECORD_EVENTS


def look(context: RequestContext, request: AskView, person: Person) -> None:
    """Send everything once more, or all since an event."""
    context.ok()
    state = context.state
    is_other_race = state.season is not None and request.race != state.race_number
    since = 0 if is_other_race else request.since
    send_everything(state, person, state.people.presence(person), since)


def act(context: RequestContext, request: Act, member: Member) -> None:
    """Take the answer of a seat."""
    race = context.state.race
    if race is None:
        raise Denied(ErrorCode.NOT_BEGUN, "The race has not started.")
    presence = context.state.people.presence(member)
    was_missing = presence.missed > 0
    if isinstance(request.command, c.GiveUp) and request.decision is not None:
        request = Act(request.id, None, request.command)
    try:
        changed = race.submit(member, request, context.now)
    finally:
        if was_missing and not presence.missed:
            mark_updates(context.state)  # the others see who is awake again
    context.ok()
    if changed:
        race_changed(context.state, context.now)


def send_legal(context: RequestContext, request: AskLegal, member: Member) -> None:
    """Send the commands that answer the seat's open decision, or some of them."""
    race = context.state.race
    if race is None:
        raise Denied(ErrorCode.NOT_BEGUN, "The race has not started.")
    commands, count = race.table.legal_commands(member.seat, request.decision, request.most)
    answer = Legal(context.request.id, request.decision, commands, count)
    context.state.outbox.send(context.connection, answer)


def pause(context: RequestContext, request: Pause, member: Member) -> None:
    """Note who wants a pause, and begin or end it where all agree."""
    state = context.state
    if state.phase != "racing":
        raise Denied(ErrorCode.NOT_BEGUN, "There is no race to pause.")
    if member.wants_pause != request.wanted:
        context.need_to_talk()
        member.wants_pause = request.wanted
        wish = "voted to pause" if request.wanted else "voted to resume"
        broadcast_news(state, f"{member.name} {wish}.")
    context.ok()
    agree_on_pause(state, context.now, may_begin=True)
    broadcast_state(state)


def give_time(context: RequestContext, request: GiveTime) -> None:
    """Give a driver more time for each decision, or as much as the others again."""
    state, places = context.state, context.state.saved.places
    member = places[request.place] if request.place < len(places) else None
    if not isinstance(member, Member):
        raise Denied(ErrorCode.NO_SUCH_PLACE, "No person has this place.")
    more, member.more_milliseconds = request.milliseconds - member.more_milliseconds, request.milliseconds
    if more:
        context.need_to_talk()
        if state.race is not None:
            state.race.give_time(member.seat, more / 1000)
            mark_updates(state)
        told = f"{request.milliseconds / 1000:g} seconds more" if request.milliseconds else "the usual time"
        broadcast_news(state, f"{member.name} has {told} for each decision.")
    context.ok()
    broadcast_state(state)


def send_record(context: RequestContext, request: AskRecord) -> None:
    """Send a part of a record, nothing hidden, once that reveals nothing."""
    found = context.state.race_log(request.race)
    if found is None:
        raise Denied(
            ErrorCode.NOT_OVER,
            "That race has no record yet. Records are sent when all races of the room have finished.",
        )
    setup, log = found
    events = tuple(log[request.since : request.since + MOST_RECORD_EVENTS])
    context.state.outbox.send(
        context.connection, Record(context.request.id, setup, request.since + 1, events, len(log))
    )
