"""Looking about: what stands where one points, keys by name, and small ways to the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.binding import Binding
from textual.command import CommandPalette

from heat_core.cards import STRESS
from heat_core.decisions import SlipstreamChoice
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.setup import Modules
from heat_core.table import Table
from heat_tui.app import HeatApp
from heat_tui.flow.looking import spot_text
from heat_tui.keys.palette import named_keys
from heat_tui.keys.race_bindings import RACE_BINDINGS
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.log import LogScreen
from heat_tui.screens.race import RaceScreen
from tests.tui.support_app import LARGE, SMALL, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, race_app, table_at

CARS = {
    "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    "Leg": "lap 1 space 10 legend hard",
}
HOT = {
    "Ana": f"lap 1 space 14 gear 1 engine 3 hand 1 2 3 4 heat heat {STRESS} {DRAW}",
    "Ben": f"lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
}


ANA = "Ana: lap 1, 3rd gear, engine 5 Heat, 7 in hand, draw 4, discard 0"


def held(app: RaceApp) -> HeldSession:
    assert isinstance(app.session, HeldSession)
    return app.session


@pytest.mark.parametrize(
    ("space", "cars", "corner", "text"),
    [
        (33, (), 1, "corner 2: limit 3, its line is after space 33"),
        (None, (), 0, "corner 1: limit 7, its line is after space 12"),
        (30, (0,), None, f"{ANA}; space 30; 3 to the corner line"),
        (10, (2,), None, "Leg (Legend): lap 1; space 10; 2 to the corner line (limit 7)"),
        (27, (), None, "space 27, Legends line after it; 6 to the corner line (limit 3)"),
        (60, (), None, "space 60; 21 to the corner line (limit 7)"),
        (None, (), None, ""),
    ],
)
def test_figures_of_spaces_corners_and_cars(
    space: int | None, cars: tuple[int, ...], corner: int | None, text: str
) -> None:
    table = table_at(CARS)
    labels = RaceLabels.of(table.setup)
    told = spot_text(table.view(0), labels.names, labels.track, space=space, cars=cars, corner=corner)
    assert told.startswith(text)
    assert bool(told) == bool(text)


def test_a_car_that_has_finished_is_in_no_lap_that_there_is_not() -> None:
    table = table_at(CARS)
    view, labels = table.view(0), RaceLabels.of(table.setup)
    cars = tuple(replace(car, status="finished", lap=3) if car.is_legend else car for car in view.cars)
    told = spot_text(replace(view, cars=cars), labels.names, labels.track, space=10, cars=(2,), corner=None)
    assert told.startswith("Leg (Legend): finished;")


@pytest.mark.parametrize(
    ("track", "space", "text"),
    [
        ("japan", 8, "flooded: shifting down costs 1 Heat more"),
        ("spain", 64, "tunnel: you cannot discard here"),
    ],
)
def test_water_and_tunnels_are_told(track: str, space: int, text: str) -> None:
    cars = {"Ana": "lap 1 space 14 hand 1 2 3 4", "Ben": "lap 1 space 4"}
    table = table_at(cars, track=track)
    labels = RaceLabels.of(table.setup)
    for place in (space, 1):
        told = spot_text(table.view(0), labels.names, labels.track, space=place, cars=(), corner=None)
        assert (text in told) == (place == space)


def test_road_tokens_and_sectors_are_told_at_their_corner_and_in_their_sector() -> None:
    setup = make_position(
        load_track("usa"),
        {"Ana": "lap 1 space 4 hand 1 2 3", "Ben": "lap 1 space 10 hand 1 1 2"},
        phase="play",
        modules=Modules(weather=True),
        weather="snow",
        roads="overheat limit-1 slipstream+1 weather",
    )
    view = Table(setup, {0: "human", 1: "human"}).view(0)
    labels = RaceLabels.of(setup)

    def told(space: int | None, corner: int | None) -> str:
        return spot_text(view, labels.names, labels.track, space=space, cars=(), corner=corner)

    assert told(None, 0).startswith("corner 1: limit 7, overheat, ")
    assert told(None, 1).startswith("corner 2: limit 3 − 1 road = 2, ")
    assert told(None, 2).endswith("after it slipstream +1: a slipstream may go 1 further")
    assert told(52, None).endswith("slipstream +1: a slipstream may go 1 further")
    assert told(40, None).endswith("cooldown +1: in phase 5 you may cool 1 more Heat")


@pytest.mark.asyncio
@pytest.mark.spec("BOARD-6")
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_car_or_corner_under_mouse_or_cursor_tells_its_figures(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await pilot.press("1")
        drawing = app.race.track_map.drawing
        assert drawing is not None
        left, top = app.race.track_map.view_offset
        column, row = app.race.track_map._pane.over.cells[1]
        await pilot.hover("#map", offset=(column - left, row - top))
        await pilot.pause()
        lines = app.panel("forecast").split("\n")
        told = " ".join(line.strip() for line in lines[1 if size == SMALL else 2 :])
        assert told.startswith("Ben: lap 1, 2nd gear, engine 6 Heat, 7 in hand, draw 11, discard 0")
        assert told.endswith("to the corner line (limit 3)")
        assert lines[0].startswith(" picked 1"), "the forecast stays"
        places = [(x, y) for y in range(drawing.rows) for x in range(drawing.columns)]
        column, row = next(place for place in places if drawing.corner_at(*place) == 1)
        await pilot.hover("#map", offset=(column - left, row - top))
        await pilot.pause()
        assert "corner 2: limit 3, its line is after space 33" in app.panel("forecast")
        await pilot.hover("#banner")
        await pilot.pause()
        assert "corner 2: limit" not in app.panel("forecast")
        for key, text in ((".", "space 31; 2 to the corner line"), (",", "Ana: lap 1, 3rd gear")):
            await pilot.press(key)
            await pilot.pause()
            assert text in app.panel("forecast")
        await pilot.press(".", "f")
        await pilot.pause()
        assert app.race.track_map._pane.over.cursor is None


@pytest.mark.asyncio
async def test_looking_about_ends_with_the_next_choice_and_never_hides_its_cost(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("z", ".")
        await pilot.pause()
        assert "space 31" in app.panel("forecast"), "the answer to another key gives way"
        await pilot.press("1", "2", "3")
        await pilot.pause()
        assert "space 31" not in app.panel("forecast")
        assert app.race.track_map._pane.over.cursor is None
        await pilot.press(".")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.race
        assert "space 31" not in app.panel("forecast")
        await pilot.press(".")
        await pilot.pause()
        assert "space 31" in app.panel("forecast")
        await pilot.press("enter")
        await on_to(pilot, app, "8 DISCARD")
        assert "space 31" not in app.panel("forecast")
        await pilot.press("z")
        await pilot.pause()
        assert "waits for you" in app.panel("forecast")
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, ConfirmDialog))


@pytest.mark.asyncio
async def test_every_key_that_does_something_has_a_name_of_its_own(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        names = [name for name, _, _ in named_keys(app.screen)]
    assert len(set(names)) == len(names)
    assert {"Confirm", "Boost", "Cool down", "Slipstream", "Give up", "Leave", "Log"} <= set(names)
    for binding in RACE_BINDINGS:
        assert isinstance(binding, Binding)
        action = binding.action.split("(")[0]
        owner = HeatApp if action.startswith("app.") else RaceScreen
        assert hasattr(owner, f"action_{action.removeprefix('app.')}"), action


@pytest.mark.asyncio
async def test_the_command_palette_does_what_a_key_does(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("ctrl+p")
        await until(lambda: isinstance(app.screen, CommandPalette) and app.screen.is_mounted)
        await pilot.pause()
        await pilot.press(*"log")
        await until(lambda: "key l" in shown(pilot))
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, LogScreen))


@pytest.mark.asyncio
async def test_a_digit_says_how_much_to_cool_and_space_is_done(tmp_path: Path) -> None:
    app = race_app(tmp_path, HOT)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "enter")
        await on_to(pilot, app, "5 REACT")
        await pilot.press("c", "1")
        await pilot.pause()
        assert "cool 1 Heat of 2" in app.panel("forecast")
        await pilot.press("9")
        await pilot.pause()
        assert "cool 2 Heat of 2" in app.panel("forecast")
        await pilot.press("1", "space")
        await until(lambda: isinstance(held(app).said[-1][2], c.EndReact))


@pytest.mark.asyncio
@pytest.mark.parametrize(("cards", "first"), [(("1", "1"), 2), (("2", "2"), 0)])
async def test_a_slipstream_is_offered_first_where_it_costs_nothing(
    tmp_path: Path, cards: tuple[str, ...], first: int
) -> None:
    """From space 49 it crosses a line with the limit 3; Ben, a lap behind, stands on space 50."""
    space = 49 - sum(int(card) for card in cards)
    app = race_app(
        tmp_path,
        {
            "Ana": f"lap 2 space {space} gear 2 engine 6 hand {' '.join(cards)} 3 4 {DRAW}",
            "Ben": f"lap 1 space 50 gear 1 engine 6 hand 1 1 2 2 3 3 {STRESS}",
        },
    )
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "2", "enter")
        await on_to(pilot, app, "6 SLIP")
        assert app.controller.draft is not None
        assert app.controller.draft.spaces == first
        own = app.controller.view.own
        assert own is not None
        assert isinstance(own.choice, SlipstreamChoice)
        assert own.choice.spaces == (0, 2)


@pytest.mark.asyncio
async def test_a_long_name_of_a_track_leaves_the_banner_room(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    oval = (Path(__file__).parents[2] / "examples" / "oval.json").read_text()
    path.write_text(oval.replace('"The Oval"', '"Donaudampfschifffahrtsgesellschaftsrings"'))
    cars = {"Ana": "lap 1 space 14 hand 1 2 3 4", "Ben": "lap 1 space 4"}
    app = RaceApp(tmp_path, HeldSession(table_at(cars, track=str(path))))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        banner = app.panel("banner")
        assert banner.startswith(" Don…  lap 1/3 · round 2   2 PLAY CARDS: ")
        assert banner.rstrip().endswith(" you, Ben")
