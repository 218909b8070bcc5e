"""Track files that cannot be raced on, each told with its place and reason."""

from __future__ import annotations

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
    with pytest.raises(BadTrack) as refused:
        parse_track(data)
    return refused.value.faults


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
        (oval(corners=corners(limit=-1)), "corners, entry 1, limit", ">= 0"),
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
    ids=range(32),
)
def test_a_fault_is_told_with_place_and_reason(data: bytes, place: str, reason: str) -> None:
    told = faults(data)
    assert any(place in fault and reason in fault for fault in told), told


def test_all_faults_come_at_once() -> None:
    told = faults(oval(laps=9, stress="three", colour="red", outline=None, corners=corners(limit=-1)))
    for word in ("laps", "stress", "colour", "outline", "corners, entry 1, limit"):
        assert any(word in fault for fault in told), word
    assert len(told) == 5


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_track(b"\xef\xbb\xbf" + oval()).id == "oval"


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
