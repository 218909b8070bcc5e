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
from heat_server.room.handlers.asking import Asking
from heat_server.room.outbox import Asked, RoomRequest
from heat_server.room.saved_room import Person
from heat_server.room.state import RoomState


def answer(state: RoomState, asked: Asked, now: float) -> None:
    """Do what somebody asks, or say why not; the answer goes into the room's outbox.

    Raises:
        Exception: Whatever a fault of ours raises; the request is answered at once then.
    """
    state.people.attendance.busy_at = now
    number = asked.request.id
    try:
        _dispatch(Asking(state, asked, now))
    except Denied as denied:
        state.outbox.error(asked.connection, number, denied.code, denied.text, denied.data)
    except Refused as refused:
        state.outbox.error(asked.connection, number, str(refused.code), refused.text, _data_of(refused))
    except Exception:
        asked.connection.error(number, ErrorCode.ROOM_CRASHED, "That broke the room; the server's fault.")
        asked.done.set()
        raise
    state.outbox.answered(asked)


def _data_of(refused: Refused) -> ErrorData | None:
    """Give what the rules' refusal brings for programs; None: nothing."""
    if not refused.allowed and refused.decision is None:
        return None
    return ErrorData(refused.allowed, decision=refused.decision)


def _dispatch(asking: Asking) -> None:
    if asking.client.connection is not asking.connection:
        return  # a newer connection plays; nobody reads the answer
    request = asking.request
    if isinstance(request, (Create, Join)):
        joining.join(asking, request)
    elif isinstance(request, Watch):
        joining.watch(asking, request)
    else:
        _do(asking, request, asking.person())


def _do(asking: Asking, request: RoomRequest, person: Person) -> None:
    presence = asking.state.people.presence(person)
    presence.heard = presence.sent
    match request:
        case Act():  # first, for nearly all are
            race.act(asking, request, asking.member(person))
        case AskView():
            race.look(asking, request, person)
        case AskRecord():
            race.send_record(asking, request)
        case Say() | React():
            chat.say_line(asking, request, person)
        case Leave():
            joining.leave(asking, person)
        case Start():
            asking.host(person)
            lobby.start(asking)
        case Configure():
            asking.host(person)
            lobby.configure(asking, request)
        case PlaceBot():
            asking.host(person)
            lobby.place_bot(asking, request)
        case Kick():
            joining.kick(asking, request, asking.host(person))
        case GiveTime():
            asking.host(person)
            race.give_time(asking, request)
        case Lock():
            asking.host(person)
            lobby.lock(asking, request)
        case Rematch():
            asking.host(person)
            lobby.rematch(asking)
        case TakeSeat():
            lobby.take_seat(asking, request, asking.member(person))
        case Pause():
            race.pause(asking, request, asking.member(person))
        case AskLegal():
            race.send_legal(asking, request, asking.member(person))
        case Create() | Join() | Watch():
            raise AssertionError("dealt with before")
        case _:
            assert_never(request)
