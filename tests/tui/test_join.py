"""Finding a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.state import load_settings
from heat_tui.visit import Visit
from tests.tui.support_app import SMALL, GridApp, message, server_process, until

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "An address is needed"),
        ("host:99999", "a port is a number from 1 to 65535"),
        ("127.0.0.1:1", "Nothing listens at 127.0.0.1:1"),
        ("no.such.host.invalid", "There is no host of the name"),
        ("[/b]", "is no address"),
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
            await until(lambda: len(app._visits) == 1)
            await pilot.press("escape")
            await until(lambda: isinstance(app.screen, HomeScreen) and not app._visits)


async def test_a_server_that_was_named_elsewhere_is_remembered_too(tmp_path: Path) -> None:
    """`heat-tui connect` and Rejoin come by without the form; Join offers their server the next time."""
    with server_process() as address:
        app = GridApp(tmp_path)
        visit = await Visit.begin(app.folders, address)
        app._opening = lambda app: app.show_join(visit)
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, JoinScreen))
            await pilot.pause()
            assert load_settings(app.folders).server == str(address)
