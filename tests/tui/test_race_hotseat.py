"""A whole hot-seat race by keys: the curtain hides the hands, the results tell who came where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.options.table_options import LocalOptions
from heat_core.race.commands import PlayCards
from heat_tui.app import HeatApp
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.widgets.hand import HandRow
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, decide_by_keys, own_decision, table_at

pytestmark = pytest.mark.asyncio

CARD_NUMBERS = re.compile(r"\b1 {3,}2 {3,}3 ")
"""Below the cards of a hand."""


def hot_seat(path: Path) -> HeatApp:
    options = LocalOptions(names=("Ana", "Ben"), track="italy", laps=1, legends=1, seed="7")
    table = make_table(options)
    return HeatApp(folders_in(path), opening=lambda app: app.race_here(table), animate=False)


async def race_screen(pilot: Pilot[None]) -> RaceScreen:
    await until(lambda: isinstance(pilot.app.screen, RaceScreen))
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, RaceScreen)
    return screen


async def drive(pilot: Pilot[None], screen: RaceScreen) -> list[str]:
    """Press keys until the race is over; give what was shown at each curtain."""
    curtains = []
    while screen.controller.view.status != "ended":
        if screen.controller.curtain is not None:
            await pilot.pause()
            curtains.append(shown(pilot))
            await pilot.press("enter")
            await until(lambda: screen.controller.curtain is None)
        elif own_decision(screen) is not None:
            await decide_by_keys(pilot, screen)
        else:
            await pilot.pause()
    return curtains


def assert_hides_the_hands(text: str, names: tuple[str, ...]) -> None:
    assert any(f"Pass the keyboard to {name}, then press Enter." in text for name in names)
    assert not CARD_NUMBERS.search(text)
    for word in ("picked", "confirm", "engine", "draw ", "your hand"):
        assert word not in text, word


@pytest.mark.spec("APP-1")
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_two_race_at_one_keyboard_to_the_results_and_home(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = hot_seat(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await race_screen(pilot)
        curtains = await drive(pilot, screen)
        assert len(curtains) > 8
        for text in curtains:
            assert_hides_the_hands(text, ("Ana", "Ben"))
        for name in ("Ana", "Ben"):
            assert any(f"keyboard to {name}" in text for text in curtains)
        await pilot.pause()
        assert "THE END" in shown(pilot)
        assert "Enter: results" in shown(pilot)
        standings = screen.controller.view.standings
        assert sorted(standing.car for standing in standings) == [0, 1, 2]

        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        rows = re.findall(r"[ ▸](\d) [A-Z] (\w+(?: \d)?) +(?:finish|\d+/)", shown(pilot))
        names = [screen.controller.labels.names[standing.car] for standing in standings]
        assert rows == [*zip(PLACES, names, strict=True)]
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, HomeScreen))


PLACES = ("1", "2", "3")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_whole_map_says_to_whom_the_keyboard_goes(tmp_path: Path, size: tuple[int, int]) -> None:
    async with hot_seat(tmp_path).run_test(size=size) as pilot:
        screen = await race_screen(pilot)
        await until(lambda: screen.controller.curtain is not None)
        await pilot.press("v")
        await pilot.pause()
        assert screen.has_class("-whole-map")
        assert_hides_the_hands(shown(pilot), ("Ana", "Ben"))
        await pilot.press("enter")
        await until(lambda: screen.controller.curtain is None)
        await pilot.pause()
        assert not screen.query_one("#lower").display


async def test_behind_the_curtain_no_key_shows_or_changes_anything_of_a_hand(tmp_path: Path) -> None:
    app = hot_seat(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        screen = await race_screen(pilot)
        for _ in range(5):
            await pilot.pause()  # until every panel knows its size
        before = shown(pilot)
        assert "Pass the keyboard to Ana" in before
        for key in ("1", "9", "u", "o", "left", "right", "up", "down", "c", "b", "a", "s", "n", "g"):
            await pilot.press(key)
            await pilot.pause()
            assert app.screen is screen, key
            assert shown(pilot) == before, key
        assert not screen.query_one(HandRow).display
        await pilot.press("l")
        await pilot.pause()
        assert_no_faces(shown(pilot))


def assert_no_faces(text: str) -> None:
    assert not CARD_NUMBERS.search(text)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_who_watches_sees_what_lies_on_the_table_where_there_is_room(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    cars = {
        "Ana": f"lap 1 space 14 gear 2 engine 6 hand 1 2 3 4 {DRAW}",
        "Ben": "lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 4",
    }
    session = HeldSession(table_at(cars), seats=())
    app = RaceApp(tmp_path, session)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert "The others drive." in app.panel("curtain")
        assert ("A Ana  2nd gear  4 in hand" in app.panel("curtain")) == (size == LARGE)
        session.other_says(1, PlayCards(("1",)))
        session.other_says(0, PlayCards(("2", "4")))
        await until(lambda: app.controller.view.cars[1].played and not app.race.film.is_running)
        await pilot.pause()
        assert ("B Ben  1st gear   1 " in app.panel("curtain")) == (size == LARGE)
