"""A program that does not come to its end by itself is ended: at a signal it is never deaf."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from termios import tcgetattr

import pytest

from heat_tui.terminal.ending import SIGNALS
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import server_process
from tests.tui.test_main_terminal import NORMAL, SHOW_CURSOR, Terminal, terminal

DEAF = """
import os
import threading
from heat_tui.terminal import ending
from heat_tui.app import HeatApp

class Client(HeatApp):
    def end_by_force(self):
        os.write(1, b"last words")

def opening(app):
    app.exit()  # it is ending already, and hangs on the way
    os.write(1, b"stuck")
    threading.Event().wait()

ending.GRACE_SECONDS = float({grace})
Client(opening=opening).run()
"""


BY_ANOTHER_THREAD = """
import os
import signal
import threading
from heat_tui.terminal import ending
from heat_tui.app import HeatApp

class Client(HeatApp):
    def end_by_force(self):
        os.write(1, b"last words")

def opening(app):
    # The system may hand a signal to any thread, and to the main one just before a blocking call: in both
    # cases nothing interrupts that call.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.write(1, b"stuck")
    threading.Event().wait()

ending.GRACE_SECONDS = float({grace})
Client(opening=opening).run()
"""

NOT_YET_OPEN = """
import os
import threading
from heat_tui.terminal import ending
from heat_tui.app import HeatApp

class Slow(HeatApp):
    def end_by_force(self):
        os.write(1, b"last words")

    def compose(self):
        os.write(1, b"stuck")
        threading.Event().wait()

ending.GRACE_SECONDS = float({grace})
Slow().run()
"""

COUNTING = """
import os
import random
import signal
import threading
from heat_tui.terminal.ending import SIGNALS, Watch

def heard(number):
    os.write(1, bytes([number]))
    woken.set()

woken = threading.Event()
Watch(heard).take(SIGNALS)
os.write(1, b"!")
chance = random.Random(1)
while True:
    woken.wait()
    woken.clear()
    for _ in range(chance.randrange(300)):
        pass
"""
"""A program that hears of signals wherever its main thread is, and blocks for good but for them."""


class Deaf(Terminal):
    """The program with an event loop that never turns again."""

    def __init__(self, path: Path, grace: float, script: str = DEAF) -> None:
        self.script = script.format(grace=grace)
        super().__init__([], path, {})

    def command(self, arguments: list[str]) -> list[str]:
        return [sys.executable, "-c", self.script]


class WithoutHangup(Terminal):
    """The program as `nohup` starts one."""

    def command(self, arguments: list[str]) -> list[str]:
        return ["sh", "-c", 'trap "" HUP; exec "$0" "$@"', *super().command(arguments)]


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


@pytest.mark.parametrize("script", [BY_ANOTHER_THREAD, NOT_YET_OPEN], ids=["thread", "not yet open"])
def test_a_signal_is_heard_of_whatever_the_main_thread_does(tmp_path: Path, script: str) -> None:
    program = Deaf(tmp_path, 0.5, script)
    try:
        program.wait_for("stuck")
        program.process.send_signal(signal.SIGTERM)
        assert program.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
        after = program.text.split("stuck")[1]
        assert "last words" in after
        assert NORMAL in after
        assert tcgetattr(program.theirs) == program.before
    finally:
        program.close()


def test_none_of_2000_signals_at_random_instants_is_lost() -> None:
    chance = random.Random(2)
    with subprocess.Popen([sys.executable, "-c", COUNTING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        heard = process.stdout.fileno()
        try:
            assert os.read(heard, 1) == b"!"
            for number in range(2_000):
                for _ in range(chance.randrange(2_000)):
                    pass  # an instant, far shorter than any sleep
                sent = chance.choice(SIGNALS)
                process.send_signal(sent)
                assert select.select([heard], [], [], 30)[0], f"signal {number} was lost"
                assert os.read(heard, 100) == bytes([sent])
        finally:
            process.kill()


def test_a_signal_that_is_ignored_at_the_start_stays_ignored(tmp_path: Path) -> None:
    program = WithoutHangup([], tmp_path, {})
    try:
        program.wait_for("Settings")
        program.process.send_signal(signal.SIGHUP)
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 143
        assert "heat-tui was ended by SIGTERM." in program.text
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
        # The terminal brings a signal, too. If one comes as the interpreter ends, a shell says 129 as well.
        assert program.process.wait(PATIENCE_SECONDS) in (129, 1, -signal.SIGHUP)


def test_a_signal_in_a_program_that_is_well_still_ends_it_as_it_should(tmp_path: Path) -> None:
    with terminal(path=tmp_path) as program:
        program.wait_for("Settings")
        program.process.send_signal(signal.SIGTERM)
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 143
        assert "heat-tui was ended by SIGTERM." in program.text
