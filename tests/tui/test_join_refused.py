"""Rooms that cannot be joined: one sentence each, back to where one was (LOBBY-2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from heat_core.race.commands import GiveUp
from heat_core.wire import messages as m
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.join import JoinScreen
from tests.tui.support_app import SMALL, GridApp, folders_in, message, server_process, until

pytestmark = pytest.mark.asyncio


async def room(stay: ServerStay, cars: int) -> str:
    await stay.create("Ana", "red", m.RoomOptions(cars=cars))
    await until(lambda: stay.link.room)
    assert stay.link.room is not None
    return stay.link.room.code


@pytest.mark.spec("LOBBY-2")
@pytest.mark.parametrize(
    ("cars", "legends", "state", "sentence"),
    [
        (2, 1, "full", "All places of this room are taken."),
        (3, 1, "begun", "That race has already started; you can watch it."),
        (3, 1, "ended", "That race has finished."),
        (3, 0, "unknown", "No room has this code."),
    ],
)
async def test_a_room_that_cannot_be_joined(
    tmp_path: Path, cars: int, legends: int, state: str, sentence: str
) -> None:
    with server_process() as address:
        ana = await ServerStay.begin(folders_in(tmp_path / "ana"), address)
        code = await room(ana, cars)
        for place in range(1, 1 + legends):
            await ana.link.request(m.PlaceBot(0, place, "legend:easy"))
        if state in ("begun", "ended"):
            await ana.link.request(m.Start(0))
            await until(lambda: RemoteSession.is_ready(ana.link))
        if state == "ended":
            session = ana.race_session()
            await session.submit(0, None, GiveUp())
            await until(lambda: session.view(0).status == "ended")
        app = GridApp(tmp_path / "ben", name="Ben")
        stay = await ServerStay.begin(app.folders, address)
        app._opening = lambda app: app.show_join(stay)
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, JoinScreen))
            await pilot.pause()
            app.screen.query_one("#code", Input).focus()
            await pilot.press(*(code if state != "unknown" else "NOPE"), "enter")
            if state == "begun":  # one may watch it instead
                await until(lambda: isinstance(app.screen, ConfirmDialog))
                await pilot.press("n")
            await until(lambda: isinstance(app.screen, JoinScreen) and message(app) == sentence)
            assert isinstance(app.screen, JoinScreen)
            assert stay.link.state == "connected"
        await ana.close()
