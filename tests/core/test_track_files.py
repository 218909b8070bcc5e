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
from heat_core.track_files.file import BadTrack, parse_track

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
        (oval(corners=[]), "corners must have 1 to 60 entries", "not 0"),
        (oval(corners=None), "corners", "missing"),
        (oval(corners=corners(after_space=40)), "corner 1: after_space 40", "past space 32"),
        (oval(corners=corners(limit=-1)), "corner 1: limit", "from 2 to 20, not -1"),
        (oval(corners=corners(limit=1)), "corner 1: limit", "from 2 to 20, not 1"),
        (oval(corners=corners(limit="three")), "corner 1: limit must be a whole number", 'not "three"'),
        (oval(corners=corners(after_space=25)), "corners", "driving order"),
        (oval(corners=corners(after_space=30)), "corners", "driving order"),
        (oval(corners=corners(chicane_with_corner=2)), "corner 1", "chicane"),
        (oval(grid=[[32, "left"]] * 20), "grid must have 2 to 16 entries", "not 20"),
        (oval(grid=[[32, "left"], [32, "left"]]), "grid place 2", "taken already"),
        (oval(grid=[[17, "left"], [17, "right"]]), "grid place 2", "taken already"),
        (oval(grid=[[33, "left"], [32, "right"]]), "grid place 1", "past space 32"),
        (oval(spaces=5), "spaces must be", "from 10 to 400, not 5"),
        (oval(spaces=10_000), "spaces must be", "from 10 to 400, not 10000"),
        (oval(spaces=10, laps=3), "corner 2", "past space 10"),
        (oval(laps=9), "laps must be", "from 1 to 4, not 9"),
        (oval(narrow=[[5, 9], [8, 12]]), "narrow", "without overlap"),
        (oval(tunnel=[[9, 5]]), "tunnel", "in order"),
        (oval(flooded=[[30, 40]]), "flooded", "within 1 to 32"),
        (oval(press_corners=[3]), "press_corners", "this track has 2"),
        (oval(outline=[[1, 0, 0], [5, 10, 0], [3, 10, 10], [9, 0, 10]]), "outline", "in the order"),
        (oval(outline=[[1, 0, 0], [5, 10, 0], [9, 20, 0], [13, 30, 0], [17, 140, 90]]), "outline", "gap"),
        (oval(outline=[[1, 0, 0]]), "outline", "at least 4"),
        (
            oval(outline=[[n, 5, 5] for n in (1, 9, 17, 25)]),
            "outline",
            "point 1 is where the next one is",
        ),
        (
            oval(outline=[[1, 0, 0], [9, 9, 0], [17, 9, 9], [25, 9, 9]]),
            "outline",
            "point 3 is where the next",
        ),
        (
            oval(outline=[[1, 0, 0], [9, 9, 0], [17, 9, 9], [25, 0, 0.5]]),
            "outline",
            "point 4 is where the next",
        ),
        (oval(outline=[[1, 0, 7], [9, 9, 7], [17, 18, 7], [25, 9, 7]]), "outline", "on one line"),
        (oval(outline=[[1, 0, 0], [9, 9, 9], [17, 18, 18], [25, 9, 9.5]]), "outline", "on one line"),
        (oval(id="../../etc/passwd"), "id must be", "small letters, digits and hyphens"),
        (oval(name=""), "name must be", "1 to 40 characters"),
        (oval(format=2), "format must be 1", "not 2"),
        (oval(colour="red"), '"colour" is not a key', "of a track file"),
        (b"not json", "not JSON", ""),
        (b"[]", "JSON object", ""),
        (b"\xff\xfe", "not JSON", ""),
        (b" " * 270_000, "at most 262144 bytes (256 KiB)", ""),
        (b"[" * 60_000, "not JSON", ""),
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


@pytest.mark.parametrize(
    ("x", "y", "reached"),
    [
        (150.5, 5, "not 10 to 150.5, and y from 0 to 100, not 5 to 90"),
        (5, 100.5, "not 5 to 100, and y from 0 to 100, not 10 to 100.5"),
        (-1, 5, "not -1 to 100, and y from 0 to 100, not 5 to 90"),
    ],
)
def test_an_outline_lies_in_its_box(x: float, y: float, reached: str) -> None:
    outline = [[1, 10, 10], [9, 100, 10], [17, x, y], [25, 10, 90]]
    assert faults(oval(outline=outline)) == [
        f"outline: point 3 lies outside the box: x must run from 0 to 150, {reached}"
    ]


@pytest.mark.parametrize("scale", [3.28, 12, -1, 1e6])
def test_an_outline_in_another_scale_is_one_fault_beside_those_of_other_kinds(scale: float) -> None:
    """In feet, pixels or mirrored: as many lines as points would hide what else is wrong."""
    points = msgspec.json.decode(EXAMPLE.read_bytes())["outline"]
    scaled = [[space, x * scale, y * scale] for space, x, y in points]
    (fault,) = faults(oval(outline=scaled))
    assert fault.startswith("outline: ")
    assert "x must run from 0 to 150, not " in fault
    scaled[2][0] = "three"
    told = faults(oval(outline=scaled, laps=0))
    assert [line.split(" must be")[0] for line in told] == ["laps", "outline point 3: space", fault]


def test_every_fault_of_every_entry_is_told_at_once_in_words_with_what_is_allowed() -> None:
    foreign = {"position": 11, "speed": 5, "lane": "2", "legend": 3}
    assert faults(oval(corners=[corners()[0], foreign])) == [
        'corner 2: "position" is not a key of a corner',
        'corner 2: "speed" is not a key of a corner',
        'corner 2: "lane" is not a key of a corner',
        'corner 2: "legend" is not a key of a corner',
        "corner 2: after_space is missing (it must be a whole number from 1 to 400)",
        "corner 2: limit is missing (it must be a whole number from 2 to 20)",
        "corner 2: legends_line_after_space is missing (it must be a whole number from 1 to 400)",
        "corner 2: race_line_from_here is missing (it must be left or right)",
    ]


def test_a_file_in_which_every_entry_has_three_faults_names_them_all() -> None:
    """Values of the wrong kind, values out of range, and values that do not fit the others, in one entry."""
    wrong = oval(
        spaces=32,
        corners=[
            {"after_space": 11, "limit": 1, "legends_line_after_space": 40, "race_line_from_here": "Left"},
            {"after_space": 25, "limit": 5, "legends_line_after_space": 26, "chevron_within": 21, "lane": 2},
        ],
        grid=[[33, "Left"], "32", [30]],
        narrow=[[17, 16], [0, "x"]],
        outline=[["1", 60, "15"], [4, 90]] + [[n, n, n * n % 50] for n in (10, 19, 25)],
    )
    assert faults(wrong) == [
        "corner 1: limit must be a whole number from 2 to 20, not 1",
        'corner 1: race_line_from_here must be left or right, not "Left"',
        'corner 2: "lane" is not a key of a corner',
        "corner 2: race_line_from_here is missing (it must be left or right)",
        "corner 2: chevron_within must be a whole number from 0 to 20, not 21",
        'grid place 1: side must be left or right, not "Left"',
        'grid place 2 must be [space, side], not "32"',
        "grid place 3 must be [space, side], not [30]",
        'outline point 1: space must be a whole number from 1 to 400, not "1"',
        'outline point 1: y must be a number from 0 to 100, not "15"',
        "outline point 2 must be [space, x, y], not [4,90]",
        "narrow range 2: first space must be a whole number from 1 to 400, not 0",
        'narrow range 2: last space must be a whole number from 1 to 400, not "x"',
        "corner 1: legends_line_after_space 40 is past space 32",
        "corner 2: legends_line_after_space 26 lies behind its corner line, not before space 25",
        "narrow: [17, 16] must be in order within 1 to 32, without overlap",
        "grid place 1: space 33 is past space 32",
    ]


@pytest.mark.parametrize(
    ("first", "second", "is_wrong"),
    [(4, 19, False), (25, 10, False), (11, 19, True), (15, 19, True), (4, 26, True), (4, 31, True)],
)
def test_a_legends_line_lies_before_its_corner(first: int, second: int, is_wrong: bool) -> None:
    """Since the corner before it, or in the half lap before it; a chicane's may lie before both its lines."""
    one, two = corners()
    told = faults(
        oval(
            corners=[one | {"legends_line_after_space": first}, two | {"legends_line_after_space": second}],
        )
    )
    assert [fault.partition("not")[2] for fault in told] == [
        f" before space {line}" for line in (10, 25) if is_wrong and (line == 10) == (second == 19)
    ]


def test_a_legends_line_of_the_only_corner_lies_in_the_half_lap_before_it() -> None:
    assert faults(oval(corners=[corners(legends_line_after_space=26)[0]])) == []
    (fault,) = faults(oval(corners=[corners(legends_line_after_space=11)[0]]))
    assert fault.startswith("corner 1: legends_line_after_space 11 lies behind its corner line")


def test_a_track_file_of_200_KiB_is_read() -> None:
    assert parse_track(oval() + b" " * 200 * 1024).id == "oval"


def test_a_circuit_file_of_the_online_version_is_told_what_reads_it() -> None:
    (fault,) = faults(oval(cells={"1": {"lane": 1}}, nbrLaps="3"))
    assert "import-track" in fault


def test_an_error_of_many_faults_is_one_line_that_says_where_the_others_are() -> None:
    with pytest.raises(BadTrack) as refused:
        parse_track(b'{"format": 1}')
    assert str(refused.value).count("; ") == 5
    assert str(refused.value).endswith("; and 5 more, which check-track names")
    assert len(refused.value.faults) == 10


def test_all_faults_come_at_once() -> None:
    told = faults(oval(laps=9, stress="three", colour="red", outline=None, corners=corners(limit=-1)))
    for word in ("laps", "stress", "colour", "outline", "corner 1: limit"):
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
        assert done.stderr.endswith(f"{path}: Not a regular file\n")
        assert done.stderr.count("\n") == 1


def test_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(oval(laps=9))
    with pytest.raises(BadTrack, match=r"wrong\.json: laps must be"):
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
