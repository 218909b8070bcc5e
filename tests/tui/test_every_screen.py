"""What holds of every screen: a way to it, a picture, a way home; each of its keys has a name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.actions import parse
from textual.await_complete import AwaitComplete
from textual.pilot import Pilot
from textual.widgets import OptionList
from textual.widgets._footer import FooterKey

from heat_tui.app import HeatApp
from heat_tui.flow.home import ENTRIES
from heat_tui.keys.palette import list_bindings, named_keys
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from tests.tui.doors import DOORS, LEAVE, AnyScreen, door_app, go_through, screen_classes
from tests.tui.scenes import SCENES
from tests.tui.scenes.scene import visit
from tests.tui.support_app import SMALL, folders_in, until


@pytest.mark.spec("APP-8")
def test_no_screen_is_without_a_test_and_a_picture() -> None:
    assert screen_classes() == set(DOORS) == {scene.screen for scene in SCENES}


@pytest.mark.asyncio
@pytest.mark.spec("APP-3")
@pytest.mark.parametrize("screen", DOORS, ids=lambda screen: screen.__name__)
async def test_every_key_has_a_name_and_an_action_and_every_screen_leads_back_to_home(
    tmp_path: Path, screen: type[AnyScreen]
) -> None:
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
        for key in door.home:
            before = app.screen
            await pilot.press(key)
            await until(lambda: app.screen is not before)  # noqa: B023  # it is waited for in the same turn
        await until(lambda: isinstance(app.screen, HomeScreen))
        assert len(app.screen_stack) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["lobby-kick", "lobby-password", "leave"])
async def test_the_footer_of_a_dialog_names_the_way_out_last(tmp_path: Path, name: str) -> None:
    (scene,) = [scene for scene in SCENES if scene.name == name]
    (keys,) = await visit(scene, [SMALL], tmp_path, footer_of)
    assert len(keys) > 1
    assert keys[-1] in ("Cancel", "Back", "No")
    assert not {"Cancel", "Back", "No"} & {*keys[:-1]}


def footer_of(pilot: Pilot[None]) -> list[str]:
    keys = pilot.app.screen.query(FooterKey)
    return [key.description for key in keys if "-command-palette" not in key.classes]


class Hasty(HeatApp):
    """A client that ends as soon as a screen comes up.

    Attributes:
        last: The screen that is still opened.
        turns: How many turns of the event loop it has until the end.
        ending: The task that ends the client, once that screen comes.
    """

    last: type[AnyScreen]
    turns: int
    ending: asyncio.Task[None] | None = None

    def push_screen(self, screen: Any, *rest: Any, **named: Any) -> Any:
        """End behind the last screen."""
        pushed = super().push_screen(screen, *rest, **named)
        self._end_behind(screen)
        return pushed

    def switch_screen(self, screen: Any) -> AwaitComplete:
        """End behind the last screen."""
        switched = super().switch_screen(screen)
        self._end_behind(screen)
        return switched

    def _end_behind(self, screen: AnyScreen) -> None:
        if type(screen) is self.last and self.ending is None:
            self.ending = asyncio.create_task(self._end())

    async def _end(self) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)
        self.exit()


@pytest.mark.asyncio
@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize(
    "screen", [screen for screen in DOORS if screen is not HomeScreen], ids=lambda screen: screen.__name__
)
async def test_a_screen_may_be_taken_down_while_it_comes_up(
    tmp_path: Path, screen: type[AnyScreen], turns: int
) -> None:
    door = DOORS[screen]
    app = Hasty(folders_in(tmp_path), opening=door.opening, animate=False, player_name="Ana")
    app.last, app.turns = screen, turns
    async with app.run_test(size=SMALL) as pilot:
        going = asyncio.create_task(go_through(pilot, door))
        await until(lambda: app.ending is not None and not app.is_running)
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
    assert app.return_code == 0


def test_no_screen_begins_before_it_is_known_to_stand() -> None:
    for screen in screen_classes():
        own = [kind.__name__ for kind in screen.__mro__ if "on_mount" in vars(kind)]
        assert own[0] == HeatScreen.__name__, screen


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
        await until(lambda: menu.option_count)
        listed = [str(menu.get_option_at_index(place).prompt) for place in range(menu.option_count)]
    for entry in ENTRIES:
        assert any(entry.label in line for line in listed), entry
