"""The analysis of a race: made beside the screen, shown on results, in replays and in plain mode."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.widgets import OptionList

from heat_core.coach.analysis import Analysis, RoundChances, analyse
from heat_core.options.table_options import LocalOptions
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_core.table import Table
from heat_tui.app import HeatApp
from heat_tui.flow.analysis import AnalysisController
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.game import race_here
from heat_tui.plain.replay import PlainReplay
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Settings, save_settings
from heat_tui.words.analysis_text import chances_chart, chances_sentences, mistake_text, mistakes_of
from tests.core.support import without_seed
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_plain import Terminal, by_script, example_in
from tests.tui.support_replay import at_replay, raced, replay_app
from tests.tui.support_season import season, season_app, to_race, to_season


def driven() -> Table:
    """A race that bots have driven to its end for somebody at this keyboard, not too well."""
    table = make_table(
        LocalOptions(names=("Ana",), track="italy", laps=1, bots=("steady",), legends=1, seed="5")
    )
    table.set_driver(0, "random")
    while table.bot_due():
        table.step_bot()
    return table


@pytest.fixture(scope="module")
def record() -> Record:
    return raced(bots=1, legends=1)


@pytest.fixture(scope="module")
def analysis(record: Record) -> Analysis:
    return analyse(record)


def analysed(screen: object) -> bool:
    return isinstance(screen, AnalysisScreen) and screen.controller.analysis is not None


@pytest.mark.asyncio
@pytest.mark.spec("BOT-6")
@pytest.mark.parametrize("is_ascii", [False, True])
async def test_results_show_the_analysis_and_a_mistake_leads_to_its_moment(
    tmp_path: Path, *, is_ascii: bool
) -> None:
    save_settings(folders_in(tmp_path), replace(Settings(), ascii=is_ascii))
    table = driven()
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(
            lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended"
        )
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert "Analysis" in shown(pilot)
        await pilot.press("a")
        await until(lambda: isinstance(app.screen, AnalysisScreen))
        await pilot.pause()
        screen = app.screen
        assert "Analysing the race: " in shown(pilot)
        await until(lambda: analysed(screen))
        await pilot.pause()
        text = shown(pilot)
        assert "accuracy" in text
        assert "Chances of winning" in text
        assert text.isascii() is is_ascii
        assert isinstance(screen, AnalysisScreen)
        rows = screen.query_one(OptionList)
        assert str(rows.get_option_at_index(0).prompt).startswith("Ana, "), "one's own mistakes come first"
        await pilot.press("down", "enter")
        await until(lambda: isinstance(app.screen, ReplayScreen))
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        assert screen.controller.analysis is not None
        mistake = screen.controller.analysis.seats[0].mistakes[1]
        moment = replay.replay.moment
        assert moment.first <= mistake.event - 1 <= moment.last
        await pilot.press("q")
        await until(lambda: app.screen is screen)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, ResultsScreen))


@pytest.mark.asyncio
async def test_a_replay_walks_to_the_moment_of_a_mistake(tmp_path: Path, record: Record) -> None:
    app = replay_app(tmp_path, record)
    async with app.run_test(size=SMALL) as pilot:
        replay = await at_replay(pilot)
        await pilot.press("a")
        await until(lambda: analysed(app.screen))
        await pilot.pause()
        analysis = app.screen
        assert isinstance(analysis, AnalysisScreen)
        await pilot.press("enter")
        await until(lambda: app.screen is replay)
        assert analysis.controller.analysis is not None
        first = mistakes_of(analysis.controller.analysis.seats)[0]
        assert replay.replay.moment.first <= first.event - 1 <= replay.replay.moment.last
        await pilot.press("a")
        await until(lambda: analysed(app.screen))
        await pilot.pause()
        assert "Chances of winning" in shown(pilot), "what is done is not done again"


@pytest.mark.asyncio
@pytest.mark.spec("BOT-6")
async def test_a_record_without_seed_has_no_analysis(tmp_path: Path, record: Record) -> None:
    secret = without_seed(record.setup, record.events)
    app = replay_app(tmp_path, secret)
    async with app.run_test(size=SMALL) as pilot:
        replay = await at_replay(pilot)
        await pilot.press("a")
        await pilot.pause()
        assert app.screen is replay
        assert "There is no analysis" in shown(pilot)


@pytest.mark.asyncio
@pytest.mark.spec("BOT-6")
async def test_while_a_championship_runs_its_races_have_no_analysis(tmp_path: Path) -> None:
    app = season_app(tmp_path, season("Ana", bots=1, legends=1))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        await pilot.press("enter")
        await to_race(pilot)
        await pilot.press("g", "y")
        await until(
            lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended"
        )
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        results = app.screen
        assert "Analysis" not in shown(pilot)
        await pilot.press("a")
        await pilot.pause()
        assert app.screen is results


@pytest.mark.asyncio
async def test_an_error_in_a_worker_is_told_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, record: Record
) -> None:
    controller = AnalysisController(Playback(record))
    monkeypatch.setattr("heat_tui.flow.analysis.analyse_part", divmod)  # raises TypeError
    await controller.run()
    assert controller.analysis is None
    assert controller.fault == "This race could not be analysed because of an error in the program."


@pytest.mark.asyncio
@pytest.mark.spec("BOT-7.2")
async def test_the_loop_goes_on_while_a_race_is_analysed(record: Record, analysis: Analysis) -> None:
    controller = AnalysisController(Playback(record))
    work: list[float] = []

    async def tick() -> None:
        while True:
            worked = time.thread_time()
            await asyncio.sleep(0.001)
            work.append(time.thread_time() - worked)

    ticking = asyncio.ensure_future(tick())
    running = asyncio.ensure_future(controller.run())
    await controller.changed()
    assert 0 < controller.done < controller.parts
    await running
    ticking.cancel()
    assert controller.analysis == analysis
    assert len(work) > 50
    assert sorted(work)[-2] < 0.02, "one tick has the start of the processes in it"


# --- words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 76, 116])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_the_chart_keeps_to_its_width(record: Record, width: int, *, is_ascii: bool) -> None:
    labels = RaceLabels.of(record.setup)
    rounds = [RoundChances(number, (0.5, 0.5 - number / 100, number / 100)) for number in range(40)]
    lines = chances_chart(labels, rounds, width, is_ascii=is_ascii).plain.split("\n")
    assert len(lines) == 5
    assert all(cell_len(line) <= width for line in lines)
    assert "\n".join(lines).isascii() is is_ascii
    assert [line.endswith(best) for line, best in zip(lines[1:], ("50%", "50%", "38%"), strict=False)]


def test_sentences_say_who_had_the_best_chance_when(analysis: Analysis) -> None:
    rounds = tuple(
        RoundChances(number, chances) for number, chances in enumerate([(0.6, 0.4), (0.7, 0.3), (0.0, 1.0)])
    )
    assert chances_sentences(replace(analysis, rounds=rounds), ("Ana", "Ben")) == [
        "At the start Ana had the best chance of winning: 60%.",
        "After round 2 Ben had the best chance of winning: 100%.",
    ]


# --- plain mode -------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.spec("BOT-6")
async def test_plain_replays_tell_it_and_go_to_a_mistake(
    tmp_path: Path, record: Record, analysis: Analysis
) -> None:
    terminal = Terminal(by_script("analysis", "mistake 1", "mistake 99", "quit"))
    await PlainReplay(Playback(record), terminal.line_terminal, folders_in(tmp_path)).run()
    mistakes = mistakes_of(analysis.seats)
    labels = RaceLabels.of(record.setup)
    text = " ".join(terminal.text.split())
    assert f"1: {mistake_text(labels, mistakes[0])}." in text
    assert f"Ana: accuracy {analysis.seats[0].accuracy:.0f}, choices lost" in text
    assert "had the best chance of winning" in text
    assert f"The number of a mistake must be a number from 1 to {len(mistakes)}." in text
    assert f"Round {mistakes[0].round}." in terminal.text


@pytest.mark.asyncio
async def test_plain_mode_offers_it_after_the_flag(tmp_path: Path) -> None:
    answer: Callable[[str], str | None] = example_in
    asked: list[str] = []

    def typed(prompt: str) -> str | None:
        if not prompt.startswith(("Type results, places", "Type again, leave")):
            return answer(prompt)
        asked.append(prompt)
        return ("analysis", "mistake 1", "mistake", "leave")[len(asked) - 1]

    terminal = Terminal(typed)
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="again", legends=1))
    await race_here(terminal.line_terminal, folders_in(tmp_path), table)
    assert "Ana: accuracy" in terminal.text
    assert len(asked) == 4
