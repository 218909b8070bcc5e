"""F8 writes where the race stands, as its seat knows it, to a file that opens and plays on (APP-13)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.files import load_track
from heat_core.game_files import read_position
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.simulation import play_out
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table_at
from heat_tui.screens.dialogs import PageDialog
from tests.tui.support_app import SMALL, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, table_at

CARS = {
    "Ana": f"lap 1 space 14 gear 2 engine 3 hand 1 2 3 4 heat heat {STRESS} {DRAW}",
    "Ben": "lap 1 space 40",
    "Leg": "lap 1 space 30 legend medium",
}


async def write(pilot: Pilot[None], app: RaceApp) -> Path:
    """Press the key, and give the newest file."""
    await pilot.press("f8")
    await until(lambda: isinstance(app.screen, PageDialog))
    await pilot.pause()
    assert "heat-tui play --position FILE" in shown(pilot)
    newest = max((app.folders.data / "positions").glob("*.toml"))
    assert newest.name in shown(pilot).replace("│\n", "").replace("\n", "").replace(" ", "").replace("│", "")
    await pilot.press("escape")
    await until(lambda: app.screen is app.race)
    return newest


@pytest.mark.asyncio
@pytest.mark.parametrize("phase", ["shift", "play"])
async def test_where_all_are_asked_the_present_is_written_and_plays_on(tmp_path: Path, phase: str) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS, phase=phase)))  # type: ignore[arg-type]  # a literal
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        path = await write(pilot, app)
        text = path.read_text()
        assert "round 2 on USA, as Ana saw it" in text
        file = read_position(path)
        assert file.setup.position is not None
        assert file.setup.position.phase == phase
        assert file.drivers == ("human", None, None)
        table, view = make_table_at(path), app.controller.view
        other = table.view(0)
        assert other.own is not None
        assert view.own is not None
        assert (other.own.hand, other.own.draw_pile) == (view.own.hand, view.own.draw_pile)
        assert other.cars == view.cars
        # Ben's cards are dealt anew out of all that he has: which he held is nowhere in the file.
        ben = next(line for line in text.split("\n") if line.startswith("Ben = "))
        assert (
            "dealt 7 hand shuffled 1 1 1 2 2 2 3 3 3 4 4 4 start-0 start-5 heat stress stress stress" in ben
        )
        for seat in table.drivers:
            table.set_driver(seat, "steady")
        play_out(table)
        assert table.is_over


@pytest.mark.asyncio
async def test_while_cars_drive_the_round_is_written_from_its_beginning_with_what_has_happened_since(
    tmp_path: Path,
) -> None:
    session = HeldSession(table_at(CARS))
    app = RaceApp(tmp_path, session)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        before = app.controller.view
        session.other_says(1, c.PlayCards(("3",)))
        await pilot.press("1", "3", "enter")
        await on_to(pilot, app, "5 REACT")
        assert app.controller.view.cars[0].progress != before.cars[0].progress
        path = await write(pilot, app)
        text = path.read_text()
        assert "#   Ben plays 3" in text
        assert "#   Ana plays 1, 3" in text
        view = make_table_at(path).view(0)
        assert view.cars == before.cars
        assert view.own is not None
        assert before.own is not None
        assert view.own.hand == before.own.hand
        position = read_position(path).setup.position
        assert position is not None
        assert (position.cars[1].hand, position.cars[1].dealt) == (("3",), 6), "he has shown it"


@pytest.mark.asyncio
async def test_a_track_of_ones_own_comes_along(tmp_path: Path) -> None:
    from msgspec.structs import replace

    facts = replace(load_track("usa"), id="mine", name="Mine")
    cars = {"Ana": f"lap 1 space 14 {DRAW}", "Ben": "lap 1 space 40"}
    table = Table(make_position(facts, cars), {0: "human", 1: "human"})
    app = RaceApp(tmp_path, HeldSession(table))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        path = await write(pilot, app)
        assert read_position(path).setup.track == facts


@pytest.mark.asyncio
async def test_behind_the_curtain_no_hand_is_written(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, LocalSession(table_at(CARS)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert app.controller.viewer is None
        path = await write(pilot, app)
        position = read_position(path).setup.position
        assert position is not None
        assert [car.dealt for car in position.cars] == [7, 7, None]
        assert "as a spectator saw it" in path.read_text()


@pytest.mark.asyncio
async def test_where_nothing_can_be_written_the_screen_says_so(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("f8")
        await until(lambda: "Nothing can be written" in app.panel("forecast"))


@pytest.mark.asyncio
async def test_when_the_race_is_over_there_is_no_position(tmp_path: Path) -> None:
    cars = {"Ana": f"lap 1 space 14 {DRAW}", "Leg": "lap 1 space 30 legend medium"}
    app = RaceApp(tmp_path, HeldSession(table_at(cars)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("g", "y")
        await until(lambda: app.controller.view.status == "ended")
        await pilot.press("f8")
        await until(lambda: "phase 1 or 2" in app.panel("forecast"))
        assert not (app.folders.data / "positions").exists()
