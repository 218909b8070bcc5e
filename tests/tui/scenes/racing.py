"""The race, alone or around one keyboard: each phase, the map, the garage, the pages, the end."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec.structs import replace
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.files import load_track
from heat_core.options.table_options import LocalOptions
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.setup import Modules
from heat_core.table import Table
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.dialogs import ConfirmDialog, PageDialog
from heat_tui.screens.log import LogScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.weather import WeatherDialog
from tests.tui.scenes.corner import pick, session_before_a_corner
from tests.tui.scenes.scene import Act, Scene, client, pressing, racing, settled
from tests.tui.support_app import until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, table_at
from tests.tui.support_season import begun, season, season_app

_BESIDE: Final = {
    "Ana": f"lap 1 space 14 gear 1 engine 3 hand 1 2 3 4 heat heat {STRESS} {DRAW}",
    "Ben": f"lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 30 legend medium",
}
_STREAM: Final = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 16 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 3 legend medium",
}
_LAST_ROUND: Final = {
    "Ana": f"lap 1 space 68 gear 2 engine 3 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 66 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 60 legend medium",
}


def _shifting(path: Path) -> RaceApp:
    return RaceApp(path, HeldSession(table_at(_BESIDE, phase="shift")))


def _playing(path: Path) -> RaceApp:
    return RaceApp(path, HeldSession(table_at(_BESIDE)))


def _at_a_corner(path: Path) -> RaceApp:
    return RaceApp(path, session_before_a_corner())


def _around_one_keyboard(path: Path) -> RaceApp:
    return RaceApp(path, LocalSession(table_at(_BESIDE)))


def _behind_another(path: Path) -> RaceApp:
    session = HeldSession(table_at(_STREAM))
    session.other_says(1, c.PlayCards(("1",)))
    return RaceApp(path, session)


def _finishing(path: Path) -> RaceApp:
    return RaceApp(path, HeldSession(table_at(_LAST_ROUND, laps=1, round=12)))


def _driven_to_the_end(path: Path) -> RaceApp:
    """Come back to a whole race that bots have driven for Ana as well."""
    box = LocalOptions(names=("Ana",), track="italy", laps=1, bots=("steady",) * 2, legends=2, seed="5")
    table = make_table(box)
    table.set_driver(0, "steady")
    while table.bot_due():
        table.step_bot()
    return RaceApp(path, HeldSession(table))


def _with_upgrades(path: Path) -> RaceApp:
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
    return RaceApp(path, HeldSession(Table(setup, {0: "human", 1: "human"})))


def _drafting(path: Path) -> RaceApp:
    """Begin a race with a garage in which two steady bots have picked and Ana picks now."""
    box = LocalOptions(garage="mixed", expansion=True, weather=True)
    session = LocalSession(
        make_table(replace(box, names=("Ana",), bots=("steady",) * 2, legends=3, seed="garage"))
    )
    while session.table.bot_due():
        session.table.step_bot()
    return RaceApp(path, session)


async def _first_hint(pilot: Pilot[None]) -> None:
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.lesson is not None)


async def _pick(pilot: Pilot[None]) -> None:
    assert isinstance(pilot.app, RaceApp)
    await pick(pilot, pilot.app)


def _having_played(*keys: str, phase: str = "") -> Act:
    """Play the second card, go on to a phase, press keys."""

    async def act(pilot: Pilot[None]) -> None:
        await begin(pilot)
        await pilot.press("2", "enter")
        await racing(*keys, phase=phase)(pilot)

    return act


async def _over_the_line(pilot: Pilot[None]) -> None:
    app = await begin(pilot)
    assert isinstance(app.session, HeldSession)
    await pilot.press("3", "4", "enter")
    for _ in range(100):
        if app.controller.view.status == "ended":
            break
        if "5 REACT" in app.panel("banner"):
            await pilot.press("u", "enter")
        app.session.others_act()
        await pilot.pause()


async def _to_the_results(pilot: Pilot[None]) -> None:
    """Wait for what Enter and the picture need: the race screen's own end, and the search for bests."""
    app = await begin(pilot)
    await until(lambda: app.controller.view.status == "ended")
    await pilot.press("enter")
    await settled(pilot, ResultsScreen)
    await until(lambda: all(worker.is_finished for worker in app.workers if worker.group == "bests"))


async def _event_of_a_season(pilot: Pilot[None]) -> None:
    await pressing("enter")(pilot)
    await settled(pilot, RaceScreen)
    await pilot.press("w")


def _season(path: Path) -> HeatApp:
    begun(path, begins=season("Ana", bots=1, legends=2, weather=True)).close()
    return season_app(path)


RACING: Final = (
    Scene("gear", RaceScreen, _shifting, racing("right", "right")),
    Scene("lesson", RaceScreen, client(lambda app: app.action_learn()), _first_hint),
    Scene("cards", RaceScreen, _at_a_corner, _pick),
    Scene("react", RaceScreen, _playing, _having_played("c", phase="5 REACT")),
    Scene("slipstream", RaceScreen, _behind_another, _having_played(phase="6 SLIPSTREAM")),
    Scene("waiting", RaceScreen, _playing, _having_played()),
    Scene("discard", RaceScreen, _playing, _having_played(phase="DISCARD")),
    Scene("curtain", RaceScreen, _around_one_keyboard, racing()),
    Scene("upgrades", RaceScreen, _with_upgrades, racing("1 3 5")),
    Scene("garage", RaceScreen, _drafting, racing("down")),
    Scene("finished", RaceScreen, _finishing, _over_the_line),
    Scene("map-close", RaceScreen, _at_a_corner, racing("+", "+", "#")),
    Scene("map-whole", RaceScreen, _at_a_corner, racing("v", "#")),
    Scene("log", LogScreen, _at_a_corner, racing("l")),
    Scene("keys", PageDialog, _at_a_corner, racing("question_mark")),
    Scene("piles", PageDialog, _at_a_corner, racing("o")),
    Scene("signs", PageDialog, _at_a_corner, racing("slash")),
    Scene("cards-explained", PageDialog, _with_upgrades, racing("i")),
    Scene("garage-explained", PageDialog, _drafting, racing("i")),
    Scene("weather", WeatherDialog, _with_upgrades, racing("w")),
    Scene("weather-and-event", WeatherDialog, _season, _event_of_a_season),
    Scene("leave", ConfirmDialog, _at_a_corner, racing("q")),
    Scene("results", ResultsScreen, _driven_to_the_end, _to_the_results),
)
