"""The career in lines."""

from __future__ import annotations

from heat_tui.flow.career import CareerController
from heat_tui.flow.career_words import (
    LEVELS_EXPLAINED,
    NO_RACES,
    badge_text,
    board_rows,
    form_text,
    level_rows,
    missing_text,
    spoken_rows,
    streak_texts,
    summary_text,
)
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.state import Folders, load_settings


async def career_here(terminal: LineTerminal, folders: Folders) -> None:
    """Say the whole career."""
    for line in career_told(CareerController(folders, load_settings(folders).player_name)):
        terminal.say(line)


def career_told(controller: CareerController) -> list[str]:
    """Say a career, a sentence a line."""
    career = controller.career
    fault = [controller.fault] if controller.fault else []
    if not career.races:
        return [*fault, NO_RACES]
    left = missing_text(controller.left)
    return [
        *fault,
        f"{summary_text(career)}.",
        f"Places of the last {len(career.form)}, the newest last: {form_text(career.form)}.",
        *(f"{streak}." for streak in streak_texts(career)),
        *spoken_rows(board_rows(career.boards)),
        *spoken_rows(level_rows(career.levels)),
        LEVELS_EXPLAINED,
        *(f"Badge {badge_text(badge)}." for badge in controller.won),
        *([left] if left else []),
    ]
