"""How long a client waits before it tries to reach a server again."""

from __future__ import annotations

import random
from typing import Final

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 15.0

SOON: Final = 2
MOST_SOON: Final = 12
"""Where there are several servers, so many attempts wait as the third one at most: another server has the
rooms of a dead one after six seconds."""


def growing_pause(attempt: int) -> float:
    """Give the seconds to wait before a try, counted from 0: half a second, doubling to 15, with jitter."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt, 8))
    return max(FIRST_PAUSE_SECONDS, longest * random.uniform(0.5, 1.0))
