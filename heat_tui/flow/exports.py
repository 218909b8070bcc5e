"""A recorded race as a text, and the files for exports."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from heat_core.files import shown_path
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.record.figures import race_figures
from heat_core.record.playback import NOT_VERIFIED, Playback
from heat_core.text import counted
from heat_tui.race.presenter import RaceLabels
from heat_tui.state import GUESTS_WRITE_NOTHING, Folders
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


class NotExported(Exception):
    """A file that cannot be written; the text says why, in one sentence."""


def export_path(folders: Folders, playback: Playback, ending: str) -> Path:
    """Name a new file for an export of a race, and make its folder.

    Raises:
        NotExported: The folder cannot be made, or the player is a guest.
    """
    _check_guest(folders)
    moment = datetime.now(UTC).strftime("%Y-%m-%d_%H%M%S")
    path = folders.data / "exports" / f"{moment}_{playback.record.setup.track.id}{ending}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_exported(path, error) from None
    return path


def typed_path(folders: Folders, typed: str) -> Path:
    """Read the name of a file for an export.

    Raises:
        NotExported: It begins with a home that nobody has, or the player is a guest.
    """
    _check_guest(folders)
    try:
        return Path(typed).expanduser()
    except RuntimeError:
        raise NotExported(f"{typed[:80]!r} is not a possible file name.") from None


def write_export(path: Path, text: str) -> None:
    """Write an export, over what may be there.

    Raises:
        NotExported: It cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_exported(path, error) from None
    except ValueError:  # a character that no name of a file has
        raise NotExported(f"{str(path)[:80]!r} is not a possible file name.") from None


def _check_guest(folders: Folders) -> None:
    if folders.guest_of is not None:
        raise NotExported(GUESTS_WRITE_NOTHING)


def _not_exported(path: Path, error: OSError) -> NotExported:
    return NotExported(f"{shown_path(error.filename or path)}: {error.strerror}.")
