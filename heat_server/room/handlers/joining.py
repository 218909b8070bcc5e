"""Joining, watching, leaving and being removed."""

from __future__ import annotations

from contextlib import suppress

import structlog

from heat_core.names import BadName, clean_name, name_key
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Create,
    Join,
    Kick,
    Ok,
    Watch,
)
from heat_server.net.costs import WRONG_PASSWORD_COST
from heat_server.room.broadcast import (
    broadcast_news,
    broadcast_state,
    mark_updates,
    send_chat,
    send_everything,
)
from heat_server.room.denied import Denied
from heat_server.room.handlers.request_context import RequestContext
from heat_server.room.passwords import hash_password, is_password
from heat_server.room.presence import agree_on_pause
from heat_server.room.saved_room import Member, Person, Watcher
from heat_server.room.state import MOST_BANNED

log = structlog.get_logger()


def join(context: RequestContext, request: Create | Join) -> None:
    """Seat somebody new before a race; let anybody back in who has a place."""
    state, client = context.state, context.client
    person = state.people.find(client)
    if isinstance(request, Join):
        _check_welcome(context, person, request)
    if person is None:
        if state.race is not None:
            ended = state.saved.is_ended
            raise Denied(
                ErrorCode.ROOM_ENDED if ended else ErrorCode.ROOM_BEGUN,
                "That race has finished." if ended else "That race has already started; you can watch it.",
            )
        person = state.lobby.newcomer(client.key, request.name, request.colour)
        if isinstance(request, Create):
            state.saved.password = hash_password(request.password)
        else:
            context.news(f"{person.name} has joined.")
        _log_coming(context, "joined", person)
    _let_in(context, person)


def watch(context: RequestContext, request: Watch) -> None:
    """Let a spectator in."""
    person = context.state.people.find(context.client)
    _check_welcome(context, person, request)
    if person is None:
        if not context.state.has_place_to_watch:
            raise Denied(ErrorCode.ROOM_FULL, "No more people can watch this room.")
        person = context.state.lobby.new_watcher(context.client.key, request.name)
        context.news(f"{person.name} is watching.")
        _log_coming(context, "watching", person)
    _let_in(context, person)


def _check_welcome(context: RequestContext, person: Person | None, request: Join | Watch) -> None:
    """Deny somebody who may not come in.

    Args:
        person: Who comes back to their place; None: somebody new. A room may have got its password, and
            a machine its ban, after them.
        request: With name and password as they were typed.
    """
    saved, password = context.state.saved, request.password
    is_from_banned = person is None and _is_from_banned(context, request.name)
    if context.client.key in saved.banned or is_from_banned:
        raise Denied(ErrorCode.BANNED, "The host of this room has banned you from it.")
    if person is not None or saved.password is None:
        return
    if password is None:
        raise Denied(ErrorCode.WRONG_PASSWORD, "This room needs a password.")
    if not is_password(password, saved.password):
        context.connection.note_error()  # so that nobody tries a thousand, not even by reconnecting
        context.connection.charge(WRONG_PASSWORD_COST)
        raise Denied(ErrorCode.WRONG_PASSWORD, "The password is wrong.")


def _is_from_banned(context: RequestContext, typed_name: str) -> bool:
    """Tell whether this machine is banned, or from this machine the name."""
    peer, banned = context.connection.peer, context.state.saved.banned_addresses
    with suppress(BadName):  # which the lobby denies
        if (peer, name_key(clean_name(typed_name))) in banned:
            return True
    return (peer, None) in banned


def _log_coming(context: RequestContext, how: str, person: Person) -> None:
    peer, number = context.connection.peer, context.client.number
    log.info(how, room=context.state.code, peer=peer, client=number, name=person.name)


def _let_in(context: RequestContext, person: Person) -> None:
    state, people = context.state, context.state.people
    people.let_in(context.client, person)
    presence = people.presence(person)
    presence.greeted = context.connection
    state.outbox.send(context.connection, Ok(context.request.id, state.code, people.place_of(person)))
    if state.race is not None:
        send_everything(state, person, presence, None, is_back=True)
    else:
        send_chat(state, presence)
    broadcast_state(state)


def leave(context: RequestContext, person: Person) -> None:
    """Let somebody go who wants to."""
    context.ok()
    _remove(context, person)
    context.news(f"{person.name} has left.")
    broadcast_state(context.state)
    log.info("left", room=context.state.code, client=context.client.number)


def _remove(context: RequestContext, person: Person) -> None:
    """Take somebody out of the room; a driver keeps the place in a race."""
    state = context.state
    if state.race is None or isinstance(person, Watcher):
        state.people.let_go(person)
        return
    state.people.leave_race(person)
    agree_on_pause(state, context.now, may_begin=True)
    mark_updates(state)


def kick(context: RequestContext, request: Kick, host: Member) -> None:
    """Remove somebody, and ban them where that is asked."""
    state, people = context.state, context.state.people
    key = name_key(request.name)
    person = next((one for one in people if name_key(one.name) == key), None)
    if person is None:
        raise Denied(ErrorCode.NO_SUCH_PERSON, "Nobody in this room has that name.")
    if person is host:
        raise Denied(ErrorCode.NO_SUCH_PERSON, "You cannot remove yourself; leave instead.")
    client = people.presence(person).client
    was_out = isinstance(person, Member) and person.has_left
    if request.is_banned:
        if client.key not in state.saved.banned:  # or one said often would push out the others
            state.saved.banned = [*state.saved.banned, client.key][-MOST_BANNED:]
        _ban_address(context, person)
    was_here = people.is_here(person)
    how = "banned you from" if request.is_banned else "removed you from"
    connection = client.connection
    _remove(context, person)
    if was_here and connection is not None:
        state.outbox.error(connection, None, ErrorCode.KICKED, f"The host has {how} the room.")
    context.ok()
    if not was_out:  # a driver keeps the place in a race, and could be removed from it again and again
        broadcast_news(state, f"The host has removed {person.name}.")
    broadcast_state(state)
    log.info("kicked", room=state.code, client=client.number, banned=request.is_banned)


def _ban_address(context: RequestContext, banned: Person) -> None:
    """Ban a machine too; where others in the room come from it, only the name: a family shares one."""
    people, saved = context.state.people, context.state.saved
    presence = people.presence(banned)
    connection = presence.client.connection or presence.greeted
    peer = connection.peer if connection is not None else ""
    others = (
        other.peer
        for person in people
        if person is not banned and (other := people.presence(person).client.connection) is not None
    )
    ban = (peer, name_key(banned.name) if peer in others else None)
    if peer and ban not in saved.banned_addresses:
        saved.banned_addresses = [*saved.banned_addresses, ban][-MOST_BANNED:]
