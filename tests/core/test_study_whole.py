"""A study from the command line: races on all cores, Ctrl-C, tables of records, an environment for agents."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from heat_core.api import load_track
from heat_core.cli.workers import CORES
from heat_core.rl import RaceOptions
from tests.core.test_interrupted import interrupted
from tests.core.test_rl import pass_the_four_tests
from tests.patience import PATIENCE_SECONDS

RACE = ["--laps", "1", "--seed", "s"]
TOURNAMENT = ["--boards", "usa", "--laps", "1", "--bots", "steady,random", "--fields", "150", "--duels", "0"]


def run(*words: str) -> str:
    """Run a command of the engine to its good end."""
    command = [sys.executable, "-m", "heat_core", *words]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=4 * PATIENCE_SECONDS
    ).stdout


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.spec("BOT-4")
def test_races_are_simulated_rated_exported_and_learned_from(tmp_path: Path) -> None:
    """Simulation, tournaments and export on all cores, with progress and an answer to Ctrl-C; an agent's."""
    simulated_and_exported(tmp_path / "records")
    rated(tmp_path / "results")
    pass_the_four_tests(RaceOptions(load_track("usa"), ("agent", "agent", "steady", "legend:hard"), laps=1))


def on_all_cores(pid: int) -> None:
    """See that a command has as many processes at work as there are cores."""
    listed = subprocess.run(["ps", "-Aww", "-o", "ppid=,args="], check=True, capture_output=True, text=True)
    lines = [line for line in listed.stdout.splitlines() if line.split(maxsplit=1)[0] == str(pid)]
    assert sum("spawn_main" in line for line in lines) == CORES


def simulated_and_exported(folder: Path) -> None:
    words = ["simulate", *RACE, "--races", "100000", "--export", str(folder)]
    code, output, told = interrupted(words, look=on_all_cores)
    found = re.search(r"interrupted after (\d+) of 100000 races\r?\n$", told)
    assert code == 130
    assert found, told
    races = int(found[1])
    assert output.startswith(f"{races} races on usa, 1 lap,"), "what there is by then is printed"
    assert len(list(folder.iterdir())) == races
    run("columns", str(folder))
    with (folder / "races.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == races
    assert {row["verified"] for row in rows} == {"True"}


def rated(file: Path) -> None:
    words = ["tournament", *TOURNAMENT, "--seed", "s"]
    code, output, told = interrupted([*words, "--resume", str(file)], look=on_all_cores)
    assert code == 130
    assert "Fields of six" in output
    assert re.search(r"interrupted after \d+ of \d+ races\r?\n$", told)
    continued, at_once = run(*words, "--resume", str(file)), run(*words)
    assert "Fields of six" in continued
    assert continued == at_once
