"""The notification on the desktop: the bytes that ask for it, and when they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.events import AppBlur, AppFocus

from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.screens import settings as settings_screen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import Settings, save_settings
from heat_tui.terminal.notification import Notification, notification
from tests.tui.fake_server import FakeRace
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_company import Told
from tests.tui.support_race import HeldSession, RaceApp, begin, table_at

CARS = {
    "Ana": "lap 1 space 60 gear 2 engine 3 hand 1 2 3 4",
    "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2",
}


@pytest.mark.parametrize(
    ("kind", "environment", "asked"),
    [
        ("off", {}, ""),
        ("osc9", {}, "\x1b]9;Heat: Hello.\x1b\\"),
        ("osc777", {}, "\x1b]777;notify;Heat;Hello.\x1b\\"),
        ("osc9", {"TMUX": "/tmp/tmux"}, "\x1bPtmux;\x1b\x1b]9;Heat: Hello.\x1b\x1b\\\x1b\\"),
        ("osc9", {"TERM": "linux"}, ""),
    ],
)
def test_each_sequence_is_what_terminals_know(
    kind: Notification, environment: dict[str, str], asked: str
) -> None:
    assert notification(kind, "Hello.", environment) == asked


@pytest.mark.parametrize("kind", ["osc9", "osc777"])
def test_no_text_ends_or_changes_the_sequence(kind: Notification) -> None:
    evil = "Ana\x07\x1b]0;x\x1b\\\x9c\x9d\n\r;9;4;1;50\x00\u202e\u2066" + "a" * 5_000
    plain = notification(kind, "Ana]0x\\94150" + "a" * 5_000, {})
    assert notification(kind, evil, {}) == plain
    assert len(plain) < 160


def listen(app: HeatApp) -> list[str]:
    """Note what is written to the terminal from now on."""
    written: list[str] = []
    driver: Any = app._driver
    driver.write = written.append
    return written


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("kind", "is_away", "count"), [("osc9", True, 1), ("osc9", False, 0), ("off", True, 0)]
)
async def test_the_own_turn_at_a_server_is_announced_to_who_looks_elsewhere(
    tmp_path: Path, kind: Notification, is_away: bool, count: int
) -> None:
    save_settings(folders_in(tmp_path), Settings(notification=kind))
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    screen = RaceScreen(RemoteSession(Told(FakeRace())))
    async with app.run_test(size=SMALL) as pilot:
        written = listen(app)
        app.post_message(AppBlur() if is_away else AppFocus())
        await pilot.pause()
        await app.push_screen(screen)
        await until(lambda: screen.controller.seen > 0)
        await pilot.pause()
        assert screen.controller.owes_a_choice
        assert [text for text in written if text.startswith("\x1b]9;")] == [
            "\x1b]9;Heat: It is your turn.\x1b\\"
        ] * count


@pytest.mark.asyncio
async def test_a_race_at_the_own_keyboard_announces_nothing(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(notification="osc9"))
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)))
    async with app.run_test(size=SMALL) as pilot:
        written = listen(app)
        app.post_message(AppBlur())
        await begin(pilot)
        assert app.controller.owes_a_choice
        assert not any(text.startswith("\x1b]9;") for text in written)


@pytest.mark.asyncio
async def test_the_settings_have_a_line_to_try_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_screen, "_TRY_SECONDS", 0.01)
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        written = listen(app)
        app.action_settings()
        await until(lambda: isinstance(app.screen, SettingsScreen))
        await pilot.pause()
        row = app.screen.query_one("#try-notification")
        row.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert "Choose OSC 9 or OSC 777 first" in shown(pilot)
        app.screen.query_one("#notification").focus()
        await pilot.press("right", "right")
        assert app.settings.notification == "osc777"
        app.post_message(AppBlur())
        await pilot.pause()
        app.screen.query_one("#try-notification").post_message(row.Pressed(row))  # type: ignore[attr-defined]
        await until(lambda: any(text.startswith("\x1b]777;notify;Heat;") for text in written))
        assert "a notification should appear in 5 seconds" in shown(pilot)
