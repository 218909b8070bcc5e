"""Questions of plain mode with a way back, an explanation and one sentence for a wrong answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from heat_core.names import BadName
from heat_core.options.option import BadOption
from heat_core.wire.address import BadAddress
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.line_terminal import LineTerminal

Given = TypeVar("Given")


class BadAnswer(ValueError):
    """An answer that cannot be; the text is one sentence for people."""


class GoneBack(Exception):
    """Whoever was asked would rather go back to where they came from."""


async def answered(
    terminal: LineTerminal,
    question: str,
    take: Callable[[str], Given],
    explain: Callable[[], Sequence[str]],
) -> Given:
    """Ask until there is an answer.

    Args:
        question: Says what may be typed, with an example.
        take: Makes something of a line, an empty one too.
        explain: Gives what a question mark is answered with.

    Raises:
        GoneBack: That was wished instead.
        Left: Nobody is there to answer any more.
    """
    while True:
        line = await terminal.ask(question)
        if is_leaving(line):
            raise GoneBack
        if is_asking(line):
            for told in explain():
                terminal.say(told)
            continue
        try:
            return take(line)
        except (BadAnswer, BadOption, BadName, BadAddress) as error:
            terminal.say(str(error))


def read_number(text: str, least: int, most: int, what: str = "That") -> int:
    """Read a number of a range.

    Args:
        what: The beginning of the sentence about a wrong one.

    Raises:
        BadAnswer: It is none, or out of the range.
    """
    if text.isascii() and text.isdecimal() and len(text) < 7 and least <= int(text) <= most:
        return int(text)
    if least == most:
        raise BadAnswer(f"{what} must be {least}.")
    raise BadAnswer(f"{what} must be a number from {least} to {most}.")
