"""The daily race on the screen and in lines: what counts, and the line to paste."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len

from heat_core.files import track_names
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_core.simulation import play_out
from heat_tui.daily import daily_options, today
from heat_tui.flow.daily import DailyController, counted_days, days_in_a_row
from heat_tui.flow.daily_words import result_line, round_signs
from heat_tui.flow.results import ResultsController
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.daily import daily_here
from heat_tui.race.presenter import RaceLabels
from heat_tui.saved.finished import Finished, FinishedIndex
from heat_tui.saved.keeping import keep_races
from heat_tui.screens.daily import DailyScreen
from heat_tui.state import Folders, Settings
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import SMALL, GridApp, folders_in, message, shown
from tests.tui.support_plain import Terminal, by_script

DAY = date(2026, 11, 29)


async def raced(folders: Folders, day: date, driver: str = "hard") -> Record:
    """Finish a day's race, a bot at the wheel."""
    table = make_table(daily_options(day, "Ana", "red", track_names()))
    table.set_driver(0, driver)  # type: ignore[arg-type]
    play_out(table)
    record = Record(table.setup, tuple(table.log))
    await keep_races(folders, Settings(name="Ana"), [record], [0])
    return record


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-10")
async def test_the_first_finish_of_a_day_counts(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    daily = DailyController(folders, "Ana", "red", DAY)
    daily.refresh()
    assert not daily.result_lines()
    await raced(folders, DAY)
    daily.refresh()
    first = daily.result
    assert first is not None
    await raced(folders, DAY, "steady")
    daily.refresh()
    assert len(FinishedIndex(folders, "Ana").all()) == 2
    assert daily.result == first


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-10")
async def test_the_line_to_paste_has_a_sign_for_each_round(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    record = await raced(folders, DAY)
    (finished,) = FinishedIndex(folders, "Ana").all()
    signs = round_signs(record, finished.car)
    assert len(signs) == finished.rounds
    assert signs.count("spin_out") == finished.spin_outs
    assert ("heat" in signs) == (finished.heat_paid > 0)
    daily = DailyController(folders, "Ana", "red", DAY)
    daily.refresh()
    line, plain = daily.result_lines()
    assert f"{finished.rounds} rounds" in line
    assert f"{finished.heat_paid} Heat" in line
    assert plain.isascii()
    assert cell_len(line.rpartition(" ")[2]) == finished.rounds == len(plain.rpartition(" ")[2])
    for path in (folders.data / "records").iterdir():
        path.unlink()
    assert daily.result_lines()[0] == result_line(finished)


def test_days_in_a_row_end_today_or_yesterday() -> None:
    days = {(DAY - timedelta(days=number)).isoformat() for number in (0, 1, 2, 4)}
    assert days_in_a_row(days, DAY) == 3
    assert days_in_a_row(days, DAY + timedelta(days=1)) == 3
    assert days_in_a_row(days, DAY + timedelta(days=2)) == 0
    assert counted_days([]) == {}


@pytest.mark.asyncio
async def test_the_screen_shows_the_result_and_races(tmp_path: Path) -> None:
    app = GridApp(tmp_path, opening=lambda app: app.show_daily())
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, DailyScreen)
        await pilot.press("c")
        await pilot.pause()
        assert message(app) == "There is no result to copy yet."
        await pilot.press("enter")
        await pilot.pause()
        (table,) = app.tables
        assert table.setup.seed == f"daily race of {today().isoformat()}, rules 2"
        await raced(app.folders, today())
        app.show_daily()
        await pilot.pause()
        assert "Heat daily" in shown(pilot)
        await pilot.press("c")
        await pilot.pause()
        assert app.clipboard.startswith(f"Heat daily {today().isoformat()}")


@pytest.mark.asyncio
async def test_lines_say_the_same(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    await raced(folders, today())
    terminal = Terminal(by_script("?", "leave"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        await daily_here(terminal.line_terminal, folders)
    assert sum(line.startswith("Daily race of") for line in terminal.lines) == 2
    assert any("Heat daily" in line for line in terminal.lines)
    assert datetime.now(UTC).date() - today() <= timedelta(days=1)


def test_a_result_without_a_finish_says_why() -> None:
    finished = Finished(
        "x", datetime.now(UTC), "usa", "USA", 2, 0, "Ana", "red", 6, 6, "gave_up", 4, -9, 0, 9, ()
    )
    assert "gave up" in result_line(finished, ("free", "spin_out"))
    assert result_line(finished, ("free", "heat", "spin_out"), is_plain=True).endswith(" .^x")


@pytest.mark.asyncio
async def test_the_results_of_a_daily_race_that_counts_have_its_line(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    daily = DailyController(folders, "Ana", "red", DAY)
    first, second = await raced(folders, DAY), await raced(folders, DAY, "steady")
    daily.refresh()

    def told(record: Record, *, is_plain: bool) -> list[str]:
        playback = Playback(record)
        view = playback.view(playback.last, None)
        results = ResultsController(RaceLabels.of(record.setup), view, record.events, (0,), playback)
        return results.daily_line(folders, "Ana", is_plain=is_plain)

    lines = [told(first, is_plain=is_plain) for is_plain in (False, True)]
    assert lines == [[line] for line in daily.result_lines()]
    assert told(second, is_plain=False) == [], "it is practice"
