"""Who owns an open match of a store that several servers share."""

from __future__ import annotations

from typing import NamedTuple


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
