"""How much plain mode says in a race: words by question and by round, the same race at each level of words.

`make words` prints the figures for docs/playing.md.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple

from heat_core.bots import BOTS
from heat_core.options.table_options import LocalOptions
from heat_core.rng import Stream
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.answers import words_of
from heat_tui.plain.race import PlainRace
from heat_tui.plain.voice import LEVELS, Voice
from heat_tui.state import WordLevel
from tests.tui.support_plain import Terminal

RACE: Final = LocalOptions(names=("Ana",), laps=2, seed="plain", legends=5)
"""Six cars on USA; the own one is driven by the steady policy, which answers at once."""
WORDS_A_SECOND: Final = 6.0
"""As somebody hears them who is used to it."""


class Stretch(NamedTuple):
    """What is said before an answer.

    Attributes:
        question: The kind of the open choice.
        round: Of the race.
        news: What happened, up to the question.
        asked: The question itself.
    """

    question: str
    round: int
    news: str
    asked: str

    @property
    def words(self) -> int:
        return counted_words(self.news) + counted_words(self.asked)


def counted_words(text: str) -> int:
    """Count what is heard: what is between blanks, but for the sign that ends a question."""
    return sum(word != ">" for word in text.split())


def heard_race(level: WordLevel, options: LocalOptions = RACE) -> list[Stretch]:
    """Play a race and give what is said, stretch by stretch; the last one is its end.

    Time goes on as it is said, so that what may be said again after a minute is counted, too.
    """
    heard: list[Stretch] = []
    stream = Stream("heard")
    told = 0

    def answer(prompt: str) -> str:
        nonlocal told
        race = racing.controller
        assert race.observation is not None
        before, told = " ".join(terminal.text[told:].split()), len(terminal.text)
        news = before.removesuffix(">").rstrip().removesuffix(prompt)
        kind = type(race.observation.own.choice).__name__.removesuffix("Choice").casefold()
        heard.append(Stretch(kind, race.view.round, news, prompt))
        typed = f"{words_of(race.observation.own, BOTS['steady'](race.observation, stream))}!"
        told += len(typed) + 1
        return typed

    terminal = Terminal(answer)
    terminal.line_terminal.voice = Voice(level, lambda: len(terminal.text.split()) / WORDS_A_SECOND)
    racing = PlainRace(LocalSession(make_table(options)), terminal.line_terminal)
    asyncio.run(racing.run())
    end = Stretch("end", racing.controller.view.round, " ".join(terminal.text[told:].split()), "")
    return [*heard, end]


def figures(heard: Sequence[Stretch]) -> list[str]:
    """Say the words in all, by question and by round, a line each."""
    by_round: dict[int, int] = defaultdict(int)
    by_question: dict[str, list[Stretch]] = defaultdict(list)
    for stretch in heard:
        by_round[stretch.round] += stretch.words
        by_question[stretch.question].append(stretch)
    lines = [f"{sum(by_round.values())} words, {len(heard) - 1} questions, {len(by_round)} rounds"]
    for question, stretches in by_question.items():
        asked = sum(counted_words(stretch.asked) for stretch in stretches)
        news = sum(stretch.words for stretch in stretches) - asked
        each = asked / len(stretches)
        lines.append(f"  {question}: {len(stretches)} times, {each:.0f} words each, news before them {news}")
    lines.append(f"  by round: {' '.join(str(words) for words in by_round.values())}")
    lines.append(f"  median of a round: {median(by_round.values()):.0f}")
    return lines


if __name__ == "__main__":
    for each in LEVELS:
        print(f"words {each}:", *figures(heard_race(each)), sep="\n")
