"""The words of a championship: its table, broken ties, the next race, what cars keep, how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from heat_core.data.event_cards import EVENTS
from heat_core.options.table_options import LocalOptions, SeasonOptions
from heat_core.race.events.parts import FinalStatus
from heat_core.rules.points import CarResult, SeasonStanding
from heat_core.season.setup import YEARS
from heat_core.season.view import SeasonRaceView, SeasonView
from heat_tui.flow.table_factory import make_season_of
from heat_tui.words.season_table import (
    end_line,
    event_lines,
    kept_lines,
    leader_line,
    next_race_lines,
    season_name,
    season_table,
    seed_lines,
    tie_lines,
)
from tests.tui.support_season import begun, give_up, race_once, season

NAMES = ("Ana", "Ben", "Cleo")


def raced(track: str, *results: tuple[int, int, FinalStatus]) -> SeasonRaceView:
    """A race: car, points and status of each place."""
    told = tuple(CarResult(car, place, how, n) for place, (car, n, how) in enumerate(results, start=1))
    return SeasonRaceView(track, 2, None, None, "finished", told)


def view_of(*races: SeasonRaceView, standings: tuple[SeasonStanding, ...]) -> SeasonView:
    return SeasonView(9, "between", len(races), races, standings, (), (), (), (), "", None, None)


def test_the_table_has_place_and_points_of_each_race_and_the_sum(tmp_path: Path) -> None:
    championship = begun(tmp_path, begins=season("Ana", year=1963))
    give_up(championship)
    for _ in range(3):
        race_once(championship)
    view, setup = championship.view(), championship.season.setup
    head, *rows = season_table(setup, view, (0,)).plain.splitlines()
    assert head.split() == ["USA", "Great", "Brita", "France", "Italy", "points"]
    assert len(rows) == len(setup.cars)
    for standing, line in zip(view.standings, rows, strict=True):
        assert setup.cars[standing.car].name in line
        numbers = [
            next(result.points for result in race.results if result.car == standing.car)
            for race in view.races
        ]
        assert sum(numbers) == standing.points == int(line.split()[-1])
        assert [int(word) for word in line.split() if word.startswith("+")] == numbers
        assert cell_len(line) <= 78
    assert sum("gave up" in line for line in rows) == 1


def test_broken_ties_are_explained_by_the_last_race() -> None:
    view = view_of(
        raced("USA", (0, 6, "finished"), (1, 4, "finished"), (2, 2, "finished")),
        raced("Italy", (1, 6, "finished"), (0, 4, "finished"), (2, 2, "spun_out")),
        standings=(SeasonStanding(1, 1, 10), SeasonStanding(0, 2, 10), SeasonStanding(2, 3, 4)),
    )
    assert tie_lines(view, NAMES) == ["Equal on 10 points; the last race decides: Ben 1st, Ana 2nd."]
    assert leader_line(view.standings, NAMES) == "Ben leads with 10 points."


def test_before_the_first_race_there_is_nothing_to_tell_but_the_race(tmp_path: Path) -> None:
    view = begun(tmp_path, begins=season("Ana")).view()
    assert (tie_lines(view, NAMES), leader_line(view.standings, NAMES), end_line(view, NAMES)) == ([], "", "")
    assert seed_lines(view).plain == ""
    assert next_race_lines(view, NAMES, has_sponsorships=True) == [
        "Race 1 of 3: Great Britain, 1 lap.",
        f"Event: Grandstand. {EVENTS['grandstand'].text}",
        "The press is at corner 1; everybody starts with 2 Sponsorships.",
        "Grid: drawn by lot.",
    ]


def test_the_grid_follows_the_standings(tmp_path: Path) -> None:
    championship = begun(tmp_path, races=1)
    view, names = championship.view(), [car.name for car in championship.season.setup.cars]
    order = ", ".join(names[standing.car] for standing in reversed(view.standings))
    assert next_race_lines(view, names, has_sponsorships=False)[-1] == f"Grid, pole first: {order}."


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_is_explained(event: str) -> None:
    facts = EVENTS[event]
    with_them = event_lines(event, has_sponsorships=True)
    assert facts.text in with_them[0]
    assert all(str(corner) in with_them[1] for corner in facts.press_corners)
    without = " ".join(event_lines(event, has_sponsorships=False))
    is_about_them = "Sponsorship" in facts.text or "press" in facts.text
    assert ("no effect" in without) == is_about_them


def test_the_press_is_told_where_it_waits_and_where_it_does_not() -> None:
    assert event_lines("record-crowds", has_sponsorships=True)[1] == (
        "The press is at corners 3 and 5; everybody starts with 1 Sponsorship."
    )
    assert event_lines("sudden-rain", has_sponsorships=True)[1] == (
        "No corner has the press; everybody starts with 1 Sponsorship."
    )
    assert event_lines("going-global", has_sponsorships=True)[1].endswith("with no Sponsorships.")


def test_what_cars_keep_is_told_seat_by_seat(tmp_path: Path) -> None:
    began = season("Ana", rules="rulebook", garage="basic", sponsorships=True)
    printed = begun(tmp_path, races=1, begins=began)
    lines = kept_lines(printed.season.setup, printed.view(), ["Ana", "Nina", "Legend 1"])
    assert [line.split(" keeps ")[0] for line in lines] == ["Ana", "Nina"]
    standard = begun(tmp_path, races=1, begins=season("Ana", garage="basic"))
    assert kept_lines(standard.season.setup, standard.view(), NAMES) == [
        "Three upgrades are drafted before each race and returned after it."
    ]
    plain = begun(tmp_path, races=1)
    assert kept_lines(plain.season.setup, plain.view(), NAMES) == []


def test_the_end_is_told_with_the_seed(tmp_path: Path) -> None:
    championship = begun(tmp_path, races=3)
    view, names = championship.view(), [car.name for car in championship.season.setup.cars]
    winner = view.standings[0]
    assert end_line(view, names) == f"{names[winner.car]} is champion with {winner.points} points."
    assert "the one shown at the start" in seed_lines(view).plain
    assert next_race_lines(view, names, has_sponsorships=False) == []
    assert kept_lines(championship.season.setup, view, names) == []


def test_only_a_printed_season_is_called_by_its_year() -> None:
    assert [season_name(season(year=year).setup) for year in YEARS] == [
        f"Championship {year}" for year in YEARS
    ]
    own = LocalOptions(names=("Ana",), season=SeasonOptions(tracks=("usa", "italy", "usa")))
    assert season_name(make_season_of(own).setup) == "Championship"
