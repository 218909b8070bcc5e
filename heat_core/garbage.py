"""When Python looks for rings of objects that nothing else holds: seldom, and not among what stays anyway.

By default Python collects after every 700 new objects, and now and then looks at all there are: 200,000 in a
client, which takes five frames. Rings are few in our programs, so nearly every look is for nothing;
docs/performance.md says what that saves.
"""

from __future__ import annotations

import gc
from typing import Final, TypeAlias

Thresholds: TypeAlias = tuple[int, int, int]
"""After how many new objects Python looks at these; after how many such looks at older ones; then at all."""

CLIENT: Final[Thresholds] = (10_000, 5, 100)
"""Its rings are what a screen leaves behind when it closes."""

SERVER: Final[Thresholds] = (50_000, 50, 100)
"""It makes messages that live for a moment, of which 10,000 are soon there."""


def collect_seldom(thresholds: Thresholds) -> None:
    """Look for rings seldom from now on: before all else is loaded, for that alone makes 80,000 objects."""
    gc.set_threshold(*thresholds)


def freeze_what_is_there(thresholds: Thresholds) -> None:
    """Look no more at what is there now, mostly modules and style sheets, and seldom at the rest."""
    collect_seldom(thresholds)
    gc.freeze()
