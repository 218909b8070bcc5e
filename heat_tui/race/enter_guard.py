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

ROW_GAPS: Final = 1.75
"""So many gaps long the same key pressed again goes on with the row that the press before was of."""

SKIP_GAPS: Final = 2
"""So many gaps long behind a skip it is looked whether the key is being held down."""


class EnterGuard:
    """Tells apart presses of Enter, and finds keys and clicks that come too early for a question.

    Who skips by Enter may hold the key down. Its first repeat comes late and looks like a press; the next
    ones follow at once. So behind a skip an Enter counts a moment later, unless another one follows.

    Who presses one key again and again goes on after the question has come up. So the presses of a row that
    began before it answer nothing, however many there are; it takes a pause or another key.
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
        self._came_up = -math.inf
        self._noted: str | None = None
        self._noted_at = -math.inf
        self._row_began = -math.inf

    def note(self, key: str) -> None:
        """Note which key or place is pressed now, before it is asked whether that counts."""
        now = self._clock()
        if key != self._noted or now - self._noted_at >= ROW_GAPS * self._gap():
            self._row_began = now
        self._noted, self._noted_at = key, now

    def rest(self, gaps: int = 1) -> None:
        """Let no Enter count for so many gaps."""
        self._rested = self._clock()
        self._gaps = gaps

    def skip(self) -> None:
        """Note that a key or a click has skipped what was being shown."""
        self._rested = -math.inf
        self._skipped = self._clock()
        self._asked = -math.inf

    def hand_over(self) -> None:
        """Note that the curtain is drawn or lifted."""
        self.rest(HAND_OVER_GAPS)
        self._came_up = self._clock()

    def end(self, *, is_skipped: bool = False) -> None:
        """Note that what was there has ended, or that another question has come up.

        A key or click that comes now was meant for what was there before. Right behind a skip nobody looks
        for another key to skip by; and who has just answered by Enter waits for the next question, so only
        another Enter comes too early for that.

        Args:
            is_skipped: What was there has not ended by itself.
        """
        self._came_up = now = self._clock()
        gap = self._gap()
        if not is_skipped and now - self._skipped >= SKIP_GAPS * gap:
            self.rest()
            if now - self._counted >= gap:
                self._asked = now

    def is_early(self) -> bool:
        """Tell whether the key or click of now was meant for what was there before."""
        return self._goes_on() or self._clock() - self._asked < self._gap()

    def _goes_on(self) -> bool:
        """Tell whether what was noted last is of a row that began before the question came up."""
        return self._row_began < self._came_up and self._clock() - self._noted_at < ROW_GAPS * self._gap()

    def press(self) -> float | None:
        """Take a press.

        Returns:
            After how many seconds it counts if no other one follows in that time; None: it does not count.
        """
        now, gap = self._clock(), self._gap()
        repeat = min(REPEAT_SECONDS, gap)
        is_repeat = now - self._pressed < repeat
        self._pressed = now
        if is_repeat or self._goes_on() or now - self._rested < self._gaps * gap:
            return None
        self._counted = now
        return repeat if now - self._skipped < SKIP_GAPS * gap else 0.0
