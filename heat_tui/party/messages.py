"""What the card of a party and its doors say to each other: one JSON object a line."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from heat_tui.doors.news import News, Way


class OpenDoors(msgspec.Struct, frozen=True, tag="open"):
    """The card, first of all: what to open.

    Attributes:
        host: Where to listen; empty: at every address.
        server: The only server that guests reach.
        door_socket: Where that takes guests.
        ssh: The ports for ssh, of which the first free one is taken; none: it stays closed.
        web: The same for the page for browsers.
        password: For ssh; None: anybody comes in.
        secret: Of the link for browsers; None: anybody comes in.
    """

    host: str
    server: str
    door_socket: str
    ssh: tuple[int, ...]
    web: tuple[int, ...]
    password: str | None
    secret: str | None


class RemoveGuest(msgspec.Struct, frozen=True, tag="remove"):
    """The card: end the login of a guest."""

    number: int


class SshOpen(msgspec.Struct, frozen=True, tag="ssh"):
    """The doors: ssh is open.

    Attributes:
        fingerprint: Of the door's key.
    """

    port: int
    fingerprint: str


class WebOpen(msgspec.Struct, frozen=True, tag="web"):
    """The doors: the page for browsers is open."""

    port: int


class NotOpen(msgspec.Struct, frozen=True, tag="not_open"):
    """The doors: a way stays closed.

    Attributes:
        why: In one sentence.
    """

    way: Way
    why: str


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The doors: of every way it is known by now whether it is open."""


class Told(msgspec.Struct, frozen=True, tag="told"):
    """The doors: something has happened there."""

    news: News


ToDoors: TypeAlias = OpenDoors | RemoveGuest
FromDoors: TypeAlias = SshOpen | WebOpen | NotOpen | Ready | Told

TO_DOORS: Final[msgspec.json.Decoder[ToDoors]] = msgspec.json.Decoder(ToDoors)
FROM_DOORS: Final[msgspec.json.Decoder[FromDoors]] = msgspec.json.Decoder(FromDoors)


def line_of(message: ToDoors | FromDoors) -> bytes:
    """Write a message as a line; JSON has no line breaks inside."""
    return msgspec.json.encode(message) + b"\n"
