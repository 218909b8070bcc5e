"""A race of one's own, whose program is killed again and again: it ends as if it had never been."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from heat_tui.state import PROGRAM
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_plain import MENU, Program, example_in, program

RACE = (
    "play",
    "--track",
    "italy",
    "--laps",
    "1",
    "--legends",
    "1",
    "--bots",
    "2",
    "--seed",
    "5",
    "--name",
    "Ana",
)


def record_in(path: Path) -> bytes:
    (record,) = (path / "data" / PROGRAM / "records").iterdir()
    return record.read_bytes()


def race_to_the_end(run: Program) -> None:
    """Answer by example until the race is over, and leave."""
    while (prompt := run.prompt()) is not None:
        is_over = "again for another race" in prompt or (prompt.startswith(MENU) and "The end" in run.text)
        run.type("leave" if is_over else "continue" if prompt.startswith(MENU) else example_in(prompt))
    assert run.process.wait(PATIENCE_SECONDS) == 0


def race_until_killed(run: Program, chance: random.Random) -> None:
    """Answer some prompts by example; kill the program somewhere in what it says or saves after the last."""
    for _ in range(chance.randint(3, 9)):
        prompt = run.prompt()
        assert prompt is not None, run.text[-2000:]
        run.type("continue" if prompt.startswith(MENU) else example_in(prompt))
    assert run.process.stdout is not None
    os.read(run.process.stdout.fileno(), chance.randint(1, 400))
    run.process.kill()
    run.process.wait(PATIENCE_SECONDS)


@pytest.mark.spec("APP-14")
@pytest.mark.parametrize("kills", [6, pytest.param(60, marks=[pytest.mark.soak, pytest.mark.timeout(600)])])
def test_killed_again_and_again_it_ends_as_one_that_was_not(tmp_path: Path, kills: int) -> None:
    with program(tmp_path / "whole", *RACE) as run:
        race_to_the_end(run)
    chance = random.Random(5)
    for number in range(kills):
        with program(tmp_path / "killed", *(RACE if not number else ())) as run:
            race_until_killed(run, chance)
    with program(tmp_path / "killed") as run:
        race_to_the_end(run)
    assert record_in(tmp_path / "killed") == record_in(tmp_path / "whole")
    assert not list((tmp_path / "killed" / "state" / PROGRAM / "races").iterdir())
