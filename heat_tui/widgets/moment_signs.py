"""The pictures of moments in signs: for terminals without colours, and where a picture finds no room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_tui.flow.moments import LIGHTS, Flag, Lights, Picture, Stamp, StampLook
from heat_tui.theme.colours import BOLD, ON_GOLD, ON_GREEN, ON_RED
from heat_tui.theme.glyphs import ASCII, Glyphs
from heat_tui.words.labels import cut

_LOOKS: Final[dict[StampLook, Style]] = {"gold": ON_GOLD, "green": ON_GREEN, "red": ON_RED}
_FLAG_COLUMNS: Final = 40
_LAMP: Final = 5


def write_moment(picture: Picture, columns: int, glyphs: Glyphs) -> list[Text]:
    """Draw a picture in signs.

    Args:
        columns: The room that there is, in cells.

    Returns:
        Lines of one width.
    """
    match picture:
        case Lights():
            return _lights(picture, glyphs)
        case Flag():
            return _flag(picture, min(columns, _FLAG_COLUMNS), glyphs)
        case Stamp():
            words = [picture.text, *([picture.note] if picture.note else [])]
            return _framed(words, columns, glyphs, _LOOKS[picture.look])


def _lights(lights: Lights, glyphs: Glyphs) -> list[Text]:
    """Draw the lamps as boxes that are full or empty."""
    full, empty = glyphs.finish * (_LAMP - 2), " " * (_LAMP - 2)
    lamps = [full if number < lights.lit else empty for number in range(LIGHTS)]
    blank = " " * (LIGHTS * (_LAMP + 1) + 1)
    top, side, bottom = glyphs.card_top, glyphs.card_side, glyphs.card_bottom
    edges = [left + middle * (_LAMP - 2) + right for left, middle, right in (top, bottom)]
    rows = [
        blank,
        " " + " ".join([edges[0]] * LIGHTS) + " ",
        " " + " ".join(side + lamp + side for lamp in lamps) + " ",
        " " + " ".join([edges[1]] * LIGHTS) + " ",
        ("GO" if lights.gone else "").center(len(blank)),
    ]
    return [Text(row, ON_GREEN if lights.gone and row is rows[-1] else BOLD) for row in rows]


def _flag(flag: Flag, columns: int, glyphs: Glyphs) -> list[Text]:
    """Draw the squares of the flag, and across it what it says."""
    width = max(4, round(columns * flag.share))
    cloth = [
        Text(
            "".join(" " if (column // 2 + row + flag.fold) % 2 else glyphs.finish for column in range(width)),
            BOLD,
        )
        for row in range(4)
    ]
    words = [f"{flag.title}  {flag.lines[0]}", *flag.lines[1:]] if flag.title else []
    return [*cloth[:2], *(_framed(words, columns, glyphs, BOLD, columns - 4) if words else []), *cloth[2:]]


def _framed(words: Sequence[str], columns: int, glyphs: Glyphs, look: Style, least: int = 0) -> list[Text]:
    inner = min(columns - 4, max(least, *(len(line) for line in words)))
    top, side, bottom = glyphs.card_top, glyphs.card_side, glyphs.card_bottom
    shown = [cut(line, inner, is_ascii=glyphs is ASCII).plain.center(inner) for line in words]
    return [
        Text(row, look)
        for row in (
            top[0] + top[1] * (inner + 2) + top[2],
            *(f"{side} {line} {side}" for line in shown),
            bottom[0] + bottom[1] * (inner + 2) + bottom[2],
        )
    ]
