"""From the options of `serve` that are the same at all doors to the house of the guests."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from heat_core.files import default_door_socket, shown_path
from heat_core.options.option_flags import WrongUse
from heat_core.wire.address import LOOPBACK, Address, BadAddress, parse_address
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.commands.running import Failed
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.house import House, HouseSettings
from heat_tui.doors.programs import PASSWORD_VARIABLE
from heat_tui.state import user_folders

_MOST_PASSWORD_CHARACTERS: Final = 200
_DEFAULT_SERVER: Final = Address(LOOPBACK, DEFAULT_PORT)
"""What listens there on this machine has its socket at the usual place."""


def house_of(options: dict[str, Any], tell: Callable[[str], None]) -> Callable[[], House]:
    """Read the options; gives what makes the house.

    Args:
        tell: Is called with a line about who comes and goes, and about what goes wrong.

    Raises:
        WrongUse: An option is wrong.
    """
    try:
        server = parse_address(options["server"])
    except BadAddress as error:
        raise WrongUse(f"--server: {error}") from None
    settings = HouseSettings(
        server=server,
        most_logins=options["logins"],
        most_from_address=options["logins_from_address"],
        idle_seconds=options["idle"] * 60.0,
        door_socket=default_door_socket() if server == _DEFAULT_SERVER else None,
    )
    return lambda: House(
        settings, GuestFolders(user_folders().state / "guests"), lambda news: tell(news.text)
    )


def given_password(options: dict[str, Any]) -> str | None:
    """Read the password that was chosen, if one was.

    Raises:
        Failed: The file cannot be used.
        WrongUse: None is needed.
    """
    file: Path | None = options["password_file"]
    password = os.environ.get(PASSWORD_VARIABLE)
    if file is not None:
        try:
            with file.open(encoding="utf-8") as lines:
                password = lines.readline(_MOST_PASSWORD_CHARACTERS + 2).rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise Failed(f"{shown_path(file)} cannot be read as text.") from None
    if password is not None and not 1 <= len(password) <= _MOST_PASSWORD_CHARACTERS:
        raise Failed(f"The password for guests must have 1 to {_MOST_PASSWORD_CHARACTERS} characters.")
    if options["open_"] and password is not None:
        cure = "leave out --password-file" if file else f"unset {PASSWORD_VARIABLE}"
        raise WrongUse(f"--open needs no password: {cure}, or leave out --open.")
    return password
