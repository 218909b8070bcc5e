"""What a client has drawn last, for a page that has lost its connection and comes back."""

from __future__ import annotations

from typing import Final

KEPT_BYTES: Final = 524_288
"""About half of what a race draws."""


class Picture:
    """The end of a stream of bytes.

    Attributes:
        total: How many bytes were drawn from the beginning on.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.total = 0
        self._end = bytearray()

    def add(self, data: bytes) -> None:
        """Take what follows."""
        self.total += len(data)
        self._end += data
        if len(self._end) > 2 * KEPT_BYTES:  # not each time: it moves all that is left
            del self._end[:-KEPT_BYTES]

    def has(self, seen: int) -> bool:
        """Tell whether all is still there that somebody needs who has seen so many bytes."""
        return self.total - len(self._end) <= seen <= self.total

    def after(self, seen: int, most: int) -> bytes:
        """Give what follows so many bytes, which must still be there.

        Args:
            most: Give no more than so many bytes.
        """
        begin = seen - (self.total - len(self._end))
        return bytes(self._end[begin : begin + most])
