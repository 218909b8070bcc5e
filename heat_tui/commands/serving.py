"""The command that lets people play who have nothing installed: `serve`, in browsers and over ssh."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from heat_core.options.option_flags import WrongUse
from heat_core.options.whole_number import WholeNumber
from heat_tui.commands.running import Failed, nearby_on
from heat_tui.installation import line_for

if TYPE_CHECKING:
    from heat_tui.doors.running import Door

USUAL_PORT: Final = 8000
USUAL_TABS: Final = 8
USUAL_LOGINS: Final = 30
USUAL_LOGINS_FROM_ADDRESS: Final = 10
USUAL_IDLE_MINUTES: Final = 30

_WITHOUT_SCREEN: Final = ("plain", "text", "picture")
_OF_BROWSERS: Final = ("host", "port", "public_url", "tabs")
_OF_SSH: Final = (
    "server",
    "password_file",
    "open_",
    "authorized_keys",
    "logins",
    "logins_from_address",
    "idle",
)


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--host", default="127.0.0.1", show_default=True, help="Browsers: the address to listen on.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=USUAL_PORT,
    show_default=True,
    help="Browsers: the port to listen on; 0: any free one.",
)
@click.option(
    "--public-url", metavar="URL", help="Browsers: the address of the page, behind a reverse proxy."
)
@click.option(
    "--tabs",
    type=WholeNumber(1, 1000),
    default=USUAL_TABS,
    show_default=True,
    help="Browsers: the most tabs at a time; each is a process.",
)
@click.option(
    "--ssh", metavar="[HOST:]PORT", help="Let guests in by ssh; browsers are served only with --web."
)
@click.option("--web", is_flag=True, help="With --ssh: show the client in browsers, too.")
@click.option(
    "--server",
    metavar="HOST[:PORT]",
    default="127.0.0.1",
    show_default=True,
    help="ssh: the only server that guests reach.",
)
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="ssh: the password is the first line of this file. Without this option, a new one is made.",
)
@click.option("--open", "open_", is_flag=True, help="ssh: let anybody in, without a password.")
@click.option(
    "--authorized-keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="ssh: let the keys in this file in without a password.",
)
@click.option(
    "--logins",
    type=WholeNumber(1, 1000),
    default=USUAL_LOGINS,
    show_default=True,
    help="ssh: the most guests at a time.",
)
@click.option(
    "--logins-from-address",
    type=WholeNumber(1, 1000),
    default=USUAL_LOGINS_FROM_ADDRESS,
    show_default=True,
    help="ssh: the most guests from one address.",
)
@click.option(
    "--idle",
    type=WholeNumber(2, 1440),
    default=USUAL_IDLE_MINUTES,
    show_default=True,
    help="ssh: end a login after so many minutes without a key.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND [ARGUMENT]...]")
@click.pass_context
def serve(
    context: click.Context, /, ssh: str | None, web: bool, words: tuple[str, ...], **options: Any
) -> None:
    """Let people play who have nothing installed: in browsers, or with --ssh in their terminals.

    In browsers: the home screen, or what COMMAND shows. Each tab runs a program on this machine as you,
    with your settings, records and championships, and without a password. So it listens to this machine
    only, unless you give --host.

    With --ssh: a guest types ssh -p PORT NAME@HOST, gives the password, and plays at one server. A guest
    has a folder of their own, and reaches no shell, no file and nothing else of this machine.
    """
    _check_sides(context, has_ssh=ssh is not None, has_web=web or ssh is None)
    makers: list[Callable[[], Door]] = []
    if ssh is not None:
        makers.append(_ssh_door(ssh, options))
    elif web:
        raise WrongUse("--web goes with --ssh; without --ssh browsers are served anyway.")
    if web or ssh is None:
        _check_words(context, words)
        makers.append(_browser_door(words, options, is_quiet=bool(context.obj)))
    elif words:
        raise WrongUse("With --ssh alone every guest begins at the rooms: leave out the command.")
    asyncio.run(_keep_open(makers))


async def _keep_open(makers: Sequence[Callable[[], Door]]) -> None:
    """Make the doors in the loop that they live in, and keep them open until a signal comes.

    Raises:
        Failed: One cannot be opened, or lets nobody in any more.
    """
    from heat_tui.doors.running import NotOpened, keep_open

    def tell(lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line)
        sys.stdout.flush()

    try:
        if not await keep_open([make() for make in makers], tell):
            raise Failed("The ssh door has stopped; the reason is above.")
    except NotOpened as error:
        raise Failed(str(error)) from None


def _complain(text: str) -> None:
    click.echo(f"heat-tui: {text}", err=True)


def _check_sides(context: click.Context, *, has_ssh: bool, has_web: bool) -> None:
    """Look whether options were given for what is not opened.

    Raises:
        WrongUse: They were.
    """
    for names, is_there, cure in (
        (_OF_SSH, has_ssh, "add --ssh PORT"),
        (_OF_BROWSERS, has_web, "add --web"),
    ):
        for name in names:
            given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
            if given and not is_there:
                raise WrongUse(
                    f"--{name.strip('_').replace('_', '-')} has no effect here: {cure}, or leave it out."
                )


def _browser_door(words: Sequence[str], options: dict[str, Any], *, is_quiet: bool) -> Callable[[], Door]:
    """Prepare to serve browsers.

    Raises:
        Failed: What that needs is not installed.
        WrongUse: An option is wrong.
    """
    public_url: str | None = options["public_url"]
    if public_url is not None:
        _check_url(public_url)
    if find_spec("textual_serve") is None:
        raise Failed(f"serve needs textual-serve, which is not installed. To install it: {line_for('serve')}")
    from heat_tui.browser.server import BrowserServer

    arguments = [sys.executable, "-m", "heat_tui"]
    if is_quiet:
        arguments.append("--no-animation")
    if nearby_on() is None:
        arguments.append("--no-lan")
    return lambda: BrowserServer(
        [*arguments, *words],
        host=options["host"],
        port=options["port"],
        most_tabs=options["tabs"],
        complain=_complain,
        public_url=public_url,
    )


def _ssh_door(place: str, options: dict[str, Any]) -> Callable[[], Door]:
    """Prepare to let guests in by ssh.

    Raises:
        Failed: What that needs is not installed, or a file cannot be used.
        WrongUse: An option is wrong.
    """
    if find_spec("asyncssh") is None:
        raise Failed(f"--ssh needs asyncssh, which is not installed. To install it: {line_for('doors')}")
    from heat_tui.commands.house_options import house_of
    from heat_tui.commands.ssh_options import door_of

    make_house, make_door = house_of(options, _complain), door_of(place, options)
    return lambda: make_door(make_house())


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
