"""The three themes as style sheets know them: each paint of the table is a variable of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from heat_tui.theme.paints import PAINTS, THEME_NAMES, Paint, ThemeName, value

_OF_TEXTUAL: Final[Mapping[str, Paint]] = {
    "text": "ink",
    "text-muted": "soft",
    "text-disabled": "soft",
    "boost": "raised",
    "border": "line",
    "border-blurred": "line",
    "block-cursor-background": "raised",
    "block-cursor-foreground": "ink",
    "block-cursor-blurred-background": "raised",
    "block-cursor-blurred-foreground": "ink",
    "block-hover-background": "raised",
    "footer-background": "raised",
    "footer-foreground": "ink",
    "footer-key-background": "raised",
    "footer-key-foreground": "gold",
    "footer-description-background": "raised",
    "footer-description-foreground": "ink",
    "footer-item-background": "raised",
    "input-cursor-background": "gold-fill",
    "input-cursor-foreground": "fill-ink",
    "input-selection-background": "gold-fill",
    "input-selection-foreground": "fill-ink",
    "screen-selection-background": "gold-fill",
    "screen-selection-foreground": "fill-ink",
    "scrollbar": "line",
    "scrollbar-hover": "soft",
    "scrollbar-active": "gold",
    "scrollbar-background": "panel",
    "scrollbar-background-hover": "panel",
    "scrollbar-background-active": "panel",
    "scrollbar-corner-color": "panel",
}
"""What Textual's own widgets are painted with."""


def _theme(name: ThemeName) -> Theme:
    def true(paint: Paint) -> str:
        return value(name, paint).true

    return Theme(
        name=name,
        primary=true("gold"),
        secondary=true("cyan"),
        accent=true("gold"),
        warning=true("amber"),
        error=true("red"),
        success=true("green"),
        foreground=true("ink"),
        background=true("ground"),
        surface=true("panel"),
        panel=true("panel"),
        boost=true("raised"),
        dark=name != "light",
        variables={paint: true(paint) for paint in PAINTS}
        | {variable: true(paint) for variable, paint in _OF_TEXTUAL.items()},
    )


THEMES: Final = tuple(_theme(name) for name in THEME_NAMES)
