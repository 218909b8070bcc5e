"""Whatever is typed from home on, in any order: nothing breaks, and every prompt says what may be typed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from heat_tui.plain.home import Home
from heat_tui.plain.line_terminal import Left
from heat_tui.saved.records import keep_record
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import folders_in
from tests.tui.support_plain import MENU, Terminal, example_in
from tests.tui.support_replay import raced
from tests.tui.test_plain_replay import MOMENT

PROMPTS: Final = 300
KNOWN: Final = 5
"""Examples of a kind of question that are given before one knows it."""

# Without `o`, which would start a server, and without `write`, which would write anywhere.
KEYS: Final = ("n", "h", "c", "j", "p", "s", "l", "r", "r", "g", "b")
WORDS: Final = (
    *"""
    " leave quit ? help back next turn round start end seat open none hand where cars piles road cards log
    weather places results again cost give up yes no hints off 1 2 3 4 0 5 99 usa italy 1961 new all more
    list delete set drive Zoe human steady name colour blue rule hand_size=8 track laps legends bots
    season usa,gb,italy on garage mixed expansion sponsorships done keep # #1 ! 1! c b a up down , ; ~ /
    refresh usual random
    """.split(),  # noqa: SIM905  # a list would be a page long
    *("\x1b[31m", "\x00", "\u202e", "\U0001f600", "\ufffd", "x" * 3000, "9" * 30, "\u0663"),
)
"""All that means something somewhere, and some that means nothing anywhere."""


class Monkey:
    """Somebody who types what comes to mind."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._prompts = self._examples = 0

    def answer(self, prompt: str) -> str | None:
        self._examples += "or example: " in prompt
        assert self._examples > KNOWN or "or example: " in prompt or "Enter" in prompt, prompt
        self._prompts += 1
        if self._prompts > PROMPTS:
            return None
        draw = self._random.random()
        if "yes or no" in prompt:
            return "yes" if draw < 0.7 else "no"
        if prompt.startswith(MENU):
            return self._random.choice(KEYS) if draw < 0.9 else "forget b"
        if "a server's address" in prompt:  # never a name, which somebody might look up
            return self._random.choice(("leave", "1", "9", "?", "127.0.0.1:1", "127.0.0.1:x", "[::1"))
        if draw < 0.1 or ("Enter confirms" in prompt and draw < 0.3):
            return "leave"
        if draw < 0.5:
            return "" if draw < 0.3 else example_in(prompt)
        return " ".join(self._random.choices(WORDS, k=self._random.choice((1, 1, 2, 3))))


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(5))
async def test_nonsense_from_home_on_breaks_nothing(tmp_path: Path, seed: int) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(name="Ana"))
    for number in range(2):
        keep_record(folders, raced(bots=number, legends=1), MOMENT)
    terminal = Terminal(Monkey(seed).answer)
    with pytest.raises(Left) as left:
        await Home(terminal.line_terminal, folders, None).run()
    assert left.value.code == 0
    assert terminal.text.count("\nHome.\n") > 3
