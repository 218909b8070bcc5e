"""The program in lines, behind pipes: nobody needs a terminal for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.tui.support_plain import MENU, Program, Walker, example_in, homes_in, program


@pytest.mark.spec("APP-10.1")
def test_a_whole_race_through_pipes_by_prompts_alone(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--name", "Ana", "--laps", "1", "--legends", "1", "--seed", "p") as run:
        text = run.play()
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "The race is over.\n" in text
    assert "\x1b" not in text, "no cursor moves, no colours"
    assert text.isascii()


@pytest.mark.spec("APP-10.3")
def test_a_whole_race_around_one_keyboard_through_pipes(tmp_path: Path) -> None:
    with program(tmp_path, "hotseat", "Ana", "Ben", "--laps", "1", "--legends", "0", "--seed", "p") as run:
        text = run.play()
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert text.count("Pass the keyboard to Ben, then Enter") > 3
    assert "The race is over.\n" in text


def test_a_championship_through_pipes_is_saved_and_goes_on(tmp_path: Path) -> None:
    with program(tmp_path, "championship", "Ana", "--tracks", "usa,usa,usa", "--laps", "1") as run:
        assert "Enter races" in str(run.prompt())
        run.type("")
        assert "Choose gear" in str(run.prompt())
        run.end()
        assert run.process.wait(PATIENCE_SECONDS) == 0
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
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "Traceback" not in run.text


def test_an_empty_input_is_no_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", "play", "--plain"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env=os.environ | homes_in(tmp_path),
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
        assert "Type yes to leave" in str(interrupted(run))
        run.type("")
        assert "Choose gear" in str(run.prompt())
        assert "Type yes to leave" in str(interrupted(run))
        assert run.text.count("Leave?\n") == 2
        run.type("yes")
        assert run.prompt() is None
        assert run.process.wait(PATIENCE_SECONDS) == 130
    assert "Traceback" not in run.text


def test_a_signal_to_end_is_obeyed_at_once(tmp_path: Path) -> None:
    with program(tmp_path, "play") as run:
        assert run.prompt()
        run.process.terminate()
        assert run.prompt() is None
        assert run.process.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
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
        env=os.environ | homes_in(tmp_path) | {"HEAT_TUI_PLAIN": variable},
        check=False,
    )
    assert (done.returncode, b"Choose gear" in done.stdout) == (0, True)


def test_a_position_is_raced_on_from(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--position", "examples/last-corner.toml") as run:
        assert example_in(str(run.prompt()))
        run.end()


@pytest.mark.spec("APP-10.2")
def test_from_home_through_pipes_to_a_race_its_replay_and_out(tmp_path: Path) -> None:
    with program(tmp_path, HEAT_TUI_NO_LAN="1") as run:
        text = run.play(Walker(iter(["new race", "r", "q"])).answer)
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert text.startswith("Plain mode: ")
    assert text.count("\nHome.\n") == 3
    assert "The race is over.\n" in text
    assert "The record ends here." in text
    assert "\x1b" not in text


def test_home_in_lines_ends_with_the_input_and_asks_on_ctrl_c(tmp_path: Path) -> None:
    with program(tmp_path) as run:
        assert str(run.prompt()).startswith(MENU)
        assert "Type yes to leave" in str(interrupted(run))
        run.type("no")
        assert str(run.prompt()).startswith(MENU)
        run.end()
        assert run.prompt() is None
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "Traceback" not in run.text


@pytest.mark.parametrize(
    ("arguments", "variable", "told"),
    [
        (["--plain"], "", b"n: New race, against Legends and bots."),
        ([], "1", b"n: New race, against Legends and bots."),
        (["--plain", "play"], "", b"Choose gear"),
        (["--plain", "hotseat", "Ana", "Ben"], "", b"Pass the keyboard to "),
        (["--plain", "replay"], "", b"There are none yet"),
        (["championship", "--plain"], "", b"Which season: 1961"),
    ],
)
def test_plain_mode_is_asked_for_in_many_ways(
    tmp_path: Path, arguments: list[str], variable: str, told: bytes
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        env=os.environ
        | {
            "HEAT_TUI_PLAIN": variable,
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
        },
        check=False,
    )
    assert (done.returncode, told in done.stdout, done.stderr) == (0, True, b"")
