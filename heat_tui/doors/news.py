"""What a house tells its host: who is inside, who comes and goes, and what goes wrong."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Way: TypeAlias = Literal["ssh", "web"]
"""Which door a guest came in by."""


class GuestInside(msgspec.Struct, frozen=True):
    """A guest who is here now.

    Attributes:
        number: Never given to another login of the same house.
        name: The driver's, as it may be shown.
        code: Of the room that the login named; empty: none.
        address: Where the guest is, as limits count it: an IPv4 number or a network of IPv6.
        known_by: `key SHA256:...`, `word` or `no key`.
        since: When the guest came, in seconds since the epoch.
        way: By which door.
    """

    number: int
    name: str
    code: str
    address: str
    known_by: str
    since: float
    way: Way


class News(msgspec.Struct, frozen=True):
    """Something that a host may want to read.

    Attributes:
        kind: A guest came or left, somebody was refused, or the host should look after the door.
        text: One printable line.
        guest: Who came or left; else None.
    """

    kind: Literal["came", "left", "refused", "warning"]
    text: str
    guest: GuestInside | None = None
