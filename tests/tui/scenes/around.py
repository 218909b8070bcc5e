"""What lies around the race: Home, forms, pages, championships, records."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.session_file import SavedSession
from heat_tui.flow.table_factory import make_table
from heat_tui.nearby import NearbyServer
from heat_tui.saved.finished import FinishedIndex
from heat_tui.saved.own_race import OwnRace
from heat_tui.saved.records import keep_record, record_folder
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.career import CareerScreen
from heat_tui.screens.daily import DailyScreen
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.keys import KeysScreen, PressKeyScreen
from heat_tui.screens.log import LogScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.puzzles import AnswerDialog, PuzzlesScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.replays import ReplaysScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.season import SeasonScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.screens.table_rules import TableRulesScreen
from tests.tui.doors import AnyScreen
from tests.tui.scenes.scene import Scene, behind_a_door, client, pressing, settled
from tests.tui.support_app import folders_in, message, save_seat, until
from tests.tui.support_career import race
from tests.tui.support_replay import raced
from tests.tui.support_season import begun, season, season_app

_NEW_RACE: Final = client(lambda app: app.show_new_race(is_hot_seat=False))
_HOT_SEAT: Final = client(lambda app: app.show_new_race(is_hot_seat=True))
_NEW_CHAMPIONSHIP: Final = client(lambda app: app.show_new_championship())
_KEYS: Final = client(lambda app: app.action_choose_keys())
_NOON: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)

NEARBY: Final = (
    NearbyServer("den", Address("192.0.2.7", 7777), 2, "0.1.0", True),
    NearbyServer("garage", Address("192.0.2.9", 7777), 0, "0.1.0", True),
    NearbyServer("the old laptop in the attic", Address("192.0.2.31", 17777), 1, "0.0.9", False),
)
"""What is found nearby: the pictures have no network."""


def _come_back(path: Path) -> HeatApp:
    """Home, with a room and a championship to come back to."""
    begun(path, races=1).close()
    now = time.time()
    for hours, code in ((1, "KXFRM"), (20, "PQRST")):
        save_seat(folders_in(path), SavedSession("192.0.2.7:7777", "token", code, "Ana"))
        for kept in (folders_in(path).state / "sessions").iterdir():
            if code in kept.read_text():
                os.utime(kept, (now - hours * 3600,) * 2)
    return client()(path)


def _played(path: Path) -> HeatApp:
    """Home of somebody who has raced often, and has left a race."""
    table = make_table(LocalOptions(names=("Ana",), track="japan", legends=5, seed="5"))
    OwnRace.begin(folders_in(path), table).close()
    races = [race(number, place=1 + number % 5, cars=6) for number in range(30)]
    FinishedIndex(folders_in(path), "Ana").add(*races)
    return client()(path)


def _looking_around(path: Path) -> HeatApp:
    """Make a client that looks for servers."""
    return HeatApp(
        folders_in(path),
        opening=lambda app: app.show_join(),
        animate=False,
        player_name="Ana",
        nearby_on=(),
    )


def _season(races: int, path: Path) -> HeatApp:
    began = season("Ana", bots=2, legends=3, rules="rulebook", garage="basic", sponsorships=True)
    begun(path, races=races, begins=began).close()
    return season_app(path)


def _career(path: Path) -> HeatApp:
    races = [race(number, place=1 + number % 5, cars=6) for number in range(30)]
    FinishedIndex(folders_in(path), "Ana").add(*races)
    return client(lambda app: app.show_career())(path)


@cache
def _raced() -> Record:
    return raced()


def _replays(path: Path) -> HeatApp:
    folders, record = folders_in(path), _raced()
    for hours, events in ((0, len(record.events)), (30, 900)):
        keep_record(folders, Record(record.setup, record.events[:events]), _NOON + timedelta(hours=hours))
    (record_folder(folders) / "2026-05-02_090000_usa_0123456789ab.jsonl").write_text("noise\n")
    return client(lambda app: app.show_replays())(path)


async def _three_replays(pilot: Pilot[None]) -> None:
    await settled(pilot, ReplaysScreen)
    await until(lambda: "3 races" in message(pilot.app))  # type: ignore[arg-type]  # it is the client


def _replay(path: Path) -> HeatApp:
    playback = Playback(_raced())
    return client(lambda app: app.show_replay(playback))(path)


def _walked(*keys: str) -> Scene:
    """Some rounds into a replay."""
    on_top: dict[str, type[AnyScreen]] = {"e": LogScreen, "t": ResultsScreen}

    async def act(pilot: Pilot[None]) -> None:
        await settled(pilot, ReplayScreen)
        await pilot.press("pagedown", "pagedown", "pagedown", "down", "right", *keys)

    last = keys[-1] if keys else ""
    name = {"": "replay", "2": "replay-seat", "p": "replay-plot", "e": "event-list", "t": "replay-results"}
    return Scene(name[last], on_top.get(last, ReplayScreen), _replay, act)


async def _analysed(pilot: Pilot[None]) -> None:
    await settled(pilot, ReplayScreen)
    await pilot.press("a")
    await settled(pilot, AnalysisScreen)
    screen = pilot.app.screen
    assert isinstance(screen, AnalysisScreen)
    await until(lambda: screen.controller.analysis is not None)
    await pilot.press("down")


AROUND: Final = (
    Scene("home", HomeScreen, client(), pressing()),
    Scene("home-come-back", HomeScreen, _come_back, pressing()),
    Scene("home-played", HomeScreen, _played, pressing()),
    Scene("new-race", NewRaceScreen, _NEW_RACE, pressing()),
    Scene("new-race-hot-seat", NewRaceScreen, _HOT_SEAT, pressing()),
    Scene("table-rules", TableRulesScreen, _NEW_RACE, pressing("f3", "down right down down right")),
    Scene("new-championship", NewChampionshipScreen, _NEW_CHAMPIONSHIP, pressing()),
    Scene("new-championship-own", NewChampionshipScreen, _NEW_CHAMPIONSHIP, pressing("left")),
    *(
        Scene(f"season-after-{races}", SeasonScreen, partial(_season, races), pressing())
        for races in (0, 2, 3)
    ),
    Scene("choose-keys", KeysScreen, _KEYS, pressing("enter", "j", "down down")),
    Scene("press-key", PressKeyScreen, _KEYS, pressing("down down down enter", "a")),
    behind_a_door(JoinScreen, "join"),
    Scene("join-nearby", JoinScreen, _looking_around, pressing("tab tab tab tab")),
    behind_a_door(DailyScreen, "daily"),
    behind_a_door(PuzzlesScreen, "puzzles"),
    behind_a_door(AnswerDialog, "puzzle-answer"),
    Scene("career", CareerScreen, _career, pressing()),
    Scene("replays", ReplaysScreen, _replays, _three_replays),
    _walked(),
    _walked("2"),
    _walked("p"),
    _walked("e"),
    _walked("t"),
    Scene("analysis", AnalysisScreen, _replay, _analysed),
    behind_a_door(HowToPlayScreen, "how-to-play"),
    Scene("how-to-play-end", HowToPlayScreen, client(lambda app: app.action_how_to_play()), pressing("end")),
    behind_a_door(SettingsScreen, "settings"),
)
