"""Work for all cores: one function, many tasks, each result as it comes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice, takewhile
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Final, TypeVar

import click

from heat_core.cli.cluster import Cluster, run_on_cluster
from heat_core.cli.progress import say_that_it_stops
from heat_core.files import shown_path
from heat_core.signals import Interruption

Task = TypeVar("Task")
Result = TypeVar("Result")

CORES: Final = os.cpu_count() or 1

_TASKS_A_WORKER: Final = 2
"""One that runs, and one that is ready when it ends."""

NOTHING_SAVED: Final = "Nothing is saved; run the same command again."

_KILLED: Final = "A worker process was killed, perhaps because memory ran out (fewer --jobs need less)."


def continued_from(file: Path) -> str:
    """Say that all results so far are in a file from which the command continues."""
    return f"The results so far are saved in {shown_path(file)}; the same command continues from there."


def run_all(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    cluster: Cluster | None = None,
    if_killed: str = NOTHING_SAVED,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Iterator[Result]:
    """Run a function once for each task, in processes of their own.

    Tasks are taken from the iterator only as workers get free: an iterator that ends early ends the work
    early, and nothing that was begun is lost.

    Args:
        function: Of a module's top level, like all that goes to another process.
        tasks: In the order in which they begin.
        jobs: How many at once; 1 runs them all in this process.
        cluster: Whose workers run them instead.
        if_killed: What is saved and how to continue where a process is killed, in a sentence.
        is_stopping: Whether a cluster without workers is to be waited for no longer.

    Yields:
        The results, in the order in which the tasks end.

    Raises:
        click.ClickException: A process was killed. All results that were ready have been yielded.
        Exception: What the function raises.
    """
    if cluster is not None:
        yield from run_on_cluster(function, tasks, cluster, if_lost=if_killed, is_stopping=is_stopping)
        return
    if jobs == 1:
        yield from map(function, tasks)
        return
    try:
        yield from _run_beside(function, iter(tasks), jobs)
    except BrokenExecutor:
        raise click.ClickException(f"{_KILLED} {if_killed}") from None


def _run_beside(function: Callable[[Task], Result], waiting: Iterator[Task], jobs: int) -> Iterator[Result]:
    # Fresh processes on every system: a fork would copy threads, which Python warns of.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _end_with_parent) as pool:
        with _interrupts_ignored():
            running = {pool.submit(function, task) for task in islice(waiting, _TASKS_A_WORKER * jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=_has_failed):  # a failure ends the work: first save the others
                yield future.result()
            running |= {pool.submit(function, task) for task in islice(waiting, len(done))}


def _has_failed(future: Future[Result]) -> bool:
    return future.exception() is not None


def run_until_interrupted(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    cluster: Cluster | None = None,
    if_killed: str = NOTHING_SAVED,
) -> Iterator[Result]:
    """As `run_all`, but the first Ctrl-C begins no more tasks, and what was begun ends; the second raises."""
    with Interruption(say_that_it_stops) as interruption:
        wanted = takewhile(lambda _: not interruption.has_come, tasks)
        yield from run_all(
            function,
            wanted,
            jobs,
            cluster=cluster,
            if_killed=if_killed,
            is_stopping=lambda: interruption.has_come,
        )


def _end_with_parent() -> None:
    """Have a worker end as soon as its parent is gone, which may be killed without a word to anybody."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C, which processes that are started now inherit: a terminal sends it to all of them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
