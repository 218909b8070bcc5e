"""Chooses twenty puzzles that differ, out of many."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

import msgspec

from heat_core.puzzles.proof import lead_of
from heat_core.puzzles.puzzle import Puzzle
from heat_core.race.commands import DecisionKind
from tests.puzzles.search import Candidate

PLAN: Final[dict[DecisionKind, int]] = {"gear": 5, "cards": 5, "react": 4, "slipstream": 3, "discard": 3}
"""How many of each kind."""

CLEAR_LEAD: Final = 1.6
"""Spaces: a little more than a puzzle needs, for worths are rounded."""

SHARES: Final = {"": 2, "weather": 1, "garage": 1, "garage and weather": 1}
"""How many are wanted without modules, for each with some."""


def choose(candidates: Sequence[Candidate]) -> list[Puzzle]:
    """Choose puzzles of all kinds, boards, modules and stars, one a race; the easiest come first."""
    used: Counter[str] = Counter()
    chosen: list[Candidate] = []
    longest = max(PLAN.values())
    wanted = chain.from_iterable(
        [kind for kind, count in PLAN.items() if turn * count // longest != (turn + 1) * count // longest]
        for turn in range(longest)
    )
    for kind in wanted:
        fitting = [
            each
            for each in candidates
            if each.puzzle.kind == kind and lead_of(each.puzzle.lines) >= CLEAR_LEAD and not used[_race(each)]
        ]
        if fitting:
            best = min(fitting, key=lambda each: _uses(each, used))
            chosen.append(best)
            used.update([*_traits(best), best.modules])
    ordered = sorted((each.puzzle for each in chosen), key=lambda puzzle: puzzle.missed)
    return [_named(number, puzzle) for number, puzzle in enumerate(ordered, 1)]


def _race(candidate: Candidate) -> str:
    return candidate.puzzle.name.rpartition("/")[0]


def _traits(candidate: Candidate) -> tuple[str, ...]:
    """Name what others should not have, too."""
    puzzle = candidate.puzzle
    return (
        _race(candidate),
        puzzle.track,
        f"{puzzle.stars} stars",
        f"{puzzle.kind}, {puzzle.stars} stars",
        str(puzzle.lines[0].answers[0]),
    )


def _uses(candidate: Candidate, used: Counter[str]) -> float:
    """Say how much of what a puzzle has others have already; modules count by the share that is wanted."""
    modules = used[candidate.modules] / SHARES[candidate.modules]
    return sum(used[trait] for trait in _traits(candidate)) + modules


def _named(number: int, puzzle: Puzzle) -> Puzzle:
    return msgspec.structs.replace(puzzle, name=f"{number:02}-{puzzle.track}-{puzzle.kind}")
