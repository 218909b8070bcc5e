"""Races in lines that explain themselves as long as the settings say so, as on the screen."""

from __future__ import annotations

import msgspec

from heat_tui.plain.race import End, PlainRace
from heat_tui.plain.talk import Talk
from heat_tui.plain.voice import Voice
from heat_tui.session import Session
from heat_tui.state import Folders, load_settings, save_settings


async def race_with_hints(
    session: Session, voice: Voice, folders: Folders, talk: Talk | None = None, *, is_lesson: bool = False
) -> End:
    """Race to the end, with explanations where the settings have them; once they are over, they are off.

    Args:
        talk: With the people of the room; None where the table is here.
        is_lesson: Explain in any case.

    Raises:
        Left: Whoever typed is gone.
    """
    race = PlainRace(session, voice, talk, is_lesson=is_lesson or load_settings(folders).hints)
    try:
        return await race.run()
    finally:
        if race.is_lesson_over:
            save_settings(folders, msgspec.structs.replace(load_settings(folders), hints=False))
