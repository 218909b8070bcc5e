"""The end of a race: who came where, what each did, and once more."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot

from heat_core.drivers import BotName
from heat_core.options.table_options import LocalOptions
from heat_core.race import events as e
from heat_core.record.figures import RaceFigures, race_figures
from heat_core.table import Table
from heat_tui.app import HeatApp
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.replay import ReplayScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Settings, save_settings
from heat_tui.words.result_table import lap_chart, places_by_round, result_table, seed_text_lines
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import table_at


def driven(*, legends: int = 2, track: str = "italy", bot: BotName = "steady") -> Table:
    """A race that bots have driven to its end."""
    table = make_table(
        LocalOptions(names=("Ana",), track=track, laps=1, bots=(bot, bot), legends=legends, seed="5")
    )
    table.set_driver(0, "steady")
    while table.bot_due():
        table.step_bot()
    assert table.is_over
    return table


def figures_of(table: Table) -> list[RaceFigures]:
    return race_figures(table.setup, table.events_since(0, None))


def test_the_table_tells_place_name_end_and_figures_of_every_car() -> None:
    table = driven()
    view, figures, labels = table.view(None), figures_of(table), RaceLabels.of(table.setup)
    rows = result_table(labels, view, figures, (0,)).plain.split("\n")[2:-1]
    assert len(rows) == 5
    for standing, row in zip(view.standings, rows, strict=True):
        told = figures[standing.car]
        assert labels.names[standing.car] in row
        expected = [told.top_speed]
        if not view.cars[standing.car].is_legend:
            expected += [told.heat_paid, told.spin_outs, told.slipstreams, told.corners_pressed]
        assert [int(word) for word in row.split()[-len(expected) :]] == expected
        beyond = view.cars[standing.car].progress - labels.track.finish_line(1)
        assert (f"finish +{beyond}" in row) == (beyond > 0)
        assert cell_len(row) <= 78


def test_the_chart_ends_as_the_cars_are_ranked_and_begins_as_they_stood() -> None:
    table = driven()
    view, figures = table.view(None), figures_of(table)
    orders = places_by_round(view, figures)
    assert len(orders) == view.round
    assert orders[-1] == [standing.car for standing in view.standings]
    for number, order in enumerate(orders[:-1]):
        places = [figures[car].progress[number] for car in order]
        assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("width", [10, 20, 78, 200])
def test_the_chart_keeps_to_its_width_and_shows_the_newest_rounds(width: int) -> None:
    table = driven(track="usa")
    view, labels = table.view(None), RaceLabels.of(table.setup)
    lines = lap_chart(labels, view, figures_of(table), width).plain.split("\n")[:-1]
    assert len(lines) == 6
    assert all(cell_len(line) <= width + 1 for line in lines)
    assert [line.split()[-1] for line in lines[1:]] == [
        labels.letters[standing.car] for standing in view.standings
    ]


def test_another_table_has_the_same_drivers_and_another_seed() -> None:
    table = driven()
    again = LocalSession(table).another_table()
    assert [car.name for car in again.setup.cars] == [car.name for car in table.setup.cars]
    assert again.setup.track == table.setup.track
    assert again.setup.seed not in (None, table.setup.seed)
    assert dict(again.drivers) == dict(table.drivers)
    assert not again.is_over


def test_another_race_from_a_position_begins_there_again() -> None:
    table = table_at({"ana": "lap 1 space 30 hand 4 3 2 draw 4 4", "ben": "lap 1 space 20"}, round=7)
    again = LocalSession(table).another_table()
    assert again.setup.position == table.setup.position
    assert again.setup.seed != table.setup.seed
    assert (again.view(0).round, again.view(0).cars[0].space) == (7, 30)


def test_the_chart_of_a_race_from_a_position_counts_from_its_round() -> None:
    table = table_at(
        {"ana": "lap 1 space 60 hand 4 3 2 draw 4 4", "ben": "lap 1 space 20"},
        laps=1,
        round=7,
        drivers=("steady", "steady"),
    )
    while table.bot_due():
        table.step_bot()
    rounds, *_ = lap_chart(RaceLabels.of(table.setup), table.view(None), figures_of(table), 78).plain.split(
        "\n"
    )
    assert rounds.split()[:2] == ["round", "7"]


async def to_results(pilot: Pilot[None]) -> ResultsScreen:
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen))
    await pilot.pause()
    await pilot.press("g", "y")
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended")
    await pilot.press("enter")
    await until(lambda: isinstance(app.screen, ResultsScreen))
    await pilot.pause()
    assert isinstance(app.screen, ResultsScreen)
    return app.screen


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_r_races_again_with_the_same_drivers_and_home_is_one_key_away(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=size) as pilot:
        await to_results(pilot)
        assert "everyone has given up" in shown(pilot)
        assert "Race again" in shown(pilot)
        await pilot.press("r")
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        assert "round 1" in shown(pilot)
        assert "Ana" in shown(pilot)
        await to_results(pilot)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        assert len(app.screen_stack) == 1


@pytest.mark.asyncio
async def test_where_a_race_cannot_be_repeated_no_key_says_so(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))

    def opening(app: HeatApp) -> None:
        app.push_screen(RaceScreen(LocalSession(table)))

    app = HeatApp(folders_in(tmp_path), opening=opening, animate=False)
    async with app.run_test(size=SMALL) as pilot:
        results = await to_results(pilot)
        assert "Race again" not in shown(pilot)
        await pilot.press("r")
        await pilot.pause()
        assert app.screen is results


@pytest.mark.asyncio
async def test_figures_and_plot_fit_80x24_in_plain_ascii_and_w_watches_the_replay(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), replace(Settings(), ascii=True))
    table = make_table(
        LocalOptions(names=("Ana",), track="italy", laps=1, bots=("steady",), legends=1, seed="5")
    )
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        results = await to_results(pilot)
        text = shown(pilot)
        assert text.isascii()
        assert "Watch the replay" in text
        for heading in ("speed", "paid", "spun", "streams", "pressed"):
            assert heading in text
        rows = [line for line in text.split("\n") if line.startswith(tuple(f"     {n}  " for n in "123"))]
        assert len(rows) == 3, "positions over the rounds"
        await pilot.press("w")
        await until(lambda: isinstance(app.screen, ReplayScreen))
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.replay.playback.record.events == tuple(table.log)
        await pilot.pause()
        await pilot.press("q")
        await until(lambda: app.screen is results)


@pytest.mark.asyncio
@pytest.mark.parametrize("is_made_up", [False, True])
async def test_a_record_that_does_not_hold_is_not_offered_to_be_watched(
    tmp_path: Path, is_made_up: bool
) -> None:
    """Whoever leads the table, a server too, gives the record; it is dealt anew before it is shown."""
    table = driven()
    at, speed = next((n, event) for n, event in enumerate(table.log) if isinstance(event, e.SpeedSet))
    table.log[at] = replace(speed, speed=speed.speed + is_made_up)
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(
            lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended"
        )
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert ("Watch the replay" in shown(pilot)) is not is_made_up


def test_the_seed_is_told_with_the_hash_that_was_shown_at_the_start() -> None:
    table = driven()
    events = list(table.events_since(0, 0))
    assert isinstance(events[0], e.RaceSetUp)
    told = seed_text_lines(events).plain
    assert "from the seed 5\n" in told
    assert f"shown at the start: {events[0].seed_commitment}\n" in told
    assert seed_text_lines(events[:-1]).plain == "", "not before the end"
    late = seed_text_lines(events[9:]).plain
    assert "from the seed 5" in late
    assert "hash" not in late, "who came later has not seen it"


def test_a_seed_other_than_promised_is_told_so() -> None:
    *events, end = driven().events_since(0, 0)
    assert isinstance(end, e.RaceEnded)
    told = seed_text_lines([*events, e.RaceEnded(end.reason, end.standings, "6")]).plain
    assert "does not match the hash shown at the start" in told
    assert seed_text_lines([*events, e.RaceEnded(end.reason, end.standings, None)]).plain == ""
