"""The command that shows the client in browsers: `serve`."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from typing import Final

import click

from heat_core.options.option_flags import WrongUse
from heat_core.options.whole_number import WholeNumber
from heat_tui.commands.running import Failed, nearby_on

USUAL_PORT: Final = 8000
USUAL_TABS: Final = 8

_WITHOUT_SCREEN: Final = ("plain", "text", "picture")


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--host", default="127.0.0.1", show_default=True, help="The address or name to listen on.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=USUAL_PORT,
    show_default=True,
    help="The port to listen on; 0: any free one.",
)
@click.option("--public-url", metavar="URL", help="The address for browsers, behind a reverse proxy.")
@click.option(
    "--tabs",
    type=WholeNumber(1, 1000),
    default=USUAL_TABS,
    show_default=True,
    help="The most tabs at a time; each is a process.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND [ARGUMENT]...]")
@click.pass_context
def serve(
    context: click.Context, host: str, port: int, public_url: str | None, tabs: int, words: tuple[str, ...]
) -> None:
    """Show the client in browsers: the home screen, or what COMMAND shows.

    Each tab runs a program on this machine as you, with your settings, records and championships,
    and without a password. So it listens to this machine only, unless you give --host.
    """
    from importlib.util import find_spec

    _check_words(context, words)
    if public_url is not None:
        _check_url(public_url)
    if find_spec("textual_serve") is None:
        raise Failed(
            "serve needs textual-serve, which is not installed: run `make serve` in a copy of the "
            "repository, or pip install 'FILE.whl[serve]' with the wheel file that you installed."
        )
    from heat_tui.browser.origins import is_loopback
    from heat_tui.browser.server import BrowserServer

    arguments = [sys.executable, "-m", "heat_tui"]
    if context.obj:
        arguments.append("--no-animation")
    if nearby_on() is None:
        arguments.append("--no-lan")
    server = BrowserServer(
        [*arguments, *words],
        host=host,
        port=port,
        most_tabs=tabs,
        complain=lambda text: click.echo(f"heat-tui: {text}", err=True),
        public_url=public_url,
    )

    def tell(address: str) -> None:
        if not is_loopback(host):
            click.echo(
                "heat-tui: anybody who can reach this port plays as you, without a password.", err=True
            )
        click.echo(f"heat-tui is at {address} (Ctrl-C ends it).")
        sys.stdout.flush()

    try:
        asyncio.run(server.run(tell))
    except socket.gaierror:
        raise Failed(f"There is no host named {host!a}.") from None
    except OSError as error:
        raise Failed(_why_not(error, host, port)) from None


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} is in use. Choose another with --port."
        case None:
            return str(error)
        case number:
            return f"Cannot listen at {host}, port {port}: {os.strerror(number)}."


def _check_words(context: click.Context, words: tuple[str, ...]) -> None:
    """Read what is to be run as each tab will, so that wrong use is reported here and at once.

    Raises:
        WrongUse: A tab cannot show it.
        UsageError: There is no such command, or not with that.
    """
    if not words:
        return
    whole = context.find_root()
    assert isinstance(whole.command, click.Group)
    name, command, rest = whole.command.resolve_command(whole, list(words))
    if command is None or command is serve:
        raise WrongUse("A tab cannot serve other tabs.")
    inner = command.make_context(name, list(rest), parent=whole)
    for parameter in command.params:
        source = inner.get_parameter_source(parameter.name or "")
        if parameter.name in _WITHOUT_SCREEN and source is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse(f"A tab always shows screens: leave out {parameter.opts[0]}.")


def _check_url(url: str) -> None:
    """Look whether an address can be that of a page.

    Raises:
        WrongUse: It cannot.
    """
    from urllib.parse import urlsplit

    try:
        place = urlsplit(url)
        is_page = place.scheme in ("http", "https") and bool(place.hostname) and place.port != 0
    except ValueError:
        is_page = False
    if not is_page:
        raise WrongUse("--public-url must begin with https:// or http:// and a host.")
