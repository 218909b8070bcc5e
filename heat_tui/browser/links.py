"""The link that guests open."""

from __future__ import annotations


def link_to(address: str, secret: str | None, code: str = "") -> str:
    """Write the link to a page; what is behind the # never reaches a log.

    Args:
        address: Of the page, with a slash at its end.
        secret: None: it needs none.
        code: Of the room that it leads to; empty: to none.
    """
    behind = (secret or "") + (f"+{code}" if code else "")
    return f"{address}#{behind}" if behind else address
