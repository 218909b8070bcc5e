"""Circuit files of the online version become tracks; what has no counterpart is named."""

from __future__ import annotations

import json
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from heat_core.__main__ import main
from heat_core.track_files.file import BadTrack, parse_track
from heat_core.track_files.online_circuit import Imported, import_circuit

SPACES = 24


def cells(turn: float = 1, narrow: tuple[int, ...] = ()) -> dict[str, Any]:
    """An oval of two lanes, lane 2 inside; turn 1 goes clockwise in the picture, -1 the other way."""
    made = {}
    for space in range(1, SPACES + 1):
        angle = turn * 2 * pi * (space - 1) / SPACES
        for lane, inwards in ((1, 0), (2, 60)):
            if lane == 1 or space not in narrow:
                x, y = 800 + (620 - inwards) * cos(angle), 500 + (330 - inwards) * sin(angle)
                made[str(2 * space - 2 + lane)] = {"lane": lane, "position": space, "x": x, "y": y, "a": 0}
    return made


def circuit(**changes: Any) -> bytes:
    values: dict[str, Any] = {
        "id": "Oval",
        "name": "The Oval",
        "jpgUrl": "oval.jpg",
        "nbrLaps": "3",
        "stressCards": "3",
        "heatCards": 6,
        "corners": [
            {"position": "7", "speed": 4, "lane": "2", "legend": "3", "tentX": 0},
            {"position": 18, "speed": "3", "lane": 2, "legend": "13"},
            {"position": 19, "speed": 3, "lane": 1, "legend": 18, "chicane": 1},
        ],
        "floodedSpaces": [9, 10, 11, 12],
        "tunnelsSpaces": ["29", "30", "31", "32"],
        "gravelSpaces": [],
        "startingCells": [48, 47, 46, 45, 44, 43, 42, 41],
        "cells": cells(),
    }
    return json.dumps({key: value for key, value in (values | changes).items() if value is not None}).encode()


def made(**changes: Any) -> Imported:
    return import_circuit(circuit(**changes), ["usa"])


def faults(**changes: Any) -> list[str]:
    with pytest.raises(BadTrack) as refused:
        made(**changes)
    return refused.value.faults


def test_a_circuit_becomes_a_track_of_the_same_facts() -> None:
    track, notes = made().facts, made().notes
    assert (track.id, track.name, track.laps, track.stress, track.heat) == ("oval", "The Oval", 3, 3, 6)
    assert track.spaces == SPACES
    assert [(c.after_space, c.limit, c.legends_line_after_space) for c in track.corners] == [
        (7, 4, 3),
        (18, 3, 13),
        (19, 3, 18),
    ]
    assert [corner.chicane_with_corner for corner in track.corners] == [0, 0, 2]
    assert track.grid[:3] == ((24, "right"), (24, "left"), (23, "right"))
    assert (track.flooded, track.tunnel, track.narrow) == (((5, 6),), ((15, 16),), ())
    assert notes == [
        "left out, no counterpart: jpgUrl",
        "of corners left out, no counterpart: tentX",
        'id: "Oval" became "oval"',
    ]
    assert parse_track(made().text.encode()) == track


@pytest.mark.parametrize(("turn", "inside", "outside"), [(1, "right", "left"), (-1, "left", "right")])
def test_a_lane_lies_left_or_right_in_driving_direction(turn: int, inside: str, outside: str) -> None:
    """Lane 2 lies inside: clockwise that is on the right."""
    track = made(cells=cells(turn)).facts
    assert [corner.race_line_from_here for corner in track.corners] == [inside, inside, outside]
    assert [side for _, side in track.grid[:2]] == [inside, outside]


def test_the_outline_is_the_middle_of_the_road_in_the_box() -> None:
    outline = made().facts.outline
    assert len(outline) == SPACES
    xs, ys = [x for _, x, _ in outline], [y for _, _, y in outline]
    assert (min(xs), max(xs)) == (8, 142)
    assert min(ys) >= 8
    assert max(ys) <= 92
    assert abs(min(ys) + max(ys) - 100) < 0.3
    assert (max(ys) - min(ys)) / (max(xs) - min(xs)) == pytest.approx(300 / 590, abs=0.01)


def test_without_starting_cells_the_grid_is_on_the_last_four_spaces_race_line_first() -> None:
    imported = made(startingCells=None, cells=cells(narrow=(23,)))
    assert imported.facts.grid == (
        (24, "left"),
        (24, "right"),
        (23, "left"),
        (22, "left"),
        (22, "right"),
        (21, "left"),
        (21, "right"),
    )
    assert imported.facts.narrow == ((23, 23),)
    assert (
        "startingCells is missing: the grid is set to the last four spaces, race line first" in imported.notes
    )


def test_names_that_do_not_fit_are_made_to_fit_and_named() -> None:
    imported = made(id="USA", name="  São Paulo\n")
    assert (imported.facts.id, imported.facts.name) == ("usa-own", "São Paulo")
    assert 'id: "USA" became "usa-own"' in imported.notes
    assert made(id="", name="Österreich II").facts.id == "osterreich-ii"
    assert made(id="鈴鹿", name="\x1b").facts.id == "own-circuit"


def test_gravel_and_the_other_names_of_keys_are_known() -> None:
    imported = made(
        floodedSpaces=None, flooded=[9, 10], gravelSpaces=[1, "2"], tunnelsSpaces=[], tunnels=[31]
    )
    assert (imported.facts.flooded, imported.facts.tunnel) == (((5, 5),), ((16, 16),))
    assert "gravelSpaces: gravel is left out, no counterpart" in imported.notes


def test_corners_come_in_driving_order_and_keep_their_chicane() -> None:
    corners = json.loads(circuit())["corners"]
    corners[2]["chicane"], corners[1]["chicane"] = None, 0
    turned = [corners[2], corners[0], corners[1]]
    assert made(corners=turned).facts.corners == made().facts.corners


def test_behind_a_corner_the_first_wide_space_says_where_the_race_line_is() -> None:
    assert made(cells=cells(narrow=(8, 9))).facts.corners == made().facts.corners
    imported = made(
        cells=cells(narrow=tuple(range(20, 25)) + tuple(range(1, 8))),
        startingCells=[47, 45],
        floodedSpaces=None,
    )
    assert imported.facts.corners[2].race_line_from_here == "left"
    assert "corner 3: the road after it is narrow, so its race line is set to left" in imported.notes


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"cells": None},
            ["this is not a circuit file of the online version: cells and corners are missing"],
        ),
        ({"corners": []}, ["corners: a track needs at least one"]),
        ({"nbrLaps": "three", "heatCards": None}, ["nbrLaps must be a number", "heatCards must be a number"]),
        (
            {"corners": [{"position": "x", "speed": 1.5, "lane": 3}]},
            [
                "position must be a number",
                "speed must be a whole",
                "legend must be a number",
                "lane must be 1 or 2",
            ],
        ),
        ({"startingCells": [99, "x"]}, ["there is no cell 99", "must be a number", 'there is no cell "x"']),
        ({"cells": {"1": {"lane": 1, "position": 401, "x": 0, "y": 0}}}, ["not 401", "there is no cell"]),
        ({"cells": {"1": {"lane": 1, "position": 10**30, "x": 0, "y": 0}}}, ["position must be a number"]),
    ],
)
def test_what_is_missing_or_wrong_is_named_all_at_once(changes: dict[str, Any], told: list[str]) -> None:
    found = faults(**changes)
    rest = iter(found)
    assert all(any(part in fault for fault in rest) for part in told), found


def test_a_gap_in_the_positions_and_two_cells_in_one_place_are_named() -> None:
    some = cells()
    del some["9"], some["10"]
    some["1"]["position"] = 2
    found = faults(cells=some, floodedSpaces=None)
    assert any("position 2 has another cell of lane 1" in fault for fault in found)
    assert "cells: position 5 has none" in found


def test_what_no_race_could_use_is_named_as_a_fault_of_the_track() -> None:
    corners = json.loads(circuit())["corners"]
    corners[0] |= {"speed": 1, "legend": 8}
    assert faults(corners=corners) == [
        "as a track: corner 1: limit must be a whole number from 2 to 20, not 1",
        "as a track: corner 1: legends_line_after_space 8 lies behind its corner line, not before space 7",
    ]


def test_the_command_prints_a_file_that_can_be_raced_on_and_names_the_rest_beside_it(tmp_path: Path) -> None:
    file, track = tmp_path / "oval-online.json", tmp_path / "oval.json"
    file.write_bytes(circuit())
    done = CliRunner().invoke(main, ["import-track", str(file)])
    assert done.exit_code == 0
    assert f"{file}: left out, no counterpart: jpgUrl\n" in done.stderr
    assert done.stderr.endswith(f"{file}: The Oval can be raced on: 24 spaces, 3 corners.\n")
    track.write_text(done.stdout, encoding="utf-8")
    assert CliRunner().invoke(main, ["check-track", str(track)]).exit_code == 0
    raced = CliRunner().invoke(main, ["simulate", "--track", str(track), "--races", "1", "--seed", "1"])
    assert raced.exit_code == 0
    told = CliRunner().invoke(main, ["check-track", str(file)])
    assert (told.exit_code, "import-track" in told.stderr) == (1, True)
    again = CliRunner().invoke(main, ["import-track", str(track)])
    assert (again.exit_code, again.stdout) == (1, "")
    assert (
        again.stderr
        == f"{track}: this is not a circuit file of the online version: cells and corners are missing\n"
    )
