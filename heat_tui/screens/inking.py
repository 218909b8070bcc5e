"""Texts that were given their colours when they were set get those of another theme once that is on."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rich.text import Text
from textual.dom import DOMNode
from textual.widgets import OptionList, Static

from heat_tui.theme.colours import Theme, inked


@runtime_checkable
class Inked(Protocol):
    """Something of several texts."""

    def inked(self, theme: Theme) -> Inked:
        """Give it in the paints of a theme."""


def ink_again(screen: DOMNode, theme: Theme) -> None:
    """Put the paints of a theme into all texts and lists of a screen; what has no paints stays as it is."""
    for static in screen.query(Static):
        match static.content:
            case Text() as text:
                static.update(inked(text, theme), layout=False)
            case Inked() as texts:
                static.update(texts.inked(theme), layout=False)  # type: ignore[arg-type]  # a renderable
    for options in screen.query(OptionList):
        for number, option in enumerate(options.options):
            if isinstance(option.prompt, Text):
                options.replace_option_prompt_at_index(number, inked(option.prompt, theme))
