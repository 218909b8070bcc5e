"""The refusal of a request."""

from __future__ import annotations

from typing import Final

from heat_core.wire.messages import ErrorData
from heat_server.store.errors import StoreFailed, StoreUnreachable

_UNDONE: Final = "The server could not save that, so it does not count; try again in a moment."
_IN_DOUBT: Final = "The server lost its database while it saved that; look whether it counts."


class Denied(Exception):
    """A request that cannot be granted.

    Attributes:
        code: For programs.
        text: One sentence for people.
        data: What programs can use besides.
    """

    def __init__(self, code: str, text: str, data: ErrorData | None = None) -> None:
        """Note code, text and data."""
        super().__init__(text)
        self.code = code
        self.text = text
        self.data = data


class NoSpace(Denied):
    """The server has too many rooms for another one, wherever that comes from."""


def why_not_saved(error: StoreFailed) -> str:
    """Say to those who asked for something what became of it when it was not saved."""
    return _IN_DOUBT if isinstance(error, StoreUnreachable) else _UNDONE
