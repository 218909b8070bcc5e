"""The puzzles that come with the game: each is measured again, whole."""

from collections import Counter

import msgspec
import pytest

from heat_core.decisions import enumerate_commands
from heat_core.files import load_track
from heat_core.game_files import puzzles
from heat_core.names import BadName
from heat_core.puzzles.opening import open_puzzle
from heat_core.puzzles.proof import LEAST_LEAD, lead_of
from heat_core.puzzles.puzzle import (
    EASY_BOTS,
    BadPuzzle,
    LeadIn,
    Puzzle,
    decode_puzzle,
    encode_puzzle,
)
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.race.setup import BASE_GAME
from tests.puzzles.search import prove

PUZZLES = puzzles()


@pytest.mark.spec("LOOK-11")
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_the_best_line_is_ahead_over_a_thousand_dealings_and_easy_bots_rate_it(puzzle: Puzzle) -> None:
    measured = prove(puzzle)
    assert lead_of(measured.lines) >= LEAST_LEAD
    assert measured.stars == puzzle.stars == 1 + (puzzle.missed >= 50) + (puzzle.missed >= 100)
    assert measured == puzzle


def test_other_dealings_find_the_same_line() -> None:
    for puzzle in PUZZLES:
        seed = next(line for line in puzzle.position if line.startswith("seed"))
        other = [line if line != seed else 'seed = "other dealings"' for line in puzzle.position]
        if puzzle.kind in ("gear", "cards"):  # before a shuffle could fall otherwise
            measured = prove(msgspec.structs.replace(puzzle, position=tuple(other)), dealings=300, bots=1)
            assert measured.lines[0].answers == puzzle.lines[0].answers
            assert lead_of(measured.lines) > LEAST_LEAD - 0.3


def test_twenty_differ_in_board_phase_modules_and_stars() -> None:
    assert len(PUZZLES) == 20
    assert len({puzzle.track for puzzle in PUZZLES}) == 8
    assert set(Counter(puzzle.kind for puzzle in PUZZLES)) == {
        "gear", "cards", "react", "slipstream", "discard",
    }  # fmt: skip
    assert min(Counter(puzzle.stars for puzzle in PUZZLES).values()) >= 5
    words = ["\n".join(puzzle.position) for puzzle in PUZZLES]
    assert sum("garage" in text or "weather" in text for text in words) >= 6


def test_every_legal_answer_is_in_one_line() -> None:
    for puzzle in PUZZLES:
        table, asked = open_puzzle(puzzle, load_track)
        choice = table.observation(asked.seat).own.choice
        assert choice is not None
        commands = {normalised(command) for command in enumerate_commands(choice)}
        assert Counter(answer for line in puzzle.lines for answer in line.answers) == Counter(commands)
        assert puzzle.line_of(puzzle.lines[1].answers[0]) == 1
        with pytest.raises(LookupError):
            puzzle.line_of(c.GiveUp())


def test_the_solver_drives_under_the_own_name() -> None:
    table, asked = open_puzzle(PUZZLES[0], load_track, "Zed")
    assert table.setup.cars[asked.seat].name == "Zed"
    assert table.drivers[asked.seat] == "human"
    with pytest.raises(BadName):
        open_puzzle(PUZZLES[0], load_track, "Legend 1" if "Legend 1" in str(PUZZLES[0].position) else "")


def test_a_file_is_written_as_it_is_read() -> None:
    for puzzle in PUZZLES:
        assert decode_puzzle(encode_puzzle(puzzle)) == puzzle
    with pytest.raises(BadPuzzle):
        decode_puzzle(b'{"name": "none"}')


def test_what_leads_to_no_decision_is_refused() -> None:
    puzzle = next(each for each in PUZZLES if each.kind == "gear")
    with pytest.raises(BadPuzzle, match="no decision of the kind react"):
        open_puzzle(msgspec.structs.replace(puzzle, kind="react"), load_track)
    wrong = (LeadIn(0, c.Slipstream(2)),)
    with pytest.raises(BadPuzzle, match="seat 0"):
        open_puzzle(msgspec.structs.replace(puzzle, lead_in=wrong), load_track)
    position = tuple(line.replace("track", "trick") for line in puzzle.position)
    with pytest.raises(BadPuzzle, match="track"):
        open_puzzle(msgspec.structs.replace(puzzle, position=position), load_track)
    with pytest.raises(BadPuzzle):
        decode_puzzle(encode_puzzle(msgspec.structs.replace(puzzle, missed=EASY_BOTS + 1)))


def test_the_easiest_come_first_and_of_these_the_base_game() -> None:
    assert list(PUZZLES) == sorted(
        PUZZLES, key=lambda puzzle: (puzzle.stars, not puzzle.is_basic, puzzle.missed)
    )
    for puzzle in PUZZLES:
        modules = open_puzzle(puzzle, load_track).table.setup.modules
        assert puzzle.is_basic == (modules == BASE_GAME), puzzle.name
    easiest = [puzzle.is_basic for puzzle in PUZZLES if puzzle.stars == 1]
    assert easiest == sorted(easiest, reverse=True)
    assert easiest[0]
