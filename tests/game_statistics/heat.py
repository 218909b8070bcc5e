"""What a Heat in the engine is worth, space by space, from the planner's table of expected turns."""

from __future__ import annotations

from typing import NamedTuple

from heat_core.charts import MARGIN, Sheet, curve
from heat_core.files import load_track
from heat_core.planner.table_key import table_key
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.value_table import ValueTable, build_table
from heat_core.race.setup import CarSetup, make_setup
from tests.game_statistics.races import BOARDS

GEARS = (2, 3, 4)
"""Those in which cars mostly are."""


class HeatWorth(NamedTuple):
    """What a Heat is worth on a board, in spaces.

    Attributes:
        by_space: By space of the lap, the first at 0, the mean over all laps, gears and engines.
        by_engine: By Heat in the engine from 0, what one more is worth, the mean over the race.
        corners: In `by_space`, the place of the space behind each corner line.
    """

    by_space: list[float]
    by_engine: list[float]
    corners: list[int]


def heat_worths() -> dict[str, HeatWorth]:
    """Work out what a Heat is worth on each board."""
    return {board: heat_worth(board) for board in BOARDS}


def heat_worth(board: str) -> HeatWorth:
    """Work out what a Heat is worth on a board."""
    track = load_track(board)
    setup = make_setup(track, [CarSetup("Ana", "red"), CarSetup("Ben", "blue")], seed="heat")
    table = build_table(table_key(setup, None, (), ()))
    by_progress = [_steps(table, progress) for progress in range(1, table.finish_line + 1)]
    by_space = [
        [step for steps in by_progress[space :: track.spaces] for step in steps]
        for space in range(track.spaces)
    ]
    return HeatWorth(
        [sum(steps) / len(steps) for steps in by_space],
        [sum(steps) / len(steps) for steps in zip(*by_progress, strict=True)],
        [corner.after_space for corner in track.corners],
    )


def _steps(table: ValueTable, progress: int) -> list[float]:
    """Give what one more Heat is worth at a place, in spaces, by the Heat that there is."""
    return [
        SPACES_A_TURN
        * sum(table.turns(progress, gear, engine) - table.turns(progress, gear, engine + 1) for gear in GEARS)
        / len(GEARS)
        for engine in range(table.key.heat)
    ]


def heat_picture(worths: dict[str, HeatWorth]) -> str:
    """Draw what a Heat is worth along the lap of each board."""
    sheet = Sheet()
    most = max(max(worth.by_space) for worth in worths.values())
    for board, worth in worths.items():
        sheet.title(f"{board}: spaces that a Heat in the engine is worth, along the lap")
        marks = {line: str(number) for number, line in enumerate(worth.corners, start=1)}
        curve(sheet, worth.by_space, marks, most)
    sheet.text(MARGIN, sheet.y + 16, "upright lines: the corners, by number", size=10)
    sheet.y += 16
    return sheet.svg()
