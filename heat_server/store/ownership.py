"""What servers that share a store know of each other, and who owns an open match of it."""

from __future__ import annotations

from typing import NamedTuple


class ServerLoad(NamedTuple):
    """What the servers of a shared store know of each other.

    Attributes:
        address: What clients connect to.
        rooms: Awake or asleep.
        connections: The open ones.
        listed: Its rooms, as others list them.
        is_draining: Its operator wants others to have its rooms.
    """

    address: str
    rooms: int
    connections: int
    listed: bytes = b""
    is_draining: bool = False


class Peer(NamedTuple):
    """Another server of a shared store.

    Attributes:
        address: What clients connect to; "" where it has not said.
        connections: As in `ServerLoad`, and so are `listed`, `rooms` and `is_draining`.
        rules: The version of the rules that it plays by.
        is_up: Whether its lease runs; else it was renewed less than a minute ago.
    """

    address: str
    connections: int
    listed: bytes
    rooms: int
    rules: int
    is_draining: bool
    is_up: bool = True


class Owner(NamedTuple):
    """Who may write to an open match.

    Attributes:
        match: The match's name.
        address: What clients connect to; "" where it has not said.
        is_alive: Whether its lease runs; else another server takes the match over soon.
        is_self: Whether it is the server that asks.
    """

    match: str
    address: str
    is_alive: bool
    is_self: bool


class Release(NamedTuple):
    """An open match that its server lets go.

    Attributes:
        match: The match's name.
        heir: The address of the server that is to have it; "": whichever takes it.
        rules: The version of the rules that the heir plays by, where it is another one: then the match may
            have no race. None: that of the server that lets it go.
    """

    match: str
    heir: str = ""
    rules: int | None = None


class Claimed(NamedTuple):
    """An open match that a server has just come to own.

    Attributes:
        match: Its name.
        code: What people type to join.
        phase: How far its room was.
        keys: The hashes of the tokens that belong to it.
    """

    match: str
    code: str
    phase: str
    keys: tuple[bytes, ...]
