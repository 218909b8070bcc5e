"""Circuits of strangers are drawn in a moment: the longest, the most crowded, and those full of bridges."""

from __future__ import annotations

import time
from math import cos, pi, sin
from random import Random

import msgspec
import pytest

from heat_core.files import load_track
from heat_core.track import compile_track
from heat_core.track_facts import TrackFacts
from heat_core.track_files.checks import track_problems
from heat_tui.map.drawing import draw_track
from heat_tui.map.geometry import Centreline, ControlPoint, RoadPoint
from heat_tui.map.layout import ZOOMS, Zoom

MOST_LOOPS = 400
"""A drawing may take as long as so many loops of a hundred thousand rounds, measured beside it.

A machine that is busy, or watched by coverage, is slow at both. The slowest takes about 110; what froze the
screen took 20,000.
"""


def loop_seconds() -> float:
    began = time.process_time()
    total = 0
    for number in range(100_000):
        total += number % 7
    return time.process_time() - began


def long_track(outline: list[ControlPoint]) -> TrackFacts:
    facts = msgspec.structs.replace(
        load_track("usa"), spaces=400, outline=tuple(outline), grid=((400, "left"), (399, "right"))
    )
    assert not track_problems(facts)
    return facts


def ring() -> list[ControlPoint]:
    turns = [number / 20 * pi for number in range(40)]
    return [(10 * number + 1, 75 + 70 * cos(turn), 50 + 45 * sin(turn)) for number, turn in enumerate(turns)]


def comb() -> list[ControlPoint]:
    """Draw up and down all over the box: the curve overshoots its points and meets itself a lot."""
    places = [(3 + tooth, y) for tooth in range(140) for y in ((5, 90) if tooth % 2 == 0 else (90, 5))]
    places += [(149, 98), (120, 99), (90, 99), (60, 99), (30, 99), (1, 98), (1, 50)]
    return [(space, float(x), float(y)) for space, (x, y) in enumerate(places, start=1)]


CROWDED: list[ControlPoint] = [
    (1, 10.0, 10.0),
    (380, 12.0, 10.0),
    (390, 140.0, 10.0),
    (395, 140.0, 90.0),
    (400, 10.0, 90.0),
]
"""Nearly all spaces within two units of the box."""


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("outline", [ring(), comb(), CROWDED], ids=["ring", "comb", "crowded"])
def test_a_track_of_400_spaces_is_drawn_in_a_moment(outline: list[ControlPoint], zoom: Zoom) -> None:
    track = compile_track(long_track(outline))
    most = MOST_LOOPS * loop_seconds()
    began = time.process_time()
    drawing = draw_track(track, 80, 24, zoom)
    rows = [drawing.strip(row) for row in range(24)]
    assert time.process_time() - began < most
    assert {row.cell_length for row in rows} == {drawing.columns}


def meets(a: RoadPoint, b: RoadPoint, c: RoadPoint, d: RoadPoint) -> bool:
    def side(one: RoadPoint, two: RoadPoint, of: RoadPoint) -> bool:
        return (two.x - one.x) * (of.y - one.y) > (two.y - one.y) * (of.x - one.x)

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


@pytest.mark.parametrize("number", range(20))
def test_every_crossing_is_found_once_in_driving_order(number: int) -> None:
    chance = Random(number)
    points = sorted(chance.sample(range(1, 61), 9))
    outline = [(space, chance.uniform(0, 150), chance.uniform(0, 100)) for space in points]
    line = Centreline(outline, 60, 1.0)
    nodes = [line.at(1 + half / 2) for half in range(121)]
    expected = [
        (first, second)
        for first in range(120)
        for second in range(first + 4, min(120, first + 117))
        if meets(nodes[first], nodes[first + 1], nodes[second], nodes[second + 1])
    ]
    found = line.crossings()
    assert list(found) == sorted(found)
    assert sorted((int(2 * (below - 1)), int(2 * (above - 1))) for below, above in found) == expected
