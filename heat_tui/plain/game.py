"""Races at this keyboard, in lines."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.table import Table
from heat_tui.flow.ghost import ghost_finder
from heat_tui.flow.home import CONTINUE, another_race_question
from heat_tui.flow.own_games import OwnGames
from heat_tui.flow.table_factory import own_lesson
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, GoneBack, answered
from heat_tui.plain.hints import race_with_hints
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.review import REVIEW_EXPLAINED, Review
from heat_tui.saved.keeping import keep_races
from heat_tui.saved.own_race import OwnRace
from heat_tui.state import Folders, load_settings, save_settings

_QUESTION: Final = "Type results, places, log, analysis, again for another race, or leave."
_SHORT_QUESTION: Final = "Type again, leave, or help for all."
"""Once the other one has been heard."""
_AGAIN: Final = (
    "again starts another race with the same drivers on the same track, newly dealt; leave goes back. "
    f"{REVIEW_EXPLAINED[:1].upper()}{REVIEW_EXPLAINED[1:]}"
)
_SAVED_EXPLAINED: Final = (
    "One race outside championships is saved at a time. Enter continues it where you left it; new removes it "
    "and begins the new race; leave does neither."
)


async def race_here(
    terminal: LineTerminal, folders: Folders, table: Table | None, *, is_lesson: bool = False
) -> None:
    """Race at a new table in this process, and again as long as that is wished; ask first where one is saved.

    Args:
        table: None: no race is wished.
        is_lesson: Explain each question of the first race, whatever the settings say.

    Raises:
        GoneBack: The saved race stays, and none is begun.
        Left: Whoever typed is gone.
    """
    while table is not None:
        race = await _saved_or_begun(terminal, folders, table)
        table, is_lesson = await _raced(terminal, folders, race, is_lesson=is_lesson), False


async def continue_race_here(terminal: LineTerminal, folders: Folders, race: OwnRace) -> None:
    """Race a saved race on, and again as long as that is wished; raises as `race_here` does."""
    await race_here(terminal, folders, await _raced(terminal, folders, race))


async def _saved_or_begun(terminal: LineTerminal, folders: Folders, table: Table) -> OwnRace:
    """Begin a race; where one is saved, ask which of them is raced, and remove it if it is the other."""
    games = OwnGames(folders, terminal.say)
    saved = games.newest_race()
    if saved is not None:
        question = f"{another_race_question(saved.text_with_people)} Enter continues it; new starts another."
        try:
            if await continues(terminal, f"{question} For example: new", _SAVED_EXPLAINED):
                return saved
        except (GoneBack, Left):
            games.close()
            raise
        saved.delete()
    return games.begin_race(table)


async def _raced(
    terminal: LineTerminal, folders: Folders, race: OwnRace, *, is_lesson: bool = False
) -> Table | None:
    """Race a race from wherever it stands; give the table of another one where that is wished."""
    session, settings = race.session(), load_settings(folders)
    name = settings.player_name
    has_ghost = terminal.has_ghost and settings.ghost
    finder = ghost_finder(folders, name, session) if has_ghost else None
    try:
        end = await race_with_hints(session, terminal, folders, is_lesson=is_lesson, find_ghost=finder)
        records = await session.records()
        await keep_races(folders, load_settings(folders), records, session.seats)
    except Left:
        race.close()
        raise
    await session.close()
    terminal.farewell = ""
    if end != "over":
        return None
    review = Review(terminal, folders, session, records[0])
    await review.tell_bests()
    return session.another_table() if await _wishes_another(terminal, review) else None


async def continues(terminal: LineTerminal, question: str, explained: str) -> bool:
    """Ask whether to continue what is saved, or to begin again.

    Raises:
        GoneBack: Neither is wished.
        Left: Whoever typed is gone.
    """
    return await answered(terminal, question, _is_continuing, lambda: [explained])


def _is_continuing(line: str) -> bool:
    if line.casefold() in ("", CONTINUE.label.casefold()):
        return True
    if line.casefold() == "new":
        return False
    raise BadAnswer("Type new, or press Enter.")


async def lesson_here(terminal: LineTerminal, folders: Folders, name: str = "") -> None:
    """Race the race that explains itself; until it is over or hints are off, other races do so too.

    Args:
        name: Instead of the settings' name.
    """
    settings = load_settings(folders)
    save_settings(folders, msgspec.structs.replace(settings, hints=True))
    table = own_lesson(name or settings.player_name, settings.colour)
    await race_here(terminal, folders, table, is_lesson=True)


async def _wishes_another(terminal: LineTerminal, review: Review) -> bool:
    """Ask until another race is wished, or none."""
    question = _QUESTION
    while True:
        line = (await terminal.ask(f"{question} For example: leave")).casefold()
        question = _SHORT_QUESTION
        if is_leaving(line):
            return False
        if is_asking(line):
            terminal.say(_AGAIN)
        elif line == "again":
            return True
        elif not await review.takes(line):
            terminal.say(f"There is no {line!r} here." if line else "Type a word; help names them all.")
