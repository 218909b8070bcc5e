"""Which web pages may open a tab's websocket.

A browser lets any page that its user visits open a websocket to this machine, so without a check a foreign
page could play, read hands and write files in the user's name. The browser says truly where a page came from
(`Origin`). That must be the address that the websocket itself was asked for at (`Host`), and one that nobody
else can give a new meaning to: a foreign name could be made to point at this machine once its page is loaded.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit


def may_open(
    origin: str | None, asked_at: str, own_names: Collection[str], public_origin: str | None = None
) -> bool:
    """Tell whether a page may open a websocket.

    Args:
        origin: Of the page; None: it is no page, and what is no browser cannot be led astray by one.
        asked_at: The `Host` of the request.
        own_names: The names of this machine that are no numbers, in small letters.
        public_origin: That of the address behind a reverse proxy, if there is one.
    """
    if origin is None or origin == public_origin:
        return True
    try:
        place = urlsplit(origin)
        name = place.hostname or ""
    except ValueError:
        return False
    return place.netloc.lower() == asked_at.lower() and (name in own_names or is_number(name))


def origin_of(url: str) -> str:
    """Give what a browser calls the origin of pages below an address."""
    place = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(place.scheme)
    host = f"[{place.hostname}]" if ":" in (place.hostname or "") else place.hostname
    port = "" if place.port in (None, usual) else f":{place.port}"
    return f"{place.scheme}://{host}{port}"


def is_number(host: str) -> bool:
    """Tell whether a host is named by its number on the network."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches what listens there."""
    return host.lower() == "localhost" or (is_number(host) and ip_address(host).is_loopback)
