"""Chat lines and reactions."""

from __future__ import annotations

from heat_core.names import BadName, clean_line
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    React,
    Say,
)
from heat_server.room.broadcast import (
    say,
)
from heat_server.room.denied import Denied
from heat_server.room.handlers.request_context import RequestContext
from heat_server.room.saved_room import Person


def say_line(context: RequestContext, request: Say | React, person: Person) -> None:
    """Pass a line on, unless somebody writes too much."""
    try:
        text = request.reaction if isinstance(request, React) else clean_line(request.text)
    except BadName as error:
        raise Denied(ErrorCode.EMPTY_LINE, str(error)) from None
    context.need_to_talk()
    place = context.state.people.place_of(person)
    context.ok()
    say(context.state, "reaction" if isinstance(request, React) else "chat", place, person.name, text)
