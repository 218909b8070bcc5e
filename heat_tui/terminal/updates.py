"""What goes to the terminal when a part of the screen changes: the cells of that part, in few bytes.

Textual renders all widgets in the rectangle around what has changed, cuts their lines wherever any widget
begins, writes a changed part of a line from where its widget begins, and each style in full. With cars on a
map of 150 columns that is several times the work and the bytes that their cells need. Here a widget is asked
for the cells that have changed and no others, and of a style only what differs from the one before is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

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


class Part(NamedTuple):
    """Neighbouring cells of a line.

    Attributes:
        y: Line of the screen, from 0.
        x: Column of the first cell, from 0.
        strip: What the cells show.
    """

    y: int
    x: int
    strip: Strip


class PartsUpdate(CompositorUpdate):
    """Some cells of the screen."""

    def __init__(self, parts: Iterable[Part]) -> None:
        """Take what is to be shown; it is sent from the top down."""
        self.parts = sorted(parts)

    def render_segments(self, console: Console) -> str:
        """Write what is to be sent: for each part the way there, and its cells."""
        system = console._color_system or ColorSystem.TRUECOLOR
        sent: list[str] = []
        shown = _PLAIN
        for y, x, strip in self.parts:
            sent.append(_move_to(x, y))
            for text, style, _ in strip:
                if style is not None and style._link:
                    sent += (_RESET, Strip.render_style(style, text, system))
                    shown = _PLAIN
                    continue
                codes = _PLAIN if style is None else _codes(style, system)
                if codes is not shown:
                    change, shown = _change(shown, codes, text.isspace())
                    sent.append(change)
                sent.append(text)
        if shown != _PLAIN:
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
        screen = self.size.region
        changed = [region.intersection(screen) for region in self._dirty_regions]
        self._dirty_regions.clear()
        rows: dict[tuple[Widget, Region, int, int], list[int]] = {}
        for y, start, end in self._regions_to_spans(changed):
            for widget, region, first, last in self._shown_at(y, start, end):
                rows.setdefault((widget, region, first, last), []).append(y)
        return PartsUpdate(
            Part(y, first, strip)
            for (widget, region, first, last), lines in rows.items()
            for top, height in _runs(lines)
            for y, strip in enumerate(
                widget.render_lines(Region(first - region.x, top - region.y, last - first, height)), top
            )
        )

    def _shown_at(self, y: int, start: int, end: int) -> Iterator[tuple[Widget, Region, int, int]]:
        """Give the widgets seen in a part of a line, each with its region and the columns of its own."""
        open_parts = [(start, end)]
        for widget, seen, region in self.layers_visible[y]:
            left, right = seen.column_span
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


class _Codes(NamedTuple):
    """How a terminal is told a style.

    Attributes:
        flags: Bold, underlined and the like; empty: none of them.
        fore: Colour of the text.
        back: Colour behind it.
    """

    flags: str
    fore: str
    back: str


_PLAIN: Final = _Codes("", "39", "49")


def _codes(style: Style, system: ColorSystem) -> _Codes:
    """Look up a style, but for texts that can be selected: theirs have each place on the screen in them."""
    if style._meta is None:
        return _codes_of_style(style, system)
    return _codes_of(style.color, style.bgcolor, style._attributes & style._set_attributes, system)


@lru_cache(maxsize=16_384)
def _codes_of_style(style: Style, system: ColorSystem) -> _Codes:
    return _codes_of(style.color, style.bgcolor, style._attributes & style._set_attributes, system)


@lru_cache(maxsize=16_384)
def _codes_of(fore: Color | None, back: Color | None, flags: int, system: ColorSystem) -> _Codes:
    return _Codes(
        ";".join(code for bit, code in enumerate(SGR_STYLES) if flags & 1 << bit),
        _PLAIN.fore if fore is None else ";".join(fore.downgrade(system).get_ansi_codes()),
        _PLAIN.back if back is None else ";".join(back.downgrade(system).get_ansi_codes(foreground=False)),
    )


@lru_cache(maxsize=16_384)
def _change(before: _Codes, after: _Codes, is_blank: bool) -> tuple[str, _Codes]:
    """Turn one style into another, and give the sequence with what the terminal's style is then.

    Args:
        is_blank: Whether nothing but blanks follows, which a colour of text does not change.
    """
    if before.flags != after.flags:
        return f"\x1b[{';'.join(filter(None, ('0', *after)))}m", after
    if is_blank and not after.flags:
        after = after._replace(fore=before.fore)
    if before == after:
        return "", before
    differ = [code for old, code in zip(before[1:], after[1:], strict=True) if old != code]
    return f"\x1b[{';'.join(differ)}m", after


def _move_to(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H"
