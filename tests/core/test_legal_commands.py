"""A list of legal commands, or a sample of them."""

from __future__ import annotations

from collections import Counter

from heat_core.decisions import enumerate_commands, legal_commands
from heat_core.decisions.choices import DiscardChoice
from heat_core.race import commands as c
from heat_core.rng import Stream

CHOICE = DiscardChoice(("1", "1", "2", "3"), 4)


def test_all_come_in_a_fixed_order_where_there_are_few_enough() -> None:
    every = tuple(enumerate_commands(CHOICE))
    assert legal_commands(CHOICE, len(every), Stream("x")) == (every, len(every))


def test_a_sample_is_uniform() -> None:
    every = tuple(enumerate_commands(CHOICE))
    drawn: Counter[c.Command] = Counter()
    for number in range(2_400):
        commands, count = legal_commands(CHOICE, 3, Stream(str(number)))
        assert (len(set(commands)), count) == (3, len(every))
        drawn.update(commands)
    assert set(drawn) == set(every)
    assert all(abs(times - 600) < 110 for times in drawn.values()), "600 of 7,200 each, five deviations"
