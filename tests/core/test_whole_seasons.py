"""Whole seasons of six bots, their table of points checked against a sum of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from heat_core.race import events as e
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import GARAGES, Modules
from heat_core.season.setup import YEARS, PlannedRace, SeasonSetup, make_season, plan_year
from heat_core.season.state import Season
from heat_core.season.view import view_season
from heat_core.simulation import make_cars, simulate_season
from heat_core.table import Table
from tests.core.seasons import end_of, fold_season, grid_of, order_of
from tests.core.support import track_facts

BATCH = 5
WORTH: dict[PresetName, tuple[int, ...]] = {
    "standard": (12, 10, 8, 6, 4, 2),
    "rulebook": (9, 6, 4, 3, 2, 1),
}
EXTRA = {"strike": (2, 0, 0, 0, 0, 0), "corruption": (1, 1, 1, 0, 0, 0)}
"""What the printed cards give beside a place's points."""

TRACKS = ("usa", "gb", "italy", "france", "japan", "mexico", "spain", "netherlands")


def season_number(number: int) -> tuple[SeasonSetup, list[str]]:
    """Give the set-up and the drivers of a season: by turns of every year and of chosen tracks, with and
    without the modules, by both presets, of bots of both kinds."""
    years = (*YEARS, None)
    year = years[number % len(years)]
    drivers = [("steady", "random")[number >> car & 1] for car in range(6)]
    cars, _ = make_cars(drivers)
    if year is not None:
        races = plan_year(year, track_facts, 1)
    else:
        names = [TRACKS[(number * 3 + race) % len(TRACKS)] for race in range(3 + number // 12 % 2)]
        races = tuple(PlannedRace(track_facts(name), 1) for name in names)
    modules = Modules(
        GARAGES[number % len(GARAGES)],
        expansion=number % 3 == 0,
        weather=number % 5 != 0,
        sponsorships=number % 7 != 0,
    )
    rules = list(PRESETS.values())[number // len(years) % 2]
    setup = make_season(
        races, cars, seed=f"whole {number}", rules=rules, modules=modules, draws_events=number % 11 != 0
    )
    return setup, drivers


def check_season(season: Season, tables: list[Table]) -> None:
    """Add the points up from what the races' own records say, and compare all that the season tells."""
    preset = season.setup.rules.preset
    total = Counter(dict.fromkeys(range(6), 0))
    view = view_season(season, None)
    assert (view.status, view.end, len(view.races)) == ("ended", "finished", len(tables))
    leaders: list[int] = []
    for number, (table, told) in enumerate(zip(tables, view.races, strict=True)):
        if number:
            expected = leaders if season.setup.rules == RULEBOOK else leaders[::-1]
            assert list(grid_of(table.log)) == expected
        event = table.setup.modules.event
        assert (told.track, told.event, told.laps) == (table.setup.track.name, event, table.setup.laps)
        extra = EXTRA.get(event or "", (0,) * 6)
        out = {entry.car for entry in table.log if isinstance(entry, e.CarOut) and entry.reason == "spun_out"}
        assert not out or event == "sponsor-withdraws"
        gained = {}
        for car, worth, more in zip(order_of(table.log), WORTH[preset], extra, strict=True):
            gained[car] = 0 if car in out else worth + more
        assert {result.car: result.points for result in told.results} == gained
        assert [result.place for result in told.results] == [1, 2, 3, 4, 5, 6]
        total.update(gained)
        order = order_of(table.log)
        leaders = sorted(range(6), key=lambda car: (-total[car], order.index(car)))
        assert end_of(table.log).seed is None
    assert [standing.car for standing in view.standings] == leaders
    assert {standing.car: standing.points for standing in view.standings} == total
    assert fold_season(season.log) == Season.load(season.dump()).state == season.state


def play_seasons(numbers: range) -> None:
    for number in numbers:
        setup, drivers = season_number(number)
        _, seats = make_cars(drivers)
        season, tables = simulate_season(setup, seats, 0)
        check_season(season, tables)


@pytest.mark.parametrize("batch", range(3))
def test_points_of_whole_seasons_add_up(batch: int) -> None:
    play_seasons(range(batch * BATCH, (batch + 1) * BATCH))


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(40))
def test_points_of_two_hundred_whole_seasons_add_up(batch: int) -> None:
    play_seasons(range(1000 + batch * BATCH, 1000 + (batch + 1) * BATCH))


def test_the_seasons_are_of_all_kinds() -> None:
    setups = [season_number(number)[0] for number in range(1000, 1200)]
    assert {setup.rules.preset for setup in setups} == set(PRESETS)
    assert {setup.modules.garage for setup in setups} == set(GARAGES)
    assert {len(setup.races) for setup in setups if setup.races[0].event is None} == {3, 4}
    assert {race.track.id for setup in setups for race in setup.races} == set(TRACKS)
    printed = {tuple(race.event for race in setup.races) for setup in setups}
    assert len(printed) == len(YEARS) + 2, "each year's, and none for 3 or 4 races"
