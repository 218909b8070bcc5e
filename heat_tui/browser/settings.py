"""What a host chooses of the door for browsers."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


class BrowserSettings(NamedTuple):
    """What the door is to be like.

    Attributes:
        host: Where to listen; empty: at all addresses.
        port: 0: any free one.
        secret: Of the link; None: anybody who reaches the page may come in.
        password: That the page asks for, too; None: it does not.
        is_password_shown: Whether it was made for this door, so that nobody knows it yet.
        proxies: Who is believed about where somebody comes from.
        announced: The address of the page for the others, where it is not this machine's.
        is_own: Whether it shows one person's whole client, and knows no guests.
    """

    host: str
    port: int
    secret: str | None
    password: str | None = None
    is_password_shown: bool = False
    proxies: tuple[Network, ...] = ()
    announced: str | None = None
    is_own: bool = False
