"""Which presses count in a race, and which come from a key that was meant for what was there before."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

REPEAT_SECONDS: Final = 0.12
"""What comes as close behind another Enter is no press of its own, however long the key is held."""

HAND_OVER_GAPS: Final = 3
"""So many gaps long nothing is confirmed once the curtain is drawn or lifted: two share the keyboard."""

SKIP_GAPS: Final = 2
"""So many gaps long behind a skip it is looked whether the key is being held down."""


class EnterGuard:
    """Tells apart presses of Enter, and finds keys and clicks that come too early for a question.

    Who skips by Enter may hold the key down. Its first repeat comes late and looks like a press; the next
    ones follow at once. So behind a skip an Enter counts a moment later, unless another one follows.
    """

    def __init__(self, gap: Callable[[], float], clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing pressed.

        Args:
            gap: Gives the program's own, in seconds.
            clock: Gives the time in seconds.
        """
        self._gap = gap
        self._clock = clock
        self._rested = -math.inf
        self._gaps = 1
        self._pressed = -math.inf
        self._skipped = -math.inf
        self._counted = -math.inf
        self._asked = -math.inf

    def rest(self, gaps: int = 1) -> None:
        """Let no Enter count for so many gaps."""
        self._rested = self._clock()
        self._gaps = gaps

    def skip(self) -> None:
        """Note that a key or a click has skipped what was being shown."""
        self._rested = -math.inf
        self._skipped = self._clock()
        self._asked = -math.inf

    def end(self) -> None:
        """Note that what was there has ended by itself, or that another question has come up.

        A key or click that comes now was meant for what was there before. Right behind a skip nobody looks
        for another key to skip by; and who has just answered by Enter waits for the next question, so only
        another Enter comes too early for that.
        """
        now, gap = self._clock(), self._gap()
        if now - self._skipped >= SKIP_GAPS * gap:
            self.rest()
            if now - self._counted >= gap:
                self._asked = now

    def is_early(self) -> bool:
        """Tell whether a key or click that comes now was meant for what was there before."""
        return self._clock() - self._asked < self._gap()

    def press(self) -> float | None:
        """Take a press.

        Returns:
            After how many seconds it counts if no other one follows in that time; None: it does not count.
        """
        now, gap = self._clock(), self._gap()
        repeat = min(REPEAT_SECONDS, gap)
        is_repeat = now - self._pressed < repeat
        self._pressed = now
        if is_repeat or now - self._rested < self._gaps * gap:
            return None
        self._counted = now
        return repeat if now - self._skipped < SKIP_GAPS * gap else 0.0
