"""A championship in plain mode: its races, what lies between them, and how it is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_core.options.table_options import LocalOptions, SeasonOptions
from heat_tui.flow.own_games import OwnGames
from heat_tui.flow.table_factory import make_season_of
from heat_tui.plain.season import begin_championship_here, championship_here
from heat_tui.saved.continuing import saved_games
from heat_tui.saved.records import record_files
from tests.tui.support_app import folders_in
from tests.tui.support_plain import Terminal, by_script, example_in, first_then_examples

pytestmark = pytest.mark.asyncio


@pytest.mark.spec("APP-10.5")
async def test_a_championship_by_prompts_alone_with_a_break(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    options = LocalOptions(
        names=("Ana",), season=SeasonOptions(tracks=("usa", "italy", "usa")), laps=1, seed="s", legends=2
    )
    script = first_then_examples("drive Zoe human", "drive Ana random", "drive Ana dog", " ", "leave", "yes")
    terminal = Terminal(script)
    await begin_championship_here(terminal.line_terminal, folders, make_season_of(options))
    assert "You can give these cars to another driver: Ana." in terminal.text
    assert "At least one car must be driven at this keyboard." in terminal.text
    assert "A car is driven by human," in terminal.text
    assert "It is saved" in terminal.text

    def on(prompt: str) -> str:
        return "" if prompt.startswith("Enter races") else example_in(prompt)

    terminal = Terminal(on)
    saved = OwnGames(folders, print).newest_championship()
    assert saved is not None
    await championship_here(terminal.line_terminal, folders, saved)
    assert terminal.text.count("The race is over") == 3
    assert "is champion with" in terminal.text
    assert list(saved_games(folders, print)) == []
    assert len(record_files(folders)) == 3, "each race is kept"


async def test_between_races_of_a_championship_the_last_one_can_be_asked_about(tmp_path: Path) -> None:
    options = LocalOptions(names=("Ana",), season=SeasonOptions(year=1961), laps=1, seed="s", legends=2)
    script = by_script("results", "", "give up", "yes", "results", "places", "analysis", "leave")
    terminal = Terminal(script)
    await begin_championship_here(terminal.line_terminal, folders_in(tmp_path), make_season_of(options))
    assert terminal.text.count("Type drive, end or leave, or press Enter.") == 1, "nothing is raced yet"
    assert "You are 3rd of 3: gave up." in terminal.text.split("> results")[2]
    assert "There is nothing to analyse yet" in terminal.text


async def test_a_championship_can_be_ended(tmp_path: Path) -> None:
    options = LocalOptions(names=("Ana",), season=SeasonOptions(year=1961), laps=1, seed="s", legends=2)
    terminal = Terminal(by_script("what", "end", "no", "end", "yes"))
    await begin_championship_here(terminal.line_terminal, folders_in(tmp_path), make_season_of(options))
    assert "Type drive, end or leave, or press Enter." in terminal.text
    assert "The championship ended before its last race." in terminal.text
    assert list(saved_games(folders_in(tmp_path), print)) == []


@pytest.mark.parametrize("leaving", ["leave", "quit", "exit"])
async def test_before_a_race_of_a_championship_a_question_mark_explains_and_all_words_leave(
    tmp_path: Path, leaving: str
) -> None:
    options = LocalOptions(names=("Ana",), season=SeasonOptions(year=1961), laps=1, seed="s", legends=2)
    terminal = Terminal(by_script("?", "help", leaving))
    await begin_championship_here(terminal.line_terminal, folders_in(tmp_path), make_season_of(options))
    assert terminal.text.count("Enter begins the next race.") == 2
    assert "That is none of" not in terminal.text
    assert len(terminal.prompts) == 3
