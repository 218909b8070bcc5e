"""Two whole clients, driven by keys, at the real server: from the lobby to the results and home."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.race import commands as c
from heat_core.view.defaults import default_command
from heat_core.view.race_view import RaceView
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.rows import ChoiceRow
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until

pytestmark = pytest.mark.asyncio


async def new_client(path: Path, address: Address, name: str) -> HeatApp:
    folders = folders_in(path / name)
    stay = await ServerStay.begin(folders, address)
    return HeatApp(folders, opening=lambda app: app.show_join(stay), animate=False, player_name=name)


async def meet(ana: HeatApp, at_ana: Pilot[None], ben: HeatApp, at_ben: Pilot[None]) -> None:
    """Go through the lobby by keys: one lap, two Legends for the empty places."""
    await until(lambda: isinstance(ana.screen, JoinScreen) and isinstance(ben.screen, JoinScreen))
    await at_ana.press("f2")
    await until(lambda: room_code(ana))
    ben.screen.query_one("#code").focus()
    await at_ben.press(*room_code(ana), "enter")
    await until(lambda: room_code(ben))
    for row, presses in (("laps", 1), ("cars", 0), ("legends", 2)):
        ana.screen.query_one(f"#{row}", ChoiceRow).focus()
        await at_ana.press(*["right"] * presses)
    await at_ben.press("r")
    await at_ana.press("s", "s")
    await until(lambda: isinstance(ana.screen, RaceScreen) and isinstance(ben.screen, RaceScreen))


def room_code(app: HeatApp) -> str:
    if not isinstance(app.screen, LobbyScreen) or app.screen._stay.link.room is None:
        return ""
    return app.screen._stay.link.room.code


def keys_for(view: RaceView) -> list[str]:
    """Give the keys of a sensible answer: what the forecast shows first, mostly."""
    assert view.own is not None
    if isinstance(command := default_command_of(view), c.PlayCards):
        hand, picked = list(view.own.hand), []
        for card in command.cards:
            place = hand.index(card)
            hand[place] = "picked"
            picked.append(str(place + 1))
        return ["u", *picked, "enter"]
    if isinstance(command, c.ShiftGear):
        return [str(command.gear), "enter"]
    if isinstance(command, c.Slipstream):
        return ["s" if command.spaces else "n", "enter"]
    return ["u", "enter"]


_SCREENS: dict[int, RaceScreen] = {}


def default_command_of(view: RaceView) -> c.Command:
    assert view.own is not None
    observation = _SCREENS[view.own.seat].controller.observation
    assert observation is not None
    return default_command(observation)


async def close_news(pilot: Pilot[None]) -> None:
    """Close what tells of the time away, if something happened in it."""
    await pilot.pause()
    await pilot.pause()
    if isinstance(pilot.app.screen, NewsDialog):
        await pilot.press("space")


async def race_on_alike(ana: HeatApp, at_ana: Pilot[None], ben: HeatApp, at_ben: Pilot[None]) -> None:
    """Race on by keys for a round, after which both clients show the same."""
    assert isinstance(ana.screen, RaceScreen)
    end = ana.screen.controller.view.round + 1
    views = await asyncio.gather(race_by_keys(ana, at_ana, end), race_by_keys(ben, at_ben, end))
    assert [view.round for view in views] == [end, end]
    assert views[0].cars == views[1].cars


async def race_by_keys(app: HeatApp, pilot: Pilot[None], end: int | None = None) -> RaceView:
    """Press keys until the race is over, or until a round begins."""
    screen = app.screen
    assert isinstance(screen, RaceScreen)
    seat = screen.controller.session.seats[0]
    _SCREENS[seat] = screen
    while (view := screen.controller.view).status != "ended" and view.round != end:
        own = view.own
        if isinstance(app.screen, NewsDialog):
            await pilot.press("space")  # it comes whenever the line has been mended, and takes the keys
        elif own is not None and own.decision is not None and own.chosen is None:
            await pilot.press(*keys_for(view))
            await until(lambda: isinstance(app.screen, NewsDialog) or is_past(screen, own.decision))  # noqa: B023
        else:
            await asyncio.sleep(0.01)
    return view


def is_past(screen: RaceScreen, decision: int | None) -> bool:
    own = screen.controller.view.own
    return own is None or own.decision != decision or screen.controller.view.status == "ended"


async def test_two_clients_race_by_keys_and_show_the_same_result(tmp_path: Path, address: Address) -> None:
    ana, ben = await new_client(tmp_path, address, "Ana"), await new_client(tmp_path, address, "Ben")
    async with ana.run_test(size=SMALL) as at_ana, ben.run_test(size=LARGE) as at_ben:
        await meet(ana, at_ana, ben, at_ben)
        views = await asyncio.gather(race_by_keys(ana, at_ana), race_by_keys(ben, at_ben))
        assert views[0].standings == views[1].standings
        assert len(views[0].standings) >= 2
        for app, pilot in ((ana, at_ana), (ben, at_ben)):
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, ResultsScreen))  # noqa: B023
        results = [app.screen.results for app in (ana, ben) if isinstance(app.screen, ResultsScreen)]
        tables = [(told.figures, told.places) for told in results]
        assert tables[0] == tables[1]
        await at_ana.pause()
        assert re.search(r"You (are (2nd|3rd|4th) of|win)", shown(at_ana))
        for app, pilot in ((ana, at_ana), (ben, at_ben)):
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, HomeScreen))  # noqa: B023
            assert saved_sessions(app.folders) == []


async def test_a_client_whose_socket_is_killed_shows_it_and_goes_on(tmp_path: Path, address: Address) -> None:
    ana, ben = await new_client(tmp_path, address, "Ana"), await new_client(tmp_path, address, "Ben")
    async with ana.run_test(size=SMALL) as at_ana, ben.run_test(size=SMALL) as at_ben:
        await meet(ana, at_ana, ben, at_ben)
        screen = ben.screen
        assert isinstance(screen, RaceScreen)
        await at_ben.press("2")
        session = screen.controller.session
        assert isinstance(session, RemoteSession)
        connection = session._link._connection
        assert connection is not None
        session._link._pause = lambda attempt: 2.0  # long enough to be looked at
        connection._abort()
        await until(lambda: session.connection == "reconnecting")
        await until(lambda: "reconnecting" in shown(at_ben))
        await until(lambda: session.connection == "connected")
        assert screen.controller.draft is not None
        assert screen.controller.draft.gear == 2, "a half-made choice survives"
        await race_on_alike(ana, at_ana, ben, at_ben)


@pytest.mark.spec("LOBBY-5")
async def test_a_client_started_again_offers_to_rejoin_the_running_race(
    tmp_path: Path, address: Address
) -> None:
    ana, ben = await new_client(tmp_path, address, "Ana"), await new_client(tmp_path, address, "Ben")
    async with ana.run_test(size=SMALL) as at_ana:
        async with ben.run_test(size=SMALL) as at_ben:
            await meet(ana, at_ana, ben, at_ben)
            await at_ben.press("ctrl+c")
        ben = HeatApp(ben.folders, animate=False)
        async with ben.run_test(size=SMALL) as at_ben:
            await at_ben.pause()
            assert "Rejoin" in shown(at_ben)
            await at_ben.press("b")
            await until(lambda: isinstance(ben.screen, RaceScreen | NewsDialog))
            await close_news(at_ben)
            await race_on_alike(ana, at_ana, ben, at_ben)


async def test_leaving_a_race_asks_and_home_offers_to_rejoin(tmp_path: Path, address: Address) -> None:
    ana, ben = await new_client(tmp_path, address, "Ana"), await new_client(tmp_path, address, "Ben")
    async with ana.run_test(size=SMALL) as at_ana, ben.run_test(size=SMALL) as at_ben:
        await meet(ana, at_ana, ben, at_ben)
        await at_ben.press("q")
        await at_ben.pause()
        assert "Leave the race?" in shown(at_ben)
        await at_ben.press("y")
        await until(lambda: isinstance(ben.screen, HomeScreen))
        await at_ben.pause()
        assert "Rejoin" in shown(at_ben)
        saved: list[SavedSession] = saved_sessions(ben.folders)
        assert [one.name for one in saved] == ["Ben"]
        await at_ben.press("b")
        await until(lambda: isinstance(ben.screen, RaceScreen))
        await race_on_alike(ana, at_ana, ben, at_ben)
