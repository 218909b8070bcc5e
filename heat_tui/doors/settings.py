"""What a host chooses of the door for `ssh`."""

from __future__ import annotations

from typing import NamedTuple

import asyncssh


class SshSettings(NamedTuple):
    """What the door is to be like.

    Attributes:
        host: Where to listen; empty: at all addresses.
        port: 0: any free one.
        password: None: anybody may come in.
        is_password_shown: Whether it was made for this door, so that nobody knows it yet.
        authorized_keys: The keys that open the door too; None: none do.
    """

    host: str
    port: int
    password: str | None
    is_password_shown: bool
    authorized_keys: asyncssh.SSHAuthorizedKeys | None
