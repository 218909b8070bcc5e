"""The name that a guest logs in with: the driver's, and behind a plus sign the code of a room."""

from __future__ import annotations

import shlex
from typing import Final, NamedTuple

from heat_core.names import BadName, clean_name
from heat_core.wire.address import Address, code_problem

PLACEHOLDER: Final = "NAME"
"""Stands for the guest's own name in every line that is passed on."""


class LoginName(NamedTuple):
    """Who logs in, and to which room.

    Attributes:
        driver: As it may be shown.
        code: Empty: none is named.
    """

    driver: str
    code: str


def read_login(typed: str, command: str = "") -> LoginName:
    """Read a login name; a command word means the same as a code behind a plus sign.

    Raises:
        BadName: It cannot be a driver's name, or what names the room is no code; the text does not repeat it.
    """
    name, plus, code = typed.rpartition("+")
    if not (plus and name and code):
        name, code = typed, ""
    code = command.strip() or code
    if code and (problem := code_problem(code)):
        raise BadName(problem)
    return LoginName(clean_name(name), code)


def is_nameless(typed: str) -> bool:
    """Tell whether a line was typed as it was passed on, without a name of the guest's own."""
    return typed.partition("+")[0] == PLACEHOLDER


def with_name(typed: str, driver: str) -> str:
    """Put a driver's name into such a login name; the code of the room stays."""
    return driver.strip() + typed.removeprefix(PLACEHOLDER)


def line_to_type(login: LoginName, door: Address) -> str:
    """Give the command that brings a login in with a terminal."""
    name = f"{login.driver}+{login.code}" if login.code else login.driver
    return f"ssh -t -p {door.port} {shlex.quote(name)}@{door.host}"
