"""Puzzles in lines."""

from __future__ import annotations

from heat_core.race.commands import Command
from heat_tui.flow.puzzles import ONE_ANSWER, Answer, PuzzleSession, PuzzleShelf
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.race import PlainRace
from heat_tui.state import Folders, load_settings


async def puzzles_here(terminal: LineTerminal, folders: Folders) -> None:
    """Offer the puzzles, and have them solved until that is left.

    Raises:
        Left: Whoever typed is gone.
    """
    shelf = PuzzleShelf(folders)
    name = load_settings(folders).player_name
    terminal.say(f"Puzzles: {shelf.summary} {ONE_ANSWER}")
    if shelf.fault:
        terminal.say(shelf.fault)
    usual = 0
    while True:
        example = usual + 1
        line = await terminal.ask(
            f"Type a puzzle's number, Enter for {example}, list to hear all, or leave. For example: {example}"
        )
        if is_leaving(line):
            return
        if is_asking(line) or line.casefold() == "list":
            for place in range(len(shelf.puzzles)):
                terminal.say(f"{shelf.spoken(place)}.")
            continue
        try:
            chosen = read_number(line, 1, len(shelf.puzzles), "A puzzle") - 1 if line else usual
        except BadAnswer as error:
            terminal.say(str(error))
            continue
        if await _solved(terminal, shelf, chosen, name):
            usual = min(chosen + 1, len(shelf.puzzles) - 1)


async def _solved(terminal: LineTerminal, shelf: PuzzleShelf, place: int, name: str) -> bool:
    """Have one puzzle answered; returns whether it was."""
    race: PlainRace | None = None
    answers: list[Answer] = []

    def answered(command: Command) -> None:
        answers.append(shelf.answer(place, command))
        assert race is not None
        race.leave()

    session = PuzzleSession(shelf.open(place, name), answered)
    race = PlainRace(session, terminal)
    await race.run()
    await session.close()
    terminal.farewell = ""
    for answer in answers:
        terminal.say(answer.verdict)
        terminal.say(answer.solution)
        for line in answer.lines:
            terminal.say(f"{line}.")
        terminal.say(answer.missed)
    return bool(answers)
