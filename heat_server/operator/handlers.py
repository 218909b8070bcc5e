"""What the server does when its operator asks; `heat_core.wire.operator` has the requests and the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, assert_never

import structlog
import trio

from heat_core.text import counted
from heat_core.wire.address import code_problem
from heat_core.wire.codes import ByeCode
from heat_core.wire.operator import (
    AnnounceDoors,
    AskBans,
    AskConnections,
    AskDrain,
    AskRooms,
    AskStatus,
    Ban,
    BanInfo,
    Bans,
    CancelDrain,
    CloseRoom,
    ConnectionInfo,
    ConnectionList,
    Done,
    NotDone,
    OpenRoom,
    OperatorAnswer,
    OperatorRequest,
    Remove,
    RoomInfo,
    Rooms,
    StartDrain,
    Unban,
)
from heat_server.net.bans import close_banned
from heat_server.networks import BadNetwork, Network, NetworkTable, network_text, parse_network
from heat_server.operator.status import drain_of, status_of
from heat_server.room.codes import normal_code
from heat_server.room.denied import Denied
from heat_server.store.bans import MOST_BANS, MOST_NOTE_CHARACTERS, BanListFull
from heat_server.store.errors import StoreFailed

if TYPE_CHECKING:
    from heat_server.net.connection import Connection
    from heat_server.server import Server

CLOSED_TEXT: Final = "The server's operator has closed the room."

log = structlog.get_logger()


async def answer_operator(server: Server, request: OperatorRequest) -> OperatorAnswer:
    """Do what the operator asks. Raises nothing but cancellation for what they may get wrong."""
    match request:
        case AskStatus():
            return status_of(server)
        case AskConnections():
            return _connections(server)
        case AskBans():
            bans = server.bans
            return Bans(tuple(BanInfo(network_text(one), note, bans.is_saved(one)) for one, note in bans))
        case AskRooms():
            return _rooms(server)
        case StartDrain():
            return _start_drain(server, request)
        case CancelDrain():
            return _cancel_drain(server)
        case AskDrain():
            return drain_of(server)
        case CloseRoom():
            return await _close_room(server, request.room)
        case OpenRoom():
            return await _open_room(server, request)
        case Remove():
            return _remove(server, request.who)
        case Ban():
            return await _ban(server, request)
        case Unban():
            return await _unban(server, request.network)
        case AnnounceDoors():
            server.doors = request.doors
            return Done("the doors are now in the server's announcement on the local network")
        case _:
            assert_never(request)


def _connections(server: Server) -> ConnectionList:
    now = trio.current_time()
    clients = {client.connection: client for client in server.clients if client.connection is not None}
    rows = []
    for connection in sorted(server.connections, key=lambda one: one.number):
        client = clients.get(connection)
        code = client.room if client is not None else None
        person = server.rooms[code].state.people.find(client) if code and client is not None else None
        rows.append(
            ConnectionInfo(
                connection.number,
                connection.peer,
                round(now - connection.opened_at, 1),
                round(now - connection.heard_at, 1),
                connection.program,
                code or "",
                person.name if person is not None else "",
                connection.is_by_door,
            )
        )
    return ConnectionList(tuple(rows))


def _rooms(server: Server) -> Rooms:
    rooms = []
    for code in server.rooms:
        room = server.rooms[code]
        summary, (drivers, spectators) = room.state.summary(), room.state.head_count()
        rooms.append(RoomInfo(code, summary.phase, summary.track, drivers, spectators, summary.host))
    return Rooms(tuple(rooms))


def _start_drain(server: Server, request: StartDrain) -> OperatorAnswer:
    if not server.drain.is_on and (why_not := server.drain.why_not()):
        return NotDone(why_not)
    within = request.within_seconds
    if within is not None and (why_not := server.drain.why_not_sooner()):
        return NotDone(why_not)
    server.drain.begin(None if within is None else trio.current_time() + max(within, 0))
    log.warning("drain started by the operator", rooms=len(server.rooms) + len(server.rooms.sleeping))
    return drain_of(server)


def _cancel_drain(server: Server) -> OperatorAnswer:
    if not server.drain.is_on:
        return NotDone("the server is not being drained")
    server.drain.cancel()
    log.warning("drain cancelled by the operator")
    return Done("the drain is cancelled: the server takes rooms again")


async def _open_room(server: Server, request: OpenRoom) -> OperatorAnswer:
    code = normal_code(request.code)
    if code and (problem := code_problem(code)):
        return NotDone(problem)
    try:
        return Done(await server.rooms.open(code, request.options))
    except Denied as denied:
        return NotDone(denied.text)


async def _close_room(server: Server, typed: str) -> OperatorAnswer:
    code = normal_code(typed)
    try:
        if not await server.rooms.close(code, CLOSED_TEXT):
            return NotDone("no room has this code; `heat-server connections` shows which rooms people are in")
    except Denied as denied:
        return NotDone(denied.text)
    log.warning("room closed by the operator", room=code)
    return Done(f"room {code} is closed")


def _remove(server: Server, who: str) -> OperatorAnswer:
    if who.isascii() and who.isdecimal():
        number = who.lstrip("0")  # as text: what is typed can be too long for an integer
        count = _hang_up(server, lambda one: str(one.number) == number)
    else:
        try:
            network = parse_network(who)
        except BadNetwork as error:
            return NotDone(f"{error}, nor the number of a connection")
        count = _hang_up(server, _within(network))
    if not count:
        return NotDone("no such connection is open")
    log.warning("connections removed by the operator", who=who, count=count)
    return Done(f"{counted(count, 'connection')} closed")


async def _ban(server: Server, request: Ban) -> OperatorAnswer:
    note = " ".join(request.note.split())
    if len(note) > MOST_NOTE_CHARACTERS or not note.isprintable():
        return NotDone(f"a note has at most {MOST_NOTE_CHARACTERS} characters, all printable")
    try:
        network = parse_network(request.network)
    except BadNetwork as error:
        return NotDone(str(error))
    name, bans = network_text(network), server.bans
    try:
        bans.hold(network, note)
        count = close_banned(server.connections, [network])
        log.warning("banned by the operator", network=name, count=count)
        await bans.save(network, note)
    except BanListFull:
        return NotDone(f"the list of bans is full ({MOST_BANS:,}): lift some, or ban wider networks")
    except StoreFailed as error:
        return Done(f"{name} is banned on this server until it stops; the ban cannot be saved: {error}")
    where = " at this server" if server.worker.is_shared else ""  # the others close theirs a little later
    return Done(f"{name} is banned, {counted(count, 'connection')} closed{where}")


async def _unban(server: Server, typed: str) -> OperatorAnswer:
    try:
        network = parse_network(typed)
    except BadNetwork as error:
        return NotDone(str(error))
    name = network_text(network)
    try:
        if not await server.bans.lift(network):
            return NotDone(f"{name} is not banned; `heat-server bans` lists the bans")
    except StoreFailed as error:
        log.warning("ban lifted by the operator, but not saved", network=name)
        return NotDone(
            f"{name} is not banned on this server until it stops; the change cannot be saved: {error}"
        )
    log.warning("ban lifted by the operator", network=name)
    return Done(f"the ban of {name} is lifted")


def _within(network: Network) -> Callable[[Connection], bool]:
    table = NetworkTable([(network, True)])
    return lambda one: table.find(one.peer) is not None


def _hang_up(server: Server, concerns: Callable[[Connection], bool]) -> int:
    """Close the connections of removed people; give how many there were."""
    found = [one for one in server.connections if one.is_open and concerns(one)]
    for connection in found:
        connection.close(ByeCode.REMOVED, "The server's operator has disconnected you.")
    return len(found)
