"""The first race: each thing is explained when it first happens, and never again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.race.setup import COLOURS
from heat_core.view.defaults import default_command
from heat_tui.app import HeatApp
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.table_factory import LEGEND_NAMES, make_lesson, make_table, own_lesson
from heat_tui.keys.table import Keys
from heat_tui.plain.game import lesson_here
from heat_tui.plain.words import spoken
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import DEFAULT_NAME, Settings, load_settings, save_settings
from heat_tui.widgets.lesson_box import LessonBox
from heat_tui.words.hints import FINISH_OF_EACH, HINTS, end_hint, spin_out_hint, with_more
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_keys import LONG
from tests.tui.support_plain import Terminal, example_in
from tests.tui.support_race import keys_of, own_decision, sensible_keys

pytestmark = pytest.mark.asyncio


CAREFUL = (3, 4, 2)
"""Gears of the first rounds, with which everything but a spin-out comes up."""

RECKLESS = (4, 4, 4)


def learner(path: Path) -> HeatApp:
    return HeatApp(folders_in(path), opening=lambda app: app.action_learn(), animate=False, player_name="Ana")


async def begin(pilot: Pilot[None]) -> RaceScreen:
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.seen > 0)
    await pilot.pause()
    assert isinstance(app.screen, RaceScreen)
    return app.screen


def box(screen: RaceScreen) -> LessonBox:
    """Give the box that is in sight; where there is no hint, the one on the map."""
    boxes = [box for box in screen.query(LessonBox) if box.display]
    return boxes[0] if boxes else screen.query_one("#lesson", LessonBox)


def title(screen: RaceScreen) -> str:
    hint = box(screen).hint
    return hint.title if hint is not None else ""


def keys_for(screen: RaceScreen, gears: Iterator[int], *, is_reckless: bool) -> list[str]:
    observation = screen.controller.observation
    assert observation is not None
    own, choice = observation.own, observation.own.choice
    if "gear" in {decision.kind for decision in observation.view.decisions if decision.seat == own.seat}:
        gear = next(gears, None)
        if gear is not None:
            return keys_of(c.ShiftGear(gear), own.hand)
    if is_reckless and choice is not None and hasattr(choice, "count"):
        fastest = sorted((card for card in own.hand if card not in ("heat", "stress")), reverse=True)
        return keys_of(c.PlayCards(tuple(fastest[: choice.count])), own.hand)
    if isinstance(default_command(observation), c.UseSymbol):
        return ["u", "c", "enter"]
    return sensible_keys(observation)


async def race_on(
    pilot: Pilot[None], screen: RaceScreen, gears: tuple[int, ...], *, is_reckless: bool = False
) -> list[str]:
    """Drive to the end; gives the titles explained, in order."""
    plan, seen = iter(gears), [title(screen)]
    while screen.controller.view.status != "ended":
        decision = own_decision(screen)
        await pilot.press(*keys_for(screen, plan, is_reckless=is_reckless))
        await until(lambda: own_decision(screen) != decision or screen.controller.view.status == "ended")  # noqa: B023
        await pilot.pause()
        if title(screen) != seen[-1]:
            seen.append(title(screen))
    return [told for told in seen if told]


@pytest.mark.spec("APP-12")
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_whole_lesson(tmp_path: Path, size: tuple[int, int]) -> None:
    app = learner(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await begin(pilot)
        assert title(screen) == "Gear"
        told = await race_on(pilot, screen, CAREFUL)
        assert [*dict.fromkeys(told)] == told, "nothing is explained twice"
        wanted = {hint.title for topic, hint in HINTS.items() if topic != "spin-out"}
        assert set(told) == wanted
        assert told[-1] == "The end"
        assert not load_settings(app.folders).hints, "who has raced needs no hints"
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))


@pytest.mark.spec("APP-12")
async def test_a_spin_out_is_explained_when_it_happens(tmp_path: Path) -> None:
    app = learner(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        screen = await begin(pilot)
        told = await race_on(pilot, screen, RECKLESS, is_reckless=True)
        assert "Spin-out" in told


EVERY_HINT = (
    *HINTS.values(),
    FINISH_OF_EACH,
    with_more(HINTS["cards"], "stress"),
    with_more(HINTS["react"], "adrenaline"),
    *(end_hint(whose) for whose in ("own", "other")),
    *(spin_out_hint(stress, has_heat_in_hand=has) for stress in (1, 2) for has in (True, False)),
)


@pytest.mark.parametrize(
    ("size", "keys"),
    [(SMALL, {}), ((LARGE[0], SMALL[1]), {}), (SMALL, LONG), (LARGE, LONG), ((200, 60), LONG)],
)
async def test_every_hint_fits_its_box(tmp_path: Path, size: tuple[int, int], keys: dict[str, str]) -> None:
    save_settings(folders_in(tmp_path), Settings(keys=keys))
    app = learner(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await begin(pilot)
        for hint in EVERY_HINT:
            box(screen).show(hint)
            await pilot.pause()
            most = 5 if box(screen).id == "lesson" else 12
            assert 2 <= box(screen).content_size.height <= most, hint.title
            lines, region = shown(pilot).splitlines(), box(screen).region
            text = "".join(lines[row][region.x : region.right] for row in region.line_range)
            last = hint.doing if hint.is_final else Keys(keys).fill("{race.end_hints} ends the hints.")
            assert " ".join(text.split()).endswith(last), f"the end of {hint.title} is on the screen"


async def test_the_box_says_what_to_press_and_covers_no_panel(tmp_path: Path) -> None:
    app = learner(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        screen = await begin(pilot)
        region = box(screen).region
        rows = [shown(pilot).splitlines()[row][: region.width] for row in region.line_range]
        text = " ".join(" ".join(rows).split())
        assert "Enter shifts." in text
        assert "k ends the hints." in text
        panels = [screen.query_one(f"#{name}").region for name in ("side", "road", "lower", "forecast")]
        assert not any(box(screen).region.overlaps(region) for region in panels)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_box_never_covers_ones_own_car(tmp_path: Path, size: tuple[int, int]) -> None:
    app = learner(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await begin(pilot)
        track_map, edges = screen.track_map, set()
        while screen.controller.view.status != "ended":
            decision = own_decision(screen)
            await pilot.press(*keys_for(screen, iter(()), is_reckless=False))
            await until(lambda: own_decision(screen) != decision or screen.controller.view.status == "ended")  # noqa: B023
            for key in ("plus", "shift+down", "shift+down", "f", "minus"):
                await pilot.press(key)
                await pilot.pause()
                row = track_map.row_of_car(0)
                if size == LARGE:
                    assert not box(screen).region.overlaps(track_map.region), "it is below the log"
                elif row is not None and box(screen).display:
                    edges.add(box(screen).region.y == track_map.region.y)
                    assert track_map.region.y + row not in box(screen).region.line_range
        assert edges == (set() if size == LARGE else {False, True}), "it was at the foot and at the top"


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_key_ends_the_lesson_for_good(tmp_path: Path, size: tuple[int, int]) -> None:
    app = learner(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await begin(pilot)
        assert box(screen).display
        await pilot.press("k")
        await pilot.pause()
        assert not any(box.display for box in screen.query(LessonBox))
        assert not load_settings(app.folders).hints
        told = await race_on(pilot, screen, ())
        assert told == []


@pytest.mark.parametrize("hints", [True, False])
async def test_any_first_race_offers_hints(tmp_path: Path, hints: bool) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(hints=hints))
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="a", legends=1))
    app = HeatApp(folders, opening=lambda app: app.race_here(table), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        screen = await begin(pilot)
        assert title(screen) == ("Gear" if hints else "")


async def test_people_around_one_keyboard_are_not_lectured(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana", "Ben"), laps=1, seed="a", legends=0))
    app = HeatApp(
        folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False, player_name="Ana"
    )
    async with app.run_test(size=SMALL) as pilot:
        screen = await begin(pilot)
        assert title(screen) == ""


async def test_home_and_the_page_about_the_game_lead_to_it(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("p")
        await until(lambda: isinstance(app.screen, HowToPlayScreen))
        await pilot.press("l")
        screen = await begin(pilot)
        assert title(screen) == "Gear"
        await pilot.press("h")
        await until(lambda: isinstance(app.screen, HowToPlayScreen))
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(app.screen, HowToPlayScreen), "a race is not left without asking"
        await pilot.press("escape")
        await pilot.press("q", "y")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("l")
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("s")
        assert title(await begin(pilot)) == "Gear"


async def test_the_lesson_in_lines(tmp_path: Path) -> None:
    terminal = Terminal(lambda prompt: "leave" if "again" in prompt else example_in(prompt))
    await lesson_here(terminal.line_terminal, folders_in(tmp_path), "Ana")
    for topic in ("gear", "cards", "react", "discarding", "legends"):
        hint = HINTS[topic]
        assert terminal.flow.count(spoken(f"{hint.title}: {hint.text}")) == 1


@pytest.mark.parametrize("name", [*LEGEND_NAMES[:2], "", "\x1b"])
async def test_whoever_has_a_name_that_cannot_be_learns_under_the_usual_one(name: str) -> None:
    assert own_lesson(name, "red").setup.cars[0].name == DEFAULT_NAME
    assert own_lesson("Ana", "red").setup.cars[0].name == "Ana"


async def test_a_lesson_in_lines_explains_itself_once_though_it_is_raced_again(tmp_path: Path) -> None:
    again = iter(["again", "leave"])
    terminal = Terminal(lambda prompt: next(again) if "again" in prompt else example_in(prompt))
    await lesson_here(terminal.line_terminal, folders_in(tmp_path), "Ana")
    hint = HINTS["gear"]
    assert terminal.text.count("The race is over") == 2
    assert terminal.flow.count(spoken(f"{hint.title}: {hint.text}")) == 1


@pytest.mark.parametrize("colour", COLOURS)
async def test_the_lesson_takes_any_name_and_colour(colour: str) -> None:
    table = make_lesson(LEGEND_NAMES[2], colour)  # type: ignore[arg-type]  # literals all
    assert table.setup.cars[0].colour == colour
    assert len({car.colour for car in table.setup.cars}) == 3
    assert Lesson().told == []
