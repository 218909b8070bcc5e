"""Finding a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from heat_core.wire.address import Address
from heat_core.wire.lan import Doors
from heat_core.wire.messages import RoomOptions
from heat_tui.client.server_stay import ServerStay
from heat_tui.nearby import NearbyServer
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.state import load_settings
from tests.tui.support_app import SMALL, GridApp, folders_in, message, server_process, shown, until

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "HOST:PORT"),
        ("host:99999", "from 1 to 65535"),
        ("127.0.0.1:1", "Nothing listens at 127.0.0.1:1"),
        ("no.such.host.invalid", "There is no host named"),
        ("[/b]", "is not an address"),
    ],
)
async def test_wrong_addresses_are_told_in_place(tmp_path: Path, typed: str, answer: str) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("j")
        app.screen.query_one("#server", Input).value = typed
        await pilot.press("enter")
        await until(lambda: answer in message(app))
        assert isinstance(app.screen, JoinScreen)
        assert app.screen.query_one("#lower").disabled
        await pilot.press("f2")
        assert message(app).startswith("Connect to a server first")


async def test_connecting_shows_the_rooms_and_remembers_the_address(tmp_path: Path) -> None:
    with server_process() as address:
        app = GridApp(tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("j", *str(address), "enter")
            await until(lambda: not app.screen.query_one("#lower").disabled)
            assert load_settings(app.folders).server == str(address)
            # Again to the same server, in place of the first connection.
            app.screen.query_one("#server").focus()
            await pilot.press("enter")
            await until(lambda: len(app.stays) == 1)
            await pilot.press("escape")
            await until(lambda: isinstance(app.screen, HomeScreen) and not app.stays)


async def test_a_server_that_was_named_elsewhere_is_remembered_too(tmp_path: Path) -> None:
    """`heat-tui connect` and Rejoin come by without the form; Join offers their server the next time."""
    with server_process() as address:
        app = GridApp(tmp_path)
        stay = await ServerStay.begin(app.folders, address)
        app._opening = lambda app: app.show_join(stay)
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, JoinScreen))
            await pilot.pause()
            assert load_settings(app.folders).server == str(address)


async def test_servers_nearby_keep_to_their_columns_and_those_of_other_versions_cannot_be_chosen(
    tmp_path: Path,
) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("j")
        join = app.screen
        assert isinstance(join, JoinScreen)
        join.query_one("#near").display = True
        join.query_one("#lower").display = False
        doors = Doors(ssh=2222, web=8000)
        kitchen = NearbyServer("kitchen", Address("192.0.2.7", 7777), 3, "0.1.0", True, doors)
        other = NearbyServer("[/b]世界" + "x" * 40, Address("192.0.2.200", 7777), 1, "0.2.0-verylo", False)
        den = NearbyServer("den", Address("192.0.2.9", 7777), 3, "0.1.0", True)
        join._show_nearby([other, kitchen])
        await pilot.pause()
        lines = shown(pilot).splitlines()
        rows = [line for line in lines if "192.0.2." in line]
        assert len(rows) == 2
        assert "version 0.2.0-verylo" in rows[0]
        heading = next(line for line in lines if "also by" in line)
        assert heading.index("also by") == rows[1].index("ssh 2222, web 8000"), "in its column"
        listed = join.query_one("#nearby", OptionList)
        listed.focus()
        await pilot.pause()
        assert listed.highlighted == 1, "Enter does something at once"
        assert message(app) == "Choose a server and press Enter."
        join._show_nearby([den, other, kitchen])
        assert listed.highlighted == 2, "who is on one stays on it"
        join._show_nearby([den])
        assert listed.highlighted == 0
        join._show_nearby([])
        assert not listed.can_focus
        assert "Looking for servers" in shown(pilot)


@pytest.mark.spec("LOBBY-2")
async def test_a_code_that_leads_nowhere_is_said_above_the_list_of_rooms(tmp_path: Path) -> None:
    """`heat-tui connect` goes into the room at once; the list that comes behind leaves the sentence alone."""
    with server_process() as address:
        app = GridApp(tmp_path)
        stay = await ServerStay.begin(app.folders, address)
        app._opening = lambda app: app.show_join(stay, "NOPE", "", "join")
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, JoinScreen))
            await until(lambda: message(app) == "No room has this code.")
            await pilot.pause()
            await until(lambda: "No rooms yet" in shown(pilot))
            assert message(app) == "No room has this code."
            assert load_settings(app.folders).name == "", "a name that nobody typed is not saved"


async def test_another_name_leads_on_into_the_room_whose_code_was_given(tmp_path: Path) -> None:
    with server_process() as address:
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        await ana.create("Ana", "red", RoomOptions())
        await until(lambda: ana.link.room)
        assert ana.link.room is not None
        code = ana.link.room.code
        app = GridApp(tmp_path / "other")
        stay = await ServerStay.begin(app.folders, address)
        app._opening = lambda app: app.show_join(stay, code, "", "join")
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, AskScreen))
            await pilot.pause()
            assert "already has that name" in shown(pilot)
            first = app.screen
            await pilot.press("enter")  # without a change it is asked for again
            await until(lambda: isinstance(app.screen, AskScreen) and app.screen is not first)
            await pilot.pause()
            await pilot.press(*["backspace"] * 3, *"Ann 2", "enter")
            await until(lambda: isinstance(app.screen, LobbyScreen))
            assert stay.link.room is not None
            assert (stay.link.room.code, stay.name) == (code, "Ann 2")
        await ana.leave()
