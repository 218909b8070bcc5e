"""Racing on from a position file: the race screen opens there, for the seat that the file leaves free."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.positions.position import BadPosition
from heat_core.race.setup import BadSetup
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table_at
from heat_tui.screens.race import RaceScreen
from tests.tui.support_app import SMALL, until
from tests.tui.support_race import RaceApp, begin, decide_by_keys, own_decision
from tests.tui.test_main_terminal import terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
POSITIONS = sorted({*EXAMPLES.glob("*.toml")} - {EXAMPLES / "heat-server.toml"})


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_the_first_seat_is_the_players_and_the_others_are_bots(path: Path) -> None:
    table = make_table_at(path)
    assert table.setup.cars[0].name == "Ana"
    assert table.drivers[0] == "human"
    assert set(table.drivers.values()) == {"human", "steady"}
    assert table.setup.position is not None
    assert table.view(0).round == table.setup.position.round


def test_a_file_without_a_seed_brings_other_luck_each_time() -> None:
    seeds = {make_table_at(EXAMPLES / "hot-hand.toml").setup.seed for _ in range(3)}
    assert len(seeds) == 3
    assert make_table_at(EXAMPLES / "last-corner.toml").setup.seed == "last corner"


def test_a_seed_brings_the_same_luck_where_the_file_has_none() -> None:
    first, again, other = (make_table_at(EXAMPLES / "hot-hand.toml", seed).log for seed in ("a", "a", "b"))
    assert first == again != other
    with pytest.raises(BadSetup, match="Leave out --seed"):
        make_table_at(EXAMPLES / "last-corner.toml", "a")


def test_a_wrong_file_is_told_once_with_its_first_problems(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    text = (EXAMPLES / "last-corner.toml").read_text()
    path.write_text(text.replace("gear", "gears").replace("lap 2", "lip 2"))
    with pytest.raises(BadPosition) as refused:
        make_table_at(path)
    first, *others, rest = refused.value.faults
    assert first == f"{path}: Ana: there is no word 'lip'"
    assert len(others) == 2
    assert rest == "`python -m heat_core check-position` lists the other problems"
    path.write_text(text.replace('draw 2 3 1 4"', 'driver random"'))
    with pytest.raises(BadPosition) as refused:
        make_table_at(path)
    assert str(refused.value) == (
        f"{path}: cars: bots drive every seat that is still racing; write `driver human` for your own"
    )


async def on_the_screen(pilot: Pilot[None]) -> RaceScreen:
    await until(lambda: isinstance(pilot.app.screen, RaceScreen))
    await pilot.pause()
    assert isinstance(pilot.app.screen, RaceScreen)
    return pilot.app.screen


@pytest.mark.asyncio
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
async def test_the_race_screen_opens_there_and_goes_on_to_the_next_round(path: Path, tmp_path: Path) -> None:
    table = make_table_at(path)
    app = RaceApp(tmp_path, LocalSession(table))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        number = table.view(0).round
        assert f"round {number}" in app.panel("banner")
        phase = "1 SHIFT" if table.setup.position and table.setup.position.phase == "shift" else "2 PLAY"
        assert phase in app.panel("banner")
        while own_decision(app.race) is not None and app.controller.view.round == number:
            await decide_by_keys(pilot, app.race)
        assert app.controller.view.round > number or app.controller.view.status == "ended"


@pytest.mark.asyncio
async def test_another_race_begins_at_the_position_again(tmp_path: Path) -> None:
    table = make_table_at(EXAMPLES / "last-corner.toml")
    app = RaceApp(tmp_path, LocalSession(table))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert isinstance(app, HeatApp)
        app.race_here(LocalSession(table).another_table())
        await until(lambda: pilot.app.screen is not app.race)
        screen = await on_the_screen(pilot)
        assert (screen.controller.view.round, screen.controller.view.cars[0].space) == (9, 55)


def test_it_is_typed_in_a_terminal_of_80_by_24(tmp_path: Path) -> None:
    with terminal("play", "--position", str(EXAMPLES / "third-place.toml"), path=tmp_path) as program:
        program.wait_for("round 8")
        program.wait_for("SHIFT")
        program.press("\x03")
        assert program.wait() == 130
        assert "Traceback" not in program.text
