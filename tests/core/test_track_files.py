"""Track files that cannot be raced on, each told with its place and reason."""

from __future__ import annotations

import os
import subprocess
import sys
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import msgspec
import pytest

from heat_core.files import load_track, read_track_file, track_names
from heat_core.track_file import BadTrack, parse_track

TRACKS = Path(__file__).parents[2] / "tracks"
EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


def oval(**changes: Any) -> bytes:
    values = msgspec.json.decode(EXAMPLE.read_bytes())
    values.update(changes)
    return msgspec.json.encode({key: value for key, value in values.items() if value is not None})


def corners(**changes: Any) -> list[dict[str, Any]]:
    first, second = msgspec.json.decode(EXAMPLE.read_bytes())["corners"]
    return [first | changes, second]


def faults(data: bytes) -> list[str]:
    try:
        parse_track(data)
    except BadTrack as refused:
        return refused.faults
    return []


@pytest.mark.parametrize("name", track_names())
def test_the_boards_and_the_example_are_right(name: str) -> None:
    assert load_track(name).id == name
    assert read_track_file(EXAMPLE).id == "oval"


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        (oval(corners=[]), "corners", "length >= 1"),
        (oval(corners=None), "corners", "missing"),
        (oval(corners=corners(after_space=40)), "corner 1: after_space 40", "past space 32"),
        (oval(corners=corners(limit=-1)), "corners, entry 1, limit", ">= 1"),
        (oval(corners=corners(limit=0)), "corners, entry 1, limit", ">= 1"),
        (oval(corners=corners(limit="three")), "corners, entry 1, limit", "str"),
        (oval(corners=corners(after_space=25)), "corners", "driving order"),
        (oval(corners=corners(after_space=30)), "corners", "driving order"),
        (oval(corners=corners(chicane_with_corner=2)), "corner 1", "chicane"),
        (oval(grid=[[32, "left"]] * 20), "grid", "length <= 16"),
        (oval(grid=[[32, "left"], [32, "left"]]), "grid place 2", "taken already"),
        (oval(grid=[[17, "left"], [17, "right"]]), "grid place 2", "taken already"),
        (oval(grid=[[33, "left"], [32, "right"]]), "grid place 1", "past space 32"),
        (oval(spaces=5), "spaces", ">= 10"),
        (oval(spaces=10_000), "spaces", "<= 400"),
        (oval(spaces=10, laps=3), "corner 2", "past space 10"),
        (oval(laps=9), "laps", "<= 4"),
        (oval(narrow=[[5, 9], [8, 12]]), "narrow", "without overlap"),
        (oval(tunnel=[[9, 5]]), "tunnel", "in order"),
        (oval(flooded=[[30, 40]]), "flooded", "within 1 to 32"),
        (oval(press_corners=[3]), "press_corners", "does not have"),
        (oval(outline=[[1, 0, 0], [5, 10, 0], [3, 10, 10], [9, 0, 10]]), "outline", "in order"),
        (oval(outline=[[1, 0, 0], [5, 10, 0], [9, 20, 0], [13, 30, 0], [17, 140, 90]]), "outline", "gap"),
        (oval(outline=[[1, 0, 0]]), "outline", "at least 4"),
        (
            oval(outline=[[n, 5, 5] for n in (1, 9, 17, 25)]),
            "outline",
            "point 1 lies where the next one does",
        ),
        (
            oval(outline=[[1, 0, 0], [9, 9, 0], [17, 9, 9], [25, 9, 9]]),
            "outline",
            "point 3 lies where the next",
        ),
        (
            oval(outline=[[1, 0, 0], [9, 9, 0], [17, 9, 9], [25, 0, 0.5]]),
            "outline",
            "point 4 lies where the next",
        ),
        (oval(outline=[[1, 0, 7], [9, 9, 7], [17, 18, 7], [25, 9, 7]]), "outline", "in one line"),
        (oval(outline=[[1, 0, 0], [9, 9, 9], [17, 18, 18], [25, 9, 9.5]]), "outline", "in one line"),
        (oval(id="../../etc/passwd"), "id", "matching"),
        (oval(name=""), "name", "length"),
        (oval(format=2), "format", "2"),
        (oval(colour="red"), "colour", "no such key"),
        (b"not json", "no JSON", ""),
        (b"[]", "JSON object", ""),
        (b"\xff\xfe", "no JSON", ""),
        (b" " * 70_000, "at most 65536 bytes", ""),
        (b"[" * 60_000, "no JSON", ""),
    ],
    ids=range(38),
)
def test_a_fault_is_told_with_place_and_reason(data: bytes, place: str, reason: str) -> None:
    told = faults(data)
    assert any(place in fault and reason in fault for fault in told), told


def star(points: int) -> list[list[float]]:
    """Draw a star of an odd number of points, each line to the point nearly across: it crosses itself."""
    turns = [2 * pi * (points // 2) * number / points for number in range(points)]
    places = [[round(75 + 50 * cos(turn), 3), round(50 + 50 * sin(turn), 3)] for turn in turns]
    return [[space, x, y] for space, (x, y) in enumerate(places, start=1)]


def test_a_circuit_may_cross_itself_now_and_then_and_no_more() -> None:
    assert not faults(oval(outline=star(5)))  # five bridges
    assert faults(oval(outline=star(7))) == ["outline: it crosses itself more than 8 times"]
    assert faults(oval(outline=star(31))) == ["outline: it crosses itself more than 8 times"]


def test_straights_of_many_points_do_not_cross_themselves() -> None:
    there = [[n, 10 * n, 10] for n in range(1, 12)]
    back = [
        [n + 11, 120 - 10 * n, 10 if n == 2 else 25] for n in range(1, 12)
    ]  # it meets a point of the other
    assert not faults(oval(outline=[*there, *back]))


def test_a_small_circuit_is_one_too() -> None:
    assert not faults(oval(outline=[[1, 0, 0], [9, 1, 0], [17, 1, 1], [25, 0, 1]]))


@pytest.mark.parametrize(("x", "y", "place"), [(150.5, 5, "[1]"), (5, 100.5, "[2]"), (-1, 5, "[1]")])
def test_an_outline_lies_in_its_box(x: float, y: float, place: str) -> None:
    outline = [[1, 10, 10], [9, 100, 10], [17, x, y], [25, 10, 90]]
    (fault,) = faults(oval(outline=outline))
    assert fault.startswith(f"outline, entry 3, {place}: Expected `float`")


def test_all_faults_come_at_once() -> None:
    told = faults(oval(laps=9, stress="three", colour="red", outline=None, corners=corners(limit=-1)))
    for word in ("laps", "stress", "colour", "outline", "corners, entry 1, limit"):
        assert any(word in fault for fault in told), word
    assert len(told) == 5


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_track(b"\xef\xbb\xbf" + oval()).id == "oval"


@pytest.mark.parametrize("name", ["pipe.json", "/dev/zero", "/dev/stdin"])
def test_what_is_no_ordinary_file_is_refused_without_waiting_for_it(name: str, tmp_path: Path) -> None:
    """A pipe that nobody writes to would keep one waiting for ever, a device would never end."""
    path = tmp_path / name
    if name == "pipe.json":
        os.mkfifo(path)
    for words in (["check-track", str(path)], ["replay", str(path)]):
        done = subprocess.run(
            [sys.executable, "-m", "heat_core", *words],
            stdin=subprocess.PIPE,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 1
        assert done.stderr.endswith(f"{path}: No ordinary file\n")
        assert done.stderr.count("\n") == 1


def test_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(oval(laps=9))
    with pytest.raises(BadTrack, match=r"wrong\.json: laps"):
        load_track(str(path))
    with pytest.raises(BadTrack, match=r"none\.json: No such file"):
        load_track(str(tmp_path / "none.json"))
    with pytest.raises(BadTrack, match="the tracks are usa"):
        load_track("../usa")
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(BadTrack, match="at most"):
        read_track_file(huge)
