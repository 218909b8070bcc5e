"""What each request does in a room: it happens completely, or is denied and changes nothing."""

from __future__ import annotations

from typing import assert_never

from heat_core.refusal import Refused
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    AskLegal,
    AskRecord,
    AskView,
    Configure,
    Create,
    ErrorData,
    GiveTime,
    Join,
    Kick,
    Leave,
    Lock,
    Pause,
    PlaceBot,
    React,
    Rematch,
    Say,
    Start,
    TakeSeat,
    Watch,
)
from heat_server.room.denied import Denied
from heat_server.room.handlers import chat, joining, lobby, race
from heat_server.room.handlers.request_context import RequestContext
from heat_server.room.requests import PendingRequest, RoomRequest
from heat_server.room.saved_room import Person
from heat_server.room.state import RoomState


def answer(state: RoomState, pending: PendingRequest, now: float) -> None:
    """Do what somebody asks, or say why not; the answer goes into the room's outbox.

    Raises:
        Exception: Whatever a fault of ours raises; the request is answered at once then.
    """
    state.people.attendance.busy_at = now
    number = pending.request.id
    try:
        _dispatch(RequestContext(state, pending, now))
    except Denied as denied:
        state.outbox.error(pending.connection, number, denied.code, denied.text, denied.data)
    except Refused as refused:
        state.outbox.error(pending.connection, number, str(refused.code), refused.text, _data_of(refused))
    except Exception:
        pending.connection.error(number, ErrorCode.ROOM_CRASHED, "That broke the room; the server's fault.")
        pending.done.set()
        raise
    state.outbox.answered(pending)


def _data_of(refused: Refused) -> ErrorData | None:
    """Give what the rules' refusal brings for programs; None: nothing."""
    if not refused.allowed and refused.decision is None:
        return None
    return ErrorData(refused.allowed, decision=refused.decision)


def _dispatch(context: RequestContext) -> None:
    if context.client.connection is not context.connection:
        return  # a newer connection plays; nobody reads the answer
    request = context.request
    if isinstance(request, (Create, Join)):
        joining.join(context, request)
    elif isinstance(request, Watch):
        joining.watch(context, request)
    else:
        _do(context, request, context.person())


def _do(context: RequestContext, request: RoomRequest, person: Person) -> None:
    presence = context.state.people.presence(person)
    presence.heard = presence.sent
    match request:
        case Act():  # first, for nearly all are
            race.act(context, request, context.member(person))
        case AskView():
            race.look(context, request, person)
        case AskRecord():
            race.send_record(context, request)
        case Say() | React():
            chat.say_line(context, request, person)
        case Leave():
            joining.leave(context, person)
        case Start():
            context.host(person)
            lobby.start(context)
        case Configure():
            context.host(person)
            lobby.configure(context, request)
        case PlaceBot():
            context.host(person)
            lobby.place_bot(context, request)
        case Kick():
            joining.kick(context, request, context.host(person))
        case GiveTime():
            context.host(person)
            race.give_time(context, request)
        case Lock():
            context.host(person)
            lobby.lock(context, request)
        case Rematch():
            context.host(person)
            lobby.rematch(context)
        case TakeSeat():
            lobby.take_seat(context, request, context.member(person))
        case Pause():
            race.pause(context, request, context.member(person))
        case AskLegal():
            race.send_legal(context, request, context.member(person))
        case Create() | Join() | Watch():
            raise AssertionError("dealt with before")
        case _:
            assert_never(request)
