"""What a host chooses of the door for `ssh`."""

from __future__ import annotations

from typing import NamedTuple

import asyncssh

from heat_core.wire.address import Address


class SshSettings(NamedTuple):
    """What the door is to be like.

    Attributes:
        host: Where to listen; empty: at all addresses.
        port: 0: any free one.
        server: The only one that guests reach.
        password: None: anybody may come in.
        is_password_shown: Whether it was made for this door, so that nobody knows it yet.
        authorized_keys: The keys that open the door too; None: none do.
        most_logins: At a time.
        most_from_address: Of these from one address.
        idle_seconds: After so long without a key a login ends.
    """

    host: str
    port: int
    server: Address
    password: str | None
    is_password_shown: bool
    authorized_keys: asyncssh.SSHAuthorizedKeys | None
    most_logins: int
    most_from_address: int
    idle_seconds: float
