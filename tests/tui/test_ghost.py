"""The ghost: which race it is, where it stands, and how screen and lines show it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from heat_core.options.table_options import LocalOptions
from heat_core.record.figures import race_figures
from heat_core.record.record import Record
from heat_core.simulation import play_out
from heat_core.table import Table
from heat_tui.__main__ import command
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.commands.running import may_have_ghost
from heat_tui.flow.ghost import Ghost, find_ghost, ghost_finder
from heat_tui.flow.table_factory import make_table
from heat_tui.map.widget import TrackMap
from heat_tui.plain.race import PlainRace
from heat_tui.saved.keeping import keep_races
from heat_tui.saved.records import record_files
from heat_tui.screens.race import RaceScreen
from heat_tui.state import Folders, Settings, save_settings
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_plain import Terminal, first_then_examples
from tests.tui.support_race import RaceApp, begin

OPTIONS = LocalOptions(names=("Ana",), track="usa", laps=1, legends=2, seed="1")


async def raced(folders: Folders, seed: str, driver: str = "hard") -> Record:
    """Finish a race, a bot at the wheel."""
    table = make_table(msgspec.structs.replace(OPTIONS, seed=seed))
    table.set_driver(0, driver)  # type: ignore[arg-type]
    play_out(table)
    record = Record(table.setup, tuple(table.log))
    await keep_races(folders, Settings(name="Ana"), [record], [0])
    return record


def table(**changed: object) -> Table:
    return make_table(msgspec.structs.replace(OPTIONS, seed="now", **changed))


@pytest.mark.asyncio
async def test_the_best_race_by_the_same_rules_drives_along(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    assert find_ghost(folders, "Ana", table().setup) is None
    told = [race_figures(r.setup, r.events)[0] for r in [await raced(folders, seed) for seed in "1234"]]
    best = min(told, key=lambda figures: (figures.rounds, -figures.progress[-1]))
    assert find_ghost(folders, "Ana", table().setup) == Ghost("red", tuple(best.progress[: best.rounds]))
    assert find_ghost(folders, "Ana", table(laps=2).setup) is None
    assert find_ghost(folders, "Ana", table(weather=True).setup) is None
    assert find_ghost(folders, "Ana", table(track="italy").setup) is None
    for _, path in record_files(folders):
        path.write_text("damaged")
    assert find_ghost(folders, "Ana", table().setup) is None


def test_several_people_at_a_keyboard_have_none(tmp_path: Path) -> None:
    together = LocalSession(table(names=("Ana", "Bob")))
    assert ghost_finder(folders_in(tmp_path), "Ana", together) is None
    assert ghost_finder(folders_in(tmp_path), "Ana", LocalSession(table())) is not None


def test_it_stands_where_its_race_stood_at_the_end_of_the_round() -> None:
    ghost = Ghost("red", (5, 12, 70))
    assert [ghost.at(number) for number in (0, 1, 2, 3, 4)] == [None, 5, 12, 70, 70]
    assert ghost.mark(0) is None
    mark = ghost.mark(2)
    assert mark is not None
    assert (mark.progress, mark.is_ghost, mark.is_own) == (12, True, False)
    assert ghost.mark(4) is None, "it has left the track"
    assert ghost.told(0, 0) == ""
    assert ghost.told(2, 11) == "your best race here was 1 space ahead"
    assert ghost.told(2, 20) == "your best race here was 8 spaces behind"
    assert ghost.told(2, 12) == "your best race here was on the same space"
    assert ghost.told(4, 60) == "your best race here was over in round 3"


@pytest.mark.asyncio
async def test_the_map_has_its_outline_and_the_standings_its_gap(tmp_path: Path) -> None:
    session = LocalSession(table())
    app = RaceApp(tmp_path, session)
    app.race = RaceScreen(session, find_ghost=lambda: Ghost("red", (78, 90, 140)))
    app.controller = app.race.controller
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        track_map = app.race.query_one(TrackMap)
        await until(lambda: any(car.is_ghost for car in track_map.cars))
        (ghost,) = [car for car in track_map.cars if car.is_ghost]
        assert (ghost.letter, ghost.progress) == ("g", 78)
        gap = 78 - app.controller.view.cars[0].progress
        (line,) = [line for line in app.panel("standings").splitlines() if line.startswith("  g ")]
        assert line.endswith(f" 1/9 {gap:+}")
        assert "turns" in app.panel("standings"), "it takes the place of no other line"


@pytest.mark.asyncio
async def test_plain_mode_says_the_gap_as_a_round_begins(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    await raced(folders, "1")
    terminal = Terminal(first_then_examples())
    session = LocalSession(table())
    find = partial(find_ghost, folders, "Ana", session.setup)
    race = PlainRace(session, terminal.line_terminal, find_ghost=find)
    await race.run()
    assert "your best race here was" in terminal.text


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("setting", "option", "is_there"), [(True, True, True), (True, False, False), (False, True, False)]
)
async def test_settings_and_an_option_turn_it_off(
    tmp_path: Path, setting: bool, option: bool, is_there: bool
) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(name="Ana", ghost=setting))
    await raced(folders, "1")
    app = HeatApp(
        folders,
        opening=lambda app: app.race_here(table()),
        animate=False,
        has_ghost=option,
        player_name="Ana",
    )
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        await until(lambda: all(worker.is_finished for worker in app.workers if worker.group == "ghost"))
        await pilot.pause()
        ghosts = [line for line in shown(pilot).splitlines() if "  g " in line]
        assert bool(ghosts) is is_there


def test_the_command_line_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []
    monkeypatch.setattr("heat_tui.__main__.run", lambda **_: found.append(may_have_ghost()))
    for words, variables in (([], {}), (["--no-ghost"], {}), ([], {"HEAT_TUI_NO_GHOST": "1"})):
        CliRunner().invoke(command, words, env=variables, catch_exceptions=False)
    assert found == [True, False, False]
