"""The command that lets people play who have nothing installed: `serve`, over ssh and in browsers."""

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
from heat_core.wire.address import LOOPBACK
from heat_tui.commands.default_ports import DEFAULT_WEB_PORT
from heat_tui.commands.running import Failed, nearby_on
from heat_tui.installation import what_is_missing

if TYPE_CHECKING:
    from heat_tui.doors.house import House
    from heat_tui.doors.running import Door

USUAL_TABS: Final = 8
USUAL_LOGINS: Final = 30
USUAL_LOGINS_FROM_ADDRESS: Final = 10
USUAL_IDLE_MINUTES: Final = 30

_WITHOUT_SCREEN: Final = ("plain", "text", "picture")
_OF_PAGES: Final = ("host", "announce", "proxy")
_OF_OWN_PAGES: Final = ("port",)
_OF_OWN_TABS: Final = ("tabs",)
_OF_GUESTS: Final = ("server", "password_file", "open_", "logins", "logins_from_address", "idle")
_OF_SSH: Final = ("authorized_keys",)
_OF_GUESTS_PAGES: Final = ("password",)


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--ssh", metavar="[HOST:]PORT", help="Let guests in by ssh.")
@click.option(
    "--web",
    metavar="[PORT]",
    type=WholeNumber(0, 65535),
    is_flag=False,
    flag_value=DEFAULT_WEB_PORT,
    help=f"Let guests in by browser; without PORT at port {DEFAULT_WEB_PORT}, 0: any free one.",
)
@click.option(
    "--host", help="Browsers: the address to listen on; default: this machine only, with --web every address."
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=DEFAULT_WEB_PORT,
    show_default=True,
    help="Without guests: the port to listen on; 0: any free one.",
)
@click.option(
    "--announce", metavar="URL", help="Browsers: the address of the page for the others, behind a proxy."
)
@click.option(
    "--proxy",
    metavar="NETWORK",
    multiple=True,
    help="Browsers: a reverse proxy that is believed about where somebody comes from; may be repeated.",
)
@click.option(
    "--tabs",
    type=WholeNumber(1, 1000),
    default=USUAL_TABS,
    show_default=True,
    help="Without guests: the most tabs at a time; each is a process.",
)
@click.option(
    "--server",
    metavar="HOST[:PORT]",
    default=LOOPBACK,
    show_default=True,
    help="Guests: the only server that they reach.",
)
@click.option("--password", is_flag=True, help="Guests: the page of --web asks for the password, too.")
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Guests: the password is the first line of this file. Without this option, a new one is made.",
)
@click.option(
    "--open", "open_", is_flag=True, help="Guests: let anybody in, without password and secret link."
)
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
    help="Guests: the most at a time.",
)
@click.option(
    "--logins-from-address",
    type=WholeNumber(1, 1000),
    default=USUAL_LOGINS_FROM_ADDRESS,
    show_default=True,
    help="Guests: the most from one address.",
)
@click.option(
    "--idle",
    type=WholeNumber(2, 1440),
    default=USUAL_IDLE_MINUTES,
    show_default=True,
    help="Guests: end a login after so many minutes without a key.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND [ARGUMENT]...]")
@click.pass_context
def serve(
    context: click.Context, /, ssh: str | None, web: int | None, words: tuple[str, ...], **options: Any
) -> None:
    """Let people play who have nothing installed: with --ssh in their terminals, with --web in browsers.

    A guest types ssh -p PORT NAME@HOST and gives the password, or opens the link that is shown, and plays at
    one server. A guest has a folder of their own, and reaches no shell, no file and nothing else of this
    machine.

    Without --ssh and --web: your own client in your own browser, with all that it can do on this machine; the
    home screen, or what COMMAND shows. Keep that link to yourself.
    """
    is_own = ssh is None and web is None
    _check_sides(
        context,
        (_OF_PAGES, web is not None or is_own, "add --web"),
        (_OF_OWN_PAGES, is_own, "give the port of the page behind --web"),
        (_OF_OWN_TABS, is_own, "guests have --logins"),
        (_OF_GUESTS, not is_own, "add --ssh PORT or --web"),
        (_OF_SSH, ssh is not None, "add --ssh PORT"),
        (_OF_GUESTS_PAGES, web is not None, "add --web"),
    )
    if is_own:
        _check_words(context, words)
        make = _own_door(words, options, is_quiet=bool(context.obj))
    elif words:
        raise WrongUse("Every guest begins at the rooms: leave out the command.")
    else:
        make = _guests_doors(ssh, web, options)
    asyncio.run(_keep_open(make))


async def _keep_open(make: Callable[[], Sequence[Door]]) -> None:
    """Make the doors in the loop that they live in, and keep them open until a signal comes.

    Raises:
        Failed: One cannot be opened, or lets nobody in any more.
    """
    from heat_tui.doors.running import NotOpened, keep_open

    doors = make()

    def tell(lines: Sequence[str]) -> None:
        for line in [*lines, *(row for door in doors for row in _picture_of(door))]:
            click.echo(line)
        sys.stdout.flush()

    try:
        if not await keep_open(doors, tell):
            raise Failed("No door lets anybody in any more; the reason is above.")
    except NotOpened as error:
        raise Failed(str(error)) from None


def _picture_of(door: Door) -> Sequence[str]:
    """Give the link of a door for browsers as a QR code, where there is a friend with a camera."""
    if find_spec("aiohttp") is None:
        return ()
    from heat_tui.browser.door import BrowserDoor
    from heat_tui.commands.browser_options import qr_lines

    return qr_lines(door.link()) if isinstance(door, BrowserDoor) and not door.settings.is_own else ()


def _complain(text: str) -> None:
    click.echo(f"heat-tui: {text}", err=True)


def _check_sides(context: click.Context, *sides: tuple[Sequence[str], bool, str]) -> None:
    """Look whether options were given for what is not opened.

    Args:
        sides: Names of options, whether they have an effect, and what to do where they have none.

    Raises:
        WrongUse: They were.
    """
    for names, is_there, cure in sides:
        for name in names:
            given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
            if given and not is_there:
                flag = name.strip("_").replace("_", "-")
                raise WrongUse(f"--{flag} has no effect here: {cure}, or leave it out.")


def _own_door(
    words: Sequence[str], options: dict[str, Any], *, is_quiet: bool
) -> Callable[[], Sequence[Door]]:
    """Prepare to show one's own client.

    Raises:
        Failed: What that needs is not installed.
        WrongUse: An option is wrong.
    """
    _need("aiohttp", "serve", "serve")
    from heat_tui.commands.browser_options import own_door_of

    flags = ["--no-animation"] * is_quiet + ["--no-lan"] * (nearby_on() is None)
    make = own_door_of([*flags, *words], options, _complain)
    return lambda: [make()]


def _guests_doors(ssh: str | None, web: int | None, options: dict[str, Any]) -> Callable[[], Sequence[Door]]:
    """Prepare to let guests in.

    Args:
        ssh: Where to listen for ssh; None: nowhere.
        web: The port for browsers; None: none are let in.

    Raises:
        Failed: What that needs is not installed, or a file cannot be used.
        WrongUse: An option is wrong.
    """
    from heat_tui.commands.house_options import house_of
    from heat_tui.doors.passwords import new_password

    makers: list[Callable[[House], Door]] = []
    made = new_password()
    if ssh is not None:
        _need("asyncssh", "--ssh", "doors")
        from heat_tui.commands import ssh_options

        makers.append(ssh_options.door_of(ssh, options, made))
    if web is not None:
        _need("aiohttp", "--web", "doors")
        from heat_tui.commands import browser_options

        makers.append(browser_options.door_of(web, options, made))
    make_house = house_of(options, _complain)

    def make() -> Sequence[Door]:
        house = make_house()
        return [make_door(house) for make_door in makers]

    return make


def _need(package: str, what: str, extra: str) -> None:
    """Look whether a package is there.

    Raises:
        Failed: It is not.
    """
    if missing := what_is_missing(package, what, extra):
        raise Failed(missing)


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
