"""The command that opens every way in at once: `party`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from heat_core.options import option_table as o
from heat_core.options.option_flags import WrongUse, table_flags
from heat_core.options.whole_number import WholeNumber
from heat_core.wire.address import LOOPBACK
from heat_core.wire.messages import DEFAULT_PORT, RoomOptions
from heat_tui.commands.default_ports import DEFAULT_SSH_PORT, DEFAULT_WEB_PORT
from heat_tui.commands.options import NAME, NO_ANIMATION, PLAIN
from heat_tui.commands.running import Failed, checked_name, map_style, nearby_on, need_terminal, run_in_lines

if TYPE_CHECKING:
    from heat_tui.party.party import Party
    from heat_tui.party.saved import SavedParty
    from heat_tui.party.wish import Wish
    from heat_tui.plain.line_terminal import LineTerminal
    from heat_tui.state import Folders

_PORT: Final = WholeNumber(1, 65535)


@click.command()
@click.option(
    "--port", type=_PORT, help="The port of the server. Without this option, 7777 or the next free one."
)
@click.option(
    "--ssh",
    type=_PORT,
    help=f"The port for ssh. Without this option, {DEFAULT_SSH_PORT} or the next free one.",
)
@click.option("--no-ssh", is_flag=True, help="Let nobody in by ssh.")
@click.option(
    "--web",
    type=_PORT,
    help=f"The page's port. Without this option, {DEFAULT_WEB_PORT} or the next free one.",
)
@click.option("--no-web", is_flag=True, help="Let nobody in by browser.")
@click.option("--open", "open_", is_flag=True, help="Let anybody in, without password and secret link.")
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The password for ssh is the first line of this file. Without this option, a new one is made.",
)
@click.option("--only-here", is_flag=True, help="Open everything to this machine only.")
@click.option("--no-lan", is_flag=True, help="Do not announce the server on the local network.")
@click.option("--yes", is_flag=True, help="Open without asking first.")
@NAME
@table_flags(RoomOptions, o.TRACK)
@NO_ANIMATION
@PLAIN
@click.pass_obj
def party(
    quiet: bool,
    /,
    port: int | None,
    only_here: bool,
    no_lan: bool,
    yes: bool,
    name: str | None,
    options: RoomOptions,
    no_animation: bool,
    plain: bool,
    **doors: Any,
) -> None:
    """Open a server and every way in at once, and show one card with all of them.

    Friends come in by ssh, in a browser, and with heat-tui of their own; the card has a line for each. All
    ends with the card. The options of a race are those of the room that is opened at once.
    """
    from heat_tui.own_networks import lan_hosts
    from heat_tui.state import load_settings, user_folders

    name = None if name is None else checked_name(name)
    has_terminal = sys.stdin is not None and sys.stdin.isatty()
    if not plain and has_terminal:
        need_terminal()
    folders = user_folders()
    is_announced = not no_lan and not only_here and nearby_on() is not None and load_settings(folders).nearby
    host = LOOPBACK if only_here else ""
    saved = _to_continue(folders.state, port, host, can_ask=has_terminal and not yes)
    wish = _wish(host, port, doors, options, saved, is_announced=is_announced)
    is_only_here = wish.host == LOOPBACK
    hosts = [LOOPBACK] if is_only_here else lan_hosts()
    _ask_first(wish, hosts, is_sure=yes or is_only_here, has_terminal=has_terminal)
    if plain and has_terminal:
        run_in_lines(lambda terminal, folders: _in_lines(terminal, folders, wish, hosts, name))
    is_animated = not (no_animation or quiet)
    sys.exit(asyncio.run(_hold(wish, hosts, folders, name, is_animated=is_animated, has_card=has_terminal)))


def _to_continue(folder: Path, port: int | None, host: str, *, can_ask: bool) -> SavedParty | None:
    """Find the party to continue: that of the port, else the newest that does not run, if the host agrees."""
    from heat_tui.own_ports import is_free
    from heat_tui.party.saved import saved_parties

    for saved in saved_parties(folder):
        if saved.port != (port or saved.port) or not is_free(saved.port, host or saved.host):
            continue
        found = f"The race in room {saved.code} of a party at port {saved.port} is not over."
        if not can_ask:
            click.echo(f"{found} That party is continued.", err=True)
            return saved
        if click.confirm(f"{found} Continue that party?", default=True, err=True):
            return saved
    return None


def _wish(
    host: str,
    port: int | None,
    doors: dict[str, Any],
    options: RoomOptions,
    saved: SavedParty | None,
    *,
    is_announced: bool,
) -> Wish:
    """Read what is to be opened, as it was where a party is continued, and find ports where none are given.

    Those that are found may be in use by the time when they are to be opened; then the next ones will do.
    Only a party that is continued needs its own port: the saved race belongs to it.

    What a continued party did not open stays closed, and what it opened to anybody stays so; only options
    differ from that.

    Raises:
        Failed: A port is in use, or no port is free.
        WrongUse: Options contradict each other.
    """
    from heat_tui.browser.secret import new_secret
    from heat_tui.commands.house_options import given_password
    from heat_tui.doors.passwords import new_password
    from heat_tui.party.saved import SavedParty
    from heat_tui.party.wish import Wish

    for way in ("ssh", "web"):
        if doors[f"no_{way}"] and doors[way] is not None:
            raise WrongUse(f"--{way} and --no-{way} cannot be combined.")
    password = given_password(doors)
    had = saved or SavedParty(
        *(DEFAULT_PORT, "", DEFAULT_SSH_PORT, DEFAULT_WEB_PORT),
        *(new_password(), new_secret(), host, is_announced),
    )
    host = host or had.host
    fixed = {way for way in ("ssh", "web") if doors[way] is not None}
    if port is not None or saved is not None:
        fixed.add("port")
    return Wish(
        host,
        _port(port if saved is None else had.port, had.port, host, "--port"),
        _door_port(doors, "ssh", had.ssh, host),
        _door_port(doors, "web", had.web, host),
        None if doors["open_"] else password or had.password,
        None if doors["open_"] else had.secret,
        is_announced and had.is_announced,
        options,
        had.code,
        frozenset(fixed),
    )


def _door_port(doors: dict[str, Any], way: str, usual: int | None, host: str) -> int | None:
    """Give a free port for a way in, or None where it is not to be open.

    Raises:
        Failed: The one that is wanted is in use, or none is free.
    """
    given: int | None = doors[way]
    wanted = usual if given is None else given
    return None if doors[f"no_{way}"] or wanted is None else _port(given, wanted, host, f"--{way}")


def _port(given: int | None, usual: int, host: str, option: str) -> int:
    """Give a port that is free now: the one that is wanted, else the usual one or one of the next.

    Raises:
        Failed: It is in use.
    """
    from heat_tui.own_ports import NoFreePort, free_ports, is_free

    if given is not None:
        if not is_free(given, host):
            raise Failed(f"Port {given} is in use. Choose another with {option}, or leave the option out.")
        return given
    try:
        return next(free_ports(usual, host))
    except NoFreePort as error:
        raise Failed(f"{error} Choose one with {option}.") from None


def _ask_first(wish: Wish, hosts: Sequence[str], *, is_sure: bool, has_terminal: bool) -> None:
    """Say what is about to open, and ask where that is a network.

    Raises:
        Abort: The host does not want it.
        Failed: Nobody can be asked.
    """
    from heat_tui.party.words import warning_lines

    for line in warning_lines(wish, hosts):
        click.echo(line, err=True)
    if is_sure:
        return
    if not has_terminal:
        raise Failed("There is no terminal to ask in. Give --yes to open all that, or --only-here.")
    if not click.confirm("Open it?", err=True):
        raise Failed("Nothing was opened. --only-here opens it to this machine only.")


async def _hold(
    wish: Wish, hosts: Sequence[str], folders: Folders, name: str | None, *, is_animated: bool, has_card: bool
) -> int:
    """Have the party open, with its card on the screen or, where there is no terminal, in lines to read."""
    from heat_tui.hosting import HostingFailed
    from heat_tui.party.card import attend, opened, show_cards
    from heat_tui.party.party import Party
    from heat_tui.party.play import play_on_screens

    party = Party(wish, hosts, folders.state)
    try:
        async with opened(party, folders, _say):
            animate = None if is_animated else False
            play = partial(play_on_screens, party, folders, name, animate=animate, map_style=map_style())
            if not has_card or not await show_cards(party, play, folders=folders, animate=animate):
                await attend(party, _say)
    except HostingFailed as error:
        raise Failed(str(error)) from None
    return 0


def _say(text: str) -> None:
    """Say a line; a terminal that is gone keeps nothing from ending as it should."""
    with suppress(OSError):
        click.echo(text)
        sys.stdout.flush()


async def _in_lines(
    terminal: LineTerminal, folders: Folders, wish: Wish, hosts: Sequence[str], name: str | None
) -> None:
    """Have the party open, with its card in lines."""
    from heat_tui.hosting import HostingFailed
    from heat_tui.party.card import opened
    from heat_tui.party.lines import card_in_lines
    from heat_tui.party.party import Party

    party = Party(wish, hosts, folders.state)
    play = partial(_play_in_lines, party=party, folders=folders, name=name)
    try:
        async with opened(party, folders, terminal.say):
            await card_in_lines(terminal, party, play)
    except HostingFailed as error:
        raise Failed(str(error)) from None


async def _play_in_lines(terminal: LineTerminal, *, party: Party, folders: Folders, name: str | None) -> None:
    """Let the host play in lines; whatever ends that goes back to the card."""
    from heat_tui.client.connect_failed import ConnectFailed
    from heat_tui.client.server_stay import ServerStay
    from heat_tui.plain.server import ShutOut, play_there
    from heat_tui.state import load_settings

    try:
        stay = await ServerStay.begin(folders, party.address)
        colour = load_settings(folders).colour
        await play_there(
            terminal, folders, stay, name=name, colour=colour, code=party.code, ways_in=party.ways_to
        )
    except ConnectFailed as error:
        terminal.say(error.text)
    except ShutOut:
        pass
