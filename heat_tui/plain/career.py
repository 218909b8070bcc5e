"""The career in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from heat_core.record.record import BadRecord
from heat_core.text import ordinal
from heat_tui.flow.career import CareerController
from heat_tui.flow.career_words import (
    LEVELS_EXPLAINED,
    NO_RACES,
    badge_text,
    board_rows,
    left_text,
    level_rows,
    race_text,
    spoken_rows,
    streak_texts,
    summary_text,
)
from heat_tui.plain.answer_words import is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.replay import PlainReplay
from heat_tui.plain.words import dates_spoken
from heat_tui.saved.finished import Finished
from heat_tui.state import Folders, load_settings

_ASKED: Final = "Type a race's number to watch it{more}, or leave. For example: leave"
_SPOKEN_RACES: Final = 10


async def career_here(terminal: LineTerminal, folders: Folders) -> None:
    """Say the whole career, and show the races of it that are wished.

    Raises:
        Left: Whoever typed is gone.
    """
    controller = CareerController(folders, load_settings(folders).player_name)
    for line in career_told(controller):
        terminal.say(line)
    races, told = controller.newest, 0
    while races:
        told = _list_more(terminal, races, told)
        more = ", more for older ones" if told < len(races) else ""
        while (line := await terminal.ask(_ASKED.format(more=more))).casefold() != "more" or not more:
            if is_leaving(line):
                return
            await _watch(terminal, folders, controller, line)


def _list_more(terminal: LineTerminal, races: Sequence[Finished], told: int) -> int:
    """Say some more races; returns how many are said by now."""
    for number, race in enumerate(races[told : told + _SPOKEN_RACES], start=told + 1):
        terminal.say(dates_spoken(f"{number}: {race_text(race)}."))
    return min(told + _SPOKEN_RACES, len(races))


async def _watch(terminal: LineTerminal, folders: Folders, controller: CareerController, typed: str) -> None:
    """Show the race of a typed number, or say why not."""
    races = controller.newest
    try:
        race = races[read_number(typed, 1, len(races), "A race") - 1]
        playback = await asyncio.to_thread(controller.playback, race)
    except BadAnswer as error:
        terminal.say(str(error))
    except BadRecord as error:
        terminal.say(f"{error}.")
    else:
        await PlainReplay(playback, terminal, folders).run()


def career_told(controller: CareerController) -> list[str]:
    """Say a career, a sentence a line."""
    career = controller.career
    fault = [controller.fault] if controller.fault else []
    if not career.races:
        return [*fault, NO_RACES]
    return [
        *fault,
        f"{summary_text(career)}.",
        f"Places, the newest last: {', '.join(ordinal(race.place) for race in career.form)}.",
        *(f"{streak}." for streak in streak_texts(career)),
        *spoken_rows(board_rows(career.boards)),
        *spoken_rows(level_rows(career.levels)),
        LEVELS_EXPLAINED,
        *(dates_spoken(f"Badge {badge_text(badge)}.") for badge in controller.won),
        *(f"Badge still to win, {left_text(badge)}." for badge in controller.left),
    ]
