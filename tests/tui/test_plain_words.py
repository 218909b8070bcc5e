"""How much plain mode says in a race: three levels, nothing twice that is as it was, the rest on demand."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from heat_core.options.table_options import LocalOptions
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.race import PlainRace
from heat_tui.plain.voice import LEVELS, Voice
from heat_tui.plain.words import sentence_of, spoken
from heat_tui.state import WordLevel, load_settings
from tests.heard import WORDS_A_SECOND, Stretch, counted_words, heard_race
from tests.tui.support_plain import Terminal, folders_of_program, program

MOST_WORDS: Final[dict[WordLevel, int]] = {"few": 2_100, "usual": 2_700, "all": 3_200}
"""In a race that took 4,398 before there were levels."""
COST: Final = re.compile(
    r"Stop on space \d+: (free|\d+ of your \d+ Heat|a spin-out for \d+ Heat, you have \d+)"
)
MOVE: Final = re.compile(
    r"(Legend \d|Ana), ((adrenaline|boost|slipstream), )?\d+ spaces?"
    r"(, to \d+(; \d+ was full)?|, over the line to \d+, lap \d|, over the finish line)?\."
)
FACTS: Final = ("Lap ", "On the grid", "Hand: ", r"\d+ spaces? left", "Corner ", "Round ")
"""What may change; the own place is said once a round."""
MINUTE_OF_WORDS: Final = 60 * WORDS_A_SECOND


@cache
def heard(level: WordLevel) -> tuple[Stretch, ...]:
    return tuple(heard_race(level))


def sentences(level: WordLevel) -> list[tuple[int, str]]:
    """Give what is said, a sentence each, with how many words were said before it."""
    found, before = [], 0
    for stretch in heard(level):
        for text in re.split(r"(?<=[a-z0-9)][.?]) +(?=[A-Z0-9])", f"{stretch.news} {stretch.asked}".strip()):
            found.append((before, text))
            before += counted_words(text)
    return found


@pytest.mark.spec("EAR-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_race_is_said_in_few_words_and_nothing_twice(level: WordLevel) -> None:
    assert sum(stretch.words for stretch in heard(level)) <= MOST_WORDS[level]
    said: dict[str, tuple[int, str]] = {}
    for before, text in sentences(level):
        fact = next((fact for fact in FACTS if re.match(fact, text)), None)
        if fact is None:
            continue
        last, same = said.get(fact, (0, ""))
        assert text != same or before - last >= MINUTE_OF_WORDS, f"{text} has not changed"
        said[fact] = before, text
    text = " ".join(text for _, text in sentences(level))
    assert "Legend card" not in text
    assert not re.search(r"[0-9a-f]{8}", text), "no hash"


@pytest.mark.spec("EAR-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_question_says_only_what_is_news(level: WordLevel) -> None:
    examples: Counter[str] = Counter()
    for stretch in heard(level):
        if stretch.question == "cards":
            assert re.match(r"Pick \d cards?\.", stretch.asked), "neither the place nor the hand again"
        if stretch.question == "react":
            assert COST.match(" ".join(stretch.asked.split()[:20])), stretch.asked
        examples[stretch.question] += "For example: " in stretch.asked
    assert max(examples.values()) == 5


@pytest.mark.spec("EAR-1")
@pytest.mark.parametrize("level", LEVELS)
def test_moves_draws_and_the_end_of_a_round_are_said_so_that_one_can_follow(level: WordLevel) -> None:
    lines = [text for _, text in sentences(level)]
    moves = [line for line in lines if re.match(r"(Legend \d|Ana), ", line)]
    assert len(moves) > 80
    for move in moves:
        assert MOVE.fullmatch(move), move
    rounds = [place for place, line in enumerate(lines) if re.fullmatch(r"Round \d+\.", line)]
    for place in rounds[1:]:
        gap = r"You are \w+, (\d+ spaces? (behind|ahead of)|level with) Legend \d\."
        assert re.fullmatch(gap, lines[place - 1]), lines[place - 1]
    assert len(rounds) > 10
    assert sum(line.startswith("You draw ") for line in lines) >= len(rounds) - 1
    end = next(place for place, line in enumerate(lines) if line.startswith("The race is over"))
    assert re.match(r"You are \d\w\w of 6, ", lines[end + 1])


@pytest.mark.spec("EAR-1")
@pytest.mark.asyncio
async def test_what_is_left_out_can_be_asked_for() -> None:
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="plain", legends=2))
    asked = ("1!", "seed", "cars", "where", "hand", "again", "1!", "legends", "log all")
    script = iter(asked)
    terminal = Terminal(lambda prompt: next(script, None))
    terminal.line_terminal.voice = Voice("few")
    with pytest.raises(Left):
        await PlainRace(LocalSession(table), terminal.line_terminal).run()
    said = dict(zip(asked[1:], re.split(r" > .+\n", terminal.text)[2:], strict=False))
    labels = spoken_labels(table.setup)
    full = [spoken(sentence_of(text)) for event in table.log if (text := labels.told(event))]
    assert [line for line in full if line not in said["log all"]] == []
    assert "Legend card: Legend 1 speed" in said["legends"]
    assert re.search(r"[0-9a-f]{64}", said["seed"])
    assert re.search(r"Legend \d: \d+ ahead of you", said["cars"])
    assert "You are 3rd, " in said["where"]
    assert said["hand"].startswith("Hand: ")
    assert all(text in said["again"] for text in ("Hand: ", "For example: "))


@pytest.mark.spec("EAR-1")
def test_the_level_is_chosen_at_the_start_and_at_any_question_and_kept(tmp_path: Path) -> None:
    with program(tmp_path, "--words", "few", "play", "--laps", "1") as run:
        assert "Gear 1 or 2; 3 for 1 Heat?" in str(run.prompt())
        run.type("words")
        assert run.prompt()
        assert "Words: few." in run.text
        run.type("words all")
        assert "Choose gear" in str(run.prompt())
        assert load_settings(folders_of_program(tmp_path)).words == "all"
        run.type("leave")
        assert "yes or no" in str(run.prompt())
        run.type("words usual")
        assert run.prompt()
    assert load_settings(folders_of_program(tmp_path)).words == "usual", "at a yes or no question too"
