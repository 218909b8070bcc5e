"""What is decided before, between and after races."""

from __future__ import annotations

import structlog

from heat_core.files import new_seed
from heat_core.race.setup import BadSetup
from heat_core.table import Table
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Configure,
    Lock,
    PlaceBot,
    TakeSeat,
)
from heat_server.room.broadcast import (
    broadcast_news,
    broadcast_season,
    broadcast_started,
    broadcast_state,
)
from heat_server.room.denied import Denied
from heat_server.room.handlers.request_context import RequestContext
from heat_server.room.options import settled_options
from heat_server.room.passwords import hash_password
from heat_server.room.progress import begin_rematch
from heat_server.room.race_clock import RaceClock
from heat_server.room.saved_room import Member
from heat_server.room.season import SeasonRun

log = structlog.get_logger()


def configure(context: RequestContext, request: Configure) -> None:
    """Change the options."""
    context.need_lobby()
    context.state.lobby.configure(settled_options(request.options, context.state.config))
    context.ok()
    broadcast_state(context.state)


def lock(context: RequestContext, request: Lock) -> None:
    """Ask for a password from now on, or for none."""
    context.state.saved.password = hash_password(request.password)
    context.ok()
    broadcast_state(context.state)


def take_seat(context: RequestContext, request: TakeSeat, member: Member) -> None:
    """Change name, colour or ready mark."""
    if context.state.phase != "between" or request.name is not None or request.colour is not None:
        context.need_lobby()
    before = member.name
    context.state.lobby.change(member, request.name, request.colour, request.ready)
    context.ok()
    if member.name != before:
        context.news(f"{before} is now called {member.name}.")
    broadcast_state(context.state)


def place_bot(context: RequestContext, request: PlaceBot) -> None:
    """Fill a place of the lobby; between two races, let a bot stand in for somebody who is away."""
    state = context.state
    if state.phase != "between":
        context.need_lobby()
    if state.season is None:
        state.lobby.put_bot(request.place, request.kind)
    else:
        places = state.saved.places
        occupant = places[request.place] if request.place < len(places) else None
        if not isinstance(occupant, Member):
            raise Denied(ErrorCode.NO_SUCH_PLACE, "No person has this place.")
        if state.people.is_there(occupant):
            raise Denied(ErrorCode.PLACE_TAKEN, "A person has this place.")
        state.season.stand_in(occupant, request.kind)
    context.ok()
    broadcast_season(state)
    broadcast_state(state)


def start(context: RequestContext) -> None:
    """Begin the race, or the next one of a championship."""
    state, lobby = context.state, context.state.lobby
    if state.phase != "between":
        context.need_lobby()
    lobby.check_start()
    if state.season is not None:
        table = state.season.table(state.people)
    else:
        table = _first_table(context)
    for presence in state.people.attendance.by_key.values():
        presence.sent = presence.heard = presence.seen = presence.missed = 0
    state.race = RaceClock(table, state.saved, state.people, state.timing, context.now, state.pace)
    state.race_number = state.season.race if state.season is not None else 0
    setup = table.setup
    log.info("race started", room=state.code, track=setup.track.id, cars=len(setup.cars))
    context.ok()
    broadcast_season(state)
    broadcast_state(state)
    broadcast_started(state)


def _first_table(context: RequestContext) -> Table:
    """Seat everybody, and set up what the options name."""
    state, lobby, people = context.state, context.state.lobby, context.state.people
    grid = lobby.grid()
    try:
        if lobby.options.season is not None:
            state.season = SeasonRun.begin(lobby, grid)
            table = state.season.table(people)
        else:
            table = Table(lobby.race_setup(grid.cars, new_seed()), grid.drivers)
    except BadSetup as error:
        raise Denied(ErrorCode.CANNOT_START, f"The race cannot start: {error}.") from None
    state.saved.race_places = tuple(grid.places)
    for member in people.members():
        member.seat = grid.places.index(people.place_of(member))
    return table


def rematch(context: RequestContext) -> None:
    """Go back to the lobby with everybody who is still there."""
    state = context.state
    if state.phase != "ended":
        raise Denied(ErrorCode.NOT_OVER, "The race has not finished yet.")
    context.ok()
    begin_rematch(state, context.now)
    broadcast_news(state, "A rematch: same seats, same options.")
    broadcast_state(state)
    log.info("rematch", room=state.code)
