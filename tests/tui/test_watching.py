"""Private rooms, and watching: from the list, by code, in place of joining what has begun."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.flow.joining import Entrance
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from tests.tui.support_app import SMALL, folders_in, message, shown, until

pytestmark = pytest.mark.asyncio


async def opened(
    path: Path, address: Address, *, password: str | None = None, is_racing: bool = False
) -> ServerStay:
    """Open a room as a client without a screen, and race there against a Legend."""
    stay = await ServerStay.begin(folders_in(path / "host"), address)
    options = m.RoomOptions(laps=1, cars=2, legends=1)
    await stay.link.request(m.Create(0, "[b]Ana", "red", options, password))
    if is_racing:
        await stay.link.request(m.Start(0))
    await until(lambda: stay.link.room is not None and (stay.link.race is not None) is is_racing)
    return stay


async def at_the_door(
    path: Path, address: Address, code: str = "", entrance: Entrance | None = None
) -> HeatApp:
    stay = await ServerStay.begin(folders_in(path / "guest"), address)
    return HeatApp(
        folders_in(path / "guest"),
        opening=lambda app: app.show_join(stay, code, entrance=entrance),
        animate=False,
        player_name="Cy",
    )


def code_of(stay: ServerStay) -> str:
    assert stay.link.room is not None
    return stay.link.room.code


async def test_a_private_room_is_marked_and_asks_until_the_password_is_right(
    tmp_path: Path, address: Address
) -> None:
    there = await opened(tmp_path, address, password="sesame")
    app = await at_the_door(tmp_path, address)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        rooms = app.screen.query_one("#rooms", OptionList)
        await until(lambda: rooms.option_count)
        await pilot.pause()
        (line,) = [line for line in shown(pilot).split("\n") if code_of(there) in line]
        assert "password" in line
        rooms.highlighted = rooms.get_option_index(code_of(there))
        rooms.focus()
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AskScreen))
        await pilot.press(*"nonsense")
        await pilot.pause()
        assert "nonsense" not in shown(pilot), "what is typed is covered"
        asked = app.screen
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AskScreen) and app.screen is not asked)
        await pilot.pause()
        assert "password is wrong" in shown(pilot)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, AskScreen))
        await pilot.press(*"sesame", "enter")
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await until(lambda: there.link.room is not None and there.link.room.places[1].name == "Cy")
    await there.close()


@pytest.mark.parametrize("way", ["one key", "joining", "command"])
async def test_a_race_that_has_begun_is_watched_with_the_public_view_and_an_own_way_back(
    tmp_path: Path, address: Address, way: str
) -> None:
    there = await opened(tmp_path, address, password="sesame" if way == "command" else None, is_racing=True)
    code = code_of(there)
    app = await at_the_door(tmp_path, address, code, "watch" if way == "command" else None)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen | AskScreen))
        await pilot.pause()
        if way == "command":
            await until(lambda: isinstance(app.screen, AskScreen))
            await pilot.press(*"sesame", "enter")
        elif way == "one key":
            await pilot.press("f6")
        else:
            app.screen.query_one("#code", Input).focus()
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("n")
            await until(lambda: isinstance(app.screen, JoinScreen))
            assert "has already started" in message(app)
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("y")
        await until(lambda: isinstance(app.screen, RaceScreen))
        race = app.screen
        assert isinstance(race, RaceScreen)
        await pilot.pause()
        await pilot.pause()
        text = shown(pilot)
        assert "You are watching" in text
        assert "Pass the keyboard" not in text
        assert "[b]Ana" in text
        assert race.controller.view.own is None
        assert race.controller.session.seats == ()
        await until(lambda: there.link.room is not None and there.link.room.watchers == ("Cy",))
        await pilot.press("enter", "1", "up", "c", "u", "g", "o", "i", "z")
        await until(lambda: "only drivers can do that" in shown(pilot))
        await pilot.press("q")
        await pilot.pause()
        assert "Stop watching?" in shown(pilot)
        await pilot.press("y")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await until(lambda: there.link.room is not None and there.link.room.watchers == ())
        assert saved_sessions(app.folders) == []
    await there.close()


async def test_a_lobby_can_be_watched_until_its_race_begins(tmp_path: Path, address: Address) -> None:
    there = await opened(tmp_path, address)
    app = await at_the_door(tmp_path, address, code_of(there))
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        await pilot.press("f6")
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await until(lambda: there.link.room is not None and there.link.room.watchers == ("Cy",))
        await pilot.pause()
        assert not app.screen.query_one("#ready").display
        await pilot.press("r", "n", "c")
        assert isinstance(app.screen, LobbyScreen)
        await there.link.request(m.Start(0))
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
    await there.close()
