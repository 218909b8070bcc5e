"""Clients in the lobby of a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from heat_core.wire.address import Address
from heat_core.wire.messages import LobbyView
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from tests.tui.support_app import SMALL, GridApp, until


@asynccontextmanager
async def client(
    path: Path, address: Address, name: str, size: tuple[int, int] = SMALL
) -> AsyncIterator[tuple[GridApp, Pilot[None]]]:
    """Run a client that stands connected on the join screen."""
    app = GridApp(path / name, name=name)
    stay = await ServerStay.begin(app.folders, address)
    app._opening = lambda app: app.show_join(stay)
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        yield app, pilot


@asynccontextmanager
async def host(
    path: Path, address: Address, name: str = "Ana"
) -> AsyncIterator[tuple[GridApp, Pilot[None], str]]:
    async with client(path, address, name) as (app, pilot):
        await pilot.press("f2")
        await until(lambda: in_lobby(app))
        await pilot.pause()
        yield app, pilot, room_of(app).code


OPTION_LABELS = {
    "track": "Track",
    "laps": "Laps",
    "cars": "Places",
    "legends": "Empty places",
    "level": "Legend level",
    "rules": "Rules",
    "garage": "Garage",
    "weather": "Weather",
    "turn_milliseconds": "Turn time",
    "grace_milliseconds": "Wait if away",
    "away_driver": "Away driver",
    "advice": "Advice",
}


def room_of_lobby(app: HeatApp) -> LobbyView:
    """Give the room of a lobby that may lie below another screen."""
    (lobby,) = [screen for screen in app.screen_stack if isinstance(screen, LobbyScreen)]
    room = lobby._stay.link.room
    assert room is not None
    return room


def in_lobby(app: HeatApp) -> bool:
    return isinstance(app.screen, LobbyScreen) and app.screen._stay.link.room is not None


def room_of(app: HeatApp) -> LobbyView:
    assert isinstance(app.screen, LobbyScreen)
    room = app.screen._stay.link.room
    assert room is not None
    return room


async def join(app: GridApp, pilot: Pilot[None], code: str) -> None:
    app.screen.query_one("#code", Input).focus()
    await pilot.press(*code, "enter")
    await until(lambda: in_lobby(app))


@asynccontextmanager
async def host_and_guest(
    path: Path, address: Address, guest: str = "Ben"
) -> AsyncIterator[tuple[GridApp, Pilot[None], GridApp, Pilot[None]]]:
    """Run the client of a host, and that of a guest in the host's lobby."""
    async with (
        host(path, address) as (ana, at_ana, code),
        client(path, address, guest) as (ben, at_ben),
    ):
        await join(ben, at_ben, code)
        yield ana, at_ana, ben, at_ben
