"""The figures of `make growth`, at work on little; the engine does not grow with the events so far."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from tests.growth.counts import Step
from tests.growth.engine import (
    Drive,
    by_events_so_far,
    decision_microseconds,
    drive_engine,
    drive_table,
    kept_bytes_an_event,
    raced,
)
from tests.growth.fit import blocks, fit
from tests.growth.measure import Figures
from tests.growth.pictures import pictures
from tests.growth.report import page, series
from tests.growth.server import Crowd, Load, load


@pytest.mark.parametrize("drive", [drive_engine, drive_table])
def test_a_decision_takes_no_longer_however_many_events_there_have_been(drive: Drive) -> None:
    """A wide margin, for time is measured: what grew from nothing with the events would change by 2."""
    points = by_events_so_far(drive, races=1, times=5)
    assert points[-1][0] > 5_000
    assert fit(points).low < 0.5


@pytest.mark.parametrize(("fixed", "change"), [(0, 2), (1000, 0.667)])
def test_what_grows_with_the_events_is_found_in_any_noise_that_is_not_greater(
    fixed: float, change: float
) -> None:
    points = [(x, fixed + x + (50 if x % 20 else -50)) for x in range(0, 1000, 10)]
    line = fit(points)
    assert line.low < line.change < line.high
    assert line.change == pytest.approx(change, rel=0.05)
    assert line.low > 0.6
    assert line.at(line.last) - line.at(line.first) == pytest.approx(line.change * line.mean)


def test_what_does_not_grow_has_no_slope() -> None:
    line = fit([(x, 7 + x % 2) for x in range(101)])
    assert line.low < 0 < line.high
    assert (line.first, line.last) == (0, 100)


def test_neighbours_become_one_point() -> None:
    assert blocks([(0, 1), (2, 3), (4, 10)], 2) == [(0, 1), (2, 3), (4, 10)]
    assert blocks([(0, 1), (2, 3), (4, 10), (6, 20)], 2) == [(1, 2), (5, 15)]


def test_the_same_race_is_driven_again_to_its_end() -> None:
    race = raced(2, 1, 0)
    assert 0 < race.before_a_finish < len(race.answers)
    (engine,) = drive_engine(race, len(race.answers))
    (table,) = drive_table(race, len(race.answers))
    assert engine[0] == table[0] > 100
    assert all(time > 0 for time in decision_microseconds([(2, 1), (3, 1)], races=1, times=1))


def test_a_log_keeps_some_bytes_for_each_event() -> None:
    assert 10 < kept_bytes_an_event() < 1_000


def test_page_and_pictures_show_every_figure() -> None:
    points = [(float(x), 10.0 + x % 3) for x in range(40)]
    steps = [Step(x, 4_000 + x % 5, 2, 200, 0, 500) for x in range(40)]
    loads = {
        "rooms": [(Crowd(1), Load(900.0, 0.5, 1.0, 1.5)), (Crowd(300), Load(2_500.0, 0.25, 60.0, 75.0))],
        "seats": [(Crowd(50, 2), Load(1_000.0, 0.3, 3.0, 4.0))],
        "spectators": [(Crowd(20, 6, 50), Load(700.0, 1.25, 15.0, 20.0))],
    }
    figures = Figures({2: 12.0, 8: 13.5}, {1: 11.5}, points, points, points, steps, 61.6, loads)
    text = page(figures, "a quiet machine")
    assert "Machine: a quiet machine." in text
    assert "about 62 bytes" in text
    for row in ("| 8    |          13.5 |", "| 300   |     6 |", "0.25", "| 20    |     6 |         50 |"):
        assert row in text
    assert all(f"| {each.name}" in text for each in series(figures))
    assert max(map(len, text.splitlines())) <= 120
    drawn = dict(pictures(figures))
    assert all(f"pictures/{name}" in text for name in drawn)
    for picture in drawn.values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")


@pytest.mark.soak
def test_a_crowd_with_spectators_races_on_a_real_server() -> None:
    made = load(Crowd(2, 2, 1), 0.5)
    assert made.per_second > 10
    assert made.milliseconds > 0
    assert 0 < made.seated_mebibytes < made.mebibytes
