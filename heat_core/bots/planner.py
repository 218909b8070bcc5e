"""Three bots with one way to think: `hard` sees two turns ahead, `normal` and `easy` one, with errors.

They choose what the planner weighs best, each choice with an error of judgement that is drawn anew. How much
they err, and nothing else, makes `easy` slower than `normal`; no clock decides anything.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from heat_core.planner.table_key import TableKey, own_table_key, plain_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.weighing import Depth, Weighing
from heat_core.race.commands import Command
from heat_core.rng import Stream
from heat_core.view.observation import Observation

PlannerName: TypeAlias = Literal["easy", "normal", "hard"]


class Level(NamedTuple):
    """How well a bot judges.

    Attributes:
        error: Standard deviation of its errors, in turns, where a lap takes `_USUAL_LAP` of them.
    """

    depth: Depth
    error: float


LEVELS: Final[dict[PlannerName, Level]] = {
    "easy": Level(1, 0.15),
    "normal": Level(1, 0.10),
    "hard": Level(2, 0.0),
}

_USUAL_LAP: Final = 8.0
"""Turns of a lap: errors grow with the laps of a track."""
_LONGEST_LAP: Final = 9.0
"""Where a lap takes longer, it has more corners, not harder choices: errors grow no further."""
_SHARED_ROUNDS: Final = 1
_UNIFORMS: Final = 12
_STEPS: Final = 1 << 16


def choose(level: PlannerName, observation: Observation, stream: Stream) -> Command:
    """Choose for the open decision as a bot of a level does."""
    depth, error = LEVELS[level]
    table = TABLES.get(table_needed(observation))
    choices = Weighing(observation, table, stream, depth).choices()
    if not error:
        return choices[0].command
    spread = error * min(table.turns_a_lap(), _LONGEST_LAP) / _USUAL_LAP
    return min(choices, key=lambda each: each.turns + spread * _normal(stream)).command


def table_needed(observation: Observation) -> TableKey:
    """Name the table by which a bot decides: up to the first round one without upgrades, then its own.

    So there is a round's time to build its own; whether that is done decides nothing.
    """
    if observation.view.round <= _SHARED_ROUNDS:
        return plain_table_key(observation)
    return own_table_key(observation)


def _normal(stream: Stream) -> float:
    """Draw an error: about normal, with mean 0 and deviation 1."""
    return sum(stream.below(_STEPS) for _ in range(_UNIFORMS)) / _STEPS - _UNIFORMS / 2
