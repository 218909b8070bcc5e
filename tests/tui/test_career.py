"""The career: figures, streaks and badges from the index of finished races."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from heat_core.files import track_names
from heat_core.record.record import BadRecord
from heat_tui.app import HeatApp
from heat_tui.flow.career import CareerController
from heat_tui.flow.career_words import NO_RACES, board_rows, plot_text, streak_texts, table_lines
from heat_tui.plain.career import career_here
from heat_tui.saved.badges import badges, badges_left
from heat_tui.saved.career import Streak, career_of
from heat_tui.saved.finished import FinishedIndex
from heat_tui.saved.keeping import keep_races
from heat_tui.screens.career import CareerScreen, RaceList
from heat_tui.screens.replay import ReplayScreen
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import LARGE, SMALL, GridApp, folders_in, message, shown, until
from tests.tui.support_career import race
from tests.tui.support_plain import Terminal, by_script
from tests.tui.support_replay import raced


@pytest.mark.spec("LOOK-9")
def test_a_career_sums_up_by_board_and_opponent() -> None:
    races = [
        race(1, place=1, rounds=12),
        race(2, rounds=11, laps=1),
        race(3, place=6, board="italy", board_name="Italy", opponents=("person",)),
        race(4, place=1, from_position=True),
        race(5, rounds=13, status="gave_up", place=6),
    ]
    career = career_of(races)
    assert (career.races, career.won, career.podiums) == (4, 1, 2)
    usa, italy = career.boards
    assert (usa.name, usa.races, usa.won, usa.best_place) == ("USA", 3, 1, 1)
    assert usa.best == races[0], "rounds over other laps or without a finish are no best"
    assert (italy.races, italy.won) == (1, 0)
    assert [(level.opponent, level.races) for level in career.levels] == [
        ("Legend easy", 3), ("bot hard", 3), ("people", 1),
    ]  # fmt: skip


@pytest.mark.spec("LOOK-9")
def test_streaks_form_and_plot_follow_the_order_of_the_races() -> None:
    career = career_of(
        [race(n, place=place, spin_outs=place == 6) for n, place in enumerate([1, 1, 6, 1, 2])]
    )
    assert career.wins == Streak(2, 0)
    assert career.podium_streak == Streak(2, 2)
    assert career.clean == Streak(2, 2)
    assert plot_text(career.plotted) == "██▁█▇"
    assert plot_text(career.plotted, is_plain=True) == "11612"
    assert len(career_of([race(n) for n in range(99)]).form) == 10
    assert streak_texts(career)[0] == "Wins in a row: 2"


PROOFS: dict[str, list[dict[str, Any]]] = {
    "Chequered flag": [{}],
    "Champagne": [{"place": 3}],
    "Top step": [{"place": 1}],
    "Hat-trick": [{"place": 1}] * 3,
    "World tour": [{"board": board} for board in track_names()],
    "By a nose": [{"place": 1, "gap_spaces": 1}],
    "Cool head": [{"place": 1, "heat_paid": 3}],
    "Barbecue": [{"heat_paid": 20}],
    "Pirouette": [{"spin_outs": 3}],
    "Spun but unbeaten": [{"place": 1, "spin_outs": 1}],
    "Free ride": [{"slipstreams": 6}],
    "Flat out": [{"top_speed": 20}],
    "Legendary": [{"place": 1, "opponents": ("Legend hard",)}],
    "Scenic route": [{"place": 6}],
    "A week at the wheel": [
        {"daily": (date(2026, 11, 1) + timedelta(days=day)).isoformat()} for day in range(7)
    ],
}


@pytest.mark.spec("LOOK-9")
@pytest.mark.parametrize("name", PROOFS)
def test_each_badge_names_the_record_that_proves_it(name: str) -> None:
    races = [race(number, **changed) for number, changed in enumerate(PROOFS[name])]
    won = {badge.name: badge for badge in badges(races)}
    assert won[name].race == races[-1]
    assert name not in {badge.name for badge in badges(races[:-1])}
    without = [race(number, **(changed | {"record": ""})) for number, changed in enumerate(PROOFS[name])]
    assert not badges(without), "what no record proves is no badge"


def test_all_badges_can_be_won() -> None:
    assert {badge.name for badge in badges_left([])} == set(PROOFS)


def test_tables_are_in_columns() -> None:
    lines = table_lines(board_rows(career_of([race(1)]).boards))
    assert len({len(line) for line in lines}) == 1


MOST_PAGES = 20
"""More than there are at 80x24: a key that comes before the page has its length goes nowhere."""


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)
async def test_both_faces_show_it(tmp_path: Path, size: tuple[int, int]) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(name="Ana"))
    terminal = Terminal()
    await career_here(terminal.line_terminal, folders)
    assert " ".join(terminal.lines) == NO_RACES
    FinishedIndex(folders, "Ana").add(*(race(n, place=1 + n % 3) for n in range(12)))
    assert CareerController(folders, "Ana").career.races == 12
    await career_here(terminal.line_terminal, folders)
    told = " ".join(terminal.lines)
    app = GridApp(tmp_path, opening=lambda app: app.show_career())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, CareerScreen)
        assert "12 races, 4 won, 12 podiums" in shown(pilot)
        assert "12 races, 4 won, 12 podiums" in told
        assert "(USA, 1 November 2026, 1st of 6)" in told
        assert "Badge Top step" in told
        assert "Badge still to win, Barbecue: 20 Heat paid in one race." in terminal.lines
        ways = ("Still to win", "Barbecue: 20 Heat paid in one race")
        for _ in range(MOST_PAGES):  # the badges are below the tables, or beside them
            if all(text in shown(pilot) for text in ways):
                break
            await pilot.press("pagedown")
            await pilot.pause()
        else:
            raise AssertionError(f"not reached: {shown(pilot)}")
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, CareerScreen)


def test_a_place_counts_though_the_car_ends_before_the_line() -> None:
    career = career_of([race(1, place=3, status="racing"), race(2, place=2, status="gave_up")])
    assert career.podiums == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_race_of_the_career_is_watched_by_key_and_by_mouse(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    settings = Settings(name="Ana")
    await keep_races(folders_in(tmp_path), settings, [raced()], (0,))
    FinishedIndex(folders_in(tmp_path), "Ana").add(race(1, record="", moment=datetime.now(UTC)))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.show_career(), player_name="Ana")
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, CareerScreen))
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: message(app) == "This race was not saved.")
        await pilot.press("down", "enter")
        await until(lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, CareerScreen))
        await pilot.click(RaceList, offset=(3, 1))
        await until(lambda: isinstance(app.screen, ReplayScreen))


@pytest.mark.asyncio
async def test_every_race_that_counts_can_be_watched_while_its_record_is_there(tmp_path: Path) -> None:
    """Sixty races are in the plot; one before them is listed as well, in plain mode ten at a time."""
    settings, folders = Settings(name="Ana"), folders_in(tmp_path)
    save_settings(folders, settings)
    await keep_races(folders, settings, [raced()], (0,))
    FinishedIndex(folders, "Ana").add(*(race(n, moment=datetime.now(UTC)) for n in range(70)))
    controller = CareerController(folders, "Ana")
    assert len(controller.newest) == 71
    oldest = controller.newest[-1]
    assert controller.can_watch(oldest)
    assert controller.playback(oldest).record.setup == raced().setup
    with pytest.raises(BadRecord, match="no longer there"):
        controller.playback(controller.newest[0])
    terminal = Terminal(by_script("1", *["more"] * 7, "more", "71", "end", "leave", "leave"))
    await career_here(terminal.line_terminal, folders)
    assert "The record of this race is no longer there." in terminal.lines
    assert any(line.startswith("71: ") for line in terminal.lines)
    assert any(line.startswith("The race is over") for line in terminal.lines)


@pytest.mark.asyncio
async def test_plain_mode_shows_a_race_of_the_career(tmp_path: Path) -> None:
    settings = Settings(name="Ana")
    save_settings(folders_in(tmp_path), settings)
    await keep_races(folders_in(tmp_path), settings, [raced()], (0,))
    FinishedIndex(folders_in(tmp_path), "Ana").add(race(1, record="", moment=datetime.now(UTC)))
    terminal = Terminal(by_script("1", "9", "2", "end", "leave", "leave"))
    await career_here(terminal.line_terminal, folders_in(tmp_path))
    assert "This race was not saved." in terminal.lines
    assert "A race must be a number from 1 to 2." in terminal.lines
    assert any(line.startswith("The race is over") for line in terminal.lines)
