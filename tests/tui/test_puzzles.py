"""Puzzles on the race screen and in lines: one answer, judged, and stars that are saved."""

import asyncio
from pathlib import Path

import pytest

from heat_core.race import commands as c
from heat_core.refusal import Refused
from heat_tui.client.session import Session
from heat_tui.flow.puzzles import PuzzleSession, PuzzleShelf
from heat_tui.plain.puzzles import puzzles_here
from heat_tui.screens.puzzles import AnswerDialog, PuzzlesScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.state import Settings, save_settings
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import LARGE, SMALL, GridApp, folders_in, shown, until
from tests.tui.support_plain import Terminal, by_script

GEAR = "gear"


def place_of(shelf: PuzzleShelf, kind: str) -> int:
    return next(place for place, puzzle in enumerate(shelf.puzzles) if puzzle.kind == kind)


def test_an_answer_is_judged_and_saved(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    shelf = PuzzleShelf(folders)
    assert shelf.stars == 0
    for place, puzzle in enumerate(shelf.puzzles):
        wrong = shelf.answer(place, puzzle.lines[-1].answers[0])
        assert not wrong.is_right
        assert any("(your answer)" in line for line in wrong.lines)
        assert len(wrong.lines) <= 7
        right = shelf.answer(place, puzzle.lines[0].answers[-1])
        assert right.verdict == "Right!"
        assert right.lines[0].endswith(": best (your answer)")
    again = PuzzleShelf(folders)
    assert again.stars == sum(puzzle.stars for puzzle in shelf.puzzles)
    assert "solved" in again.spoken(0)
    assert again.text(0, is_plain=True).isascii()


@pytest.mark.asyncio
@pytest.mark.parametrize("data", [b"\xff{", b'{"format": 2, "solved": {}}', b'{"solved": {"a": 0}}'])
async def test_a_file_that_cannot_be_read_is_told_and_left_alone(tmp_path: Path, data: bytes) -> None:
    folders = folders_in(tmp_path)
    folders.data.mkdir(parents=True)
    path = folders.data / "puzzles.json"
    path.write_bytes(data)
    shelf = PuzzleShelf(folders)
    assert shelf.stars == 0
    assert shelf.answer(0, shelf.puzzles[0].lines[0].answers[0]).is_right
    assert path.read_bytes() == data
    terminal = Terminal(by_script("leave"))
    await puzzles_here(terminal.line_terminal, folders)
    assert "puzzles.json cannot be read, so no solved puzzle is shown or saved" in terminal.text
    app = GridApp(tmp_path, opening=lambda app: app.show_puzzles())
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PuzzlesScreen))
        await pilot.pause()
        assert "cannot be read" in shown(pilot)
    path.unlink()
    assert not PuzzleShelf(folders).fault


def test_the_file_says_its_format(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    shelf = PuzzleShelf(folders)
    shelf.answer(0, shelf.puzzles[0].lines[0].answers[0])
    assert '"format": 1' in (folders.data / "puzzles.json").read_text()


@pytest.mark.asyncio
async def test_a_puzzle_takes_one_answer_and_gives_no_advice(tmp_path: Path) -> None:
    shelf = PuzzleShelf(folders_in(tmp_path))
    taken: list[c.Command] = []
    opened = shelf.open(place_of(shelf, GEAR), "Legend 1")  # a name that somebody has: the file's is taken
    session: Session = PuzzleSession(opened, taken.append)
    assert session.advice_refusal
    (seat,) = session.seats
    with pytest.raises(Refused):
        await session.submit(seat, None, c.GiveUp())
    gear = shelf.puzzles[place_of(shelf, GEAR)].lines[0].answers[0]
    await session.submit(seat, opened.asked.decision, gear)
    assert taken == [gear]
    number = opened.table.event_number
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await session.changed(number)
    await session.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)
async def test_from_the_list_to_the_answer_and_on(tmp_path: Path, size: tuple[int, int]) -> None:
    app = GridApp(tmp_path, opening=lambda app: app.show_puzzles())
    place = place_of(PuzzleShelf(app.folders), GEAR)
    async with app.run_test(size=size) as pilot:
        app.enter_gap_seconds = 0.0
        await until(lambda: isinstance(app.screen, PuzzlesScreen))
        await pilot.press(*["down"] * place, "enter")
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.choosing is not None)
        await pilot.pause(0.5)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AnswerDialog))
        await pilot.pause()
        assert "easy bots missed it" in shown(pilot)
        await pilot.press("a")
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.choosing is not None)
        await pilot.pause(0.5)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AnswerDialog))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, PuzzlesScreen))
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, PuzzlesScreen)


@pytest.mark.asyncio
async def test_lines_ask_and_judge(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(name="Ana", hints=False))
    shelf = PuzzleShelf(folders)
    place = place_of(shelf, GEAR)
    best = shelf.puzzles[place].lines[0].answers[0]
    assert isinstance(best, c.ShiftGear)
    terminal = Terminal(by_script("99", str(place + 1), "advice", f"{best.gear}!", "list", "leave"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        await puzzles_here(terminal.line_terminal, folders)
    assert "Right!" in terminal.lines
    assert "4: Mexico, slipstream or not, 1 star." in terminal.lines, "said where list asks for it"
    assert "There is no advice in a puzzle." in terminal.lines
    assert PuzzleShelf(folders).stars == shelf.puzzles[place].stars
