"""The address of a store in PostgreSQL: a URL as libpq reads it, without a password."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from heat_core.shapes import printable

SCHEMES: Final = ("postgresql://", "postgres://")

_SECRETS: Final = frozenset({"password", "sslpassword"})


class DatabaseUrl(NamedTuple):
    """Where a store in PostgreSQL is; as text, what may be shown of it.

    Attributes:
        text: For libpq.
    """

    text: str

    def __str__(self) -> str:
        """Give user, host and database; of what follows, only libpq needs to know."""
        return printable(self.text.partition("?")[0])


def is_database_url(text: str) -> bool:
    """Tell whether a text is meant as the address of a database, not as the path of a file."""
    return text.lower().startswith(SCHEMES)


def parse_database_url(text: str) -> DatabaseUrl:
    """Read an address.

    Raises:
        ValueError: It is none, or has a password in it; the text says what to do and shows nothing of it.
    """
    try:
        parts = urlsplit(text)
        words = {word for word, _ in parse_qsl(parts.query, keep_blank_values=True)}
    except ValueError:
        raise ValueError("it is not a URL such as postgresql://heat@localhost/heat") from None
    user, _, _ = parts.netloc.rpartition("@")
    if ":" in user or words & _SECRETS:
        raise ValueError(
            "a password in the URL can be read by other users: leave it out, and put it in the file that "
            "--store-password names, in PGPASSWORD, or in the file of PGPASSFILE (~/.pgpass)"
        )
    if parts.fragment:
        raise ValueError("it has a # in it; write %23 for that sign")
    return DatabaseUrl(text)
