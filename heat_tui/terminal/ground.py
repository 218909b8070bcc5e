"""The terminal's own ground: is it light? Terminals that answer OSC 11 say its colour; others say nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from textual.message import Message

from heat_tui.terminal.environment import CONSOLE
from heat_tui.terminal.notification import through_tmux

ANSWER_BEGINS: Final = b"\x1b]11;"

_QUESTION: Final = "\x1b]11;?\x1b\\"
_ANSWER: Final = re.compile(
    rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(?:/[0-9a-fA-F]{1,4})?"
    rb"(?:\x07|\x1b\\)"
)
_LIGHT: Final = 0.5
"""From this brightness on a ground is light."""


class GroundShown(Message):
    """The terminal has said what its ground is.

    Attributes:
        is_light: Whether dark text is what suits it.
    """

    def __init__(self, *, is_light: bool) -> None:
        """Hold what was said."""
        super().__init__()
        self.is_light = is_light


def ground_question(environment: Mapping[str, str]) -> str:
    """Give what asks a terminal for its ground; empty where asking would leave marks on the screen."""
    if environment.get("TERM") == CONSOLE:
        return ""
    # The second asks the terminal that tmux runs in, where tmux itself does not know.
    return _QUESTION + (through_tmux(_QUESTION) if environment.get("TMUX") else "")


def ground_answer(answer: bytes) -> GroundShown | None:
    """Read an answer; None where it is one to something else."""
    if (found := _ANSWER.fullmatch(answer)) is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return GroundShown(is_light=0.299 * red + 0.587 * green + 0.114 * blue >= _LIGHT)
