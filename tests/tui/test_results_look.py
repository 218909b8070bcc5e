"""Results as they look and what can be done from there: LOOK-6."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input

from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.replay import ReplayController
from heat_tui.flow.results import ResultsController
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.review import Review
from heat_tui.race.presenter import RaceLabels
from heat_tui.saved.keeping import keep_races
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.results_page import ALL, PageLook, Reveal, result_pages
from heat_tui.screens.results_picture import podium_cars
from heat_tui.state import Settings, save_settings
from heat_tui.theme.colours import car_paints
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_plain import Terminal
from tests.tui.test_race_results import driven, to_results

GIANT = (200, 60)


@pytest.fixture(scope="module")
def results() -> ResultsController:
    table = driven()
    playback = Playback(Record(table.setup, tuple(table.log)))
    return ResultsController(RaceLabels.of(table.setup), table.view(None), (), (0,), playback)


def app_at_results(path: Path, *, animate: bool | None = False) -> HeatApp:
    """The client, at a race that bots have driven to its end, for Ana as well."""
    table = driven()
    table.set_driver(0, "human")
    return HeatApp(
        folders_in(path), opening=lambda app: app.race_here(table), animate=animate, player_name="Ana"
    )


async def at_results(pilot: Pilot[None]) -> ResultsScreen:
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.is_over)
    await pilot.press("enter")
    await until(lambda: isinstance(app.screen, ResultsScreen))
    await until(lambda: all(worker.is_finished for worker in app.workers if worker.group == "bests"))
    await pilot.pause()
    assert isinstance(app.screen, ResultsScreen)
    return app.screen


def paints_of(results: ResultsController, reveal: Reveal = ALL) -> Counter[str]:
    """Count the cells of the first page by the paint of their ground or block."""
    (page, *_) = result_pages(results, (), PageLook(118, 34, "night", True, reveal))
    found: Counter[str] = Counter()
    for line in page.lines:
        for span in line.spans:
            for colour in (getattr(span.style, "color", None), getattr(span.style, "bgcolor", None)):
                if colour is not None:
                    found[colour.name] += span.end - span.start
    return found


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
@pytest.mark.parametrize("size", [SMALL, LARGE, GIANT])
async def test_results_tell_place_podium_gaps_chart_moments_bests_and_what_to_do_next(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = app_at_results(tmp_path)
    async with app.run_test(size=size) as pilot:
        await at_results(pilot)
        text = shown(pilot)
        while "Moments" not in text:
            await pilot.press("pagedown")
            await pilot.pause()
            text += shown(pilot)
        assert "You are 4th of 5, 23 spaces behind Legend 1." in text
        assert text.index("You are 4th") < text.index("Legend 1 wins")
        for words in ("gap", "won", "-23", "Places over the rounds", "Heat in your engine", "1 watch"):
            assert words in text
        for words in ("r Race again", "w Watch the replay", "v Watch the moments", "n Another circuit"):
            assert words in text
        for words in ("a Analysis", "x Export", "Enter Home"):
            assert words in text
        assert "shown at the start" not in text, "seed and hash only on request"
        await pilot.press("s")
        await pilot.pause()
        assert "shown at the start" in shown(pilot)


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
async def test_results_tell_personal_bests_that_the_race_beat(tmp_path: Path) -> None:
    table = driven()
    first_driver = next(s.car for s in table.view(None).standings if s.car in table.drivers)
    table.set_driver(first_driver, "human")
    app = HeatApp(
        folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False, player_name="Ivo"
    )
    async with app.run_test(size=SMALL) as pilot:
        await at_results(pilot)
        assert "Your first finish on Italy over 1 lap: 7 rounds." in shown(pilot)


@pytest.mark.spec("LOOK-6")
def test_each_car_has_a_line_in_its_colour_and_the_first_three_a_step(results: ResultsController) -> None:
    found = paints_of(results)
    for car in results.labels.setup.cars:
        paint = "car-black-ring" if car.colour == "black" else car_paints(car.colour)[0]
        assert found[paint] > 20, car.name
    for step in ("gold-step", "silver-step", "bronze-step"):
        assert found[step] > 40
    begun = paints_of(results, Reveal(1, 0.0))
    assert begun["bronze-step"]
    assert not begun["gold-step"]
    assert begun["car-red"] < found["car-red"]


def test_nobody_who_gave_up_is_on_the_podium() -> None:
    table = driven()
    view, labels = table.view(None), RaceLabels.of(table.setup)
    third = view.standings[2].car
    cars = tuple(replace(car, status="gave_up") if car.number == third else car for car in view.cars)
    for shown_view, count in ((view, 3), (replace(view, cars=cars), 2)):
        on_steps = podium_cars(labels, shown_view, [""] * 5)
        assert [car.name for car in on_steps] == [
            labels.names[standing.car] for standing in view.standings[:count]
        ]


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
@pytest.mark.parametrize(
    ("button", "screen"),
    [
        ("r Race again", RaceScreen),
        ("w Watch the replay", ReplayScreen),
        ("v Watch the moments", ReplayScreen),
        ("n Another circuit", NewRaceScreen),
        ("a Analysis", AnalysisScreen),
        ("x Export", ChooseScreen),
        ("1 watch", ReplayScreen),
    ],
)
async def test_a_click_on_what_to_do_next_does_the_same_as_its_key(
    tmp_path: Path, button: str, screen: type[HeatScreen[object]]
) -> None:
    app = app_at_results(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        results = await at_results(pilot)
        await pilot.press(button[0])
        await until(lambda: isinstance(app.screen, screen))
        if screen is RaceScreen:
            return
        app.pop_screen()
        await until(lambda: app.screen is results)
        await pilot.pause()
        panel = results.query_one("#page" if button == "1 watch" else "#ways", TextPanel)
        row, line = next((row, line) for row, line in enumerate(panel.lines) if button in line)
        offset = panel.content_region.x - panel.region.x + line.index(button), row
        await pilot.click(panel, offset=offset)
        await until(lambda: isinstance(app.screen, screen))


@pytest.mark.asyncio
async def test_those_at_one_keyboard_are_named_and_may_choose_another_circuit(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana", "Ben"), track="italy", laps=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen))
        for seat in (0, 1):
            table.set_driver(seat, "steady")
        while table.bot_due():
            table.step_bot()
        await at_results(pilot)
        assert "Ana is " in shown(pilot)
        assert "Ben is " in shown(pilot)
        await pilot.press("n")
        await until(lambda: isinstance(app.screen, NewRaceScreen))
        assert app.screen.query_one("#names", Input).placeholder == "Ana, Ben, Cleo"


# --- what comes bit by bit ---------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
async def test_podium_and_chart_come_bit_by_bit_and_any_key_ends_that(tmp_path: Path) -> None:
    app = app_at_results(tmp_path, animate=True)
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.is_over)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen) and app.screen._reveal != ALL)
        screen = app.screen
        assert isinstance(screen, ResultsScreen)
        await pilot.press("k")
        assert screen._reveal == ALL
        whole = screen.query_one("#page", TextPanel).lines
        await asyncio.sleep(0.3)
        assert screen.query_one("#page", TextPanel).lines == whole


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
async def test_where_nothing_is_to_move_all_of_it_is_there_at_once(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), replace(Settings(), animation="off"))
    app = app_at_results(tmp_path, animate=None)
    async with app.run_test(size=LARGE) as pilot:
        screen = await at_results(pilot)
        assert screen._reveal == ALL
        assert not [worker for worker in app.workers if worker.group == "reveal"]


# --- the moments as a film ---------------------------------------------------------------------------------


@pytest.mark.spec("LOOK-6")
def test_the_moments_play_one_after_the_other_each_from_the_beginning_of_its_turn(
    results: ResultsController,
) -> None:
    playback, scenes = results.playback, results.scenes
    assert playback is not None
    assert scenes == sorted(scenes)
    for moment in results.highlights:
        place = playback.place_of_event(moment.event)
        assert any(first <= place <= last for first, last in scenes)
    replay = ReplayController(playback, results.labels)
    replay.play_scenes(scenes)
    seen = [replay.place]
    assert replay.scene == f"moment 1 of {len(scenes)}"
    while replay.is_playing:
        replay.advance()
        seen.append(replay.place)
    expected = [place for first, last in scenes for place in range(first, last + 1)]
    assert seen[:-1] == expected
    replay.play_scenes(scenes)
    replay.walk("start")
    assert not replay.is_playing
    assert replay.scene == ""


# --- in lines ----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-6")
async def test_plain_mode_says_personal_bests_of_a_race(tmp_path: Path) -> None:
    table = driven()
    first_driver = next(s.car for s in table.view(None).standings if s.car in table.drivers)
    record = Record(table.setup, tuple(table.log))
    folders = folders_in(tmp_path)
    settings = Settings(name="Ana")
    save_settings(folders, settings)
    await keep_races(folders, settings, [record], (first_driver,), "Ana")
    terminal = Terminal()
    session = LocalSession(table)
    session.seats = (first_driver,)
    await Review(terminal.line_terminal, folders, session, record).tell_bests()
    assert "Your first finish on Italy over 1 lap: 7 rounds." in terminal.lines


@pytest.mark.asyncio
async def test_who_gives_up_comes_to_the_same_results(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=LARGE) as pilot:
        await to_results(pilot)
        assert "gave up" in shown(pilot)
        assert "▀▀▀▀▀▀▀▀▀▀▀▀▀" not in shown(pilot), "nobody is on a podium where nobody has won"
