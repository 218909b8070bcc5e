"""Home has the last results, and what can be continued says where one is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.record.record import Record
from heat_tui.app import HeatApp
from heat_tui.flow.career_words import summary_text
from heat_tui.flow.last_results import last_result_told, last_results
from heat_tui.saved.career import career_of
from heat_tui.saved.finished import Finished, FinishedIndex, finished_races
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.test_race_results import driven

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def race() -> Finished:
    table = driven()
    (made,) = finished_races(Record(table.setup, tuple(table.log)), (0,), NOON, digest="x")
    return made


def test_the_newest_comes_first_with_its_gap_and_day(race: Finished) -> None:
    won = replace(race, race="b", place=1, gap_spaces=9, moment=NOON + timedelta(days=1))
    out = replace(race, race="c", status="gave_up", moment=NOON - timedelta(days=3))
    results = last_results([out, race, won], NOON + timedelta(days=1, hours=1))
    assert [(result.place, result.gap, result.when) for result in results] == [
        (1, "+9", "today"),
        (race.place, f"{race.gap_spaces:+}", "yesterday"),
        (race.place, "out", "28 Apr"),
    ]


def test_the_totals_are_those_of_the_career(race: Finished) -> None:
    won = replace(race, race="b", place=1)
    out = replace(race, race="c", place=2, status="gave_up")
    elsewhere = replace(won, race="d", from_position=True)
    races = [race, out, won, elsewhere]
    assert "3 races, 1 won, 1 podium." in last_result_told(races)
    assert summary_text(career_of(races)) in last_result_told(races)
    assert last_result_told([]) == ""


@pytest.mark.asyncio
async def test_home_shows_them_where_there_is_room(tmp_path: Path, race: Finished) -> None:
    FinishedIndex(folders_in(tmp_path), "Ana").add(race)
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: "races 1" in shown(pilot))
        assert "last races" in shown(pilot)
        assert "Italy" in shown(pilot)
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert "last races" not in shown(pilot)
        assert "New race" in shown(pilot)
