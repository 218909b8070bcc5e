"""The link that guests open, and the address at which they get the program itself.

Installers show and log the addresses that they read. So that one has no secret in it that opens the door, but
a word that is made of the secret: who knows the word gets the program and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from heat_tui.installation import PROJECT
from heat_tui.own_wheel import NoWheel, wheel_name

_PROGRAM_PATH: Final = "get"
_WORD_CHARACTERS: Final = 24


def link_to(address: str, secret: str | None, code: str = "") -> str:
    """Write the link to a page; what is behind the # never reaches a log.

    Args:
        address: Of the page, with a slash at its end.
        secret: None: it needs none.
        code: Of the room that it leads to; empty: to none.
    """
    behind = (secret or "") + (f"+{code}" if code else "")
    return f"{address}#{behind}" if behind else address


def program_path(secret: str | None) -> str:
    """Give where the program is, below the page; nobody finds the secret by it.

    Args:
        secret: Of the link; None: it needs none.
    """
    if secret is None:
        return _PROGRAM_PATH
    word = hmac.new(secret.encode(), _PROGRAM_PATH.encode(), hashlib.sha256).hexdigest()
    return f"{_PROGRAM_PATH}/{word[:_WORD_CHARACTERS]}"


def installing_line(address: str, secret: str | None) -> str:
    """Write a line that installs the program from a door; empty: there is no wheel of it.

    Args:
        address: Of the page, with a slash at its end.
        secret: Of the link; None: it needs none.
    """
    try:
        return f"uv tool install '{PROJECT} @ {address}{program_path(secret)}/{wheel_name()}'"
    except NoWheel:
        return ""
