"""A program that does not come to its end by itself is ended: at a signal it is never deaf."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from termios import tcgetattr

import pytest

from tests.tui.support_app import server_process
from tests.tui.test_main_terminal import NORMAL, SHOW_CURSOR, Terminal, terminal

DEAF = """
import os
import threading
from heat_tui import ending
from heat_tui.app import HeatApp

def opening(app):
    app.exit()  # it is ending already, and hangs on the way
    os.write(1, b"stuck")
    threading.Event().wait()

ending.GRACE_SECONDS = float({grace})
HeatApp(opening=opening, last=lambda: os.write(1, b"last words")).run()
"""


class Deaf(Terminal):
    """The program with an event loop that never turns again."""

    def __init__(self, path: Path, grace: float) -> None:
        self.grace = grace
        super().__init__([], path, {})

    def command(self, arguments: list[str]) -> list[str]:
        return [sys.executable, "-c", DEAF.format(grace=self.grace)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_that_hangs_is_ended_when_its_time_is_over(tmp_path: Path, number: signal.Signals) -> None:
    program = Deaf(tmp_path, 0.5)
    try:
        program.wait_for("stuck")
        program.process.send_signal(number)
        assert program.wait() == 128 + number
        after = program.text.split("stuck")[1]
        assert "last words" in after
        assert NORMAL in after
        assert SHOW_CURSOR in after
        assert tcgetattr(program.theirs) == program.before
        assert os.get_blocking(program.theirs)
    finally:
        program.close()


def test_a_later_signal_ends_it_at_once_but_two_together_are_one(tmp_path: Path) -> None:
    program = Deaf(tmp_path, 60)
    try:
        program.wait_for("stuck")
        program.process.send_signal(signal.SIGHUP)
        program.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert program.process.poll() is None
        deadline = time.monotonic() + 10
        while program.process.poll() is None and time.monotonic() < deadline:
            program.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
        assert program.wait() == 143
    finally:
        program.close()


def test_a_client_ends_whose_server_and_terminal_go_one_after_the_other(tmp_path: Path) -> None:
    with server_process() as address:
        programs = [
            Terminal(["connect", f"{address}", "--name", f"Ana {number}"], tmp_path / str(number), {})
            for number in range(2)
        ]
        for program in programs:
            program.wait_for("Join")
    for program in programs:
        time.sleep(0.1)
        os.close(program.ours)
        os.close(program.theirs)
        program.process.send_signal(signal.SIGHUP)
    for program in programs:
        assert program.process.wait(20) in (129, 1)


def test_a_signal_in_a_program_that_is_well_still_ends_it_as_it_should(tmp_path: Path) -> None:
    with terminal(path=tmp_path) as program:
        program.wait_for("Settings")
        program.process.send_signal(signal.SIGTERM)
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 143
        assert "heat-tui was ended by SIGTERM." in program.text
