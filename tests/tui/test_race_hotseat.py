"""A whole hot-seat race by keys: the curtain hides the hands, the results tell who came where."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.decisions import CardsChoice, DiscardChoice, only_answer
from heat_core.options.table_options import LocalOptions
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.widgets.hand import HandRow
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import RaceApp, begin, decide_by_keys, own_decision, table_at

pytestmark = pytest.mark.asyncio

CARD_EDGES = "┌┏└┗│"


def hot_seat(path: Path, *, bots: int = 0, seed: str = "7") -> HeatApp:
    options = LocalOptions(names=("Ana", "Ben"), track="italy", laps=1, legends=1, bots=bots, seed=seed)
    table = make_table(options)
    return HeatApp(folders_in(path), opening=lambda app: app.race_here(table), animate=False)


async def race_screen(pilot: Pilot[None]) -> RaceScreen:
    await until(lambda: isinstance(pilot.app.screen, RaceScreen))
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, RaceScreen)
    return screen


async def drive(pilot: Pilot[None], screen: RaceScreen, *, rounds: int = 99) -> list[str]:
    """Press keys until the race, or so many rounds, are over; give what was shown at each curtain."""
    curtains = []
    while screen.controller.view.status != "ended" and screen.controller.view.round <= rounds:
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
    assert not any(edge in text for edge in CARD_EDGES)
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
        lines = [line for line in shown(pilot).split("\n") if any(place in line for place in PLACES)]
        names = [screen.controller.labels.names[standing.car] for standing in standings]
        assert len(lines) == 3
        for line, place, name in zip(lines, PLACES, names, strict=True):
            assert place in line
            assert name in line
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, HomeScreen))


PLACES = ("1st", "2nd", "3rd")


async def test_the_same_seed_and_keys_give_the_same_race(tmp_path: Path) -> None:
    logs = []
    for number in range(2):
        app = hot_seat(tmp_path / str(number))
        async with app.run_test(size=SMALL) as pilot:
            screen = await race_screen(pilot)
            await drive(pilot, screen, rounds=3)
            logs.append([line.text.plain for line in screen.controller.log])
    assert logs[0] == logs[1]
    assert len(logs[0]) > 20


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
    rows = text.split("\n")
    assert not any("┌───┐" in row or "┏━━━┓" in row for row in rows)


async def test_the_keyboard_stays_with_the_one_who_decides_next(tmp_path: Path) -> None:
    """Whoever reacts right after the own move needs no curtain; between two seats there always is one."""
    app = hot_seat(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        screen = await race_screen(pilot)
        last: int | None = None
        stayed = 0
        for _ in range(30):
            if screen.controller.curtain is not None:
                assert screen.controller.curtain != last
                assert screen.controller.viewer is None
                last = screen.controller.curtain
                await pilot.press("enter")
                await until(lambda: screen.controller.curtain is None)
            elif own_decision(screen) is not None:
                assert screen.controller.viewer == last
                await decide_by_keys(pilot, screen)
                stayed += screen.controller.viewer == last
            await pilot.pause()
        assert stayed


async def test_a_bot_at_the_table_plays_without_a_curtain(tmp_path: Path) -> None:
    app = hot_seat(tmp_path, bots=1)
    async with app.run_test(size=SMALL) as pilot:
        screen = await race_screen(pilot)
        curtains = await drive(pilot, screen)
        bot = screen.controller.labels.names[2]
        assert bot not in ("Ana", "Ben")
        assert not any(f"keyboard to {bot}" in text for text in curtains)
        assert {standing.car for standing in screen.controller.view.standings} == {0, 1, 2, 3}


FREE = "lap 1 space 30 gear 3 engine 2 hand 1 1 2 2 3 heat 4 draw 4 4 3"
FORCED = {
    "a cluttered hand": "lap 1 space 10 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1 2 4",
    "nothing to discard": "lap 1 space 10 gear 3 engine 2 hand heat heat heat heat 1 2 3 draw 1 2 4",
}


@pytest.mark.parametrize("forced", FORCED)
async def test_a_seat_with_nothing_to_choose_gets_its_curtain_all_the_same(
    tmp_path: Path, forced: str
) -> None:
    """Else all around the keyboard would know what that hand is like."""
    session = LocalSession(table_at({"Ana": FREE, "Ben": FORCED[forced], "Cy": FREE.replace("30", "20")}))
    app = RaceApp(tmp_path, session)
    asked: set[tuple[str, int]] = set()
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        screen = app.race
        while screen.controller.view.round == 2:
            if screen.controller.curtain is not None:
                await pilot.press("enter")
                await until(lambda: screen.controller.curtain is None)
            elif own_decision(screen) is not None:
                own = screen.controller.view.own
                assert own is not None
                if isinstance(own.choice, (CardsChoice, DiscardChoice)):
                    asked.add((type(own.choice).__name__, own.seat))
                    if only_answer(own.choice) is not None:
                        await pilot.pause()
                        words = {"a cluttered hand": "cluttered", "nothing to discard": "nothing can be"}
                        assert words[forced] in shown(pilot)
                await decide_by_keys(pilot, screen)
            await pilot.pause()
    assert {("CardsChoice", seat) for seat in range(3)} <= asked
    if forced == "nothing to discard":
        assert {("DiscardChoice", seat) for seat in range(3)} <= asked
