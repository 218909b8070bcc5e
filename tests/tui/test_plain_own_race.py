"""A race of one's own in plain mode: left, continued, begun anew."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from heat_tui.plain.asking import GoneBack
from heat_tui.plain.game import race_here
from heat_tui.plain.home import Home
from heat_tui.plain.line_terminal import Left
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import folders_in
from tests.tui.support_own_race import RACES, alone, newest
from tests.tui.support_plain import Terminal, by_script


async def in_lines(path: Path, *typed: str, race: str = "") -> Terminal:
    """Type lines at home, or in a race that was asked for by a command, then nothing more."""
    save_settings(folders_in(path), Settings(name="Ana", hints=False))
    terminal = Terminal(by_script(*typed))
    try:
        async with asyncio.timeout(60):
            if race:
                await race_here(terminal.line_terminal, folders_in(path), RACES[race]())
            else:
                await Home(terminal.line_terminal, folders_in(path), None).run()
    except (Left, GoneBack):
        pass
    return terminal


@pytest.mark.spec("APP-14")
@pytest.mark.asyncio
async def test_in_lines_a_race_is_left_continued_and_begun_anew_after_a_question(tmp_path: Path) -> None:
    terminal = await in_lines(tmp_path, "2", "", "leave", "yes", race="alone")
    assert "Leave the race? It is saved; continue it from home." in terminal.flow
    assert "Pick 2 cards." in terminal.prompts[2]
    terminal = await in_lines(tmp_path)
    assert "g: Continue, race on Italy, lap 1 of 1, round 1: " in terminal.text
    terminal = await in_lines(tmp_path, "continue", "leave", "yes", "quit")
    assert "Pick 2 cards." in terminal.prompts[1], "the gear is not asked for again"
    terminal = await in_lines(tmp_path, "?", "old", "leave", race="hot-seat")
    assert terminal.prompts[0].startswith("You have a saved race on Italy, lap 1 of 1, round 1: Ana.")
    assert "Enter continues it; new starts another." in terminal.prompts[0]
    assert "One race outside championships is saved at a time." in terminal.text
    assert "Type new, or press Enter." in terminal.text
    terminal = await in_lines(tmp_path, "", race="hot-seat")
    assert "Pick 2 cards." in terminal.prompts[1]
    terminal = await in_lines(tmp_path, "new", race="hot-seat")
    assert terminal.prompts[1].startswith("Pass the keyboard to Ana")
    terminal = await in_lines(tmp_path)
    assert "g: Continue, race on USA, lap 1 of 1, round 1." in terminal.text
    assert "Italy" not in terminal.text
    taken = newest(tmp_path)
    assert taken is not None
    assert "Continue" not in (await in_lines(tmp_path)).text, "another window plays it"
    taken.delete()


@pytest.mark.asyncio
async def test_in_lines_what_cannot_be_saved_or_continued_is_one_sentence(tmp_path: Path) -> None:
    race = alone(tmp_path)
    race.close()
    race.path.write_bytes(b"no race")
    terminal = await in_lines(tmp_path)
    assert terminal.text.count("A saved race cannot be continued: its file is damaged.") == 1
    shutil.rmtree(tmp_path / "state")
    (tmp_path / "state").write_text("no folder")
    terminal = await in_lines(tmp_path, "2", "", "1 2", "", race="alone")
    assert terminal.text.count("It cannot be saved (Not a directory), so it ends with this program.") == 1
