"""Plain mode is found from wherever somebody may be stuck, and the cursor follows the focus."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from textual.geometry import Offset
from textual.widgets import Input, OptionList

from heat_tui.app import HeatApp
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import Settings, save_settings
from heat_tui.words.plain_way import before_the_screen, plain_mode
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_plain import folders_of_program, homes_in

READ_SECONDS = 20.0


def begun(path: Path, columns: int, rows: int, wanted: str, **environment: str) -> str:
    """Start the program at a terminal; gives what it wrote until something was read, then ends it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    variables = (
        os.environ | homes_in(path) | {"TERM": "xterm-256color", "HEAT_TUI_NO_LAN": "1", **environment}
    )
    for name in ("COLUMNS", "LINES"):
        variables.pop(name, None)
    with subprocess.Popen(
        [sys.executable, "-m", "heat_tui"], stdin=theirs, stdout=theirs, stderr=theirs, env=variables
    ) as process:
        os.close(theirs)
        text, deadline = "", time.monotonic() + READ_SECONDS
        while wanted not in text and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.5)[0]:
                text += os.read(ours, 65_536).decode(errors="replace")
        process.kill()
    os.close(ours)
    return text


@pytest.mark.spec("EAR-6")
def test_a_line_before_the_screen_names_plain_mode(tmp_path: Path) -> None:
    screen = "\x1b[?1049h"
    text = begun(tmp_path, 80, 24, screen)
    assert plain_mode() in text.partition(screen)[0]
    save_settings(folders_of_program(tmp_path), Settings(plain_line=False))
    assert plain_mode() not in begun(tmp_path, 80, 24, screen).partition(screen)[0]
    text = begun(tmp_path, 40, 12, screen).partition(screen)[0]
    assert f"this terminal has 40x12. {plain_mode()}" in text, "whatever the setting"


@pytest.mark.spec("EAR-6")
@pytest.mark.parametrize("value", ["1", "yes"])
def test_accessible_starts_plain_mode(tmp_path: Path, value: str) -> None:
    text = begun(tmp_path, 80, 24, "For example: n > ", ACCESSIBLE=value)
    assert "Plain mode: type an answer" in text
    assert "\x1b" not in text


@pytest.mark.spec("EAR-6")
def test_plain_mode_needs_no_size() -> None:
    assert before_the_screen(80, 24, is_wanted=False) == ""
    assert before_the_screen(80, 24, is_wanted=True) == plain_mode()
    for size in ((79, 24), (80, 23)):
        assert before_the_screen(*size, is_wanted=False).endswith(plain_mode())


@pytest.mark.spec("EAR-6")
@pytest.mark.asyncio
async def test_home_the_settings_and_the_palette_name_plain_mode(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path))
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert plain_mode() in shown(pilot)
        assert any(command.help == plain_mode() for command in app.get_system_commands(app.screen))
        app.push_screen(SettingsScreen())
        await until(lambda: isinstance(app.screen, SettingsScreen))
        await until(lambda: app.screen.query("#plain_line"))
        app.screen.query_one("#plain_line").focus()
        await pilot.pause()
        assert "heat-tui --plain; a line says so at each start" in shown(pilot)


def test_the_readme_says_it_in_its_first_block() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "ACCESSIBLE=1 make play" in text.split("```")[1]


@pytest.mark.asyncio
async def test_the_cursor_stands_where_the_focus_is(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path))
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        menu = app.screen.query_one("#menu", OptionList)
        first = app.cursor_position
        assert menu.region.contains_point(first)
        await pilot.press("down")
        await pilot.pause()
        assert app.cursor_position.y > first.y
        app.push_screen(SettingsScreen())
        await until(lambda: isinstance(app.screen, SettingsScreen))
        await pilot.pause()
        name = app.screen.query_one(Input)
        await pilot.press("A", "b")
        await pilot.pause()
        assert app.cursor_position == name.cursor_screen_offset
        app.screen.query_one("#animation").focus()
        await pilot.pause()
        assert app.cursor_position == app.screen.query_one("#animation").content_region.offset
        assert app.cursor_position != Offset(0, 0)
