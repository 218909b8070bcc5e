"""Whole clients at the real server: pause, chat and rematch by keys; a server that is killed in mid-race."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.client.session_file import saved_sessions
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.widgets.panel import TextPanel
from tests.e2e.test_client_apps import close_news, meet, new_client, race_by_keys, race_on_alike
from tests.tui.support_app import LARGE, SMALL, shown, until

pytestmark = pytest.mark.asyncio


def banner(app: HeatApp) -> str:
    race = next(screen for screen in app.screen_stack if isinstance(screen, RaceScreen))
    return race.query_one("#banner", TextPanel).lines[0]


def forecast(app: HeatApp) -> str:
    race = next(screen for screen in app.screen_stack if isinstance(screen, RaceScreen))
    return "\n".join(race.query_one("#forecast", TextPanel).lines)


def stands(app: HeatApp, screen: type[object]) -> bool:
    return isinstance(app.screen, screen)


async def test_all_agree_to_pause_write_to_each_other_and_race_again(
    tmp_path: Path, address: Address
) -> None:
    ana, ben = await new_client(tmp_path, address, "Ana"), await new_client(tmp_path, address, "Ben")
    async with ana.run_test(size=SMALL) as at_ana, ben.run_test(size=LARGE) as at_ben:
        await meet(ana, at_ana, ben, at_ben)
        await at_ben.pause()
        await at_ben.press("z")
        await until(lambda: "Ben voted to pause: z votes too" in forecast(ana))
        await at_ana.press("z")
        await until(lambda: "paused until Ana and Ben vote to resume" in banner(ben))
        await at_ana.press("enter")
        await until(lambda: "paused" in forecast(ana))
        await at_ana.press("tab")
        await until(partial(stands, ana, ChatScreen))
        await at_ana.press(*"tea [b]", "enter", "f2")
        await until(lambda: "A tea [b]" in shown(at_ben) and "A bravo!" in shown(at_ben))
        await at_ana.press("escape", "z")
        await at_ben.press("z")
        await until(lambda: "paused" not in banner(ana) and "paused" not in banner(ben))

        views = await asyncio.gather(race_by_keys(ana, at_ana), race_by_keys(ben, at_ben))
        assert views[0].standings == views[1].standings
        for pilot, app in ((at_ana, ana), (at_ben, ben)):
            await pilot.press("enter")
            await until(partial(stands, app, ResultsScreen))
            await pilot.pause()
        await at_ben.press("m")
        assert stands(ben, ResultsScreen), "only the host calls a rematch"
        await at_ana.press("m")
        await until(partial(stands, ana, LobbyScreen))
        await until(partial(stands, ben, LobbyScreen))
        await at_ben.press("r")
        await at_ana.press("s", "s")
        await until(lambda: stands(ana, RaceScreen) and stands(ben, RaceScreen))
        await at_ben.press("q", "y")
        await until(partial(stands, ben, HomeScreen))
        assert len(saved_sessions(ben.folders)) == 1, "the second race can be rejoined"


@contextmanager
def server_on(store: Path, port: int = 0) -> Iterator[tuple[Address, subprocess.Popen[str]]]:
    """Run the server on a store and a port of its own, to be killed."""
    command = [sys.executable, "-m", "heat_server", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--store", str(store), "--bot-time", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"port (\d+)", process.stdout.readline())
            assert found
            yield Address("127.0.0.1", int(found[1])), process
        finally:
            process.kill()


async def killed_and_started_again(store: Path, path: Path, app_size: tuple[int, int]) -> None:
    with server_on(store) as (address, process):
        ana, ben = await new_client(path, address, "Ana"), await new_client(path, address, "Ben")
        async with ana.run_test(size=app_size) as at_ana, ben.run_test(size=app_size) as at_ben:
            await meet(ana, at_ana, ben, at_ben)
            await at_ben.press("2")
            screen = ben.screen
            assert isinstance(screen, RaceScreen)
            decision = screen.controller.view.own.decision if screen.controller.view.own else None
            process.send_signal(signal.SIGKILL)
            process.wait()
            await until(lambda: "reconnecting" in banner(ana) and "reconnecting" in banner(ben))
            with server_on(store, address.port):
                await until(lambda: connected(ana) and connected(ben), 40)
                await close_news(at_ana)
                await close_news(at_ben)
                assert screen.controller.draft is not None
                assert screen.controller.draft.gear == 2, "a half-made choice survives"
                assert screen.controller.view.own is not None
                assert screen.controller.view.own.decision == decision
                await race_on_alike(ana, at_ana, ben, at_ben)


def connected(app: HeatApp) -> bool:
    race = next(screen for screen in app.screen_stack if isinstance(screen, RaceScreen))
    assert isinstance(race.controller.session, RemoteSession)
    return race.controller.session.connection == "connected"


@pytest.mark.timeout(120)
async def test_clients_come_back_by_themselves_when_the_server_was_killed(tmp_path: Path) -> None:
    await killed_and_started_again(tmp_path / "store.sqlite", tmp_path, SMALL)
