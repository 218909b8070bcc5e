"""What garage and weather add to the race screen: each kind of choice by keys and by mouse, at 80x24."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from textual.pilot import Pilot

from heat_core.data.weather import WeatherName
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.setup import Modules
from heat_core.table import Table
from heat_tui.map.palette import Look
from heat_tui.screens.dialogs import PageDialog
from tests.tui.support_app import SMALL, shown, until
from tests.tui.support_race import HeldSession, RaceApp, begin

pytestmark = pytest.mark.asyncio

GARAGE = Modules(garage="mixed", expansion=True)
BEN = "lap 1 space 3 gear 2 engine 6 hand 1 1 2 2 3 3 4 upgrades body-1"
DRAW = "draw 3 2 2 3 4"


def app_at(
    path: Path,
    ana: str,
    ben: str = BEN,
    *,
    modules: Modules = GARAGE,
    weather: WeatherName | None = None,
    roads: str = "",
    phase: Literal["shift", "play"] = "play",
    others: Mapping[str, str] | None = None,
) -> RaceApp:
    """Make an app in the middle of a race with a garage; Ana is played here, Ben elsewhere."""
    cars = {"Ana": ana, "Ben": ben, **(others or {})}
    setup = make_position(load_track("usa"), cars, phase=phase, modules=modules, weather=weather, roads=roads)
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    return RaceApp(path, HeldSession(Table(setup, dict.fromkeys(seats, "human"))))


async def play(pilot: Pilot[None], *keys: str) -> RaceApp:
    """Pick cards by keys, let Ben play, and wait for the next question."""
    app = await begin(pilot)
    await pilot.press(*keys, "enter")
    await pilot.pause()
    assert isinstance(app.session, HeldSession)
    app.session.others_act()
    await until(lambda: app.controller.draft is not None and app.controller.draft.kind != "cards")
    await pilot.pause()
    return app


async def press(pilot: Pilot[None], *keys: str) -> str:
    """Press keys; give the forecast that follows."""
    await pilot.press(*keys)
    await pilot.pause()
    assert isinstance(pilot.app, RaceApp)
    return pilot.app.panel("forecast")


async def until_said(app: RaceApp, command: c.Command) -> None:
    """Wait until a command was sent; what leaves nothing to decide may have been answered after it."""
    session = app.session
    assert isinstance(session, HeldSession)
    await until(lambda: command in [said for _, _, said in session.said])


async def test_the_speed_of_each_brake_card_is_chosen_by_keys(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 3 engine 6 hand brakes-1 brakes-2 4 1 upgrades brakes-1 brakes-2 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        assert "picked Brakes 1/2/3/4 + Brakes 1/3 = speed 2 to 7" in await press(pilot, "3", "4")
        app = await play(pilot, "2")
        assert "choose the speed of your cards" in app.panel("banner")
        assert "Brakes at [1]  2   3   4   left/right" in app.panel("reactions")
        assert "Brakes 1/2/3/4 at 1, Brakes 1/3 at 1: speed 6, to space 20" in app.panel("forecast")
        assert "speed 7, to space 21" in await press(pilot, "right")
        assert "speed 9, to space 23" in await press(pilot, "4")
        assert "The speeds to choose from are 1, 3." in await press(pilot, "down", "4")
        assert "speed 11, to space 25" in await press(pilot, "right", "right")
        await pilot.press("enter")
        await until(lambda: app.controller.draft is not None and app.controller.draft.kind == "react")
        await until_said(app, c.ChooseValue((4, 3)))


async def test_the_speed_of_a_card_is_chosen_by_mouse(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 6 hand brakes-2 4 upgrades brakes-2 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await play(pilot, "2")
        assert "at 1: speed 1, to space 15" in app.panel("forecast")
        await pilot.click("#reactions", offset=(12, 0))
        await pilot.pause()
        assert "at 3: speed 3, to space 17" in app.panel("forecast")
        await press_key_line(pilot, "confirm")
        await until_said(app, c.ChooseValue((3,)))


async def press_key_line(pilot: Pilot[None], word: str) -> None:
    """Click a word of the line of keys."""
    app = pilot.app
    assert isinstance(app, RaceApp)
    await pilot.click("#keys", offset=(app.panel("keys").index(word), 0))
    await pilot.pause()


async def test_a_card_of_the_hand_is_played_directly(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 6 hand gas-1 gas-4 2 upgrades gas-1 gas-4 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await play(pilot, "1")
        assert "d     play Gas pedal 1, to space 17" in app.panel("reactions")
        assert "play Gas pedal 1 (direct, scrap 1), to space 17" in await press(pilot, "d")
        told = await press(pilot, "down")
        assert "play Gas pedal 4 (direct, pay 1, cool 1), to space 20, pays 1 Heat" in told
        await pilot.press("enter")
        await until_said(app, c.UseSymbol(1, 4, ("gas-4",)))
        await until(lambda: "to space 21" in app.panel("reactions"))
        first = app.panel("reactions").split("\n").index(f"  d     {'play Gas pedal 1, to space 21':<37}")
        for _ in range(2):
            await pilot.click("#reactions", offset=(12, first))
            await pilot.pause()
        await until_said(app, c.UseSymbol(4, 1, ("gas-1",)))


async def test_what_must_be_done_comes_before_the_end_of_phase_5(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 6 hand wings-1 2 upgrades wings-1 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await play(pilot, "2")
        assert "▶ p     must: pay 1 Heat (Wings 4)" in app.panel("reactions")
        assert "1 Heat must be paid first." in await press(pilot, "down", "space")
        assert "▶ p     must: pay 1 Heat (Wings 4)" in app.panel("reactions")
        await pilot.press("enter")
        await until(lambda: "▶ x     must: scrap 2 cards (Wings 4)" in app.panel("reactions"))
        assert "2 cards must be scrapped first for Wings 4." in await press(pilot, "space")
        assert "you must scrap 2 cards (Wings 4)" in await press(pilot, "x")
        await pilot.press("enter")
        await until_said(app, c.UseSymbol(2, 2))


async def test_cards_to_salvage_are_counted_by_kind(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 3 hand fuel-1 2 discard 4 4 heat upgrades fuel-1 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await play(pilot, "2")
        assert "salvage up to 2 from the discard pile (Fuel 2)" in await press(pilot, "r")
        assert "salvage nothing: shuffle into the draw pile (5 cards then)" in await press(pilot, "enter")
        assert "take 0 of 2 × 4  left/right" in app.panel("reactions")
        assert "salvage 4: shuffle into the draw pile (6 cards then)" in await press(pilot, "enter")
        assert "salvage 4, 4: shuffle into the draw pile (7 cards then)" in await press(pilot, "right")
        assert "You can take at most 2." in await press(pilot, "down", "right")
        assert "Your discard pile has 2 of that." in await press(pilot, "up", "5")
        assert "salvage 4, Heat:" in await press(pilot, "left", "down", "1")
        await press(pilot, "u")
        assert "salvage up to 2" in app.panel("reactions")
        await press(pilot, "r", "enter")
        for row in (0, 1, 1):
            await pilot.click("#reactions", offset=(12, row))
            await pilot.pause()
        assert "salvage 4, Heat:" in app.panel("forecast")
        await press_key_line(pilot, "confirm")
        await until_said(app, c.UseSymbol(1, 2, ("4", "heat")))


async def test_cards_that_cannot_be_paid_are_chosen(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 2 engine 1 hand wings-1 rpm-5 2 upgrades wings-1 rpm-5 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await play(pilot, "2", "3")
        await press(pilot, "space")
        await until(lambda: app.controller.draft is not None and app.controller.draft.kind == "unpaid")
        assert "not enough Heat: drop cards" in app.panel("banner")
        assert "drop R.P.M. 1 and flip: speed 6 to 8, to space 20 to 22" in app.panel("forecast")
        assert "drop Wings 4 and flip: speed 3 to 5, to space 17 to 19" in await press(pilot, "down")
        for _ in range(2):
            await pilot.click("#reactions", offset=(12, 0))
            await pilot.pause()
        await until_said(app, c.DropUnpaid(("rpm-5",)))


async def test_a_slipstream_goes_as_far_as_one_likes(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 6 hand rpm-2 1 upgrades rpm-2 {DRAW}"
    ben = "lap 1 space 16 spot race gear 1 engine 6 hand 1 1 2 2 3 3 4 upgrades body-1"
    cars = {"Leg": "lap 1 space 3 legend medium"}
    async with app_at(tmp_path, ana, ben, others=cars).run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        await pilot.press("2", "enter")
        assert isinstance(app.session, HeldSession)
        app.session.other_says(1, c.PlayCards(("1",)))
        for _ in range(2):
            app.session.others_act()
            await pilot.pause(0.05)
        await until(
            lambda: app.controller.draft is not None and app.controller.draft.kind in ("react", "slipstream")
        )
        if app.controller.draft is not None and app.controller.draft.kind == "react":
            await press(pilot, "space")
        await until(lambda: app.controller.draft is not None and app.controller.draft.kind == "slipstream")
        assert [line.strip("▶ ") for line in app.panel("reactions").split("\n")] == [
            "s     slipstream 4 further, to space 20",
            "S     slipstream 2 further, to space 18",
            "n     stay on space 16",
        ]
        assert "slipstream to space 20" in await press(pilot, "s")
        assert "stay on space 16" in await press(pilot, "n")
        assert "slipstream to space 18" in await press(pilot, "S")
        await pilot.press("enter")
        await until_said(app, c.Slipstream(2))


async def test_played_cards_are_refreshed_in_the_order_that_one_says(tmp_path: Path) -> None:
    ana = (
        "lap 1 space 14 gear 2 engine 6 hand suspension-1 suspension-3 2 4 stress "
        f"upgrades suspension-1 suspension-3 {DRAW}"
    )
    modules = Modules(garage="mixed", event="hold-tight")
    async with app_at(tmp_path, ana, modules=modules).run_test(size=SMALL) as pilot:
        app = await play(pilot, "3", "4")
        await press(pilot, "space")
        for _ in range(100):
            assert isinstance(app.session, HeldSession)
            app.session.others_act()
            await pilot.pause()
            if "8 DISCARD" in app.panel("banner"):
                break
        assert "discard and refresh" in app.panel("banner")
        assert "You can discard at most 1." in await press(pilot, "1", "2")
        assert "refresh Suspension 4, then Suspension 2: back on top" in await press(pilot, "5", "4")
        place = app.panel("hand").split("\n")[3].index("4")
        await pilot.click("#hand", offset=(place + 1, 1))
        await pilot.pause()
        assert "refresh Suspension 4: back on top" in app.panel("forecast")
        await pilot.click("#hand", offset=(place + 1, 1))
        assert "Heat and Stress stay in the hand." in await press(pilot, "3")
        await pilot.press("enter")
        await until_said(app, c.Discard(("2",), ("suspension-3", "suspension-1")))


@pytest.mark.spec("WEATHER-3")
async def test_weather_and_road_stand_on_the_map_the_road_and_in_forecasts(tmp_path: Path) -> None:
    ana = "lap 1 space 8 gear 3 engine 5 hand 2 3 4 4 start-5"
    roads = "limit-1 limit+1 overheat slipstream+1"
    ben = "lap 1 space 3 gear 2 engine 5 hand 1 1 2 2 3 3 4"
    app_with = app_at(tmp_path, ana, ben, modules=Modules(weather=True), weather="snow", roads=roads)
    async with app_with.run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        limits = [corner.limit for corner in load_track("usa").corners]
        app.race.track_map.look = Look("ascii")
        app.race.track_map.zoom = "whole"
        await pilot.pause()
        drawn = "\n".join(app.race.track_map.render_line(y).text for y in range(14))
        assert limits == [7, 3, 3, 2]
        for sign in ("[6]", "[4]", "[3!]", "[2]"):
            assert drawn.count(sign) == 1
        assert (drawn.count("cool+1"), drawn.count("slip+1")) == (3, 1)
        assert f"┃{limits[0] - 1}┃ cool+1" in app.panel("road")
        told = app.panel("forecast")
        assert f"corner 1 (limit {limits[0]} − 1 road = {limits[0] - 1})" in told
        told = await press(pilot, "2", "3", "4")
        assert f"corner 1 (limit {limits[0]} − 1 road = {limits[0] - 1}): 11 −" in told
        await press(pilot, "w")
        assert isinstance(app.screen, PageDialog)
        beside_map = " ".join(row[1:47].strip() for row in shown(pilot).split("\n")[2:-4])
        told = re.sub(r" +", " ", beside_map)
        assert "snow 1 Heat less, cooldown +1 in weather sectors" in told
        assert "slipstream +1: a slipstream may go 1 further" in told
        assert "! overheat: if you pay here, pay 1 more Heat" in told


async def test_every_card_held_is_explained(tmp_path: Path) -> None:
    ana = f"lap 1 space 14 gear 1 engine 5 hand wings-1 stress heat 2 upgrades wings-1 {DRAW}"
    async with app_at(tmp_path, ana).run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        assert "WINGS" in app.panel("hand")
        await press(pilot, "i")
        assert isinstance(app.screen, PageDialog)
        page = shown(pilot)
        for text in ("Wings 4", "Speed 4.", "You must pay 1 Heat", "every corner's limit is 2 higher"):
            assert text in page
