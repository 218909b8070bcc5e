"""A link as a QR code of half blocks, for the camera of a telephone."""

from __future__ import annotations

from typing import Final

import segno

QUIET: Final = 4
"""How many modules of paper the standard wants around the code."""

_BLOCKS: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_rows(link: str) -> list[str]:
    """Draw a code, with paper around it; two modules are one sign.

    The signs are ink on paper: draw them in black on white, whatever the theme, or not every camera reads
    them.

    Args:
        link: At most some hundred characters.
    """
    code = segno.make(link, error="l", micro=False)
    modules = [list(row) for row in code.matrix_iter(border=QUIET)]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    pairs = zip(modules[::2], modules[1::2], strict=True)
    return ["".join(_BLOCKS[pair] for pair in zip(*rows, strict=True)) for rows in pairs]
