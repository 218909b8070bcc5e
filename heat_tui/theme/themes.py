"""The two themes of the screens: for dark and for light terminals."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

THEMES: Final = (
    Theme(
        name="heat-night",
        primary="#c8332b",
        secondary="#3f6fb5",
        accent="#f0b93a",
        warning="#f0b93a",
        error="#ff6b5e",
        success="#57b560",
        foreground="#e6e4df",
        background="#131519",
        surface="#1b1e24",
        panel="#262a32",
        dark=True,
    ),
    Theme(
        name="heat-day",
        primary="#b3261e",
        secondary="#2f5d9e",
        accent="#8a5a00",
        warning="#8a5a00",
        error="#b3261e",
        success="#2c7a35",
        foreground="#1c1c1c",
        background="#f4f1ea",
        surface="#e9e4d9",
        panel="#dcd5c6",
        dark=False,
    ),
)
