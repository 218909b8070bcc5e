"""What the tests of finished races share: a race that has been raced, the screen that shows it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_core.simulation import play_out
from heat_tui.app import HeatApp
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.replay import ReplayScreen
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import folders_in, until

BASE_GAME = LocalOptions()


def raced(*, bots: int = 3, legends: int = 2, track: str = "usa", box: LocalOptions = BASE_GAME) -> Record:
    levels = ("steady",) * bots
    options = replace(box, names=("Ana",), track=track, laps=1, bots=levels, legends=legends, seed="5")
    table = make_table(options)
    table.set_driver(0, "steady")
    play_out(table)
    return Record(table.setup, tuple(table.log))


def replay_app(path: Path, record: Record, *, animate: bool | None = False) -> HeatApp:
    playback = Playback(record)
    return HeatApp(
        folders_in(path), opening=lambda app: app.show_replay(playback), animate=animate, player_name="Ana"
    )


async def at_replay(pilot: Pilot[None]) -> ReplayScreen:
    app = pilot.app
    await until(lambda: isinstance(app.screen, ReplayScreen))
    await pilot.pause()
    await pilot.pause()
    assert isinstance(app.screen, ReplayScreen)
    return app.screen


def panel(screen: ReplayScreen, name: str) -> str:
    return "\n".join(screen.query_one(f"#{name}", TextPanel).lines)
