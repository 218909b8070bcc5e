"""The commands that race at a server: `connect` to one, or `host` one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from heat_core.options.option_flags import WrongUse
from heat_core.options.whole_number import WholeNumber
from heat_core.wire.address import Address, BadAddress, code_problem, parse_address
from heat_tui.commands.options import NAME, NO_ANIMATION, PLAIN
from heat_tui.commands.running import (
    Failed,
    checked_name,
    map_style,
    may_have_ghost,
    nearby_on,
    need_terminal,
    run_in_lines,
    warn_before_screens,
)

if TYPE_CHECKING:
    from heat_tui.app import HeatApp
    from heat_tui.client.server_stay import ServerStay
    from heat_tui.flow.joining import Entrance
    from heat_tui.hosting import HostedServer
    from heat_tui.plain.line_terminal import LineTerminal
    from heat_tui.state import Folders

_echo: Final = partial(click.echo, err=True)
"""In plain mode a sentence is one line, which no edge breaks."""


@click.command()
@click.argument("address", metavar="[tls://]HOST[:PORT]")
@click.argument("code", required=False)
@NAME
@click.option("--watch", is_flag=True, help="Watch without playing, also after the race has started.")
@NO_ANIMATION
@PLAIN
@click.pass_obj
def connect(
    quiet: bool,
    address: str,
    code: str | None,
    name: str | None,
    watch: bool,
    no_animation: bool,
    plain: bool,
) -> None:
    """Join a room on a server, by its code or from the list; a private room asks for its password."""
    try:
        where = parse_address(address)
    except BadAddress as error:
        raise WrongUse(str(error)) from None
    if code is not None and (problem := code_problem(code)):
        raise WrongUse(problem)
    if watch and code is None:
        raise WrongUse("--watch needs a room's code. In the list of rooms, F6 watches one.")
    given, name = name, checked_name(name)
    if plain:
        said = None if given is None else name
        run_in_lines(lambda terminal, folders: _connect_in_lines(terminal, folders, where, code, said, watch))
    need_terminal()
    is_animated = not (no_animation or quiet)
    sys.exit(asyncio.run(_connect(where, code, name, is_watching=watch, is_animated=is_animated)))


@click.command()
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    help="The port of the server. Without this option, 7777 or the next free one.",
)
@NAME
@click.option("--tls", is_flag=True, help="Encrypt, by a certificate of the server's own.")
@click.option("--keep", is_flag=True, help="Leave the server running when the client ends.")
@NO_ANIMATION
@PLAIN
@click.pass_obj
def host(
    quiet: bool, port: int | None, tls: bool, name: str | None, keep: bool, no_animation: bool, plain: bool
) -> None:
    """Start a server and a client on this machine."""
    from heat_tui.hosting import HostingFailed, ServerOptions, start_server
    from heat_tui.state import load_settings, user_folders

    given, name = name, checked_name(name)
    if not plain:
        need_terminal()
    folders = user_folders()
    is_announced = nearby_on() is not None and load_settings(folders).nearby
    try:
        options = ServerOptions(is_announced=is_announced, outlives_this=keep, is_encrypted=tls)
        server = start_server(folders.state, port, options)
    except HostingFailed as error:
        raise Failed(str(error)) from None
    try:
        if plain:
            said = None if given is None else name
            run_in_lines(lambda terminal, folders: _host_in_lines(terminal, folders, server, said, keep=keep))
        code = asyncio.run(
            _connect(
                server.address,
                None,
                name,
                is_host=True,
                is_animated=not (no_animation or quiet),
                server=None if keep else server,
            )
        )
    finally:
        if not keep:
            server.stop()
    if keep:
        click.echo(
            f"heat-server is still running at {server.address} (process {server.process_id}).", err=True
        )
    sys.exit(code)


async def _connect(
    address: Address,
    code: str | None,
    name: str,
    *,
    is_animated: bool,
    is_host: bool = False,
    is_watching: bool = False,
    server: HostedServer | None = None,
) -> int:
    """Connect first, so that a failure is one line in the shell; then show the screens in the same loop."""
    from heat_core.wire.messages import RoomOptions
    from heat_tui.client.connection import ConnectionLost, RequestRefused
    from heat_tui.state import load_settings, user_folders

    folders = user_folders()
    stay = await _begin(folders, address, warn_before_screens)
    if stay.link.certificate_news:
        warn_before_screens(stay.link.certificate_news)  # to be read once the screens are gone again
    news = ""
    if is_host:
        try:
            await stay.create(name, load_settings(folders).colour, RoomOptions())
        except (ConnectionLost, RequestRefused) as error:
            news = error.text

    def opening(app: HeatApp) -> None:
        if is_host and not news:
            app.enter_lobby(stay)
        else:
            entrance: Entrance = "watch" if is_watching else "join"
            app.show_join(stay, code or "", news, None if code is None else entrance)

    from heat_tui.app import HeatApp

    app = HeatApp(
        folders,
        opening=opening,
        animate=None if is_animated else False,
        map_style=map_style(),
        has_ghost=may_have_ghost(),
        player_name=name,
        server=server,
        nearby_on=nearby_on(),
    )
    await app.run_async()
    await stay.close()
    return app.return_code or 0


async def _connect_in_lines(
    terminal: LineTerminal,
    folders: Folders,
    address: Address,
    code: str | None,
    name: str | None,
    is_watching: bool,
) -> None:
    from heat_tui.plain.line_terminal import Left
    from heat_tui.plain.server import ShutOut, play_there
    from heat_tui.state import load_settings

    stay = await _begin(folders, address, _echo)
    colour = load_settings(folders).colour
    try:
        await play_there(
            terminal, folders, stay, name=name, colour=colour, code=code, is_watching=is_watching
        )
    except ShutOut:
        raise Left(1) from None


async def _host_in_lines(
    terminal: LineTerminal, folders: Folders, server: HostedServer, name: str | None, *, keep: bool
) -> None:
    from heat_tui.flow.home import SERVER_ENDS
    from heat_tui.plain.line_terminal import Left
    from heat_tui.plain.server import ShutOut, play_there
    from heat_tui.state import load_settings

    terminal.ending = "" if keep else SERVER_ENDS
    stay = await _begin(folders, server.address, _echo)
    colour = load_settings(folders).colour
    try:
        await play_there(
            terminal, folders, stay, name=name, colour=colour, is_host=True, is_forgotten=not keep
        )
    except ShutOut:
        raise Left(1) from None
    finally:
        if keep:
            terminal.say(f"heat-server is still running at {server.address} (process {server.process_id}).")


async def _begin(folders: Folders, address: Address, warn: Callable[[str], None]) -> ServerStay:
    """Connect.

    Args:
        warn: Says each line of a warning, if there is one.

    Raises:
        Failed: It did not work.
    """
    from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed
    from heat_tui.client.server_stay import ServerStay

    try:
        return await ServerStay.begin(folders, address)
    except CertificateChanged as error:
        for line in error.page:
            warn(line)
        raise Failed("not connected, because of the certificate.") from None
    except ConnectFailed as error:
        raise Failed(error.text) from None
