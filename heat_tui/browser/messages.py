"""What the page and the door say to each other over the websocket, besides keys and pictures.

Keys and pictures are binary messages; these are texts, in JSON.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from heat_tui.doors.goodbye import Goodbye

Short: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
Token: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
Cells: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The page: the first message.

    Attributes:
        secret: Of the link.
        browser: A random number that the browser keeps, by which its guest is known again.
        tab: One that the tab keeps.
        columns: Of the terminal.
        rows: Likewise.
        name: Of the driver; empty: nobody has been asked yet.
        code: Of the room to go to; empty: none.
        password: Empty: nobody has been asked yet.
        login: The one whose picture the page shows; empty: none.
        seen: How many bytes of that picture it has.
    """

    secret: Short
    browser: Token
    tab: Token
    columns: Cells
    rows: Cells
    name: Short = ""
    code: Short = ""
    password: Short = ""
    login: Short = ""
    seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0


class Resize(msgspec.Struct, frozen=True, tag_field="type", tag="resize"):
    """The page: another size of the terminal."""

    columns: Cells
    rows: Cells


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping"):
    """The page: are you there?"""


class Pong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """The door: yes. Without such an answer no browser notices for minutes that a line is dead."""


class Inside(msgspec.Struct, frozen=True, tag_field="type", tag="inside"):
    """The door: somebody is inside.

    Attributes:
        login: Its number, for the next hello.
        seen: From where on the picture follows: 0 where it begins anew.
    """

    login: str
    seen: int


class Bye(msgspec.Struct, frozen=True, tag_field="type", tag="bye"):
    """The door: nothing more follows.

    Attributes:
        reason: For the page: whether to ask something, to come back by itself, or to wait for a key.
        text: For people.
    """

    reason: str
    text: str


HELLOS: Final = msgspec.json.Decoder(Hello)
TOLD: Final = msgspec.json.Decoder(Resize | Ping)

Ended: TypeAlias = Literal["left", "ended", "secret", "password"]
"""Reasons that only browsers have, besides those of every door."""


def bye(reason: Ended, text: str) -> Bye:
    """Say a goodbye that only browsers hear."""
    return Bye(reason, text)


def bye_of(goodbye: Goodbye) -> Bye:
    """Say a goodbye of the house."""
    return Bye(goodbye.reason, goodbye.text)
