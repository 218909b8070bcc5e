"""What holds of every screen: a way to it, a picture, a way home; each of its keys has a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.actions import parse
from textual.widgets import OptionList

from heat_tui.key_commands import list_bindings, named_keys
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from tests.tui import test_pictures
from tests.tui.doors import DOORS, LEAVE, AnyScreen, door_app, go_through, screen_classes
from tests.tui.support_app import SMALL, until

EACH = pytest.mark.parametrize("screen", DOORS, ids=lambda screen: screen.__name__)


@pytest.fixture(autouse=True)
def _no_pause_between_two_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RaceScreen, "ENTER_GAP_SECONDS", 0.0)


@pytest.mark.spec("APP-8")
def test_no_screen_is_without_a_test_and_a_picture() -> None:
    assert screen_classes() == set(DOORS)
    taken = {door.picture for door in DOORS.values()} - {""}
    assert [name for name in taken if not hasattr(test_pictures, name)] == []


@pytest.mark.asyncio
@pytest.mark.spec("APP-3")
@EACH
async def test_every_screen_leads_back_to_home(tmp_path: Path, screen: type[AnyScreen]) -> None:
    door = DOORS[screen]
    app = door_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, door)
        await until(lambda: type(app.screen) is screen)
        for key in door.home:
            before = app.screen
            await pilot.press(key)
            await until(lambda: app.screen is not before)  # noqa: B023  # it is waited for in the same turn
        await until(lambda: isinstance(app.screen, HomeScreen))
        assert len(app.screen_stack) == 1


@pytest.mark.asyncio
@EACH
async def test_every_key_has_a_name_and_does_something(tmp_path: Path, screen: type[AnyScreen]) -> None:
    door = DOORS[screen]
    app = door_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, door)
        await until(lambda: type(app.screen) is screen)
        for binding in list_bindings(app.screen):
            scope, name, _ = parse(binding.action)
            owner = app if scope == "app" else app.screen
            assert hasattr(owner, f"action_{name}"), binding
            assert binding.description, binding
        names = [named.name for named in named_keys(app.screen)]
        assert len(set(names)) == len(names), names


@pytest.mark.asyncio
@pytest.mark.spec("APP-3")
async def test_leaving_a_race_asks_first(tmp_path: Path) -> None:
    door = DOORS[RaceScreen]
    app = door_app(tmp_path, door)
    async with app.run_test(size=SMALL) as pilot:
        await go_through(pilot, door)
        race = app.screen
        for way_out in ("q", "escape"):
            await pilot.press(way_out)
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("n")
            await until(lambda: app.screen is race)
        await pilot.press(*LEAVE)
        await until(lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.asyncio
@pytest.mark.spec("APP-3")
async def test_home_lists_all_that_one_can_do(tmp_path: Path) -> None:
    app = door_app(tmp_path, DOORS[HomeScreen])
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        menu = app.screen.query_one(OptionList)
        listed = [str(menu.get_option_at_index(place).id) for place in range(menu.option_count)]
    wanted = ["new_race", "hot_seat", "championship", "join", "host", "replays", "how_to_play", "settings"]
    assert [name for name in wanted if name not in listed] == []
