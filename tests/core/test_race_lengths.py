"""What a race on a board is like is what the page of statistics says."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from heat_core.data.race_lengths import RACE_LENGTHS, RaceLength
from heat_core.files import track_names

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def rows(heading: str) -> list[list[str]]:
    """Give the cells of the lines about boards below a heading."""
    _, _, below = PAGE.read_text(encoding="utf-8").partition(f"### {heading}\n")
    lines = below.partition("\n### ")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in cells if row[0] in track_names()]


def test_rounds_and_heat_are_the_rounded_means_of_normal_bots() -> None:
    rounds = {board: float(mean.split()[0]) for board, _, mean, *_ in rows("Rounds of normal bots")}
    heat: dict[str, float] = defaultdict(float)
    for board, *_, paid in rows("Corners of normal bots"):
        heat[board] += float(paid)
    assert {board: RaceLength(round(rounds[board]), round(heat[board])) for board in track_names()} == (
        RACE_LENGTHS
    )
