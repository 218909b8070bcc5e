"""What is saved here and can be continued, and what happens to a file that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from heat_core.files import shown_path
from heat_core.race.dump import BadDump, OtherVersion
from heat_tui.saved.championship import Championship, load_championship
from heat_tui.saved.file import SaveFile, free_save_files, open_save_file
from heat_tui.saved.game import SavedGame
from heat_tui.saved.own_race import OwnRace, load_race
from heat_tui.state import Folders

Game = TypeVar("Game", bound=SavedGame)


def saved_games(folders: Folders, tell: Callable[[str], object]) -> Iterator[OwnRace | Championship]:
    """Give all that can be continued, newest first: close each one given.

    Args:
        tell: Is called with a sentence for each file that cannot be used; it stays under another name.
    """
    for file in free_save_files(folders, "race", "season"):
        if (game := _opened(file, _load, tell)) is not None:
            yield game


def newest_race(folders: Folders, tell: Callable[[str], object]) -> OwnRace | None:
    """Give the race that was left last, open; None where there is none. See `saved_games`."""
    return _newest(free_save_files(folders, "race"), load_race, tell)


def newest_championship(folders: Folders, tell: Callable[[str], object]) -> Championship | None:
    """Give the championship that was left last, open; None where there is none. See `saved_games`."""
    return _newest(free_save_files(folders, "season"), load_championship, tell)


def game_at(path: Path, tell: Callable[[str], object]) -> OwnRace | Championship | None:
    """Give one of the saved ones, open; None where it is over, or played in another window."""
    file = open_save_file(path)
    return None if file is None else _opened(file, _load, tell)


def _newest(
    files: Iterator[SaveFile], load: Callable[[SaveFile], Game], tell: Callable[[str], object]
) -> Game | None:
    opened = (_opened(file, load, tell) for file in files)
    return next((game for game in opened if game is not None), None)


def _load(file: SaveFile) -> OwnRace | Championship:
    return load_race(file) if file.kind == "race" else load_championship(file)


def _opened(file: SaveFile, load: Callable[[SaveFile], Game], tell: Callable[[str], object]) -> Game | None:
    """Read a file; one that cannot be used is told of and set aside."""
    try:
        return load(file)
    except BadDump as error:
        what = "race" if file.kind == "race" else "championship"
        reason = str(error) if isinstance(error, OtherVersion) else "its file is damaged"
        aside = shown_path(file.set_aside())
        tell(f"A saved {what} cannot be continued: {reason}. Its file was renamed to {aside}.")
        return None
