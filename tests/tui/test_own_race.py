"""One race of one's own: saved after every choice, continued from Home, on the screen and in lines."""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import RenderableType
from textual.pilot import Pilot
from textual.screen import Screen

from heat_core.table import Table, TableDecision
from heat_core.view.defaults import default_command
from heat_tui.base_app import BaseApp
from heat_tui.saved.continuing import game_at
from heat_tui.saved.own_race import OwnRace, OwnRaceSession
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from tests.tui.quiet import _draw_now
from tests.tui.support_app import LARGE, SMALL, folders_in, message, shown, until
from tests.tui.support_own_race import RACES, alone, app_at, app_racing, newest
from tests.tui.support_race import decide_by_keys, own_decision
from tests.tui.support_season import begun, to_race

EACH_RACE = pytest.mark.parametrize("race", RACES)


def next_choice(table: Table) -> TableDecision | None:
    """Let bots choose, and give the next decision of a person; None: the race is over."""
    while table.bot_due():
        table.step_bot()
    return next((decision for decision in table.decisions() if not decision.has_chosen), None)


def play_by_default(table: Table) -> None:
    """Play to the end as somebody who leaves all choices to the clock."""
    while (decision := next_choice(table)) is not None:
        table.play_default(decision.seat)


def copied(path: Path, copy: Path) -> Path:
    """Copy the state folder as it is now, as a program would find it that was killed now."""
    shutil.copytree(path / "state", copy / "state")
    return copy


async def choose_once(pilot: Pilot[None]) -> RaceScreen:
    """Answer the next decision by keys, behind the curtain too."""
    screen = await to_race(pilot)
    if screen.controller.curtain is not None:
        await pilot.press("enter")
    await until(lambda: own_decision(screen) is not None)
    await decide_by_keys(pilot, screen)
    await pilot.pause()
    return screen


async def give_up_all(pilot: Pilot[None], screen: RaceScreen) -> None:
    """Let everybody at the keyboard give up."""
    while screen.controller.view.status != "ended":
        if screen.controller.curtain is not None:
            await pilot.press("enter")
        elif screen.controller.view.own is not None and screen.controller.view.own.may_give_up:
            await pilot.press("g", "y")
        await pilot.pause()


async def to_home(pilot: Pilot[None]) -> str:
    await until(lambda: isinstance(pilot.app.screen, HomeScreen))
    await pilot.pause()
    await pilot.pause()
    return shown(pilot)


# --- the file ----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@EACH_RACE
async def test_whenever_the_program_is_killed_the_race_stands_at_the_choice_made_last_and_ends_alike(
    tmp_path: Path, race: str
) -> None:
    own = OwnRace.begin(folders_in(tmp_path), RACES[race]())
    table, session = own.table, OwnRaceSession(own)
    kept: list[tuple[bytes, int]] = [(own.path.read_bytes(), table.event_number)]
    while (decision := next_choice(table)) is not None:
        await session.submit(
            decision.seat, decision.decision, default_command(table.observation(decision.seat))
        )
        kept.append((own.path.read_bytes(), table.event_number))
    await session.close()
    for data, number in kept[:: max(1, len(kept) // 12)]:
        path = tmp_path / "state" / "races" / "found.race"
        path.write_bytes(data)
        found = game_at(path, print)
        assert isinstance(found, OwnRace)
        assert found.table.log == table.log[:number], "nothing is lost, and nothing is there twice"
        play_by_default(found.table)
        assert found.table.log == table.log, "no card, flip or bot's choice turns out another"
        found.delete()


@pytest.mark.asyncio
async def test_nothing_that_follows_from_a_choice_is_shown_before_it_is_saved(tmp_path: Path) -> None:
    own = alone(tmp_path)
    session = OwnRaceSession(own)
    while own.table.bot_due():
        own.table.step_bot()
    seen = own.table.event_number
    waiting = asyncio.create_task(session.changed(seen))
    decision = own.table.decisions()[0]
    saved_when_told: list[bool] = []

    def told(_: object) -> None:
        with_choice = game_at(copied(tmp_path, tmp_path / "copy") / own.path.relative_to(tmp_path), print)
        assert isinstance(with_choice, OwnRace)
        saved_when_told.append(with_choice.table.event_number > seen)
        with_choice.close()

    waiting.add_done_callback(told)
    await session.submit(0, decision.decision, default_command(own.table.observation(0)))
    await waiting
    await asyncio.sleep(0)
    assert saved_when_told == [True]
    await session.close()


def test_two_windows_never_have_the_same_race(tmp_path: Path) -> None:
    first = alone(tmp_path)
    assert newest(tmp_path) is None
    assert game_at(first.path, print) is None
    first.close()
    second = newest(tmp_path)
    assert second is not None
    assert newest(tmp_path) is None
    second.save()
    assert newest(tmp_path) is None, "not behind a write either"
    second.close()


# --- on the screen -----------------------------------------------------------------------------------------


@pytest.mark.spec("APP-14")
@pytest.mark.asyncio
@EACH_RACE
async def test_a_race_is_left_and_continued_from_home_and_gone_when_it_is_over(
    tmp_path: Path, race: str
) -> None:
    begun(tmp_path).close()
    app = app_racing(tmp_path, race)
    async with app.run_test(size=LARGE) as pilot:
        await choose_once(pilot)
        screen = await choose_once(pilot)
        moment = screen.controller.view.event_number
        killed = copied(tmp_path, tmp_path / "killed")
        await pilot.press("q")
        await pilot.pause()
        assert "It is saved; continue it from home." in shown(pilot)
        assert newest(tmp_path) is None, "another window finds nothing while it is played here"
        await pilot.press("y")
        text = await to_home(pilot)
        assert "▶g  Continue      race on " in text
        assert "Championship 1961, race 1 of 3: Ana" in text
        await pilot.press("g")
        screen = await to_race(pilot)
        assert screen.controller.view.event_number == moment
    app = app_at(killed)
    async with app.run_test(size=LARGE) as pilot:
        await to_home(pilot)
        await pilot.press("g")
        screen = await to_race(pilot)
        assert screen.controller.view.event_number == moment, "as if nothing had happened"
        await choose_once(pilot)
        await give_up_all(pilot, screen)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        assert not list((killed / "state" / "races").iterdir())
        await pilot.press("escape")
        assert "race on " not in await to_home(pilot)


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_play_asks_where_a_race_is_saved(tmp_path: Path, size: tuple[int, int]) -> None:
    saved = alone(tmp_path)
    saved.close()
    app = app_racing(tmp_path, "hot-seat")
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.pause()
        text = " ".join(shown(pilot).replace("│", " ").split())
        assert "You have a saved race on Italy, lap 1 of 1, round 1: Ana." in text
        assert newest(tmp_path) is None, "nobody else takes it while the question stands"
        await pilot.press("n")
        assert "Continue      race on Italy, lap 1 of 1, round 1" in await to_home(pilot)
        app.race_here(RACES["hot-seat"]())
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("g")
        assert (await to_race(pilot)).controller.session.setup.track.name == "Italy"
        await choose_once(pilot)
        await pilot.press("q", "y")
        assert "Continue      race on Italy" in await to_home(pilot), (
            "home took nothing away behind the question"
        )
        app.race_here(RACES["hot-seat"]())
        await until(lambda: isinstance(app.screen, ChooseScreen))
        await pilot.press("s")
        assert (await to_race(pilot)).controller.session.setup.track.name == "USA"
        await pilot.press("q", "y")
        text = await to_home(pilot)
        assert "Continue      race on USA, lap 1 of 1, round 1" in text
        assert "Italy" not in text, "one race of one's own is saved"


@pytest.mark.asyncio
async def test_a_race_that_ended_unseen_leads_to_its_results(tmp_path: Path) -> None:
    race = alone(tmp_path)
    play_by_default(race.table)
    race.save()
    race.close()
    app = app_at(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        assert "race on Italy, the results" in await to_home(pilot)
        await pilot.press("g")
        screen = await to_race(pilot)
        await until(lambda: screen.controller.view.status == "ended")
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.press("escape")
        assert "Continue" not in await to_home(pilot)


@pytest.mark.asyncio
async def test_another_window_was_faster(tmp_path: Path) -> None:
    alone(tmp_path).close()
    app = app_at(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_home(pilot)
        taken = newest(tmp_path)
        assert taken is not None
        await pilot.press("g")
        await pilot.pause()
        assert message(app) == "It is already open in another window."
        taken.close()


@pytest.mark.asyncio
async def test_what_cannot_be_continued_is_told_at_once_and_the_race_asked_for_begins(tmp_path: Path) -> None:
    race = alone(tmp_path)
    race.close()
    race.path.write_bytes(race.path.read_bytes()[:-1])
    app = app_racing(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, NewsDialog))
        await pilot.pause()
        assert "A saved race cannot be continued: its file is damaged." in shown(pilot)
        await pilot.press("space")
        await choose_once(pilot)
        await pilot.press("q", "y")
        assert "Continue      race on Italy" in await to_home(pilot)
        assert isinstance(app.screen, HomeScreen), "and not told again"


@pytest.mark.asyncio
async def test_home_tells_what_cannot_be_continued(tmp_path: Path) -> None:
    race = alone(tmp_path)
    race.close()
    race.path.write_bytes(b"")
    app = app_at(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, NewsDialog))
        await pilot.press("space")
        assert "Continue" not in await to_home(pilot)


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow; a file system that is full does the same."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.asyncio
async def test_a_disk_that_is_full_ends_no_race_and_one_with_room_again_saves_it(tmp_path: Path) -> None:
    own = alone(tmp_path)
    session = OwnRaceSession(own)
    before = own.path.read_bytes()
    with full_disk():
        await session.submit(0, own.table.decisions()[0].decision, default_command(own.table.observation(0)))
    assert (
        session.farewell
        == session.trouble
        == "It cannot be saved (File too large), so it ends with this program."
    )
    assert own.path.read_bytes() == before, "what was saved before stays"
    while own.table.bot_due():
        own.table.step_bot()
    await session.submit(0, own.table.decisions()[0].decision, default_command(own.table.observation(0)))
    assert session.trouble == ""
    assert session.farewell == "It is saved; continue it from home."
    await session.close()


@pytest.mark.asyncio
async def test_a_folder_that_cannot_be_written_is_told_in_the_race(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    app = app_racing(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        screen = await to_race(pilot)
        told = "It cannot be saved (Not a directory), so it ends with this program."
        assert told in shown(pilot)
        await choose_once(pilot)
        assert told not in shown(pilot), "once"
        await pilot.press("q")
        await pilot.pause()
        assert " ".join(told.split()[:4]) in shown(pilot)
        await pilot.press("y")
        assert "Continue" not in await to_home(pilot)
        assert screen.controller.session.trouble


@pytest.mark.asyncio
async def test_a_race_that_is_opened_at_the_start_shows_without_home_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[type[object]] = []
    display = BaseApp._display

    def note(app: BaseApp, screen: Screen[object], renderable: RenderableType | None) -> None:
        if renderable is not None and screen is app.screen:
            sent.append(type(screen))
        display(app, screen, renderable)

    monkeypatch.setattr(BaseApp, "_display", note)
    monkeypatch.setattr(Screen, "_compositor_refresh", _draw_now)
    app = app_racing(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: sent)
        assert sent[0] is RaceScreen
        await pilot.pause()
        assert HomeScreen not in sent
        await pilot.press("q", "y")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await until(lambda: sent[-1] is HomeScreen)
