"""The chat of a room, as a client keeps it."""

from __future__ import annotations

from collections import deque
from typing import Final, get_args

from heat_core.wire.address import Address
from heat_core.wire.messages import Reaction, Said

REACTIONS: Final[tuple[Reaction, ...]] = get_args(Reaction)

MOST_LINES: Final = 300


class Chat:
    """The lines of one room, the oldest first.

    Attributes:
        lines: At most `MOST_LINES` of them.
        received: How many there have been since this client came in.
        unread: How many that people wrote since `read`.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.lines: deque[Said] = deque(maxlen=MOST_LINES)
        self.received = 0
        self.unread = 0

    def receive(self, line: Said, *, is_own: bool) -> None:
        """Take a line in; a known one is ignored: a person who comes back is sent everything again.

        Args:
            is_own: Written here: nobody has to read that.
        """
        if line in self.lines:
            return
        self.lines.append(line)
        self.received += 1
        if line.kind != "news" and not is_own:
            self.unread += 1

    def note_move(self, before: Address, now: Address) -> None:
        """Add a line that says on which server the room is, if that is another one than before."""
        if now.place != before.place:
            self.receive(Said(0, "news", None, "", f"This room is on {now}."), is_own=False)

    def since(self, received: int) -> list[Said]:
        """List the lines behind the first `received` ones."""
        new = self.received - received
        return [*self.lines][-new:] if new > 0 else []

    def read(self) -> None:
        """Note that all has been seen."""
        self.unread = 0
