"""Where a replay begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple


class ReplayStart(NamedTuple):
    """Where a replay begins.

    Attributes:
        place: Of the moment.
        scenes: First and last places of what is to play at once, none for a replay that waits.
        choice: Number of the event of a choice to begin before, in place of a moment.
    """

    place: int = 0
    scenes: Sequence[tuple[int, int]] = ()
    choice: int | None = None


FIRST_MOMENT: Final = ReplayStart()
