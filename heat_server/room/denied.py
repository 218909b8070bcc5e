"""The refusal of a request."""

from __future__ import annotations


class Denied(Exception):
    """A request that cannot be granted.

    Attributes:
        code: For programs.
        text: One sentence for people.
    """

    def __init__(self, code: str, text: str) -> None:
        """Note code and text."""
        super().__init__(text)
        self.code = code
        self.text = text
