"""The example of a learner, shortened: it learns to beat the random bot; the same seed learns the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "linear_learner.py"


def learn(*words: str) -> str:
    command = [sys.executable, str(EXAMPLE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.timeout(300)  # four seconds of a quiet core, and many times that of a busy one
def test_it_beats_the_random_bot_with_an_interval_above_a_half() -> None:
    *progress, result = learn("--races", "150", "--duels", "60", "--seed", "3").splitlines()
    assert len(progress) == 1
    said = re.fullmatch(r"Won (\d+) of 60 duels against random: ([\d.]+)% \[([\d.]+)%, ([\d.]+)%\]", result)
    assert said
    won, rate, low, high = map(float, said.groups())
    assert rate == round(100 * won / 60, 1)
    assert 50 < low < rate < high


def test_the_same_seed_learns_the_same() -> None:
    words = ("--races", "20", "--duels", "5", "--track", "italy", "--seed")
    assert learn(*words, "3") == learn(*words, "3")
