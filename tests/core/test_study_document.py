"""docs/study.md: its script runs, and its tables are those of the program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from heat_core.record.columns import ROWS
from heat_core.rl import ACTIONS, FEATURES, action_text

DOCUMENT = Path(__file__).parents[2] / "docs" / "study.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def rows_under(heading: str) -> list[list[str]]:
    """List the rows of the table under a heading, without its head."""
    section = TEXT.split(f"\n### {heading}\n")[1].split("\n#")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_the_script_runs_and_the_same_seed_gives_the_same_race(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    script = tmp_path / "study.py"
    script.write_text(code, encoding="utf-8")
    command = [sys.executable, str(script)]
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=100) for _ in range(2)
    )
    assert first.stdout == second.stdout
    assert first.stderr == ""
    lines = first.stdout.splitlines()
    assert sorted(line.split()[0] for line in lines[:2]) == ["driver_0", "driver_1"]
    assert lines[2].startswith("The race is over: 1st ")
    assert re.fullmatch(r"\{'driver_0': [\d.-]+, 'driver_1': [\d.-]+\}", lines[3])


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Actions", [action_text(number) for number in range(len(ACTIONS))]),
        ("Observations", [feature.name for feature in FEATURES]),
    ],
)
def test_actions_and_observations_are_those_of_the_table(heading: str, names: Sequence[str]) -> None:
    found: list[str] = []
    for pattern, count, *_ in rows_under(heading):
        # Words in capitals have several values.
        expression = re.sub(
            r"[A-Z]{3,}", lambda word: r"\d+" if word[0] == "NUMBER" else ".+", pattern.strip("`")
        )
        matching = [name for name in names if re.fullmatch(expression, name)]
        assert len(matching) == int(count), pattern
        found += matching
    assert sorted(found) == sorted(names)


@pytest.mark.parametrize("table", ROWS)
def test_the_columns_are_those_of_the_table(table: str) -> None:
    named = [name for first, _ in rows_under(table) for name in re.findall(r"`(\w+)`", first)]
    assert named == list(ROWS[table].__struct_fields__)
