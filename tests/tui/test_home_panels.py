"""What is around Home's menu: logo, circuit, own results, and the servers nearby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from textual.events import ScreenResume
from textual.widgets import OptionList

from heat_core.files import load_track
from heat_core.version import program_version
from heat_core.wire.address import Address
from heat_tui import nearby
from heat_tui.app import HeatApp
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.server_stay import ServerStay
from heat_tui.nearby import NearbyServer
from heat_tui.saved.finished import FinishedIndex
from heat_tui.saved.keeping import keep_races
from heat_tui.saved.records import record_files
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.theme.paints import rgb
from heat_tui.widgets.home_menu import HomeMenu
from heat_tui.widgets.home_picture import HomePicture
from tests.tui.scenes.scene import settled
from tests.tui.support_app import LARGE, SMALL, folders_in, message, shown, until
from tests.tui.support_career import race
from tests.tui.support_own_race import alone
from tests.tui.support_replay import raced

pytestmark = pytest.mark.asyncio

DEN = NearbyServer("den", Address("127.0.0.1", 1), 2, "0.1.0", True)
CELLAR = NearbyServer("cellar", Address("127.0.0.1", 3), 0, "0.1.0", True)
OLDER = NearbyServer("attic", Address("127.0.0.1", 2), 1, "0.0.9", False)


def client(path: Path, *, nearby_on: Sequence[str] | None = None) -> HeatApp:
    return HeatApp(folders_in(path), animate=False, player_name="Ana", nearby_on=nearby_on)


def has_circuit(app: HeatApp) -> bool:
    """Whether the road of a far circuit is drawn."""
    picture = app.screen.query_one(HomePicture)
    road = rgb("night", "far-road")
    strips = (picture.render_line(y) for y in range(picture.size.height))
    styles = (segment.style for strip in strips for segment in strip)
    return any(
        style is not None and style.bgcolor is not None and style.bgcolor.triplet == road for style in styles
    )


@pytest.mark.spec("LOOK-7")
async def test_a_circuit_is_drawn_behind_the_panels_where_there_is_room(tmp_path: Path) -> None:
    app = client(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot, HomeScreen)
        assert has_circuit(app)
        menu = app.screen.query_one("#menu").region
        behind = app.screen._compositor.render_strips()[menu.y].crop(menu.x, menu.right)
        panel = rgb("night", "panel")
        assert {segment.style.bgcolor.triplet for segment in behind if segment.style} == {panel}  # type: ignore[union-attr]
        await pilot.resize_terminal(*SMALL)
        await settled(pilot, HomeScreen)
        assert not has_circuit(app)
        await pilot.resize_terminal(200, 60)
        await settled(pilot, HomeScreen)
        assert has_circuit(app)


@pytest.mark.spec("LOOK-7")
async def test_the_circuit_is_where_a_race_was_left_else_of_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = client(tmp_path).home
    home.refresh()
    monkeypatch.setattr("heat_tui.daily.daily_board", lambda day, boards: "spain")
    assert home.circuit(()) == load_track("spain"), "the daily race's"
    assert home.circuit([race(1, board="japan"), race(2, board="gb")]) == load_track("gb")
    assert home.circuit([race(1, board="gone")]) == load_track("spain"), "a track of one's own is gone"
    alone(tmp_path).close()
    home.refresh()
    assert home.circuit([race(1, board="japan")]) == load_track("italy")


@pytest.mark.spec("LOOK-7")
async def test_a_race_that_was_left_comes_first_with_place_and_opponents(tmp_path: Path) -> None:
    alone(tmp_path).close()
    app = client(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot, HomeScreen)
        rows = [line.strip() for line in shown(pilot).splitlines()]
        at = next(number for number, row in enumerate(rows) if "Continue" in row)
        assert "race on Italy, lap 1 of 1, round 1" in rows[at]
        assert rows[at + 1].startswith("1st of 3, against 1 steady")
        for entry in ("DRIVE", "New race", "TOGETHER", "Host", "MORE", "Quit"):
            assert any(entry in row for row in rows), entry


@pytest.mark.spec("LOOK-7")
async def test_own_results_are_beside_the_menu_and_in_one_line_without_room(tmp_path: Path) -> None:
    FinishedIndex(folders_in(tmp_path), "Ana").add(
        *(race(number, place=1 + number % 3) for number in range(6))
    )
    app = client(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot, HomeScreen)
        text = shown(pilot)
        assert "races 6   won 2   podiums 6" in text
        assert text.count("USA") == 4
        assert f"heat-tui {program_version()}" in text
        await pilot.resize_terminal(*SMALL)
        await settled(pilot, HomeScreen)
        assert "Your last race: 3rd of 6 on USA" in shown(pilot)
        assert "races 6" not in shown(pilot)


async def test_the_menu_is_written_again_only_when_it_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = client(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot, HomeScreen)
        menu, written = app.screen.query_one(HomeMenu), list[str]()
        clear = menu.clear_options

        def clear_and_note() -> OptionList:
            written.append(app.current_theme.name)
            return clear()

        monkeypatch.setattr(menu, "clear_options", clear_and_note)
        app.screen.post_message(ScreenResume())
        await settled(pilot, HomeScreen)
        await pilot.press("down")
        app.screen.post_message(ScreenResume())
        await settled(pilot, HomeScreen)
        highlighted = menu.highlighted
        assert len(written) <= 1, "at most for another line that is chosen"
        app.change_settings(msgspec.structs.replace(app.settings, theme="light"))
        await settled(pilot, HomeScreen)
        assert written[-1] == "light"
        assert menu.highlighted == highlighted
        alone(tmp_path).close()
        app.screen.post_message(ScreenResume())
        await settled(pilot, HomeScreen)
        assert "Continue" in shown(pilot)


async def test_a_key_watches_the_last_race(tmp_path: Path) -> None:
    app = client(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot, HomeScreen)
        assert "Watch your last race" not in shown(pilot), "there is none"
        await keep_races(app.folders, app.settings, [raced()], (0,), "Ana")
        app.screen.post_message(ScreenResume())
        await until(lambda: "Watch your last race" in shown(pilot))
        await pilot.press("w")
        await until(lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("q")
        await until(lambda: isinstance(app.screen, HomeScreen))
        for _, record in record_files(app.folders):
            record.unlink()
        await pilot.press("w")
        await until(lambda: "The record of this race is no longer there." in message(app))


@pytest.mark.spec("LOOK-7")
async def test_servers_nearby_fill_in_when_found_and_enter_joins_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listeners: list[Callable[[Sequence[NearbyServer]], None]] = []
    over: list[bool] = []

    async def watch(on_change: Callable[[Sequence[NearbyServer]], None], interfaces: Sequence[str]) -> None:
        listeners.append(on_change)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            over.append(True)

    tried: list[Address] = []

    async def begin(folders: object, address: Address) -> ServerStay:
        tried.append(address)
        raise ConnectFailed("Nothing listens there.")

    monkeypatch.setattr(nearby, "watch_nearby", watch)
    monkeypatch.setattr(ServerStay, "begin", begin)
    app = client(tmp_path, nearby_on=())
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: listeners)
        assert "None so far. They show up here." in shown(pilot)
        assert not app.screen.query_one("#nearby", OptionList).can_focus
        listeners[0]([OLDER, DEN])
        await pilot.pause()
        assert "den  127.0.0.1:1" in shown(pilot)
        assert "attic" not in shown(pilot), "it speaks another version"
        await pilot.press("tab")
        await pilot.pause()
        listeners[0]([CELLAR, DEN])  # between the look and the key
        await pilot.press("enter")
        listeners[0]([CELLAR])
        await until(lambda: message(app) == "Nothing listens there.")
        assert tried == [DEN.address], "the one that was chosen"
        await pilot.press("s")
        await until(lambda: over)
        await pilot.press("escape")
        await until(lambda: len(listeners) == 2)
        await pilot.resize_terminal(*SMALL)
        listeners[1]([DEN])
        await pilot.pause()
        assert "1 server nearby" in shown(pilot)
