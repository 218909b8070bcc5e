"""A championship without a face: its races, who drives, its end, and where it goes on after a break."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.bots import BOTS
from heat_core.game_files import read_record
from heat_core.record.record import verify_record
from heat_core.simulation import play_out
from heat_core.text import listed
from heat_core.wire import messages as m
from heat_tui.flow.own_games import OwnGames
from heat_tui.flow.season import SeasonController, room_page
from heat_tui.saved.own_race import OwnRace
from heat_tui.saved.records import record_files
from heat_tui.state import Settings
from tests.tui.support_app import folders_in
from tests.tui.support_season import begun, newest, season

pytestmark = pytest.mark.asyncio


def games_in(path: Path) -> OwnGames:
    """The games of a window whose every file can be read."""
    return OwnGames(folders_in(path), pytest.fail)


def continued(path: Path) -> SeasonController:
    """The championship that was left last, in a program that has just been started."""
    controller = games_in(path).newest_championship()
    assert controller is not None
    return controller


async def race_once(controller: SeasonController) -> None:
    """Let bots drive the next race to its end, and leave it."""
    session = controller.race()
    for seat in session.table.drivers:
        session.table.set_driver(seat, "steady")
    play_out(session.table)
    await session.close()


async def test_from_the_first_race_to_the_records_with_a_break_after_each(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    begun(tmp_path).close()
    for number, track in enumerate(("Great Britain", "USA", "Italy"), start=1):
        controller = continued(tmp_path)
        assert controller.next_race == f"Start race {number} on {track}"
        assert controller.page.view.race == number
        assert controller.page.own == (0,)
        await race_once(controller)
        controller.close()
    controller = continued(tmp_path)
    assert controller.is_over
    assert controller.next_race == ""
    assert controller.page.view.end == "finished"
    finishing = asyncio.create_task(controller.finish(folders, Settings()))
    await asyncio.sleep(0)
    controller.close()
    assert games_in(tmp_path).saved() == [], "nobody opens it while its records are written"
    await finishing
    assert games_in(tmp_path).saved() == []
    files = record_files(folders)
    assert len(files) == 3
    for _, path in files:
        verify_record(read_record(path))


async def test_a_race_under_way_is_continued_and_a_finished_one_is_scored(tmp_path: Path) -> None:
    controller = SeasonController(begun(tmp_path))
    session = controller.race()
    assert controller.is_in_race
    assert controller.next_race == "Continue race 1 on Great Britain"
    moment = session.view(0)
    await session.close()
    controller.close()
    championship = newest(tmp_path)
    assert championship is not None
    assert championship.table is not None
    assert championship.table.view(0) == moment
    for seat in championship.table.drivers:
        championship.table.set_driver(seat, "steady")
    play_out(championship.table)
    championship.save()
    championship.close()
    assert continued(tmp_path).next_race == "Start race 2 on USA", "it ended unseen"


async def test_cars_are_handed_over_and_one_stays_at_the_keyboard(tmp_path: Path) -> None:
    controller = SeasonController(begun(tmp_path, begins=season("Ana", "Ben", bots=0)))
    assert controller.hand_over(1, "dog") == f"A car is driven by human, {listed(BOTS, 'or')}."
    assert controller.hand_over(1, "steady") == ""
    assert controller.page.own == (0,)
    assert controller.hand_over(0, "random") == "At least one car must be driven at this keyboard."
    assert controller.drivers == {0: "human", 1: "steady"}
    assert controller.race().seats == (0,)
    assert controller.hand_over(1, "human") == ""
    assert controller.race().seats == (0, 1), "in a race under way too"
    controller.close()
    controller = continued(tmp_path)
    assert controller.race().seats == (0, 1), "and after a break"
    controller.close()


async def test_an_ended_championship_keeps_its_races_only_if_the_settings_say_so(tmp_path: Path) -> None:
    controller = SeasonController(begun(tmp_path, races=1))
    controller.abandon()
    assert controller.is_over
    assert controller.page.view.end == "abandoned"
    with pytest.raises(ValueError, match="over"):
        controller.race()
    await controller.finish(folders_in(tmp_path), Settings(replays=False))
    assert record_files(folders_in(tmp_path)) == []
    assert games_in(tmp_path).newest_championship() is None


async def test_what_cannot_be_saved_is_said_until_it_is_over(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    controller = SeasonController(begun(tmp_path))
    assert controller.trouble == "It cannot be saved (Not a directory), so it ends with this program."
    controller.abandon()
    assert controller.trouble == ""


async def test_one_game_is_open_and_the_others_wait(tmp_path: Path) -> None:
    games = games_in(tmp_path)
    _, news = games.begin_championship(season("Dana", "Eli"))
    assert news == ""
    assert games.game is not None
    assert games_in(tmp_path).open(games.game.path) is None, "another window does not get it"
    second, news = games.begin_championship(season(year=1962))
    assert news == "Also saved: Championship 1961, race 1 of 3. Continue it from home."
    race = games.begin_race(second.race().table)
    assert games.game is race
    others = games_in(tmp_path)
    assert [saved.is_race for saved in others.saved()] == [False, False]
    _, news = others.begin_championship(season(year=1963))
    assert news == "Also saved: 2 others. Continue any of them from home."
    games.close()
    assert isinstance(games.open(race.path), OwnRace)
    games.close()
    others.close()


async def test_in_a_room_ones_own_cars_are_those_of_ones_place(tmp_path: Path) -> None:
    championship = begun(tmp_path)
    told = m.SeasonUpdate(championship.season.setup, championship.view(), (0, 1, None))
    assert [room_page(told, place).own for place in (0, 1, 2, None)] == [(0,), (1,), (), ()]
    championship.close()
