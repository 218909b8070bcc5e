"""How a race in plain mode is left: by a word, by Ctrl-C, by the end of the input, by giving up."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.signals import INTERRUPTED
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.race import PlainRace
from tests.tui.support_plain import Terminal, alone_at, by_script, race

pytestmark = pytest.mark.asyncio


async def test_leaving_and_giving_up_ask() -> None:
    terminal, end = await race(alone_at(), by_script("leave", "no", "give up", "no", "quit", "yes"))
    assert end == "left"
    asked = [prompt for prompt in terminal.prompts if "yes or no" in prompt]
    assert [prompt.split("?")[0] for prompt in asked] == [
        "Leave the race",
        "Does Ana give up this race",
        "Leave the race",
    ]
    terminal, end = await race(alone_at(), by_script("give up", "yes"))
    assert end == "over"
    assert "Ana gives up." in terminal.text


async def test_ctrl_c_asks_and_goes_on_or_leaves() -> None:
    session = alone_at()
    terminal = Terminal(by_script("where"))
    playing = asyncio.create_task(PlainRace(session, terminal.line_terminal).run())
    terminal.line_terminal.interrupt()
    terminal.line_terminal.hear("")
    terminal.line_terminal.interrupt()
    terminal.line_terminal.hear("yes")
    with pytest.raises(Left) as left:
        await playing
    assert left.value.code == INTERRUPTED
    assert terminal.flow.count("Leave? It is played only in this terminal, so it ends.") == 2
    assert terminal.text.count("Pick 3 cards. For example") == 2, "the question is asked again"


async def test_a_second_ctrl_c_needs_no_answer() -> None:
    terminal = Terminal(by_script())
    terminal.line_terminal.interrupt()
    terminal.line_terminal.interrupt()
    with pytest.raises(Left) as left:
        await PlainRace(alone_at(), terminal.line_terminal).run()
    assert left.value.code == INTERRUPTED


async def test_the_end_of_the_input_leaves_cleanly() -> None:
    terminal = Terminal(by_script("where"))
    with pytest.raises(Left) as left:
        await PlainRace(alone_at(), terminal.line_terminal).run()
    assert left.value.code == 0
    assert terminal.text.endswith("\n")
