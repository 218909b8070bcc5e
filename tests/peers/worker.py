"""`python -m tests.peers.worker MODULE FUNCTION`: plays as often as it is told to, in a process of its own.

Each line on its input is a number of decisions; each line that it answers is the processor time, in seconds,
that they took.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from tests.peers.roster import Contestant


class Worker:
    """A process that plays for one contestant, between its turns asleep."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Take a process that waits for its first number."""
        self._input = cast(IO[str], process.stdin)
        self._output = cast(IO[str], process.stdout)

    def seconds(self, decisions: int) -> float:
        """Have decisions made, and give the processor time that they took.

        Raises:
            RuntimeError: The process has ended; its standard error says why.
        """
        print(decisions, file=self._input, flush=True)
        line = self._output.readline()
        if not line:
            raise RuntimeError("a contestant does not play")
        return float(line)


@contextmanager
def running_worker(contestant: Contestant, home: Path) -> Iterator[Worker]:
    """Run a worker; it is killed at the end.

    Args:
        home: The folder whose `heat_core` and `tests` it imports.
    """
    command = [sys.executable, "-m", "tests.peers.worker", contestant.module, contestant.function]
    with subprocess.Popen(
        command, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Worker(process)
        finally:
            process.kill()


def main(module: str, function: str) -> None:
    """Play until the input ends."""
    play = getattr(importlib.import_module(f"tests.peers.{module}"), function)
    for line in sys.stdin:
        began = time.process_time()
        play(int(line))
        print(time.process_time() - began, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
