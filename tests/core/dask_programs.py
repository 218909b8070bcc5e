"""A Dask cluster of real programs, as people start it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from distributed import Client

from tests.patience import PATIENCE_SECONDS


class DaskPrograms:
    """A scheduler, and workers that a test starts.

    Attributes:
        address: Of the scheduler.
        scheduler: Its process.
    """

    def __init__(self, folder: Path, ended: ExitStack) -> None:
        """Start the scheduler.

        Args:
            folder: Where the programs run; without sources of this program, so that Python finds those that
                are installed.
            ended: Ends the programs.
        """
        self._folder = folder
        self._ended = ended
        self.scheduler = self._start("scheduler", "--port", "0", "--dashboard-address", "127.0.0.1:0")
        assert self.scheduler.stderr is not None
        self.address = next(
            f"tcp://127.0.0.1:{found[1]}"
            for line in self.scheduler.stderr
            if (found := re.search(r"Scheduler at:\s+tcp://\S+:(\d+)", line))
        )

    def worker(self, name: str, sources: Path | None = None) -> subprocess.Popen[str]:
        """Start a worker of one process, and wait until the scheduler has it.

        Args:
            name: It is `worker_address` that this is good for.
            sources: A folder in which Python looks first.
        """
        path = {} if sources is None else {"PYTHONPATH": str(sources)}
        words = (self.address, "--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        process = self._start("worker", *words, **path)
        deadline = time.monotonic() + PATIENCE_SECONDS
        with Client(self.address, set_as_default=False) as client:
            while name not in {worker["name"] for worker in self._workers(client).values()}:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.1)  # a number of workers to wait for may hold one that was killed just now
        return process

    def worker_address(self, name: str) -> str:
        """Tell where a worker is."""
        with Client(self.address, set_as_default=False) as client:
            return next(
                address for address, worker in self._workers(client).items() if worker["name"] == name
            )

    @staticmethod
    def _workers(client: Client) -> dict[str, dict[str, str]]:
        workers: dict[str, dict[str, str]] = client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _start(self, program: str, *words: str, **variables: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{program}", *words],
            cwd=self._folder,
            env=os.environ | variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if program == "scheduler" else subprocess.DEVNULL,
            text=True,
        )
        if process.stderr is not None:
            self._ended.callback(process.stderr.close)
        self._ended.callback(process.wait)
        self._ended.callback(process.kill)
        return process


@contextmanager
def dask_programs(folder: Path) -> Iterator[DaskPrograms]:
    """Run a cluster; all its programs end with it."""
    with ExitStack() as ended:
        yield DaskPrograms(folder, ended)
