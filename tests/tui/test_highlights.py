"""Moments worth watching, gaps and bests, read from a race."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.race import events as e
from heat_core.record.figures import Gap
from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_tui.app import HeatApp
from heat_tui.flow.bests import best_of, bests_words
from heat_tui.flow.results import ResultsController
from heat_tui.plain.telling import results_told
from heat_tui.race.presenter import RaceLabels
from heat_tui.saved.finished import finished_races
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.results_page import PageLook, result_pages
from heat_tui.words.highlights import Highlight, highlight_place, highlight_text, highlights
from heat_tui.words.result_words import gap_words, own_result, result_text
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.test_race_results import driven, figures_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def results() -> ResultsController:
    table = driven()
    playback = Playback(Record(table.setup, tuple(table.log)))
    return ResultsController(RaceLabels.of(table.setup), table.view(None), (), (0,), playback)


@pytest.mark.parametrize("track", ["italy", "usa"])
def test_each_moment_is_the_greatest_of_its_kind_and_leads_to_its_event(track: str) -> None:
    table = driven(track=track)
    labels = RaceLabels.of(table.setup)
    found = {moment.kind: moment for moment in highlights(labels, table.log)}
    spin_outs = [event for event in table.log if isinstance(event, e.SpunOut)]
    assert ("spin_out" in found) == bool(spin_outs)
    checks = [event for event in table.log if isinstance(event, e.CornerChecked)]
    if spin_outs:
        assert found["spin_out"].score == max(event.owed for event in checks if event.owed > event.paid)
        assert isinstance(table.log[found["spin_out"].event - 1], e.SpunOut)
    assert found["corner"].score == max(event.paid for event in checks if event.paid == event.owed)
    assert found["top_speed"].score == max(told.top_speed for told in figures_of(table))
    for moment in found.values():
        event = table.log[moment.event - 1]
        assert moment.car in (getattr(event, "car", None), getattr(event, "seat", None))
        rounds = [e_.round for e_ in table.log[: moment.event] if isinstance(e_, e.RoundStarted)]
        assert moment.round == rounds[-1]
        assert highlight_text(labels, moment).endswith(".")
    lead = table.log[found["lead"].event - 1]
    assert isinstance(lead, e.CarMoved)


def test_what_happens_behind_the_finish_line_is_counted_from_there(results: ResultsController) -> None:
    finish_line = results.labels.track.finish_line(results.labels.setup.laps)
    moment = Highlight("lead", 1, 9, 0, finish_line + 3, 0, "takes the lead")
    assert highlight_place(results.labels, moment) == "round 9, 3 spaces over the line"
    last = highlight_place(results.labels, moment._replace(where=finish_line))
    assert last.endswith(f" of lap {results.labels.setup.laps}")


def test_the_own_place_is_said_with_the_gap(results: ResultsController) -> None:
    assert results.own_result == ["You are 4th of 5, 23 spaces behind Legend 1."]
    two = own_result(results.labels, results.view, results.figures, (0, 1))
    assert [line.split(" ")[0] for line in two] == ["Ana", "Nina"]
    winner = results.view.standings[0].car
    (won,) = own_result(results.labels, results.view, results.figures, (winner,))
    assert won == "You are 1st of 5, 4 spaces ahead of Ivo (steady)."
    assert gap_words(Gap(-1, 0)) == "1 round behind"


def test_who_won_is_said_to_all_but_the_winner(results: ResultsController) -> None:
    winner = results.view.standings[0].car
    for told, own, said in (
        (["You are 1st of 5."], (winner,), "You are 1st of 5."),
        (["You are 4th of 5."], (0,), "You are 4th of 5. Legend 1 wins."),
        ([], (), "Legend 1 wins."),
    ):
        assert result_text(results.labels, results.view, told, own).plain == said


def test_cars_level_on_a_space_are_parted_by_the_race_line(results: ResultsController) -> None:
    first, second = (standing.car for standing in results.view.standings[:2])
    figures = [*results.figures]
    figures[second] = figures[first]
    names = results.labels.names
    (won,) = own_result(results.labels, results.view, figures, (first,))
    assert won == f"You are 1st of 5, level with {names[second]}: you win by the race line."
    (lost,) = own_result(results.labels, results.view, figures, (second,))
    assert lost == f"You are 2nd of 5, level with {names[first]}: {names[first]} wins by the race line."


def test_the_engine_and_the_chart_have_a_value_for_each_round(results: ResultsController) -> None:
    assert len(results.engine) == len(results.places) == results.view.round
    assert results.engine[-1] == results.view.cars[0].engine


def test_bests_are_told_of_the_same_board_and_laps(results: ResultsController) -> None:
    playback = results.playback
    assert playback is not None
    winner = results.view.standings[0].car
    (race,) = finished_races(playback.record, (winner,), NOON, digest="now")
    assert bests_words(race, [race])[0] == f"Your first finish on Italy over 1 lap: {race.rounds} rounds."
    slower = replace(race, race="a", rounds=race.rounds + 1, moment=NOON - timedelta(days=1))
    assert "A new best" in bests_words(race, [slower, race])[0]
    faster = replace(slower, rounds=race.rounds - 1)
    assert bests_words(race, [faster, race])[0].startswith("Your best on Italy")
    elsewhere = replace(slower, board="usa")
    assert best_of([elsewhere, slower], "italy", 1) == slower
    assert best_of([replace(slower, from_position=True)], "italy", 1) is None


@pytest.mark.parametrize(("columns", "rows"), [(78, 18), (118, 34), (198, 54), (78, 8)])
def test_pages_hold_everything_and_no_line_is_too_wide(
    results: ResultsController, columns: int, rows: int
) -> None:
    for theme in ("night", None):
        pages = result_pages(results, ["Your first win here."], PageLook(columns, rows, theme, True))
        lines = [line.plain for page in pages for line in page.lines]
        assert all(len(page.lines) <= rows for page in pages)
        assert all(0 <= row < len(page.lines) for page in pages for row, *_ in page.hits)
        assert max(map(len, lines)) <= columns
        text = re.sub(r"\s+", " ", "\n".join(lines))
        assert "Your first win here." in text
        for word in ("gap", "streams", "top speed", "pass for the lead"):
            assert word in text


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_number_shows_its_moment_in_the_replay_and_s_the_seed(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    table = driven()
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.is_over)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        screen = app.screen
        assert isinstance(screen, ResultsScreen)
        await pilot.pause()
        assert "hash is the one shown at the start" not in shown(pilot)
        await pilot.press("s")
        await pilot.pause()
        assert "hash is the one shown at the start" in shown(pilot)
        await pilot.press("1")
        await until(lambda: isinstance(app.screen, ReplayScreen))
        assert isinstance(app.screen, ReplayScreen)
        moment = screen.results.highlights[0]
        assert app.screen.replay.moment.first <= moment.event <= app.screen.replay.moment.last


def test_plain_mode_speaks_the_same_facts(results: ResultsController) -> None:
    told = results_told(results)
    assert told[0] == results.own_result[0]
    moments = [line for line in told if line.startswith("Moment ")]
    assert len(moments) == len(results.highlights)
    assert moments[0].startswith("Moment 1: Biggest spin-out: Nina")
