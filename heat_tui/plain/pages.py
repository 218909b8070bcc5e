"""How to play, shown part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentence_of
from heat_tui.words.how_to_play import sections

_PHASES: Final = 9

_IN_THE_RACE: Final = """\
Every question says what you can type, with an example; a question mark explains it. You see what an answer
will cost before Enter confirms it; an exclamation mark after it confirms at once. Cards are
typed by their names, such as 4 3 stress. cost and an answer shows only the cost. where, cars, hand, piles,
cards, road, weather and log show the situation; rules shows this page. give up gives up, leave leaves.
"""
"""In place of the screen's keys."""


def _parts() -> list[tuple[str, str]]:
    """Give heading and text of each part; the last one of the screen is about its keys."""
    told = []
    for heading, text in list(sections())[:-1]:
        number, _, name = heading.partition("  ")
        told.append((f"Phase {number}, {name.lower()}" if name else heading, text))
    return [*told, ("In the race", " ".join(_IN_THE_RACE.split()))]


def rules_told(wanted: str) -> list[str]:
    """Tell a part of the page, or which there are.

    Args:
        wanted: The number of a phase, how a part's heading begins, `all`, or nothing.
    """
    parts = _parts()
    begins = f"phase {wanted}," if wanted.isdecimal() else wanted.casefold()
    found = [part for part in parts if wanted == "all" or (wanted and part[0].casefold().startswith(begins))]
    if found:
        return [f"{sentence_of(heading)} {text}" for heading, text in found]
    names = "; ".join(heading for heading, _ in parts)
    return [
        f"The parts are {names}.",
        "Type rules and how one begins, or a phase's number, or all, for example: rules legends.",
    ]


async def read_how_to_play(terminal: LineTerminal) -> None:
    """Read part by part, until the end or until that is left.

    Raises:
        Left: Whoever typed is gone.
    """
    parts = _parts()
    place = 0
    _read(terminal, parts[:1])
    while place < len(parts) - 1:
        line = (
            await terminal.ask(
                "Enter continues, back goes back, 1 to 9 reads that phase, all reads the rest, leave ends. "
                "For example: 5"
            )
        ).casefold()
        if is_leaving(line):
            return
        if is_asking(line):
            terminal.say("The parts are " + "; ".join(heading for heading, _ in parts) + ".")
            continue
        try:
            first, place = _next(line, place, parts)
        except BadAnswer as error:
            terminal.say(str(error))
        else:
            _read(terminal, parts[first : place + 1])


def _next(line: str, place: int, parts: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Say which parts a line asks for: the first and the last of them."""
    if not line:
        return place + 1, place + 1
    if line == "back":
        return max(0, place - 1), max(0, place - 1)
    if line == "all":
        return place + 1, len(parts) - 1
    number = read_number(line, 1, _PHASES, "A phase")
    found = next(place for place, (heading, _) in enumerate(parts) if heading.startswith(f"Phase {number},"))
    return found, found


def _read(terminal: LineTerminal, parts: Sequence[tuple[str, str]]) -> None:
    for heading, text in parts:
        terminal.say(f"{sentence_of(heading)} {text}")
