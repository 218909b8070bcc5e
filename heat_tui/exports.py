"""A recorded race to take along: all of it as a text, or one moment as a picture."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from heat_core import events as e
from heat_core.figures import race_figures
from heat_core.playback import Playback
from heat_tui.race.presenter import Cast
from heat_tui.race.result_table import lap_chart, result_table, seed_text_lines
from heat_tui.state import Folders

if TYPE_CHECKING:
    from textual.pilot import Pilot

_WIDTH: Final = 78
PICTURE_SIZE: Final = (120, 40)
"""Of a picture that is drawn without a terminal, in columns and lines."""


def race_text(playback: Playback) -> str:
    """Tell a whole race: who raced, every sentence round by round, and the table of results."""
    setup, record = playback.record.setup, playback.record
    cast = Cast.of(setup)
    laps = "1 lap" if setup.laps == 1 else f"{setup.laps} laps"
    drivers = [f"{car.name} (Legend)" if car.legend else car.name for car in setup.cars]
    lines = [f"{setup.track.name}, {laps}, {setup.rules.preset} rules", ", ".join(drivers), ""]
    for event in record.events:
        if isinstance(event, e.RoundStarted):
            lines += ["", f"Round {event.round}", ""]
        elif text := cast.told(event):
            lines.append(f"{text}.")
    view = playback.view(playback.last, None)
    figures = race_figures(setup, record.events)
    if view.status == "ended":
        lines += ["", result_table(cast, view, figures, ()).plain]
    else:
        lines += ["", f"The record stops in round {view.round}.", ""]
    lines += ["Positions over the rounds", "", lap_chart(cast, view, figures, _WIDTH).plain]
    lines.append(seed_text_lines(record.events).plain.strip("\n"))
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")).rstrip("\n") + "\n"


def export_path(folders: Folders, playback: Playback, ending: str) -> Path:
    """Name a new file for an export of a race."""
    moment = datetime.now(UTC).strftime("%Y-%m-%d_%H%M%S")
    return folders.data / "exports" / f"{moment}_{playback.record.setup.track.id}{ending}"


async def picture_of(playback: Playback, place: int, folders: Folders | None = None) -> str:
    """Draw the replay screen at a moment without a terminal.

    Args:
        folders: For the settings; None: the user's own.

    Returns:
        SVG, in true colour.
    """
    # Textual looks at this when it is first imported; a picture has no terminal that could show less.
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"
    from heat_tui.app import HeatApp
    from heat_tui.screens.replay import ReplayScreen

    drawn = ""

    async def draw(pilot: Pilot[object]) -> None:
        nonlocal drawn
        while not (isinstance(app.screen, ReplayScreen) and app.screen.is_drawn):
            await pilot.pause(0.01)
        await pilot.pause()
        drawn = app.export_screenshot(title="heat-tui", simplify=True)
        app.exit()

    app = HeatApp(folders, opening=lambda app: app.show_replay(playback, place), animate=False)
    await app.run_async(headless=True, size=PICTURE_SIZE, auto_pilot=draw)
    return drawn
