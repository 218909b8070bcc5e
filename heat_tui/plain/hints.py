"""Hints of races in plain mode, as long as the settings have them on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from heat_tui.client.session import Session
from heat_tui.flow.ghost import GhostFinder
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.race import End, PlainRace
from heat_tui.plain.talk import Talk
from heat_tui.state import Folders, load_settings, save_settings


async def race_with_hints(
    session: Session,
    terminal: LineTerminal,
    folders: Folders,
    talk: Talk | None = None,
    *,
    is_lesson: bool = False,
    find_ghost: GhostFinder | None = None,
) -> End:
    """Race to the end, with explanations where the settings have them; once they are over, they are off.

    Args:
        talk: With the people of the room; None where the table is here.
        is_lesson: Explain in any case.
        find_ghost: Reads the race that drives along; None: none does.

    Raises:
        Left: Whoever typed is gone.
    """
    has_hints = is_lesson or load_settings(folders).hints
    race = PlainRace(session, terminal, talk, is_lesson=has_hints, find_ghost=find_ghost)
    before = terminal.at_any_question

    def turn(is_on: bool) -> str:
        _keep(folders, is_on)
        return race.turn_hints(is_on)

    terminal.at_any_question = before | _switches(turn)
    try:
        return await race.run()
    finally:
        terminal.at_any_question = before
        if race.controller.is_lesson_over:
            _keep(folders, False)


def hints_of_later(folders: Folders) -> dict[str, Callable[[], str]]:
    """Give what `hints on` and `hints off` do where nobody races, by what is typed."""

    def turn(is_on: bool) -> str:
        if not _keep(folders, is_on):
            return "The settings cannot be saved, so nothing has changed."
        return "Hints are on: the next race explains each phase." if is_on else "Hints are off."

    return _switches(turn)


def _switches(turn: Callable[[bool], str]) -> dict[str, Callable[[], str]]:
    return {"hints on": partial(turn, True), "hints off": partial(turn, False)}


def _keep(folders: Folders, is_on: bool) -> bool:
    return save_settings(folders, msgspec.structs.replace(load_settings(folders), hints=is_on))
