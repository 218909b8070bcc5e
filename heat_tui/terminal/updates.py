"""What goes to the terminal when a part of the screen changes: the cells of that part, in few bytes.

Textual renders all widgets in the rectangle around what has changed, cuts their lines wherever any widget
begins, writes a changed part of a line from where its widget begins, and each style in full. With cars on a
map of 150 columns that is several times the work and the bytes that their cells need. Here a widget is asked
for the cells that have changed and no others, and of a style only what differs from the one before is sent.
A picture that moves gives its cells as it has them (`Picture`), without strips of segments in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from rich.color import Color, ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style
from textual._compositor import Compositor, CompositorUpdate
from textual._context import visible_screen_stack
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import SGR_STYLES, Strip
from textual.widget import Widget

_RESET: Final = "\x1b[0m"
_MOST_KNOWN: Final = 16_384


Run: TypeAlias = tuple[str, Style | None]
"""One or more characters in one style."""


class Part(NamedTuple):
    """Neighbouring cells of a line.

    Attributes:
        y: Line of the screen, from 0.
        x: Column of the first cell, from 0.
        runs: What the cells show.
    """

    y: int
    x: int
    runs: Sequence[Run]


class Picture:
    """A widget whose cells need nothing from Textual: no padding, no border, its own colours."""

    def runs(self, y: int, first: int, last: int) -> Sequence[Run] | None:
        """Give columns `first` up to, not including, `last` of a line; None: Textual shall render it."""
        raise NotImplementedError


class PartsUpdate(CompositorUpdate):
    """Some cells of the screen."""

    def __init__(self, parts: Iterable[Part]) -> None:
        """Take what is to be shown; it is sent from the top down."""
        self.parts = sorted(parts, key=itemgetter(0, 1))

    def render_segments(self, console: Console) -> str:
        """Write what is to be sent: for each part the way there, and its cells."""
        system = console._color_system or ColorSystem.TRUECOLOR
        sent: list[str] = []
        known = _known_styles(system)
        shown = _PLAIN
        for y, x, runs in self.parts:
            sent.append(f"\x1b[{y + 1};{x + 1}H")
            for text, style in runs:
                found = known.get(id(style))
                codes = found[1] if found is not None and found[0] is style else _codes(style, system)
                if codes is shown:
                    sent.append(text)
                elif codes is not None:
                    change, shown = _change(shown, codes, text.isspace())
                    sent += (change, text)
                else:
                    assert style is not None
                    sent += (_RESET, Strip.render_style(style, text, system))
                    shown = _PLAIN
        if shown is not _PLAIN:
            sent.append(_RESET)
        return "".join(sent)


class PartsCompositor(Compositor):
    """Textual's compositor, which renders only what has changed."""

    def render_update(  # type: ignore[override]  # what is rendered here is only written
        self, full: bool = False, screen_stack: list[Screen[object]] | None = None, simplify: bool = False
    ) -> RenderableType | CompositorUpdate | None:
        """Render the parts of lines that have changed since the last update, None for none of them.

        Args:
            full: All of the screen, as Textual renders it: for an export.
            screen_stack: Screens below this one that are seen through it.
            simplify: Of an export, to join what has one style.
        """
        if full:
            return super().render_update(full=True, screen_stack=screen_stack, simplify=simplify)
        visible_screen_stack.set(screen_stack or [])
        if not self._dirty_regions:
            return None
        spans = self._regions_to_spans(self._dirty_regions)
        self._dirty_regions = set()
        parts: list[Part] = []
        rows: dict[tuple[Widget, Region, int, int], list[int]] = {}
        for y, start, end in spans:
            for widget, region, first, last in self._shown_at(y, start, end):
                if isinstance(widget, Picture):
                    x = region.x
                    runs = widget.runs(y - region.y, first - x, last - x)
                    if runs is not None:
                        parts.append(Part(y, first, runs))
                        continue
                rows.setdefault((widget, region, first, last), []).append(y)
        for (widget, region, first, last), lines in rows.items():
            for top, height in _runs(lines):
                crop = Region(first - region.x, top - region.y, last - first, height)
                parts += (
                    Part(y, first, [(text, style) for text, style, _ in strip])
                    for y, strip in enumerate(widget.render_lines(crop), top)
                )
        return PartsUpdate(parts)

    def _shown_at(self, y: int, start: int, end: int) -> Iterator[tuple[Widget, Region, int, int]]:
        """Give the widgets seen in a part of a line, each with its region and the columns of its own."""
        if not 0 <= y < self.size.height:
            return
        open_parts = [(start, end)]
        for widget, seen, region in self.layers_visible[y]:
            left, _, width, _ = seen
            right = left + width
            if left >= end or right <= start:
                continue
            still_open = []
            for first, last in open_parts:
                if left >= last or right <= first:
                    still_open.append((first, last))
                    continue
                yield widget, region, max(first, left), min(last, right)
                still_open += [part for part in ((first, left), (right, last)) if part[0] < part[1]]
            if not still_open:
                return
            open_parts = still_open


def _runs(lines: list[int]) -> Iterator[tuple[int, int]]:
    """Give first and number of lines that follow one another; `lines` grow."""
    first = behind = lines[0]
    for y in lines:
        if y != behind:
            yield first, behind - first
            first = y
        behind = y + 1
    yield first, behind - first


class _Codes:
    """How a terminal is told a style; of the same codes there is one object.

    Attributes:
        flags: Bold, underlined and the like; empty: none of them.
        fore: Colour of the text.
        back: Colour behind it.
    """

    def __init__(self, flags: str, fore: str, back: str) -> None:
        """Take what is sent, each without what is around it."""
        self.flags = flags
        self.fore = fore
        self.back = back


@lru_cache(maxsize=_MOST_KNOWN)
def _one(flags: str, fore: str, back: str) -> _Codes:
    return _Codes(flags, fore, back)


_PLAIN: Final = _one("", "39", "49")


@cache
def _known_styles(system: ColorSystem) -> dict[int, tuple[Style | None, _Codes | None]]:
    """Give the codes of styles by their identity: to compare styles takes longer than to send them."""
    return {}


def _codes(style: Style | None, system: ColorSystem) -> _Codes | None:
    """Give the codes of a style, None for a link, whose text has more around it than codes."""
    if style is None:
        return _PLAIN
    codes = None
    if not style._link:
        flags = style._attributes & style._set_attributes
        codes = _codes_of(style.color, style.bgcolor, flags, system)
    if style._meta is None:  # texts that can be selected have each place on the screen in their styles
        known = _known_styles(system)
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[id(style)] = style, codes
    return codes


@lru_cache(maxsize=_MOST_KNOWN)
def _codes_of(fore: Color | None, back: Color | None, flags: int, system: ColorSystem) -> _Codes:
    return _one(
        ";".join(code for bit, code in enumerate(SGR_STYLES) if flags & 1 << bit),
        "39" if fore is None else ";".join(fore.downgrade(system).get_ansi_codes()),
        "49" if back is None else ";".join(back.downgrade(system).get_ansi_codes(foreground=False)),
    )


@lru_cache(maxsize=_MOST_KNOWN)
def _change(before: _Codes, after: _Codes, is_blank: bool) -> tuple[str, _Codes]:
    """Turn one style into another, and give the sequence with what the terminal's style is then.

    Args:
        is_blank: Whether nothing but blanks follows, which a colour of text does not change.
    """
    if before.flags != after.flags:
        return f"\x1b[{';'.join(filter(None, ('0', after.flags, after.fore, after.back)))}m", after
    if is_blank and not after.flags:
        after = _one(after.flags, before.fore, after.back)
    differ = [code for old, code in ((before.fore, after.fore), (before.back, after.back)) if old != code]
    return f"\x1b[{';'.join(differ)}m" if differ else "", after
