"""The name that others see: asked for once, where nobody has said one."""

from __future__ import annotations

import msgspec

from heat_core.names import clean_name
from heat_tui.plain.asking import answered
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.state import Folders, load_settings, login_name, save_settings


async def name_for_others(voice: LineTerminal, folders: Folders) -> str:
    """Give the name of the settings; where they have none, ask for it and keep what is typed.

    The name of the login is shown to others only where whoever typed agrees.

    Raises:
        GoneBack: No name is wished.
        Left: Nobody is there to answer any more.
    """
    settings = load_settings(folders)
    if settings.name:
        return settings.name
    login = login_name()
    name = await answered(
        voice,
        f"Type the name that the others will see; Enter alone takes {login}. For example: Ana",
        lambda line: clean_name(line) if line else "",
        lambda: ["It is saved in the settings, where name changes it. leave goes back."],
    )
    if name:
        save_settings(folders, msgspec.structs.replace(settings, name=name))
    return name or login
