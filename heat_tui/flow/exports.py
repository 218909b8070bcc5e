"""A recorded race to take along as a text, and where what is taken along is put."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.record.figures import race_figures
from heat_core.record.playback import NOT_VERIFIED, Playback
from heat_core.text import counted
from heat_tui.race.presenter import RaceLabels
from heat_tui.state import Folders
from heat_tui.words.result_table import lap_chart, result_table, seed_text_lines

_WIDTH: Final = 78


def race_heading(setup: RaceSetup) -> tuple[str, str]:
    """Say what is raced, and who races."""
    drivers = [f"{car.name} (Legend)" if car.legend else car.name for car in setup.cars]
    return f"{setup.track.name}, {counted(setup.laps, 'lap')}, {setup.rules.preset} rules", ", ".join(drivers)


def race_text(playback: Playback) -> str:
    """Give a whole race: who raced, every sentence round by round, and the table of results."""
    setup, record = playback.record.setup, playback.record
    labels = RaceLabels.of(setup)
    lines = [*race_heading(setup)]
    lines += [""] if playback.is_verified else [f"{NOT_VERIFIED}.", ""]
    for event in record.events:
        if isinstance(event, e.RoundStarted):
            lines += ["", f"Round {event.round}", ""]
        elif text := labels.told(event):
            lines.append(f"{text}.")
    view = playback.view(playback.last, None)
    figures = race_figures(setup, record.events)
    if view.status == "ended":
        lines += ["", result_table(labels, view, figures, ()).plain]
    else:
        lines += ["", f"The record stops in round {view.round}.", ""]
    lines += ["Positions over the rounds", "", lap_chart(labels, view, figures, _WIDTH).plain]
    lines.append(seed_text_lines(record.events).plain.strip("\n"))
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")).rstrip("\n") + "\n"


def export_path(folders: Folders, playback: Playback, ending: str) -> Path:
    """Name a new file for an export of a race."""
    moment = datetime.now(UTC).strftime("%Y-%m-%d_%H%M%S")
    return folders.data / "exports" / f"{moment}_{playback.record.setup.track.id}{ending}"
