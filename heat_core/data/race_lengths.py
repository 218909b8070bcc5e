"""How long races of the boards are, and what a lap costs: means of races of normal bots.

They are those of docs/statistics.md, rounded; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class RaceLength(NamedTuple):
    """What a race on a board is like.

    Attributes:
        rounds: Of a race over the printed laps.
        heat: That the corners of a lap cost a car.
    """

    rounds: int
    heat: int


RACE_LENGTHS: Final[Mapping[str, RaceLength]] = {
    "usa": RaceLength(17, 5),
    "gb": RaceLength(15, 5),
    "italy": RaceLength(20, 4),
    "france": RaceLength(17, 7),
    "japan": RaceLength(16, 6),
    "mexico": RaceLength(23, 4),
    "spain": RaceLength(15, 10),
    "netherlands": RaceLength(20, 4),
}
