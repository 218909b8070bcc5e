"""Enter pressed twice, or held down: it does nothing on a screen that nobody can have looked at yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from heat_core.options.table_options import LocalOptions
from heat_tui.app import HeatApp
from heat_tui.flow.table_factory import make_table
from heat_tui.race.enter_guard import EnterGuard
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from tests.tui.support_app import SMALL, GridApp, folders_in, until
from tests.tui.support_race import HeldSession, RaceApp, begin, own_decision

pytestmark = pytest.mark.asyncio

LONG = 3600.0


async def test_a_second_enter_does_nothing_on_the_screen_that_the_first_led_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeatApp, "enter_gap_seconds", LONG)
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, NewRaceScreen))
        app.screen.query_one("#start").focus()
        await pilot.press("enter", "enter", "enter")
        await pilot.pause()
        assert isinstance(app.screen, NewRaceScreen)
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", 0.0)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, RaceScreen))


async def test_other_keys_and_the_same_screen_take_every_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeatApp, "enter_gap_seconds", LONG)
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, NewRaceScreen))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, NewRaceScreen))


async def test_two_enters_at_the_end_of_a_race_show_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="enter/1"))
    app = RaceApp(tmp_path, HeldSession(table))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("g")
        await until(lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("y")
        await until(lambda: app.controller.view.status == "ended" and app.screen is app.race)
        await pilot.pause()
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", LONG)
        app.race.enter.guard = EnterGuard(lambda: app.enter_gap_seconds)
        await pilot.press("enter", "enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ResultsScreen)


class HandClock:
    """A clock that a test turns by hand; as with any other, no two moments are the same."""

    def __init__(self) -> None:
        self.now = 1000.0

    def read(self) -> float:
        self.now += 1e-6
        return self.now


def is_covered(race: RaceScreen) -> bool:
    return race.controller.curtain is not None


async def test_two_enters_at_the_curtain_confirm_nothing_and_show_no_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table(LocalOptions(names=("Ana", "Ben"), track="italy", laps=1, legends=0, seed="enter/2"))
    app = RaceApp(tmp_path, HeldSession(table, seats=(0, 1)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        race, session = app.race, app.session
        assert isinstance(session, HeldSession)
        assert race.controller.curtain is not None
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", LONG)
        monkeypatch.setattr("heat_tui.race.enter_guard.REPEAT_SECONDS", 0.0)
        race.enter.guard = EnterGuard(lambda: app.enter_gap_seconds)
        await pilot.press("enter", "enter")
        assert own_decision(race) is not None
        assert race.controller.viewer is not None
        assert session.said == []
        clock = HandClock()
        race.enter.guard = EnterGuard(lambda: 0.2, clock.read)
        await pilot.press("enter")
        await until(lambda: session.said)
        await until(lambda: is_covered(race))
        for _ in range(25):
            clock.now += 0.04
            await pilot.press("enter")
            assert is_covered(race), "who goes on pressing is the one who drove before"
        clock.now += 2 * 0.2
        await pilot.press("enter")
        assert not is_covered(race)


@pytest.mark.parametrize("what", ["hot-seat", "dialog"])
async def test_enter_in_one_go_with_the_letters_before_it_takes_them_all(tmp_path: Path, what: str) -> None:
    app = GridApp(tmp_path)
    given: list[str | None] = []
    async with app.run_test(size=SMALL) as pilot:
        if what == "dialog":
            app.push_screen(AskScreen("Your name:"), given.append)
        else:
            app.show_new_race(is_hot_seat=True)
        await pilot.pause()
        await pilot.pause()
        for key in (*"ab", "comma", *"cd", "enter"):
            app.post_message(events.Key(key, "," if key == "comma" else key if len(key) == 1 else None))
        await until(lambda: given or app.tables)
    if what == "dialog":
        assert given == ["ab,cd"]
    else:
        assert [car.name for car in app.tables[0].setup.cars][:2] == ["ab", "cd"]
