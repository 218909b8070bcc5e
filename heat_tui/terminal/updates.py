"""What goes to the terminal for a part of the screen: no more than that part.

Textual writes a changed part of a line from where its widget begins. On a map of 150 columns a car that
moves near the right edge would send the whole line each time, which is most of the bytes of a race.
"""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.control import Control
from textual._compositor import ChopsUpdate


class CroppedUpdate(ChopsUpdate):
    """An update that begins where its parts begin."""

    def render_segments(self, console: Console) -> str:
        """Write what is to be sent: for each part the way there, and its cells."""
        sequences: list[str] = []
        for y, start, end in self.spans:
            for chop_end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                first, last = max(x, start), min(chop_end, end)
                if strip is None or first >= last:
                    continue
                sequences.append(Control.move_to(first, y).segment.text)
                sequences.append(strip.crop(first - x, last - x).render(console))
        return "".join(sequences)


def cropped(update: RenderableType | None) -> RenderableType | None:
    """Give an update that sends no more than its parts; any other is left as it is."""
    if type(update) is ChopsUpdate:
        return CroppedUpdate(update.chops, update.spans, update.chop_ends)
    return update
