"""The folders that programs use by themselves, of a user with a home directory and of one without."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from heat_core.files import user_folder

FOLDERS = ("CONFIG", "DATA", "STATE")


def no_account(user: int) -> NoReturn:
    raise KeyError(user)


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user as systemd makes them for one service."""
    for variable in ("HOME", *(f"XDG_{kind}_HOME" for kind in FOLDERS)):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", no_account)


def test_a_user_has_folders_below_the_home_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for kind in FOLDERS:
        monkeypatch.delenv(f"XDG_{kind}_HOME", raising=False)
    assert user_folder("state", "heat-server") == tmp_path / ".local" / "state" / "heat-server"


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_directory_has_folders_that_cannot_be_written() -> None:
    assert user_folder("data", "heat-server") == Path("/nonexistent/data/heat-server")


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_directory_can_name_the_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert user_folder("data", "heat-server") == tmp_path / "heat-server"


@pytest.mark.parametrize("program", ["heat_server", "heat_tui", "heat_core"])
def test_programs_start_without_a_home_directory(program: str) -> None:
    """Their defaults are worked out before anybody can say otherwise."""
    start = (
        "import pwd, runpy, sys\n"
        "def none(user): raise KeyError(user)\n"
        "pwd.getpwuid = none\n"
        "program, *sys.argv[1:] = sys.argv[1:]\n"
        "runpy.run_module(program, run_name='__main__', alter_sys=True)"
    )
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("HOME", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-c", start, program, "--help"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ")
