"""The picture of a smooth drawing, drawn between other things that happen."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Iterator
from time import monotonic
from typing import Final

from heat_tui.map.drawing import TrackDrawing

_SLICE_SECONDS: Final = 0.006
"""How long a picture is drawn before others have their turn; a part of it takes a millisecond or two."""


async def refine_in_slices(drawing: TrackDrawing) -> None:
    """Draw the picture of a drawing in slices; see `in_slices`."""
    await in_slices(drawing.refine())


async def in_slices(steps: Iterator[None]) -> None:
    """Draw a picture in slices.

    A thread would not be any faster, for all of it is Python, and would take the interpreter away for 5 ms at
    a time just when a key is pressed; a slice gives it back as soon as it ends. Cancelled, the picture stays
    as far as it is, and another call continues it.
    """
    began = monotonic()
    for _ in steps:
        if monotonic() - began >= _SLICE_SECONDS:
            await sleep(0)
            began = monotonic()
