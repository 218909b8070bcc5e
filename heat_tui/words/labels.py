"""Names as shown: cut to the available width, and still distinct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from heat_core.names import name_key
from heat_core.text import counted


def opponents(bots: Iterable[str], legends: int) -> list[str]:
    """Name what one races against by kind: `2 easy bots`, `3 Legends`.

    Args:
        bots: The level of each.
    """
    told = [counted(number, f"{level} bot") for level, number in Counter(bots).items()]
    if legends:
        told.append(counted(legends, "Legend"))
    return told


def cut(text: str | Text, most_cells: int, *, is_ascii: bool) -> Text:
    """Cut a text to a width, so that one sees that it is cut. Rows do not wrap: what does not fit is lost."""
    whole = text.copy() if isinstance(text, Text) else Text(text)
    if whole.cell_len <= most_cells:
        return whole
    mark = "..." if is_ascii else "…"
    if most_cells <= len(mark):
        return Text(mark[: max(0, most_cells)])
    whole.truncate(most_cells - len(mark))
    return whole.append(mark)


def newest_rows(lines: Sequence[Text], width: int, height: int, console: Console) -> list[Text]:
    """Wrap lines to a width, and give as many of the last rows as fit; what continues is set in.

    Args:
        width: In cells, two at least.
        height: In rows.
    """
    rows: list[Text] = []
    for line in reversed(lines):
        folded = line.wrap(console, width - 1)
        rows[:0] = [part if number == 0 else Text(" ") + part for number, part in enumerate(folded)]
        if len(rows) >= height:
            break
    return rows[-height:]


def track_labels(names: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Name tracks so that they can be distinguished: before those of one name stands the identifier.

    Args:
        names: Identifier and name of each.
    """
    keys = Counter(name_key(name) for _, name in names)
    return {track: f"{track}: {name}" if keys[name_key(name)] > 1 else name for track, name in names}
