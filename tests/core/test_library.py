"""The engine as a library: its public names, the script of the documents, policies on the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from heat_core import api
from heat_core.api import (
    PRESETS,
    Command,
    GiveUp,
    Observation,
    Refused,
    ShiftGear,
    Stream,
    load_track,
    simulate,
)
from heat_core.compiled import is_compiled

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "library.md"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "mypolicy.py"
    path.write_text(code, encoding="utf-8")
    return path


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=100)


def simulated(seats: str, cwd: Path, *more: str) -> subprocess.CompletedProcess[str]:
    fixed = ("--track", "usa", "--laps", "1", "--races", "3", "--seed", "x")
    return run("-m", "heat_core", "simulate", "--seats", seats, *fixed, *more, cwd=cwd)


def test_every_public_name_is_there_and_documented() -> None:
    assert sorted(api.__all__) == sorted(set(api.__all__))
    for name in api.__all__:
        thing = getattr(api, name)
        assert thing is not None
        if callable(thing) and hasattr(thing, "__module__"):
            # What is compiled has no docstring.
            assert thing.__doc__ or is_compiled() or name in ("Command", "Choice", "Event", "Policy"), name


def test_the_script_of_the_documentation_races_and_repeats(script: Path) -> None:
    first, second = (run(script.name, cwd=script.parent) for _ in range(2))
    assert first.stderr == ""
    assert first.stdout == second.stdout
    places = [
        sum(map(int, re.findall(r"\d+", row.split("[")[1].split("]")[0])))
        for row in first.stdout.splitlines()
    ]
    assert places == [20] * 4, "20 races, each with a place for each of the four"


def test_a_policy_races_from_the_command_line(script: Path) -> None:
    done = simulated(f"steady,{script.name}:choose,legend:easy", script.parent)
    assert done.returncode == 0, done.stderr
    assert f"{script.name}:choose" in done.stdout
    assert done.stdout.startswith("3 races on usa, 1 lap")


@pytest.mark.parametrize(
    ("code", "seat", "said"),
    [
        ("", "p.py:choose", "p.py has no function 'choose'"),
        ("def choose(:", "p.py:choose", "p.py, line 1: "),
        ("", "nowhere.py:choose", "nowhere.py: No such file or directory"),
    ],
)
def test_a_file_without_a_policy_is_refused_in_one_line(
    tmp_path: Path, code: str, seat: str, said: str
) -> None:
    (tmp_path / "p.py").write_text(code, encoding="utf-8")
    done = simulated(f"steady,{seat}", tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_command_against_the_rules_ends_the_simulation_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(
        "from heat_core.api import ShiftGear\ndef choose(o, s): return ShiftGear(4)\n"
    )
    done = simulated("steady,p.py:choose", tmp_path)
    assert done.returncode == 1
    assert "a policy made a choice that the rules do not allow" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_policy_answers_for_its_own_seat_alone() -> None:
    asked: set[int] = set()

    def choose(observation: Observation, stream: Stream) -> Command:
        asked.add(observation.own.seat)
        choice = observation.own.choice
        assert choice is not None, "it is asked"
        return GiveUp() if observation.view.round > 2 else next(api.enumerate_commands(choice))

    drivers = ["steady", "mine", "steady"]
    ((table, figures),) = simulate(
        load_track("usa"), 1, drivers, PRESETS["standard"], "x", 1, policies={"mine": choose}
    )
    assert asked == {1}
    assert table.view(None).cars[1].status == "gave_up"
    assert [car.driver for car in figures.cars] == drivers
    with pytest.raises(Refused):
        list(
            simulate(
                load_track("usa"),
                1,
                drivers,
                PRESETS["standard"],
                "x",
                1,
                policies={"mine": lambda o, s: ShiftGear(9)},
            )
        )
