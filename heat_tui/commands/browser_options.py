"""From the options of `serve` for browsers to the door, and its link as a QR code."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

import click
from rich.console import Console

from heat_core.options.option_flags import WrongUse
from heat_core.wire.address import LOOPBACK
from heat_tui.browser.door import BrowserDoor
from heat_tui.browser.own import OwnHouse
from heat_tui.browser.secret import BadSecret, link_secret, new_secret
from heat_tui.browser.settings import BrowserSettings, Network
from heat_tui.commands.house_options import given_password
from heat_tui.commands.running import Failed
from heat_tui.doors.house import House
from heat_tui.qr_code import qr_rows
from heat_tui.state import user_folders
from heat_tui.terminal.environment import speaks_unicode


def door_of(port: int, options: dict[str, Any], made: str) -> Callable[[House], BrowserDoor]:
    """Read the options and the files that they name; gives what makes the door for guests.

    Args:
        port: To listen on; 0: any free one.
        made: The password, where one is wanted and none is given.

    Raises:
        Failed: A file cannot be used.
        WrongUse: An option is wrong.
    """
    given = given_password(options)
    if options["open_"] and options["password"]:
        raise WrongUse("--open needs no password: leave out --password, or leave out --open.")
    asks = options["password"] or options["password_file"] is not None
    try:
        secret = None if options["open_"] else link_secret(user_folders().state)
    except BadSecret as error:
        raise Failed(str(error)) from None
    settings = BrowserSettings(
        host=options["host"] or "",
        port=port,
        secret=secret,
        password=(given or made) if asks else None,
        is_password_shown=asks and given is None,
        proxies=_networks(options["proxy"]),
        announced=_checked_url(options["announce"]),
    )
    return lambda house: BrowserDoor(settings, house)


def own_door_of(
    words: Sequence[str], options: dict[str, Any], tell: Callable[[str], None]
) -> Callable[[], BrowserDoor]:
    """Read the options; gives what makes the door to one's own client.

    Args:
        words: Of the command line that each tab runs.
        tell: Is called with what goes wrong.

    Raises:
        WrongUse: An option is wrong.
    """
    settings = BrowserSettings(
        host=options["host"] or LOOPBACK,
        port=options["port"],
        secret=new_secret(),  # never one that guests have
        proxies=_networks(options["proxy"]),
        announced=_checked_url(options["announce"]),
        is_own=True,
    )
    return lambda: BrowserDoor(settings, OwnHouse(words, options["tabs"], tell))


def qr_lines(link: str) -> list[str]:
    """Give a link as a QR code in black on white, or nothing where this terminal cannot show it."""
    console = Console()
    if not sys.stdout.isatty() or not speaks_unicode() or console.no_color or console.color_system is None:
        return []
    rows = qr_rows(link)
    if len(rows[0]) > shutil.get_terminal_size().columns:
        return []
    # The first sixteen of 256 colours are the theme's, and black may be its lightest.
    few = console.color_system in ("standard", "windows")
    ink, paper = ("black", "bright_white") if few else (16, 231)
    return [click.style(row, fg=ink, bg=paper) for row in rows]


def _networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Read numbers and networks.

    Raises:
        WrongUse: One is neither.
    """
    try:
        return tuple(ip_network(text.strip(), strict=False) for text in texts)
    except ValueError:
        raise WrongUse("--proxy needs a number or a network, for example 192.0.2.10 or 10.0.0.0/8.") from None


def _checked_url(url: str | None) -> str | None:
    """Look whether an address can be that of a page, and give it with a path.

    Raises:
        WrongUse: It cannot.
    """
    if url is None:
        return None
    try:
        place = urlsplit(url)
        is_page = place.scheme in ("http", "https") and bool(place.hostname) and place.port != 0
    except ValueError:
        is_page = False
    if not is_page or place.query or place.fragment:
        raise WrongUse("--announce must begin with https:// or http:// and a host, and end with its path.")
    return url if url.endswith("/") else f"{url}/"
