"""The program in lines, behind pipes: nobody needs a terminal for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.support_plain import Program, example_in, program


@pytest.mark.spec("APP-10")
def test_a_whole_race_through_pipes_by_prompts_alone(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--name", "Ana", "--laps", "1", "--legends", "1", "--seed", "p") as run:
        text = run.play()
        assert run.process.wait(10) == 0
    assert "The race is over: 1st" in text
    assert "\x1b" not in text, "no cursor moves, no colours"
    assert text.isascii()


@pytest.mark.spec("APP-10")
def test_a_whole_race_around_one_keyboard_through_pipes(tmp_path: Path) -> None:
    with program(tmp_path, "hotseat", "Ana", "Ben", "--laps", "1", "--legends", "0", "--seed", "p") as run:
        text = run.play()
        assert run.process.wait(10) == 0
    assert text.count("Pass the keyboard to Ben, then Enter") > 3
    assert "The race is over: 1st" in text


def test_a_championship_through_pipes_is_saved_and_goes_on(tmp_path: Path) -> None:
    with program(tmp_path, "championship", "Ana", "--tracks", "usa,usa,usa", "--laps", "1") as run:
        assert "Enter races" in str(run.prompt())
        run.type("")
        assert "Choose gear" in str(run.prompt())
        run.end()
        assert run.process.wait(10) == 0
    with program(tmp_path, "championship") as run:
        assert "Enter races" in str(run.prompt())
        run.type("leave")
        assert run.prompt() is None
        assert "Race 1 of 3: USA" in run.text


def test_the_end_of_the_input_leaves_cleanly(tmp_path: Path) -> None:
    with program(tmp_path, "play") as run:
        assert run.prompt()
        run.end()
        assert run.prompt() is None
        assert run.process.wait(10) == 0
    assert "Traceback" not in run.text


def test_an_empty_input_is_no_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", "play", "--plain"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"Choose gear" in done.stdout
    assert done.stderr == b""


def interrupted(run: Program) -> str | None:
    run.process.send_signal(signal.SIGINT)
    return run.prompt()


def test_ctrl_c_asks_and_leaves_with_yes(tmp_path: Path) -> None:
    with program(tmp_path, "play") as run:
        assert run.prompt()
        assert "Leave?" in str(interrupted(run))
        run.type("")
        assert "Choose gear" in str(run.prompt())
        assert "Leave?" in str(interrupted(run))
        run.type("yes")
        assert run.prompt() is None
        assert run.process.wait(10) == 130
    assert "Traceback" not in run.text


def test_a_signal_to_end_is_obeyed_at_once(tmp_path: Path) -> None:
    with program(tmp_path, "play") as run:
        assert run.prompt()
        run.process.terminate()
        assert run.prompt() is None
        assert run.process.wait(10) == 128 + signal.SIGTERM
    assert "Traceback" not in run.text


def test_names_that_the_terminal_cannot_show_are_question_marks(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--name", "Zoë", PYTHONIOENCODING="ascii") as run:
        assert run.prompt()
        assert "Zo?" in run.text
        run.end()


def test_a_reader_that_has_gone_is_no_fault_to_tell(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", "play", "--plain"],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("variable", ["1", "yes"])
def test_a_variable_of_the_environment_asks_for_plain_mode_always(tmp_path: Path, variable: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", "play"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env=os.environ | {"HEAT_TUI_PLAIN": variable},
        check=False,
    )
    assert (done.returncode, b"Choose gear" in done.stdout) == (0, True)


def test_a_position_is_raced_on_from(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--position", "examples/last-corner.toml") as run:
        assert example_in(str(run.prompt()))
        run.end()
