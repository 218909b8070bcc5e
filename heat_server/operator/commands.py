"""The commands of `heat-server` that ask a running server; `handlers` answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import msgspec

from heat_core.options.whole_number import WholeNumber
from heat_core.wire.operator import (
    AskBans,
    AskConnections,
    AskStatus,
    Ban,
    Bans,
    CancelDrain,
    CloseRoom,
    ConnectionList,
    Done,
    Draining,
    NotDone,
    OperatorAnswer,
    OperatorRequest,
    Remove,
    StartDrain,
    Status,
    Unban,
)
from heat_server.config import ServerConfig
from heat_server.options import option_again
from heat_server.text_table import text_table

Command: TypeAlias = Callable[..., Any]


MOST_DRAIN_MINUTES: Final = 7 * 24 * 60

_NOT_SAVED: Final = "not saved: only at this server, until it stops"

_SOCKET: Final = option_again("socket", "Ask the server that has this socket.")


def _ask(config: ServerConfig, path: Path | None, request: OperatorRequest) -> OperatorAnswer:
    """Ask the running server.

    Raises:
        ClickException: There is none, or it says no.
    """
    from heat_server.operator.socket import NoAnswer, ask_operator

    path = path or config.status_socket
    if path is None:
        raise click.UsageError("--no-socket turns off the socket that this command needs; leave it out")
    try:
        answer = ask_operator(path, request)
    except NoAnswer as error:
        raise click.ClickException(str(error)) from None
    if isinstance(answer, NotDone):
        raise click.ClickException(answer.text)
    return answer


def _command(name: str) -> Callable[[Command], click.Command]:
    """Make a command that gets the settings and has the option of the socket."""

    def make(body: Command) -> click.Command:
        return click.command(name, params=[_SOCKET])(click.pass_obj(body))

    return make


def _json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")(command)


def _print_done(answer: OperatorAnswer) -> None:
    assert isinstance(answer, Done)
    click.echo(answer.text)


@_command("status")
@_json_option
def status_command(config: ServerConfig, /, socket: Path | None, as_json: bool) -> None:
    """Show the state of the running server."""
    from heat_server.operator.status import status_text

    status = _ask(config, socket, AskStatus())
    assert isinstance(status, Status)
    click.echo(msgspec.json.encode(status).decode() if as_json else status_text(status))


@_command("connections")
@_json_option
def connections_command(config: ServerConfig, /, socket: Path | None, as_json: bool) -> None:
    """List who is connected to the running server."""
    answer = _ask(config, socket, AskConnections())
    assert isinstance(answer, ConnectionList)
    click.echo(msgspec.json.encode(answer).decode() if as_json else _connections_text(answer))


@_command("drain")
@click.option("--now", is_flag=True, help="Move races at once, too.")
@click.option(
    "--within",
    type=WholeNumber(min=1, max=MOST_DRAIN_MINUTES),
    metavar="MINUTES",
    help="Move races after so many minutes that have not ended by then.",
)
@click.option("--cancel", is_flag=True, help="Cancel the drain: the server takes rooms again.")
@click.option("--no-wait", is_flag=True, help="Do not wait until all rooms have moved.")
def drain_command(
    config: ServerConfig,
    /,
    socket: Path | None,
    now: bool,
    within: int | None,
    cancel: bool,
    no_wait: bool,
) -> None:
    """Move the rooms of the running server to the other servers of its fleet.

    The server takes no new rooms. Lobbies and rooms between two races move at once, others when their race
    ends; their players race on within a second. When no rooms are left the command ends, and the server can
    be stopped without anybody noticing. If no other server plays its version of the rules, races end on it.
    """
    from heat_server.operator.draining import drain_line, follow_drain

    if now + cancel + (within is not None) > 1:
        raise click.UsageError("give only one of --now, --within and --cancel")
    if cancel:
        _print_done(_ask(config, socket, CancelDrain()))
        return
    seconds = 0.0 if now else None if within is None else 60.0 * within
    begun = _ask(config, socket, StartDrain(seconds))
    assert isinstance(begun, Draining)
    if no_wait:
        click.echo(drain_line(begun))
    else:
        follow_drain(partial(_ask, config, socket), begun)


@_command("close")
@click.argument("room", metavar="CODE")
def close_command(config: ServerConfig, /, socket: Path | None, room: str) -> None:
    """Close a room of the running server.

    CODE is the room's. Its players are notified and cannot come back to it; its record stays.
    """
    _print_done(_ask(config, socket, CloseRoom(room)))


@_command("remove")
@click.argument("who", metavar="WHO")
def remove_command(config: ServerConfig, /, socket: Path | None, who: str) -> None:
    """Disconnect somebody; they may connect again.

    WHO is the number of a connection from `heat-server connections`, an address, or a network (192.0.2.0/24).
    """
    _print_done(_ask(config, socket, Remove(who)))


@_command("ban")
@click.argument("network", metavar="ADDRESS")
@click.option("--note", default="", metavar="TEXT", help="The reason, for the list of bans.")
def ban_command(config: ServerConfig, /, socket: Path | None, network: str, note: str) -> None:
    """Ban an address from the server, and disconnect it.

    ADDRESS can be a network (192.0.2.0/24). An IPv6 address means its /64. The ban survives restarts, until
    `heat-server unban` lifts it. It holds on all servers that share a database.
    """
    _print_done(_ask(config, socket, Ban(network, note)))


@_command("unban")
@click.argument("network", metavar="ADDRESS")
def unban_command(config: ServerConfig, /, socket: Path | None, network: str) -> None:
    """Lift a ban. ADDRESS is one from `heat-server bans`."""
    _print_done(_ask(config, socket, Unban(network)))


@_command("bans")
@_json_option
def bans_command(config: ServerConfig, /, socket: Path | None, as_json: bool) -> None:
    """List the addresses that are banned from the server."""
    answer = _ask(config, socket, AskBans())
    assert isinstance(answer, Bans)
    click.echo(msgspec.json.encode(answer).decode() if as_json else bans_text(answer))


OPERATOR_COMMANDS: Final[tuple[click.Command, ...]] = (
    status_command,
    connections_command,
    drain_command,
    close_command,
    remove_command,
    ban_command,
    unban_command,
    bans_command,
)


def _connections_text(answer: ConnectionList) -> str:
    from heat_server.operator.status import duration

    if not answer.connections:
        return "nobody is connected"
    rows = [("number", "address", "open", "silent", "room", "name", "program")]
    for one in answer.connections:
        times = duration(one.open_seconds), duration(one.silent_seconds)
        program = ascii(one.program)[1:-1]  # as it came from the peer: nothing in it may drive the terminal
        rows.append(
            (str(one.number), one.peer or "-", *times, one.room or "-", one.name or "-", program or "-")
        )
    return text_table(rows)


def bans_text(answer: Bans) -> str:
    """Write a line for each ban; those that hold only at this server are marked."""
    if not answer.bans:
        return "nobody is banned"
    if all(ban.is_saved for ban in answer.bans):
        return text_table([(ban.network, ban.note) for ban in answer.bans])
    return text_table([(ban.network, "" if ban.is_saved else _NOT_SAVED, ban.note) for ban in answer.bans])
