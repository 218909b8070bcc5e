"""The boards, against what is printed on them; and what the format can say besides."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from heat_core.files import load_track
from heat_core.track import Track
from heat_core.track_facts import TrackFacts
from tests.core.support import track

# Spaces, laps, Heat, Stress; then each corner as (line after space, limit).
PRINTED = {
    "usa": (69, 2, 6, 3, [(12, 7), (33, 3), (49, 3), (57, 2)]),
    "gb": (63, 2, 6, 3, [(15, 10), (30, 6), (37, 5), (43, 4), (48, 3)]),
    "italy": (54, 3, 6, 3, [(10, 5), (19, 2), (26, 3)]),
    "france": (60, 2, 6, 3, [(12, 5), (20, 2), (27, 4), (39, 3), (47, 4)]),
}
EXPANSION = {
    "japan": (60, 2, 7, 3, [(10, 4), (12, 4), (18, 2), (45, 5), (53, 3)]),
    "mexico": (60, 3, 6, 2, [(14, 7), (19, 7), (38, 6), (44, 4), (50, 2), (51, 2)]),
    "spain": (
        109,
        1,
        6,
        3,
        [(11, 5), (15, 4), (29, 4), (32, 4), (44, 2), (65, 5), (85, 2), (92, 3), (95, 4), (98, 4), (103, 3)],
    ),
    "netherlands": (55, 3, 6, 3, [(9, 5), (13, 5), (16, 3), (26, 8), (34, 4)]),
}


def told(facts: TrackFacts) -> object:
    corners = [(corner.after_space, corner.limit) for corner in facts.corners]
    return (facts.spaces, facts.laps, facts.heat, facts.stress, corners)


@pytest.mark.spec("TRACK-2")
def test_the_boards_of_the_base_game_are_as_printed() -> None:
    for name, printed in PRINTED.items():
        facts = load_track(name)
        assert told(facts) == printed
        assert len(facts.grid) == 8
        assert set(track(name).spots[1:]) == {2}
        assert (facts.flooded, facts.tunnel, facts.narrow) == ((), (), ())


@pytest.mark.spec("TRACK-3")
def test_the_expansions_boards_need_no_other_structure() -> None:
    for name, printed in EXPANSION.items():
        facts = load_track(name)
        assert told(facts) == printed
        assert len(facts.grid) == 8
    japan, spain = track("japan"), track("spain")
    flooded = [space for space in range(1, 61) if japan.is_flooded[space]]
    assert flooded == [*range(6, 12), *range(39, 46), *range(50, 56)]
    assert [space for space in range(36, 52) if spain.is_tunnel[space]] == [*range(38, 43), *range(46, 50)]
    chicanes = [corner.chicane_with_corner for corner in load_track("mexico").corners]
    assert chicanes == [0, 1, 0, 0, 0, 5]
    assert load_track("spain").press_corners == (2, 4, 6, 7, 10)


@pytest.mark.spec("TRACK-1")
def test_a_track_file_holds_all_that_a_board_shows() -> None:
    facts = load_track("usa")
    assert (facts.name, facts.country, facts.laps, facts.heat, facts.stress) == ("USA", "USA", 2, 6, 3)
    assert len(facts.outline) == 35
    assert facts.grid[0] == (69, "left")
    corner = facts.corners[0]
    assert (corner.after_space, corner.limit, corner.legends_line_after_space) == (12, 7, 2)
    circuit = Track(facts)
    # The side of the race line follows from the corner before, round the finish line too.
    assert [circuit.race_side[space] for space in (1, 12, 13, 57, 58, 69)] == [
        "left",
        "left",
        "right",
        "right",
        "left",
        "left",
    ]
    assert circuit.finish_line(2) == 3 * 69
    assert load_track("spain").press_corners


@pytest.mark.spec("CORE-10")
def test_the_engine_imports_neither_clock_nor_files_nor_screens_and_its_rules_are_plain_functions() -> None:
    core = Path(__file__).parents[2] / "heat_core"
    forbidden = {
        "time",
        "os",
        "random",
        "pathlib",
        "socket",
        "asyncio",
        "trio",
        "textual",
        "secrets",
        "datetime",
    }
    seen = 0
    for path in core.rglob("*.py"):
        # `workers` starts processes for server and client, which may not import each other; `compiled` reads
        # the sources that were compiled.
        reading = path.name in ("__main__.py", "compiled.py", "files.py", "game_files.py", "workers.py")
        if reading or path.parent.name == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                seen += 1
                assert name.partition(".")[0] not in forbidden | {"heat_tui", "heat_server"}, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "print", "input"), path
    assert seen > 100
