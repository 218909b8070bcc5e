"""From the options of `serve --ssh` to the door."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import asyncssh

from heat_core.files import shown_path
from heat_core.options.option_flags import WrongUse
from heat_core.wire.address import Address, BadAddress, parse_address
from heat_tui.commands.running import Failed
from heat_tui.doors.host_key import BadHostKey, host_key
from heat_tui.doors.programs import PASSWORD_VARIABLE
from heat_tui.doors.settings import SshSettings
from heat_tui.doors.ssh import SshDoor
from heat_tui.state import user_folders

_SIGNS: Final = "bcdfghjkmnpqrstvwxz23456789"
_SIGNS_IN_HALF: Final = 4
"""Two such halves are forty bits: with the door's limits nobody finds them by trying."""

_MOST_PASSWORD_CHARACTERS: Final = 200


def door_of(place: str, options: dict[str, Any], tell: Callable[[str], None]) -> Callable[[], SshDoor]:
    """Read the options and the files that they name; gives what makes the door.

    Args:
        place: Where to listen: PORT or HOST:PORT.
        tell: Is called with a line about who comes and goes, and about what goes wrong.

    Raises:
        Failed: A file cannot be used.
        WrongUse: An option is wrong.
    """
    listens = _place(place)
    try:
        server = parse_address(options["server"])
    except BadAddress as error:
        raise WrongUse(f"--server: {error}") from None
    given = _given_password(options["password_file"])
    if options["open_"] and given is not None:
        cure = "leave out --password-file" if options["password_file"] else f"unset {PASSWORD_VARIABLE}"
        raise WrongUse(f"--open needs no password: {cure}, or leave out --open.")
    made = "-".join("".join(secrets.choice(_SIGNS) for _ in range(_SIGNS_IN_HALF)) for _ in range(2))
    settings = SshSettings(
        host=listens.host,
        port=listens.port,
        server=server,
        password=None if options["open_"] else given or made,
        is_password_shown=given is None and not options["open_"],
        authorized_keys=_keys(options["authorized_keys"]),
        most_logins=options["logins"],
        most_from_address=options["logins_from_address"],
        idle_seconds=options["idle"] * 60.0,
    )
    folder = user_folders().state
    try:
        key = host_key(folder)
    except BadHostKey as error:
        raise Failed(str(error)) from None
    return lambda: SshDoor(settings, key, folder / "guests", lambda news: tell(news.text))


def _place(text: str) -> Address:
    """Read where to listen; without a host: at every address."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise WrongUse("--ssh needs a port: PORT, or HOST:PORT. For example: --ssh 2222")
    try:
        return Address(parse_address(host, usual_port=1).host if host else "", int(port))
    except BadAddress as error:
        raise WrongUse(f"--ssh: {error}") from None


def _given_password(file: Path | None) -> str | None:
    """Read the password that was chosen, if one was."""
    password = os.environ.get(PASSWORD_VARIABLE)
    if file is not None:
        try:
            with file.open(encoding="utf-8") as lines:
                password = lines.readline(_MOST_PASSWORD_CHARACTERS + 2).rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise Failed(f"{shown_path(file)} cannot be read as text.") from None
    if password is not None and not 1 <= len(password) <= _MOST_PASSWORD_CHARACTERS:
        raise Failed(f"The password for guests must have 1 to {_MOST_PASSWORD_CHARACTERS} characters.")
    return password


def _keys(file: Path | None) -> asyncssh.SSHAuthorizedKeys | None:
    if file is None:
        return None
    try:
        return asyncssh.read_authorized_keys(str(file))
    except (OSError, ValueError):
        raise Failed(f"{shown_path(file)} is not an authorized_keys file.") from None
