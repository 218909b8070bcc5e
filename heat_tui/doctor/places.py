"""Where files are: how large, and whether more can be written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from heat_core.files import own_track_folder, shown_path, user_folder
from heat_core.text import counted
from heat_tui.doctor.findings import Finding
from heat_tui.state import CRASH_FILE, SETTINGS_FILE, Folders

_SERVER: Final = "heat-server"
_MOST_FILES: Final = 20_000
"""Of a folder with more, the rest is not counted: that would take seconds."""
_LEAST_FREE_BYTES: Final = 50_000_000


def place_findings(folders: Folders) -> list[Finding]:
    """Look at every folder that client and server use by themselves."""
    found = [
        _settings(folders.config / SETTINGS_FILE),
        _folder("seats and logs", folders.state),
        _folder("records", folders.data),
        _folder("own tracks", own_track_folder()),
        _folder("server's settings", user_folder("config", _SERVER)),
        _folder("server's store", user_folder("data", _SERVER)),
        _free(folders.data),
    ]
    crash = folders.state / CRASH_FILE
    try:
        when = datetime.fromtimestamp(crash.stat().st_mtime)
    except OSError:
        return found
    advice = "Please report it, with this file. Then remove the file."
    return [*found, Finding("crash", f"{shown_path(crash)}, written {when:%Y-%m-%d %H:%M}", advice)]


def _settings(path: Path) -> Finding:
    """Say whether the settings can be read: what cannot be read is ignored."""
    try:
        msgspec.json.decode(path.read_bytes(), type=dict[str, object])
    except FileNotFoundError:
        return Finding("settings", f"{shown_path(path)}: none saved yet", _unwritable(path.parent))
    except OSError as error:
        return Finding("settings", f"{shown_path(path)}: {error.strerror}", "Make the file readable.")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = f"{shown_path(path)} is not JSON and is ignored"
        return Finding("settings", found, "Correct or remove the file.")
    return Finding("settings", shown_path(path), _unwritable(path.parent))


def _folder(name: str, folder: Path) -> Finding:
    """Say where a folder is and what it holds; it need not exist."""
    if not folder.exists():
        return Finding(name, f"{shown_path(folder)}: nothing there yet", _unwritable(folder))
    sizes = list(_sizes(folder))
    more = "at least " if len(sizes) == _MOST_FILES else ""
    held = f"{more}{counted(len(sizes), 'file')}, {_size(sum(sizes))}"
    return Finding(name, f"{shown_path(folder)}: {held}", _unwritable(folder))


def _sizes(folder: Path) -> Iterator[int]:
    """Give the bytes of each file below a folder, of a bounded number of files; what vanishes is left out."""
    left = _MOST_FILES
    for place, _, names in os.walk(folder):
        for name in names[:left]:
            left -= 1
            try:
                yield os.lstat(os.path.join(place, name)).st_size
            except OSError:
                yield 0
        if not left:
            return


def _unwritable(folder: Path) -> str:
    """Say what to do where nothing can be written to a folder, or where it cannot be made."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ""
    return f"Nothing can be saved here: let your user write to {shown_path(there)}."


def _free(folder: Path) -> Finding:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    advice = "Make room on this disk: races are no longer saved when it is full."
    return Finding("free space", _size(free), advice if free < _LEAST_FREE_BYTES else "")


def _size(number: int) -> str:
    """Write a number of bytes."""
    for unit in ("KiB", "MiB"):
        number = -(-number // 1024)
        if number < 10_000:
            return f"{number:,} {unit}"
    return f"{number // 1024:,} GiB"
