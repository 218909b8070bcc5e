"""Puzzles for both faces: the shelf, a table that takes one answer, and what an answer was worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from heat_core.coach.choice_words import command_words
from heat_core.coach.wording import spaces_text
from heat_core.files import load_track, shown_path
from heat_core.game_files import puzzles
from heat_core.names import BadName
from heat_core.puzzles.opening import OpenPuzzle, open_puzzle
from heat_core.puzzles.puzzle import EASY_BOTS, MOST_STARS, Line, Puzzle
from heat_core.race.commands import Command, DecisionKind, GiveUp
from heat_core.refusal import RefusalCode, Refused
from heat_core.sentences.card_words import cards_text
from heat_core.sentences.events import gear_name
from heat_core.sentences.weather import weather_text
from heat_core.text import counted, ordinal
from heat_core.view.observation import Observation
from heat_tui.client.local import LocalSession
from heat_tui.state import Folders, try_write
from heat_tui.words.wording import next_corner_line

PUZZLES_FORMAT: Final = 1
"""Of the file of solved puzzles."""
_QUESTIONS: Final[dict[DecisionKind, str]] = {
    "gear": "Which gear?",
    "cards": "Which cards?",
    "value": "Which value?",
    "react": "What do you use now?",
    "unpaid": "Which cards do you give up?",
    "slipstream": "Slipstream or not?",
    "discard": "What do you discard?",
}
_MOST_LINES: Final = 6
_NO_GIVING_UP: Final = "A puzzle is not given up: answer it, or leave it."
_NO_ADVICE: Final = "There is no advice in a puzzle."
ONE_ANSWER: Final = "Find the answer that is worth the most over a thousand dealings of your cards."


class Answer(NamedTuple):
    """What an answer to a puzzle was worth.

    Attributes:
        verdict: Whether it is right, in a sentence.
        solution: Why the best line is the best.
        lines: What each line is worth, the best first; the answer's own is marked.
        missed: How easy bots did.
    """

    is_right: bool
    verdict: str
    solution: str
    lines: tuple[str, ...]
    missed: str


class _Solved(msgspec.Struct):
    """The file of solved puzzles.

    Attributes:
        format: Another one is a newer program's.
        solved: The names of the puzzles that were answered right, with how many answers that took.
        tried: How often each was answered.
    """

    solved: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}
    tried: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}
    format: Literal[1] = PUZZLES_FORMAT


class PuzzleShelf:
    """All puzzles, and which of them are solved.

    Attributes:
        puzzles: The easiest first.
        fault: Why nothing is saved: the file cannot be read, and is left alone; empty: all is well.
    """

    def __init__(self, folders: Folders) -> None:
        """Read them; of a file of solved ones that cannot be read `fault` says so."""
        self.puzzles: tuple[Puzzle, ...] = puzzles()
        self._path = folders.data / "puzzles.json"
        self._kept, self.fault = _Solved(), ""
        try:
            self._kept = msgspec.json.decode(self._path.read_bytes(), type=_Solved)
        except FileNotFoundError:
            pass
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.fault = (
                f"{shown_path(self._path)} cannot be read, so no solved puzzle is shown or saved: "
                "move it away to start again."
            )
        self._boards = {puzzle.track: load_track(puzzle.track).name for puzzle in self.puzzles}

    def is_solved(self, puzzle: Puzzle) -> bool:
        """Tell whether it was answered right."""
        return puzzle.name in self._kept.solved

    @property
    def stars(self) -> int:
        """The stars of all that are solved."""
        return sum(puzzle.stars for puzzle in self.puzzles if self.is_solved(puzzle))

    @property
    def summary(self) -> str:
        """Say how many are solved."""
        solved = sum(map(self.is_solved, self.puzzles))
        most = sum(puzzle.stars for puzzle in self.puzzles)
        return f"{solved} of {len(self.puzzles)} solved, {self.stars} of {most} stars."

    def text(self, place: int, *, is_plain: bool = False) -> str:
        """Write the line of a puzzle: `1  ★☆☆  Mexico: Slipstream or not?  solved`."""
        puzzle = self.puzzles[place]
        full, hollow = ("*", ".") if is_plain else ("★", "☆")
        stars = full * puzzle.stars + hollow * (MOST_STARS - puzzle.stars)
        solved = "  solved" if self.is_solved(puzzle) else ""
        return f"{place + 1:>2}  {stars}  {self.title(puzzle)}{solved}"

    def spoken(self, place: int) -> str:
        """Say the same in one sentence: `4: Mexico, slipstream or not, 1 star, solved`."""
        puzzle = self.puzzles[place]
        solved = ", solved" if self.is_solved(puzzle) else ""
        asked = _QUESTIONS[puzzle.kind].removesuffix("?")
        told = (
            f"{self._boards[puzzle.track]}, {asked[:1].lower()}{asked[1:]}, {counted(puzzle.stars, 'star')}"
        )
        return f"{place + 1}: {told}{solved}"

    def title(self, puzzle: Puzzle) -> str:
        """Say where it is and what is asked."""
        return f"{self._boards[puzzle.track]}: {_QUESTIONS[puzzle.kind]}"

    def facts(self, place: int, opened: OpenPuzzle) -> list[str]:
        """Say how the race of an opened puzzle stands, and how others and the player did: a line each."""
        puzzle, setup = self.puzzles[place], opened.table.setup
        observation = opened.table.observation(opened.asked.seat)
        car, view = observation.own_car, observation.view
        corner = next_corner_line(observation).text
        rank = ordinal(view.ranking.index(car.number) + 1)
        lines = [
            f"{rank} of {len(view.cars)}, lap {car.lap} of {setup.laps}, space {car.space}.",
            f"{gear_name(car.gear)} gear, {car.engine} Heat in the engine.",
            f"{corner[:1].upper()}{corner[1:]}.",
            f"Hand: {cards_text(observation.own.hand)}.",
        ]
        if setup.modules.garage != "none":
            lines.append("The cars have upgrades.")
        if view.weather is not None:
            lines.append(f"Weather: {view.weather}. {weather_text(view.weather)}.")
        lines.append(f"{puzzle.missed} of {EASY_BOTS} easy bots missed it.")
        if tries := self._kept.tried.get(puzzle.name, 0):
            solved = self._kept.solved.get(puzzle.name)
            told = "" if solved is None else f", and solved it with the {ordinal(solved)}"
            lines.append(f"You have given {counted(tries, 'answer')}{told}.")
        return lines

    def open(self, place: int, player_name: str) -> OpenPuzzle:
        """Race a puzzle up to its decision; where the name is not possible, under that of the file."""
        puzzle = self.puzzles[place]
        try:
            return open_puzzle(puzzle, load_track, player_name)
        except BadName:
            return open_puzzle(puzzle, load_track)

    def answer(self, place: int, command: Command) -> Answer:
        """Judge an answer, and save that it was given."""
        puzzle = self.puzzles[place]
        opened = open_puzzle(puzzle, load_track)
        answer = _judged(puzzle, opened.table.observation(opened.asked.seat), command)
        tries = self._kept.tried[puzzle.name] = self._kept.tried.get(puzzle.name, 0) + 1
        if answer.is_right:
            self._kept.solved.setdefault(puzzle.name, tries)
        if not self.fault:
            try_write(self._path, msgspec.json.format(msgspec.json.encode(self._kept), indent=2) + b"\n")
        return answer


def _judged(puzzle: Puzzle, observation: Observation, command: Command) -> Answer:
    choice = observation.own.choice
    assert choice is not None
    own = puzzle.line_of(command)
    lost = -puzzle.lines[own].spaces
    shown = [*range(min(_MOST_LINES, len(puzzle.lines))), *([own] if own >= _MOST_LINES else [])]

    def text(line: Line, answer: Command) -> str:
        words = command_words(answer, choice)
        return f"{words}: {'best' if not line.spaces else f'{spaces_text(-line.spaces)} worse'}"

    lines = []
    for place in shown:
        line = puzzle.lines[place]
        told = text(line, command if place == own else line.answers[0])
        lines.append(f"{told} (your answer)" if place == own else told)
    missed = f"{puzzle.missed} of {EASY_BOTS} easy bots missed it."
    verdict = "Right!" if own == 0 else f"Not the best: {spaces_text(lost)} worse."
    return Answer(own == 0, verdict, puzzle.solution, tuple(lines), missed)


class PuzzleSession(LocalSession):
    """A table that takes one answer and then stands still."""

    def __init__(self, opened: OpenPuzzle, answered: Callable[[Command], object]) -> None:
        """Sit down at a puzzle.

        Args:
            answered: Is called with the answer.
        """
        super().__init__(opened.table)
        self._asked = opened.asked
        self._answered = answered

    @property
    def farewell(self) -> str:
        """Nothing is lost."""
        return "You can try this puzzle again."

    @property
    def advice_refusal(self) -> str:
        """Advice would be the solution."""
        return _NO_ADVICE

    async def _play_bots(self) -> None:
        """Let nobody drive on: what the others choose is no part of the puzzle."""

    async def _take(self, seat: int, decision: int | None, command: Command) -> None:
        if isinstance(command, GiveUp):
            raise Refused(RefusalCode.OTHER_DECISION, _NO_GIVING_UP)
        self.table.submit(seat, decision, command)
        self._answered(command)
