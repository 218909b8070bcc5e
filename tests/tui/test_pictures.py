"""The screens as pictures; `pytest tests/tui/test_pictures.py --snapshot-update` takes them anew."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest
from textual.app import App
from textual.pilot import Pilot

from heat_core import commands as c
from heat_core.address import Address
from heat_core.cards import STRESS
from heat_core.files import load_track
from heat_core.playback import Playback
from heat_core.positions import make_position
from heat_core.presets import RULEBOOK
from heat_core.replay import Record
from heat_core.setup import Modules
from heat_core.table import Table
from heat_core.wire import messages as m
from heat_tui.app import HeatApp
from heat_tui.lobby_client import Link
from heat_tui.local import LocalSession
from heat_tui.makerace import Wishes, make_table
from heat_tui.records import keep_record, record_folder
from heat_tui.remote import RemoteSession
from heat_tui.screens import replays
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.replays import ReplaysScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.room_season import RoomSeasonScreen
from heat_tui.screens.season import SeasonScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.session_file import SessionFile
from heat_tui.state import Settings, save_settings
from heat_tui.visit import Visit
from tests.pictures import SIZES as PICTURED
from tests.pictures import draw, pick, session_before_a_corner
from tests.tui.doors import DOORS, AnyScreen, door_app, go_through
from tests.tui.fake_server import FakeRace
from tests.tui.support_app import LARGE, SMALL, folders_in, message, until
from tests.tui.support_company import Told, line, two_people
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, table_at
from tests.tui.support_season import begun, season, season_app
from tests.tui.test_replay_screen import raced

Compare: TypeAlias = Callable[..., bool]
Before: TypeAlias = Callable[[Pilot[None]], Awaitable[None]]

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (200, 60)], ids=["80x24", "120x40", "200x60"])

BESIDE = {
    "Ana": f"lap 1 space 14 gear 1 engine 3 hand 1 2 3 4 heat heat {STRESS} {DRAW}",
    "Ben": f"lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 30 legend medium",
}
STREAM = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 16 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 3 legend medium",
}


@pytest.fixture(autouse=True)
def _no_pause_between_two_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RaceScreen, "ENTER_GAP_SECONDS", 0.0)


def settled(app: App[None], screen: type[object]) -> Before:
    """Wait until a screen stands."""

    async def before(pilot: Pilot[None]) -> None:
        await until(lambda: isinstance(app.screen, screen))
        await pilot.pause()
        await pilot.pause()

    return before


def pressing(*keys: str, phase: str = "") -> Before:
    """Go on to a phase, then press keys."""

    async def before(pilot: Pilot[None]) -> None:
        app = await begin(pilot)
        if phase:
            await on_to(pilot, app, phase)
        await pilot.press(*keys)
        await pilot.pause(0.1)

    return before


# --- around the race ---------------------------------------------------------------------------------------


@SIZES
def test_home(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(folders_in(tmp_path), player_name="Ana")
    assert snap_compare(app, terminal_size=size, run_before=settled(app, HomeScreen))


@SIZES
def test_new_race(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(
        folders_in(tmp_path), player_name="Ana", opening=lambda app: app.show_new_race(is_hot_seat=False)
    )
    assert snap_compare(app, terminal_size=size, run_before=settled(app, NewRaceScreen))


@SIZES
def test_the_rules_of_a_race(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(
        folders_in(tmp_path), player_name="Ana", opening=lambda app: app.show_new_race(is_hot_seat=False)
    )

    async def before(pilot: Pilot[None]) -> None:
        await settled(app, NewRaceScreen)(pilot)
        await pilot.press("f3")
        await settled(app, TableRulesScreen)(pilot)
        await pilot.press("down", "right", "down", "down", "right")
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("page", [HowToPlayScreen, SettingsScreen], ids=["how-to-play", "settings"])
def test_pages(snap_compare: Compare, tmp_path: Path, page: type[object]) -> None:
    def open_page(app: HeatApp) -> None:
        if page is SettingsScreen:
            app.action_settings()
        else:
            app.action_how_to_play()

    app = HeatApp(folders_in(tmp_path), player_name="Ana", opening=open_page)
    assert snap_compare(app, terminal_size=SMALL, run_before=settled(app, page))


@SIZES
@pytest.mark.parametrize("year", [1961, None], ids=["printed", "own"])
def test_new_championship(
    snap_compare: Compare, tmp_path: Path, year: int | None, size: tuple[int, int]
) -> None:
    app = HeatApp(folders_in(tmp_path), player_name="Ana", opening=lambda app: app.show_new_championship())

    async def before(pilot: Pilot[None]) -> None:
        await settled(app, NewChampionshipScreen)(pilot)
        if year is None:
            await pilot.press("left")
            await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("races", [0, 2, 3])
def test_the_season(snap_compare: Compare, tmp_path: Path, races: int, size: tuple[int, int]) -> None:
    modules = Modules("basic", sponsorships=True)
    begun(
        tmp_path, races=races, begins=season("Ana", bots=2, legends=3, rules=RULEBOOK, modules=modules)
    ).close()
    app = season_app(tmp_path)
    assert snap_compare(app, terminal_size=size, run_before=settled(app, SeasonScreen))


def test_the_season_in_plain_ascii(snap_compare: Compare, tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    begun(tmp_path, races=1).close()
    app = season_app(tmp_path)
    assert snap_compare(app, terminal_size=SMALL, run_before=settled(app, SeasonScreen))


@SIZES
@pytest.mark.parametrize("is_host", [True, False], ids=["host", "guest"])
def test_the_season_of_a_room(
    snap_compare: Compare, tmp_path: Path, is_host: bool, size: tuple[int, int]
) -> None:
    championship = begun(tmp_path, races=2, begins=season("Ana", bots=1, legends=2))
    link = Link(Address("127.0.0.1", 1))
    view = championship.view()
    link.season = m.SeasonTold(championship.season.setup, view, (0, 1, None, None))
    people = (
        m.PlaceState("human", "Ana", "red", False, True),
        m.PlaceState("human", "Nina", "blue", False, False, True),
    )
    options = m.RoomOptions(season=m.SeasonOptions(1961))
    link.room = m.RoomState("KXFRM", "between", 0 if is_host else 1, 0, options, 1, 60_000, people, "")
    visit = Visit(link, SessionFile(None, None, None))
    app = HeatApp(
        folders_in(tmp_path),
        player_name="Ana",
        opening=lambda app: app.season_there(visit),
    )
    assert snap_compare(app, terminal_size=size, run_before=settled(app, RoomSeasonScreen))


@pytest.mark.spec("APP-8")
@pytest.mark.parametrize(
    "screen", [one for one, door in DOORS.items() if not door.picture], ids=lambda one: one.__name__
)
def test_each_other_screen(snap_compare: Compare, tmp_path: Path, screen: type[AnyScreen]) -> None:
    app = door_app(tmp_path, DOORS[screen])

    async def before(pilot: Pilot[None]) -> None:
        await go_through(pilot, DOORS[screen])
        await settled(app, screen)(pilot)

    assert snap_compare(app, terminal_size=SMALL, run_before=before)


# --- the race ----------------------------------------------------------------------------------------------


@SIZES
def test_choosing_a_gear(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(BESIDE, phase="shift")))
    assert snap_compare(app, terminal_size=size, run_before=pressing("right", "right"))


@SIZES
def test_the_first_race_explains_itself(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(
        folders_in(tmp_path), opening=lambda app: app.action_learn(), animate=False, player_name="Ana"
    )

    async def before(pilot: Pilot[None]) -> None:
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.lesson is not None)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@SIZES
def test_choosing_cards(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, session_before_a_corner())

    async def before(pilot: Pilot[None]) -> None:
        await pick(pilot, app)

    assert snap_compare(app, terminal_size=size, run_before=before)


@SIZES
def test_reacting(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(BESIDE)))

    async def before(pilot: Pilot[None]) -> None:
        await begin(pilot)
        await pilot.press("2", "enter")
        await pressing("c", phase="5 REACT")(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


@SIZES
def test_slipstreaming(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    session = HeldSession(table_at(STREAM))
    session.other_says(1, c.PlayCards(("1",)))

    async def before(pilot: Pilot[None]) -> None:
        await begin(pilot)
        await pilot.press("2", "enter")
        await pressing(phase="6 SLIPSTREAM")(pilot)

    assert snap_compare(RaceApp(tmp_path, session), terminal_size=size, run_before=before)


@SIZES
def test_the_curtain(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, LocalSession(table_at(BESIDE)))
    assert snap_compare(app, terminal_size=size, run_before=pressing())


@SIZES
@pytest.mark.parametrize("keys", [("+", "+", "#"), ("v", "#")], ids=["close-up", "whole-map"])
def test_the_map(snap_compare: Compare, tmp_path: Path, keys: tuple[str, ...], size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, session_before_a_corner())
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@pytest.mark.parametrize("phase", ["cards", "log"])
def test_plain_ascii(snap_compare: Compare, tmp_path: Path, phase: str) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    app = RaceApp(tmp_path, session_before_a_corner())
    keys = ("1", "3") if phase == "cards" else ("l",)
    assert snap_compare(app, terminal_size=SMALL, run_before=pressing(*keys))


@pytest.mark.parametrize("key", ["l", "question_mark", "o", "q"], ids=["log", "keys", "piles", "leave"])
def test_dialogs(snap_compare: Compare, tmp_path: Path, key: str) -> None:
    app = RaceApp(tmp_path, session_before_a_corner())
    assert snap_compare(app, terminal_size=SMALL, run_before=pressing(key))


def test_too_small(snap_compare: Compare, tmp_path: Path) -> None:
    app = RaceApp(tmp_path, session_before_a_corner())
    assert snap_compare(app, terminal_size=(60, 10), run_before=pressing("1"))


@SIZES
def test_results(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    last = {
        "Ana": f"lap 1 space 68 gear 2 engine 3 hand 1 2 3 4 {DRAW}",
        "Ben": f"lap 1 space 66 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
        "Leg": "lap 1 space 60 legend medium",
    }
    app = RaceApp(tmp_path, HeldSession(table_at(last, laps=1, round=12)))

    async def before(pilot: Pilot[None]) -> None:
        await begin(pilot)
        await pilot.press("3", "4", "enter")
        for _ in range(100):
            if app.race.race_view.status == "ended":
                break
            if "5 REACT" in app.panel("banner"):
                await pilot.press("u", "enter")
            app.session.others_act()  # type: ignore[attr-defined]  # it is held
            await pilot.pause(0.02)
        await pilot.press("enter")
        await settled(app, ResultsScreen)(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


def _drafting() -> LocalSession:
    """Begin a race with a garage in which two steady bots have picked and Ana picks now."""
    modules = Modules(garage="mixed", expansion=True, weather=True)
    wishes = Wishes(("Ana",), bots=2, legends=3, seed="garage", modules=modules)
    session = LocalSession(make_table(wishes))
    while session.table.bot_due():
        session.table.step_bot()
    return session


@SIZES
def test_drafting(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = RaceApp(tmp_path, _drafting())
    assert snap_compare(app, terminal_size=size, run_before=pressing("down"))


def test_drafting_in_plain_ascii(snap_compare: Compare, tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    app = RaceApp(tmp_path, _drafting())
    assert snap_compare(app, terminal_size=SMALL, run_before=pressing("down"))


@SIZES
def test_choosing_among_upgrades(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    upgrades = "upgrades brakes-1 tyres-5 wings-1"
    setup = make_position(
        load_track("usa"),
        {
            "Ana": f"lap 1 space 4 gear 3 engine 5 hand 4 3 brakes-1 tyres-5 wings-1 {STRESS} {upgrades}",
            "Ben": f"lap 1 space 10 gear 1 engine 5 hand 1 1 2 {STRESS} upgrades body-1",
        },
        phase="play",
        modules=Modules(garage="mixed", weather=True),
        weather="snow",
        roads="overheat limit-1 slipstream+1 weather",
    )
    app = RaceApp(tmp_path, HeldSession(Table(setup, {0: "human", 1: "human"})))
    assert snap_compare(app, terminal_size=size, run_before=pressing("1", "3", "5"))


# --- races that are over -----------------------------------------------------------------------------------


def _replay(path: Path) -> HeatApp:
    playback = Playback(raced())
    return HeatApp(
        folders_in(path), opening=lambda app: app.show_replay(playback), animate=False, player_name="Ana"
    )


def _walked(app: HeatApp, *keys: str) -> Before:
    async def before(pilot: Pilot[None]) -> None:
        await settled(app, ReplayScreen)(pilot)
        await pilot.press("pagedown", "pagedown", "pagedown", "down", "right", *keys)
        await pilot.pause()
        await pilot.pause()

    return before


@SIZES
@pytest.mark.parametrize("keys", [(), ("2",), ("9", "p")], ids=["all-hands", "seat", "plot"])
def test_a_replay(
    snap_compare: Compare, tmp_path: Path, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    app = _replay(tmp_path)
    assert snap_compare(app, terminal_size=size, run_before=_walked(app, *keys))


@pytest.mark.parametrize("keys", [(), ("p",), ("e",)], ids=["map", "plot", "list"])
def test_a_replay_in_plain_ascii(snap_compare: Compare, tmp_path: Path, keys: tuple[str, ...]) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    app = _replay(tmp_path)
    assert snap_compare(app, terminal_size=SMALL, run_before=_walked(app, *keys))


@SIZES
def test_the_list_of_replays(
    snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    folders, record = folders_in(tmp_path), raced()
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    for hours, events in ((0, len(record.events)), (30, 900)):
        kept = Record(record.setup, record.events[:events])
        keep_record(folders, kept, noon + timedelta(hours=hours))
    damaged = record_folder(folders) / "2026-05-02_090000_usa_0123456789ab.jsonl"
    damaged.write_text("noise\n")
    # The folder's own name is another one in each run.
    monkeypatch.setattr(replays, "record_folder", lambda folders: Path("records"))
    app = HeatApp(folders, opening=lambda app: app.show_replays(), animate=False, player_name="Ana")

    async def before(pilot: Pilot[None]) -> None:
        await settled(app, ReplaysScreen)(pilot)
        await until(lambda: "3 races" in message(app))
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


# --- the pictures of the documentation ---------------------------------------------------------------------


@pytest.mark.parametrize("size", PICTURED)
def test_the_pictures_of_the_documentation_come_out_the_same_each_time(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    first, second = (asyncio.run(draw(size, tmp_path / str(number))) for number in range(2))
    assert first == second
    assert "corner&#160;2&#160;(limit&#160;3)" in first


# --- people at a server ------------------------------------------------------------------------------------


def _telling(*, is_watching: bool = False) -> Told:
    """Make a link to a room in which things are said and wished; no time runs, for pictures have none."""
    link = Told(FakeRace())
    fake, replace = link.fake, msgspec.structs.replace
    room, update = two_people(fake, wishes=(False, True)), fake.update()
    if is_watching:
        room = replace(two_people(fake), place=None, watchers=("Cy",))
        link.tell(replace(fake.started(), seat=None))
        update = replace(update, view=fake.table.view(None))
    timeless = tuple(replace(decision, milliseconds_left=None) for decision in update.decisions)
    link.tell(replace(update, decisions=timeless))
    link.tell(room, line(1, "Ben has joined.", "news", ""), line(2, "Ready when you are [b]"))
    link.tell(line(3, "good race", "reaction"))
    return link


def _open_race(app: HeatApp, *, is_watching: bool = False) -> None:
    app.push_screen(RaceScreen(RemoteSession(_telling(is_watching=is_watching)), animate=False))


def _open_lobby(app: HeatApp) -> None:
    link = _telling()
    link.tell(two_people(link.fake, phase="lobby", watchers=("Cy",), is_private=True))
    app.enter_lobby(Visit(link, SessionFile(None, None, None)))


@SIZES
@pytest.mark.parametrize("keys", [(), ("tab",)], ids=["race", "chat"])
def test_racing_with_others(
    snap_compare: Compare, tmp_path: Path, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False, opening=_open_race)

    async def before(pilot: Pilot[None]) -> None:
        await settled(app, RaceScreen)(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_the_chat_in_plain_ascii(snap_compare: Compare, tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(name="Ana", ascii=True))
    app = HeatApp(folders_in(tmp_path), animate=False, opening=_open_race)

    async def before(pilot: Pilot[None]) -> None:
        await settled(app, RaceScreen)(pilot)
        await pilot.press("tab")
        await pilot.pause()

    assert snap_compare(app, terminal_size=SMALL, run_before=before)


@SIZES
def test_looking_on(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    opening = partial(_open_race, is_watching=True)
    app = HeatApp(folders_in(tmp_path), animate=False, opening=opening)
    assert snap_compare(app, terminal_size=size, run_before=settled(app, RaceScreen))


@SIZES
def test_the_lobby(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(folders_in(tmp_path), player_name="Ana", opening=_open_lobby)
    assert snap_compare(app, terminal_size=size, run_before=settled(app, LobbyScreen))
