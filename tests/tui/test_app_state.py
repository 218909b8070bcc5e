"""What the client keeps between two starts."""

import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from heat_tui.client.session_file import (
    KEPT_SECONDS,
    SavedSession,
    create_session_file,
    free_sessions,
    saved_sessions,
)
from heat_tui.state import Folders, Settings, load_settings, save_settings

SAVED = SavedSession("host:7777", "secret", "KXFRM", "Ana")


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "config", tmp_path / "state", tmp_path / "data")


def test_settings_come_back(folders: Folders) -> None:
    assert load_settings(folders) == Settings()
    settings = Settings("Ana", "blue", animation="quick", ascii=True, theme="light", server="host:1")
    assert save_settings(folders, settings)
    assert load_settings(folders) == settings
    assert [path.name for path in folders.config.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "\xff",
        '{"name": 3, "colour": "pink"}',
        "null",
        '{"x":' + "[" * 5000,
        r'{"name": "\u001b[31m"}',
        '{"name": "' + "x" * 99 + '"}',
        r'{"server": "\u001b[2J"}',
    ],
)
def test_broken_settings_count_as_none(folders: Folders, text: str) -> None:
    folders.config.mkdir()
    (folders.config / "settings.json").write_text(text, encoding="latin-1")
    assert load_settings(folders) == Settings()


def test_what_is_right_in_a_wrong_file_is_kept(folders: Folders) -> None:
    folders.config.mkdir()
    (folders.config / "settings.json").write_text(
        '{"name": "Ana", "colour": "pink", "later": 1, "ascii": true}'
    )
    assert load_settings(folders) == Settings("Ana", ascii=True)


def test_settings_that_cannot_be_written_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save_settings(Folders(tmp_path / "file" / "x", tmp_path, tmp_path), Settings("Ana"))


def test_settings_that_are_not_written_whole_leave_nothing(folders: Folders) -> None:
    assert save_settings(folders, Settings("Ana"))
    largest = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, largest[1]))  # the disk is full after so many bytes
    try:
        assert not save_settings(folders, Settings("Ben"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, largest)
        signal.signal(signal.SIGXFSZ, before)
    assert [path.name for path in folders.config.iterdir()] == ["settings.json"]
    assert load_settings(folders) == Settings("Ana")


def test_a_session_is_secret_and_locked_while_in_use(folders: Folders) -> None:
    file = create_session_file(folders)
    assert saved_sessions(folders) == []
    file.save(SAVED)
    path = next((folders.state / "sessions").iterdir())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert saved_sessions(folders) == [], "in use: not to be offered to a second window"
    file.close()
    assert saved_sessions(folders) == [SAVED]

    again = next(free_sessions(folders))
    assert again.saved == SAVED
    assert saved_sessions(folders) == []
    again.delete()
    assert not path.exists()


def test_a_session_that_never_began_leaves_no_file(folders: Folders) -> None:
    create_session_file(folders).close()
    assert list((folders.state / "sessions").iterdir()) == []


def test_a_shorter_session_replaces_a_longer_one(folders: Folders) -> None:
    file = create_session_file(folders)
    file.save(SavedSession("a-long-host-name:7777", "secret" * 5, "KXFRM", "Somebody"))
    file.save(SAVED)
    file.close()
    assert saved_sessions(folders) == [SAVED]


def test_broken_and_old_sessions_are_removed(folders: Folders) -> None:
    file = create_session_file(folders)
    file.save(SAVED)
    file.close()
    path = next((folders.state / "sessions").iterdir())
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - KEPT_SECONDS - 60))
    (path.parent / "broken.json").write_text("{")
    (path.parent / "nested.json").write_text('{"x":' + "[" * 4000)
    assert saved_sessions(folders) == []
    assert list(path.parent.iterdir()) == []


def test_a_session_that_vanishes_meanwhile_hides_no_other(folders: Folders) -> None:
    file = create_session_file(folders)
    file.save(SAVED)
    file.close()
    (folders.state / "sessions" / "gone.json").symlink_to("nowhere.json")
    assert saved_sessions(folders) == [SAVED]


def test_a_session_that_cannot_be_removed_is_no_error(folders: Folders) -> None:
    file = create_session_file(folders)
    path = next((folders.state / "sessions").iterdir())
    path.unlink()
    path.mkdir()
    file.save(SAVED)
    file.delete()
    assert saved_sessions(folders) == []


def test_a_folder_that_cannot_be_written_keeps_nothing_and_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folders = Folders(tmp_path, tmp_path / "file", tmp_path)
    file = create_session_file(folders)
    file.save(SAVED)
    file.close()
    assert saved_sessions(folders) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("heat-night", "night"), ("heat-day", "light"), ("ansi-dark", "terminal"), ("pink", "auto")],
)
def test_the_names_that_themes_had_before_are_still_read(folders: Folders, old: str, new: str) -> None:
    folders.config.mkdir(parents=True)
    (folders.config / "settings.json").write_text(f'{{"theme": "{old}"}}')
    assert load_settings(folders).theme == new
