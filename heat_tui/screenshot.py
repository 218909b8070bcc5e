"""One moment of a recorded race as a picture, drawn without a terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from heat_core.record.playback import Playback

if TYPE_CHECKING:
    from textual.pilot import Pilot

PICTURE_SIZE: Final = (120, 40)
"""In columns and lines."""


async def picture_of(playback: Playback, place: int) -> str:
    """Draw the replay screen at a moment without a terminal.

    Returns:
        SVG, in true colour.
    """
    # Textual looks at this when it is first imported; a picture has no terminal that could show less.
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"
    from heat_tui.app import HeatApp
    from heat_tui.flow.replay_start import ReplayStart
    from heat_tui.screens.replay import ReplayScreen

    drawn = ""

    async def draw(pilot: Pilot[object]) -> None:
        nonlocal drawn
        while not (isinstance(app.screen, ReplayScreen) and app.screen.is_drawn):
            await pilot.pause(0.01)
        await pilot.pause()
        drawn = app.export_screenshot(title="heat-tui", simplify=True)
        app.exit()

    app = HeatApp(opening=lambda app: app.show_replay(playback, ReplayStart(place)), animate=False)
    await app.run_async(headless=True, size=PICTURE_SIZE, auto_pilot=draw)
    return drawn
