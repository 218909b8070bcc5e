"""A puzzle as a file: where a race stands, how it came to the decision, and what each answer is worth.

The race begins at a position, so that it is whole, and the lead-in answers every decision up to the one that
is asked. What lies face down is in the file, but the solver sees the race as the own seat does, and the
answers were weighed by that view alone (`heat_core.puzzles.proof`).
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

import msgspec

from heat_core.race import commands as c
from heat_core.race.normal_form import normalised

MOST_STARS: Final = 3
"""Of the hardest puzzles."""

EASY_BOTS: Final = 200
"""So many easy bots have tried each puzzle."""

_MISSED_FOR_STARS: Final = (0.25, 0.5)
"""From which share of misses on a puzzle has 2 stars, and 3."""


_MODULE_KEYS: Final = frozenset({"garage", "weather", "roads", "event", "sponsorships"})
"""Of a position file, where a race has more than the base game."""


class BadPuzzle(ValueError):
    """A file that is no puzzle, or one that leads to no decision; the text says why."""


class LeadIn(NamedTuple):
    """An answer on the way to the decision of a puzzle."""

    seat: int
    command: c.Command


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers that come to the same.

    Attributes:
        spaces: What they are worth against the best line: 0 for it, below 0 for the others.
        answers: At least one.
    """

    spaces: Annotated[float, msgspec.Meta(le=0)]
    answers: Annotated[tuple[c.Command, ...], msgspec.Meta(min_length=1)]


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position with one decision.

    Attributes:
        name: Of its file, without `.json`.
        track: The identifier of its board.
        kind: What is asked.
        missed: How many of `EASY_BOTS` easy bots answered otherwise than the best line.
        solution: Why the best line is the best, in a sentence of the coach.
        lines: All answers, the best line first.
        lead_in: What every seat chose between the position and the decision, in order.
        position: The lines of a position file. The own seat is the one whose driver is human.
    """

    name: str
    track: str
    kind: c.DecisionKind
    missed: Annotated[int, msgspec.Meta(ge=0, le=EASY_BOTS)]
    solution: str
    lines: Annotated[tuple[Line, ...], msgspec.Meta(min_length=2)]
    lead_in: tuple[LeadIn, ...]
    position: tuple[str, ...]

    @property
    def stars(self) -> int:
        """How hard it is, in [1, `MOST_STARS`]."""
        share = self.missed / EASY_BOTS
        return 1 + sum(share >= bound for bound in _MISSED_FOR_STARS)

    @property
    def is_basic(self) -> bool:
        """Whether it is of the base game: no garage, no weather, no event."""
        return not any(line.partition(" = ")[0] in _MODULE_KEYS for line in self.position)

    def line_of(self, answer: c.Command) -> int:
        """Find the line of an answer, by its place in `lines`; 0 is the best.

        Raises:
            LookupError: No line has it: it does not answer this decision.
        """
        answer = normalised(answer)
        for place, line in enumerate(self.lines):
            if answer in line.answers:
                return place
        raise LookupError(f"puzzle {self.name} has no answer {answer}")


def decode_puzzle(data: bytes) -> Puzzle:
    """Read a puzzle file.

    Raises:
        BadPuzzle: It is none.
    """
    try:
        return msgspec.json.decode(data, type=Puzzle)
    except msgspec.DecodeError as error:
        raise BadPuzzle(str(error)) from None


def encode_puzzle(puzzle: Puzzle) -> bytes:
    """Write a puzzle file, a line for each answer and each line of the position."""
    parts = []
    for field, value in msgspec.to_builtins(puzzle).items():
        is_list = isinstance(value, list | tuple)
        written = [msgspec.json.encode(each).decode() for each in (value if is_list else [value])]
        joined = ",\n    ".join(written)
        parts.append(f'  "{field}": ' + (f"[\n    {joined}\n  ]" if is_list and value else joined or "[]"))
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()
