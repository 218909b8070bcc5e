"""Long commands that Ctrl-C ends print what they have; on a terminal they tell how far they have come."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heat_core.text import counted
from tests.patience import PATIENCE_SECONDS

MANY = {
    "simulate": ["simulate", "--laps", "1", "--seed", "s", "--races", "100000"],
    "season": ["season", "--tracks", "usa,italy,france", "--laps", "1", "--seed", "s", "--seasons", "100000"],
}


def interrupted(
    words: list[str], *, times: int = 1, look: Callable[[int], None] = lambda pid: None
) -> tuple[int, str, str]:
    """Run a command that complains on a terminal, and interrupt it when it first tells its progress.

    Args:
        words: Of its command line.
        times: How often it is interrupted.
        look: Called before that with its process.

    Returns:
        The exit code, its output and what the terminal shows.
    """
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "heat_core", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        told = ""
        while not re.search(r"\d+ of \d{3,} (races|records)", told):
            told += os.read(ours, 1000).decode()
        try:
            look(process.pid)
        except BaseException:
            process.kill()
            raise
        for _ in range(times):
            process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    try:
        while more := os.read(ours, 1000):
            told += more.decode()
    except OSError:  # on Linux the other end of the terminal is closed
        pass
    os.close(ours)
    return process.returncode, output, told


@pytest.mark.spec("BOT-4.1")
@pytest.mark.parametrize("command", MANY)
def test_an_interrupted_command_prints_what_it_has(command: str, tmp_path: Path) -> None:
    code, output, told = interrupted([*MANY[command], "--export", str(tmp_path)])
    assert code == 130
    found = re.search(r"interrupted after (\d+) of \d+ races\r?\n$", told)
    assert found, told
    races = int(found[1])
    assert "Traceback" not in told
    if command == "simulate":
        assert output.startswith(f"{counted(races, 'race')} on usa, 1 lap,")
        assert len(list(tmp_path.iterdir())) == races
    else:
        assert len(re.findall(r"(?m)^Season \d+ of", output)) == -(-races // 3)
        assert len(list(tmp_path.iterdir())) == races // 3 * 3, "the records of finished seasons"


@pytest.mark.parametrize("command", MANY)
def test_it_is_json_where_that_is_asked_for(command: str) -> None:
    code, output, told = interrupted([*MANY[command], "--json"])
    assert code == 130
    figures = json.loads(output)
    races = figures["races"] if command == "simulate" else 0
    for season in figures.get("seasons", []):
        races += sum(race["end"] is not None for race in season["races"])
    assert f"interrupted after {races} of" in told


def test_tables_of_records_hold_those_that_were_read(tmp_path: Path) -> None:
    record = Path(__file__).parents[1] / "records" / "0.2" / "usa.jsonl"
    for number in range(5000):
        (tmp_path / f"{number}.jsonl").symlink_to(record)
    code, output, told = interrupted(["columns", str(tmp_path)])
    assert code == 130
    found = re.search(r"interrupted after (\d+) of 5000 records\r?\n$", told)
    assert found, told
    assert f": {found[1]} races, " in output
    assert len((tmp_path / "races.csv").read_text().splitlines()) == int(found[1]) + 1


def test_nothing_is_said_of_progress_where_nobody_looks_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_core", *MANY["season"][:-1], "1"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_second_ctrl_c_ends_it_at_once() -> None:
    code, _, told = interrupted(MANY["season"], times=2)
    assert code == 130
    assert "Traceback" not in told


def test_no_worker_outlives_a_program_that_is_killed(tmp_path: Path) -> None:
    """All of them hold the program's output, which ends with the last."""
    saved = tmp_path / "results"
    words = "tournament --boards usa --bots steady,random --fields 50000 --duels 0 --seed x --jobs 2 --resume"
    command = [sys.executable, "-m", "heat_core", *words.split(), str(saved)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        while not saved.exists() or saved.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
        process.kill()
        process.communicate(timeout=PATIENCE_SECONDS)


def test_a_killed_worker_ends_a_tournament_in_one_sentence_and_it_can_be_continued(tmp_path: Path) -> None:
    saved = tmp_path / "results"
    words = "tournament --boards usa --bots steady,random --fields 50000 --duels 0 --seed x --jobs 2 --resume"
    command = [sys.executable, "-m", "heat_core", *words.split(), str(saved)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not saved.exists() or saved.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        output, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, output) == (1, "")
    assert told == (
        "python -m heat_core: A worker process was killed, perhaps because memory ran out "
        f"(fewer --jobs need less). The results so far are saved in {saved}; "
        "the same command continues from there.\n"
    )
    assert saved.read_bytes().endswith(b"}\n")


def test_a_killed_worker_ends_a_command_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "heat_core", *MANY["season"], "--export", str(tmp_path), "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        output, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, output) == (1, "")
    assert told.startswith("python -m heat_core: A worker process was killed, ")
    assert told.endswith(f"The records so far are in {tmp_path}; run the same command again for the rest.\n")


def workers_of(program: int) -> list[int]:
    """Find the processes that do a program's work, without the one that only tracks its resources."""
    children = Path(f"/proc/{program}/task/{program}/children").read_text().split()
    return [int(each) for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]
