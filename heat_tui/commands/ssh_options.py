"""From the options of `serve --ssh` to the door."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncssh

from heat_core.files import shown_path
from heat_core.options.option_flags import WrongUse
from heat_core.wire.address import Address, BadAddress, parse_listening
from heat_tui.commands.house_options import given_password
from heat_tui.commands.running import Failed
from heat_tui.doors.host_key import BadHostKey, host_key
from heat_tui.doors.house import House
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.ssh import SshDoor
from heat_tui.state import user_folders


def door_of(place: str, options: dict[str, Any], made: str) -> Callable[[House], SshDoor]:
    """Read the options and the files that they name; gives what makes the door.

    Args:
        place: Where to listen: PORT or HOST:PORT.
        made: The password, where one is wanted and none is given.

    Raises:
        Failed: A file cannot be used.
        WrongUse: An option is wrong.
    """
    listens = _place(place)
    given = given_password(options)
    settings = SshSettings(
        host=listens.host,
        port=listens.port,
        password=None if options["open_"] else given or made,
        is_password_shown=given is None and not options["open_"],
        authorized_keys=_keys(options["authorized_keys"]),
    )
    try:
        key = host_key(user_folders().state)
    except BadHostKey as error:
        raise Failed(str(error)) from None
    return lambda house: SshDoor(settings, key, house)


def _place(text: str) -> Address:
    """Read where to listen; without a host: at every address."""
    try:
        return parse_listening(text, "")
    except BadAddress as error:
        raise WrongUse(f"--ssh: {error}") from None


def _keys(file: Path | None) -> asyncssh.SSHAuthorizedKeys | None:
    if file is None:
        return None
    try:
        return asyncssh.read_authorized_keys(str(file))
    except (OSError, ValueError):
        raise Failed(f"{shown_path(file)} is not an authorized_keys file.") from None
