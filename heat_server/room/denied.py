"""The refusal of a request."""

from __future__ import annotations

from heat_core.wire.messages import ErrorData


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
