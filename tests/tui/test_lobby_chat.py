"""The chat in the waiting room: its newest lines are always on the screen."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from heat_core.wire import messages as m
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile
from heat_tui.screens.lobby import LobbyScreen
from tests.tui.fake_server import FakeRace
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_company import Told, line

pytestmark = pytest.mark.asyncio

_LONG = "All agree: the race is paused, and kept for days, as long as nobody agrees to go on with it."


@pytest.mark.parametrize("behind", range(4))
async def test_the_newest_line_is_seen_whatever_wraps_and_whoever_comes(tmp_path: Path, behind: int) -> None:
    link = Told(FakeRace())
    link.mirror.race = None
    people = tuple(m.PlaceState("human", name, None, True, True) for name in ("Ana", "Ben", "Cy"))
    room = m.LobbyView(
        "KXFRM", "lobby", 0, 0, m.RoomOptions(cars=6), 2, 60_000, people, "heat-tui connect 192.0.2.1 KXFRM"
    )
    link.tell(room, *(line(number, "short") for number in range(1, 6)))
    stay = ServerStay(link, SessionFile(None, None, None))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.enter_lobby(stay), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await pilot.pause()
        link.tell(
            line(6, _LONG, "news", ""),
            *(line(7 + number, f"line {number}") for number in range(behind)),
            line(20, "can you read this?"),
        )
        await until(lambda: "can you read this?" in shown(pilot))
        assert not link.chat.unread
        for bots in (1, 2, 3):
            more = tuple(m.PlaceState("steady", f"Bot {bot}", None, True, True) for bot in range(bots))
            link.tell(msgspec.structs.replace(room, places=people + more), line(20 + bots, f"newest {bots}"))
            await until(lambda bots=bots: f"newest {bots}" in shown(pilot))  # type: ignore[misc]
