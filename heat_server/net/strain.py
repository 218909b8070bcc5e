"""How much more messages count while the server cannot keep up with all.

Theory of operation. All connections share one thread. If more is asked than it can do, everybody waits: who
asks for one thing in a second as long as who asks for a hundred. So a task looks whether it is woken in time.
While it is woken late, messages count for more at the address that they come from; at their connection only
those that have to wait anyway. So whoever asks for much gets less, and whoever asks for little hardly waits.
"""

from __future__ import annotations

from typing import Final

import trio

LOOK_SECONDS: Final = 0.05
LATE_SECONDS: Final = 0.03
"""An answer takes a few turns of everybody; so it takes less than a quarter of a second."""

MOST: Final = 5.0
"""Who comes, looks round and opens a room sends as much as 30 messages; an address can send 100 at once."""

GROWTH: Final = 2.0
DECAY: Final = 0.9
"""A second after the last strain everything is as usual."""


class Strain:
    """How the server feels.

    Attributes:
        factor: How many times as much as usual messages count.
    """

    def __init__(self) -> None:
        """Begin at ease."""
        self.factor = 1.0

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            due = trio.current_time() + LOOK_SECONDS
            await trio.sleep_until(due)
            self.note(trio.current_time() - due)

    def note(self, late_seconds: float) -> None:
        """Note how late the server was."""
        if late_seconds > LATE_SECONDS:
            self.factor = min(self.factor * GROWTH, MOST)
        else:
            self.factor = max(self.factor * DECAY, 1.0)
