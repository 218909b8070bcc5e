"""The proof of a puzzle: what each answer is worth over many dealings, and how many bots miss the best one.

A dealing is an order of the own draw pile, whose cards the seat knows and whose order it does not: what the
next hand will be. Each answer is weighed by the same dealings: flips and Legend cards by their odds, the hand
that is left by the planner's value of the next turn. Nothing hidden is used.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from heat_core.bots import BOTS
from heat_core.coach.advice import Advice, advise
from heat_core.coach.appraisal import Appraisal, plays_of
from heat_core.decisions import CardsChoice, Choice, ReactChoice, enumerate_commands
from heat_core.planner.table_key import own_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.puzzles.puzzle import EASY_BOTS, Line
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView

DEALINGS: Final = 1000
"""By which the worth of a line is measured."""

LEAST_LEAD: Final = 1.5
"""Spaces by which the best line of a puzzle is ahead of the second."""


def lines_of(observation: Observation, luck: str, dealings: int = DEALINGS) -> tuple[Line, ...]:
    """Weigh every answer to the own seat's open decision.

    Args:
        luck: What the dealings come from.

    Returns:
        The best line first. Cards that bring the same speed and symbols are one line, worth as much as the
        best of them.
    """
    choice = observation.own.choice
    assert choice is not None
    appraisal = Appraisal(observation, TABLES.get(own_table_key(observation)), luck, dealings)
    turns: dict[Hashable, float] = {}
    answers: dict[Hashable, list[c.Command]] = {}
    for command in map(normalised, enumerate_commands(choice)):
        key = _line_key(command, choice, observation.own_car)
        answers.setdefault(key, []).append(command)
        turns[key] = min(turns.get(key, float("inf")), _turns(appraisal, choice, command))
    best = min(turns.values())
    lines = [
        Line(min(0.0, round((best - turns[key]) * SPACES_A_TURN, 2)), tuple(found))
        for key, found in answers.items()
    ]
    return tuple(sorted(lines, key=lambda line: -line.spaces))


def _turns(appraisal: Appraisal, choice: Choice, command: c.Command) -> float:
    """Give the turns to the finish after an answer; a reaction counts with the best that may follow it."""
    if isinstance(choice, ReactChoice):
        taken, _ = appraisal.best(command)
        return taken.turns
    return appraisal.turns(command)


def _line_key(command: c.Command, choice: Choice, car: CarView) -> Hashable:
    """Name what an answer comes to: cards by what they bring, everything else by itself."""
    if isinstance(command, c.PlayCards) and isinstance(choice, CardsChoice):
        ways = [play.way for play in plays_of(choice.pool, command.cards, car.gear, car.engine)]
        return tuple(sorted(ways))
    return command


def lead_of(lines: tuple[Line, ...]) -> float:
    """Say by how many spaces the best line is ahead of the second."""
    return -lines[1].spaces


def misses(observation: Observation, best: Line, luck: str, bots: int = EASY_BOTS) -> int:
    """Count the easy bots that answer otherwise than the best line."""
    choose = BOTS["easy"]
    answers = (normalised(choose(observation, Stream(f"{luck}/easy/{bot}"))) for bot in range(bots))
    return sum(answer not in best.answers for answer in answers)


def coached(observation: Observation, luck: str, dealings: int = DEALINGS) -> Advice:
    """Ask the coach about the decision, who looks at as many dealings."""
    table = TABLES.get(own_table_key(observation))
    return advise(observation, table, Stream(f"{luck}/appraisal"), dealings)
