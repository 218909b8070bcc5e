"""What plain mode says can be read by a synthesiser and on a braille display: its signs, its lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from heat_core.options.table_options import LocalOptions
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.line_terminal import PROMPT_SIGN
from heat_tui.plain.race import PlainRace
from heat_tui.plain.words import sentences_of, spoken
from tests.tui.support_plain import Terminal, example_in

TRANSCRIPTS = Path(__file__).parents[1] / "golden" / "transcripts"

READ_AS_MEANT: Final = re.compile(r"[A-Za-z0-9 .,:;!?'\"()+=#%/_-]+")
"""Signs that espeak-ng reads as they are meant, or leaves out where nothing is lost: `+5` is plus five, `#2`
hash two, as it is typed. Arrows, dots and bars as separators, minus signs and boxes are not among them."""

UNREAD: Final = re.compile(r"(?<![\w.])[?]|\d-\d(?!\d?-)|--|\s[-/|:;]\s|[.,;:!]{2}(?<!\.\.)")
"""A sign that is no word and is left out or misread: a question mark by itself, ranges, doubled marks."""


def assert_can_be_read(lines: list[str]) -> None:
    for line in lines:
        assert READ_AS_MEANT.fullmatch(line), line
        assert not UNREAD.search(line), line
        assert len(sentences_of(line)) == 1, f"one sentence a line: {line}"


def said_by(terminal: Terminal) -> list[str]:
    """Give every line that was said, without what was typed behind a prompt."""
    return [line.partition(PROMPT_SIGN)[0] for line in terminal.lines if line]


async def a_whole_race(options: LocalOptions) -> list[str]:
    terminal = Terminal(example_in)
    await PlainRace(LocalSession(make_table(options)), terminal.line_terminal).run()
    return said_by(terminal)


@pytest.mark.spec("EAR-5")
@pytest.mark.asyncio
@pytest.mark.parametrize(
    "options",
    [
        LocalOptions(names=("Ana",), laps=2, seed="ear", legends=3, bots=("steady", "easy")),
        LocalOptions(
            names=("Ana",), laps=1, seed="ear", legends=1, garage="mixed", expansion=True, weather=True
        ),
        LocalOptions(names=("Ana", "Ben"), laps=1, seed="ear", legends=0),
    ],
)
async def test_every_line_of_a_race_is_one_sentence_that_can_be_read(options: LocalOptions) -> None:
    lines = await a_whole_race(options)
    assert len(lines) > 100
    assert_can_be_read(lines)


@pytest.mark.spec("EAR-5")
@pytest.mark.parametrize("name", ["alone", "garage", "one-keyboard", "home"])
def test_every_line_of_the_golden_games_can_be_read(name: str) -> None:
    text = (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")
    assert_can_be_read(
        [line.partition(PROMPT_SIGN.rstrip())[0].rstrip() for line in text.splitlines() if line]
    )


def test_ranges_are_spoken_and_dates_left_alone() -> None:
    assert spoken("flips 1-4, on 2026-05-01") == "flips 1 to 4, on 2026-05-01"
