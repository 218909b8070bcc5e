"""The bell of plain mode: the same strokes for the same things as on the screens."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Collection
from typing import Final

from heat_tui.race.bell import STROKE_SECONDS, strokes
from heat_tui.state import BellOccasion, Folders, load_settings

_BELL: Final = "\a"


def bell_of(folders: Folders) -> Callable[[Collection[BellOccasion]], None]:
    """Give what rings as the settings say; where lines go to no terminal, nothing does."""

    def ring(occasions: Collection[BellOccasion]) -> None:
        if not occasions or not sys.stdout.isatty():
            return
        loop = asyncio.get_running_loop()
        for number in range(strokes(load_settings(folders), occasions)):
            loop.call_later(number * STROKE_SECONDS, _stroke)

    return ring


def _stroke() -> None:
    sys.stdout.write(_BELL)
    sys.stdout.flush()
