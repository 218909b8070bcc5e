"""No bytes on the terminal's input end the program or change what it does."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from termios import tcgetattr

import pytest

from heat_tui.state import load_settings
from heat_tui.terminal.key_bytes import FLOOD_SECONDS
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_plain import folders_of_program
from tests.tui.test_key_bytes import UNREADABLE
from tests.tui.test_main_terminal import NORMAL, SHOW_CURSOR, Terminal, terminal

NOISE = {
    **UNREADABLE,
    "4 KiB of random bytes": random.Random(29).randbytes(4096),
    "a paste of 1 MiB": b"\x1b[200~" + b"q1\r" * 350_000 + b"\x1b[201~",
    "1 MiB of text from a terminal that marks no pastes": b"q1\r" * 350_000,
    "the mouse outside the world": b"\x1b[<0;9999999999;9999999999M\x1b[<0;9999999999;9999999999m",
}
A_RACE = ("play", "--laps", "1", "--legends", "1", "--seed", "29", "--name", "Ana")


def send(program: Terminal, data: bytes) -> None:
    """Send bytes as fast as they are taken, then read until the screen stands still."""
    os.set_blocking(program.ours, False)
    while data:
        try:
            data = data[os.write(program.ours, data) :]
        except BlockingIOError:
            program.read(0.01)
    settle(program, FLOOD_SECONDS)


def settle(program: Terminal, seconds: float = 0.0) -> None:
    while program.read(0.2 + seconds):
        pass


def send_all_noise(program: Terminal) -> Iterator[str]:
    for name, data in NOISE.items():
        send(program, data)
        assert program.process.poll() is None, (name, program.text[-500:])
        yield name


def quit_by_ctrl_c(program: Terminal) -> None:
    program.press("\x03")
    assert program.wait() == 130
    assert "Traceback" not in program.text


def test_at_home_nothing_is_chosen(tmp_path: Path) -> None:
    with terminal("--no-lan", path=tmp_path) as program:
        program.wait_for("Settings")
        settle(program)
        for name in send_all_noise(program):
            assert "Esc" not in program.text, name  # Home alone leads nowhere back
        program.press("s")
        program.wait_for("Your name")
        quit_by_ctrl_c(program)


def test_in_a_race_nothing_is_chosen(tmp_path: Path) -> None:
    with terminal(*A_RACE, path=tmp_path) as program:
        program.wait_for("SHIFT")
        settle(program)
        for name in send_all_noise(program):
            assert "PLAY CARDS" not in program.text, name
        program.press("2\r")
        program.wait_for("PLAY CARDS")
        quit_by_ctrl_c(program)


def test_in_a_dialog_nothing_is_answered(tmp_path: Path) -> None:
    with terminal(*A_RACE, path=tmp_path) as program:
        program.wait_for("SHIFT")
        program.press("q")
        program.wait_for("Leave the race?")
        settle(program)
        program.text = ""
        for name in send_all_noise(program):
            assert "New race" not in program.text, name  # nothing has led Home
        program.press("\x1b")
        settle(program)
        program.press("2\r")
        program.wait_for("PLAY CARDS")
        quit_by_ctrl_c(program)


def test_into_a_text_field_nothing_is_typed(tmp_path: Path) -> None:
    with terminal("--no-lan", path=tmp_path) as program:
        program.wait_for("Settings")
        program.press("s")
        program.wait_for("Your name")
        settle(program)
        program.press("An")
        settle(program)
        for name in send_all_noise(program):
            assert saved_name(tmp_path) == "An", name
        program.press("na")
        settle(program)
        assert saved_name(tmp_path) == "Anna"
        quit_by_ctrl_c(program)


def saved_name(path: Path) -> str:
    return load_settings(folders_of_program(path)).name


BROKEN = """
from heat_tui.app import HeatApp
from heat_tui.commands.running import run
from heat_tui.terminal.key_bytes import KeyBytes

def feed(self, data):
    raise {fault}

KeyBytes.feed = feed
import click
with click.Context(click.Command("heat-tui")):
    run(is_animated=False)
"""


class Broken(Terminal):
    """The program with a fault in the thread that reads keys."""

    def __init__(self, path: Path, fault: str) -> None:
        self.fault = fault
        super().__init__([], path, {})

    def command(self, arguments: list[str]) -> list[str]:
        return [sys.executable, "-c", BROKEN.format(fault=self.fault)]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            "ValueError('made up')",
            "heat-tui failed because of an error of its own (ValueError): the details are in",
        ),
        (
            "OSError(5, 'Input/output error')",
            "heat-tui ended: its input can no longer be read (Input/output error).",
        ),
        (
            "EOFError('it has been closed')",
            "heat-tui ended: its input can no longer be read (it has been closed).",
        ),
        (
            "SystemExit(0)",
            "heat-tui failed because of an error of its own (RuntimeError): the details are in",
        ),
    ],
)
def test_the_death_of_the_thread_that_reads_keys_is_one_line_and_status_1(
    tmp_path: Path, fault: str, words: str
) -> None:
    program = Broken(tmp_path, fault)
    try:
        program.wait_for("Settings")
        program.press("x")
        assert program.wait() == 1
        after = program.text.split(NORMAL)[1]
        assert words in " ".join(after.split())
        assert "Traceback" not in after
        assert SHOW_CURSOR in after
        assert tcgetattr(program.theirs) == program.before
    finally:
        program.close()


def test_a_terminal_that_has_gone_ends_the_program_with_status_1(tmp_path: Path) -> None:
    program = Terminal([], tmp_path, {})
    program.wait_for("Settings")
    os.close(program.ours)
    os.close(program.theirs)
    assert program.process.wait(PATIENCE_SECONDS) == 1
