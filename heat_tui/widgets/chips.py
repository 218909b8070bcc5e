"""The lines of the forecast with what matters as chips: the cards, the space, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.view.observation import Observation
from heat_tui.flow.verdict import stays_of, verdict_on
from heat_tui.map.marks import CornerState
from heat_tui.map.palette import ROAD_GLYPHS
from heat_tui.race.draft import Draft
from heat_tui.theme.colours import BOLD, DIM, ON_AMBER, ON_GREEN, ON_RED, RED
from heat_tui.theme.glyphs import ASCII, Glyphs
from heat_tui.theme.paints import style

CHIPS: Final[dict[CornerState, Style]] = {"free": ON_GREEN, "heat": ON_AMBER, "spin_out": ON_RED}
_CARD: Final = style("night", "card-ink", "card", bold=True)
_PICKED: Final = re.compile(r"picked (.+?) = ")
_SPACE: Final = re.compile(r"space \d+(?:(?:,| to| or) \d+)*")
_FREE: Final = ": free"
_SPIN_OUT: Final = "SPIN-OUT "
_SPEED: Final = re.compile(r"speed \d+(?: to \d+)?")


def with_chips(
    lines: Sequence[Text], observation: Observation, draft: Draft, width: int, glyphs: Glyphs
) -> list[Text]:
    """Give the forecast of a draft with chips; where one more has no room, the words alone stay.

    Args:
        lines: The sum first, then what it costs; they are left as they are.
        width: In cells.
    """
    verdict = verdict_on(observation, draft)
    if not lines:
        return []
    first, *others = (line.copy() for line in lines)
    chip = _CARD if verdict is None else CHIPS[verdict.state]
    if (space := _SPACE.search(first.plain)) is not None:
        first.stylize(chip, *space.span())
    if (speed := _SPEED.search(first.plain)) is not None:
        first.stylize(Style(bold=True), *speed.span())
    if (picked := _PICKED.search(first.plain)) is not None:
        start = picked.start(1)
        for card in picked[1].split(" + "):
            first.stylize(_CARD, start, start + len(card))
            start += len(card) + 3
    if verdict is not None and others:
        sign = ROAD_GLYPHS[verdict.state][glyphs is ASCII]
        words = _without(others[0], _FREE) if verdict.text == "FREE" else others[0]
        if verdict.state == "spin_out" and words.plain.lstrip().startswith(_SPIN_OUT):
            words = _without(words, _SPIN_OUT)
        told = Text.assemble(" ", (f" {sign} {verdict.text} ", chip), words)
        gauge = _engine_gauge(observation, draft, glyphs)
        if told.cell_len <= width:
            others[0] = told + gauge if told.cell_len + gauge.cell_len <= width else told
    return [first, *others]


def _without(line: Text, words: str) -> Text:
    """Leave words out that the chip before the line says."""
    before, found, _ = line.plain.partition(words)
    return line[: len(before)] + line[len(before) + len(found) :] if found else line


def _engine_gauge(observation: Observation, draft: Draft, glyphs: Glyphs) -> Text:
    """Draw the engine before and after a draft; nothing where it stays as it is."""
    engine, stays = observation.own_car.engine, stays_of(observation, draft)
    if stays is None or stays >= engine:
        return Text()
    return Text.assemble(
        ("   engine ", DIM),
        (glyphs.heat_full * stays, Style(color=RED, bold=True)),
        (glyphs.heat_full * (engine - stays), DIM),
        f" {engine} {glyphs.right} ",
        (f"{stays} left", BOLD),
    )
