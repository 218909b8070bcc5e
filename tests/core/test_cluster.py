"""Studies on a cluster: the same results as on one machine, and a worker that is lost costs time only."""

from __future__ import annotations

import asyncio
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

import click
import dask
import msgspec
from distributed import Client, LocalCluster

from heat_core.__main__ import main
from heat_core.cli import cluster as cluster_module
from heat_core.cli import simulate
from heat_core.cli.cluster import Cluster
from heat_core.cli.workers import run_all, run_until_interrupted
from heat_core.files import load_track
from heat_core.race.presets import PRESETS
from heat_core.signals import Interruption
from heat_core.simulation import RaceCount, parse_drivers, prepare
from tests.game_statistics.__main__ import race_all
from tests.game_statistics.races import Heading

SIMULATION = prepare(
    load_track("italy"), 1, parse_drivers("steady,random,legend:hard"), PRESETS["standard"], "cluster"
)


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    """Run a scheduler here, and two workers as processes.

    A worker that a test ends is started again by its nanny, however long a busy machine takes for it.
    """
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
    ):
        yield cluster


@pytest.fixture
def cluster(local: LocalCluster) -> Cluster:
    """Name the cluster with both workers there."""
    local.wait_for_workers(2, timeout=60)
    return Cluster(local.scheduler_address)


def races(number: int) -> Iterator[simulate._Task]:
    return (simulate._Task(SIMULATION, "steady,random,legend:hard", race, None) for race in range(number))


def raced(number: int, cluster: Cluster | None = None) -> dict[int, RaceCount]:
    return dict(run_all(simulate._race, races(number), 1, cluster=cluster))


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def table_of(done: Result) -> list[str]:
    return [line for line in done.stdout.splitlines() if "decisions_per_second" not in line]


@pytest.mark.spec("FLEET-6")
@pytest.mark.parametrize(
    "words",
    [
        "simulate --track usa --laps 1 --races 8 --seats steady,random,legend:hard --json",
        "season --tracks usa,italy,gb --laps 1 --seasons 1 --seats steady,random",
        "tournament --boards usa --laps 1 --bots steady,random --fields 6 --duels 2",
    ],
    ids=lambda words: words.partition(" ")[0],
)
def test_the_same_seed_gives_the_same_table_as_on_one_machine(words: str, cluster: Cluster) -> None:
    here = run(*words.split(), "--seed", "s", "--jobs", "1")
    there = run(*words.split(), "--seed", "s", "--cluster", cluster.address)
    assert (here.exit_code, there.exit_code) == (0, 0), there.output
    ours, theirs = (
        [line for line in done.stdout.splitlines() if "decisions_per_second" not in line]
        for done in (here, there)
    )
    assert len(ours) > 3
    assert theirs == ours


@pytest.mark.spec("FLEET-6")
def test_statistics_are_the_same_as_on_one_machine(cluster: Cluster, tmp_path: Path) -> None:
    heading = Heading("0.2.0", "cluster", "random", "base")
    with Interruption() as interruption:
        here, there = (
            race_all(heading, 6, 1, hands, tmp_path / name, interruption)
            for name, hands in (("here", None), ("there", cluster))
        )
    assert [msgspec.structs.replace(each, seconds=0.0) for each in here] == [
        msgspec.structs.replace(each, seconds=0.0) for each in there
    ]


def test_ctrl_c_begins_no_more_and_loses_nothing(cluster: Cluster) -> None:
    results: dict[int, RaceCount] = {}
    for race, count in run_until_interrupted(simulate._race, races(10_000), 1, cluster=cluster):
        if not results:
            signal.raise_signal(signal.SIGINT)
        results[race] = count
    assert 1 <= len(results) < 50
    whole = raced(len(results))
    assert sorted(results) == list(range(len(results)))
    assert results == whole


def nowhere(task: int) -> int:
    return task


def test_work_that_workers_do_not_know_is_refused_in_a_sentence(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nowhere, "__module__", "heat_core.of_later")
    monkeypatch.setitem(sys.modules, "heat_core.of_later", sys.modules[__name__])
    with pytest.raises(
        click.ClickException, match=r"it cannot do this \(No module named 'heat_core\.of_later'\)"
    ):
        list(run_all(nowhere, [1], 1, cluster=cluster))


def test_modules_that_are_no_part_of_the_wheel_are_sent(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study_of_mine").mkdir()
    (tmp_path / "study_of_mine" / "__init__.py").touch()
    (tmp_path / "study_of_mine" / "parts.py").write_text("def double(task):\n    return 2 * task\n")
    monkeypatch.syspath_prepend(tmp_path)
    from study_of_mine.parts import double  # type: ignore[import-not-found]

    sent = cluster._replace(modules=("study_of_mine", "study_of_mine.parts"))
    assert sorted(run_all(double, range(5), 1, cluster=sent)) == [0, 2, 4, 6, 8]


def root_of(task: float) -> float:
    return math.sqrt(task)


def test_what_is_ready_is_given_before_a_failure_is_raised(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Until all end. Two tasks are begun before the workers have said that they can do them.
    monkeypatch.setattr(cluster_module, "wait", lambda running, timeout, return_when: wait(running))
    given: list[float] = []
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        given.extend(run_all(root_of, [-1.0, 4.0], 1, cluster=cluster))
    assert given == [2.0]


def test_a_result_that_does_not_come_holds_no_other_up(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of a worker that froze when it had raced."""
    may_come = threading.Event()
    gather: Any = Client._gather
    is_held = iter([True])

    async def gather_late(self: Client, *args: Any, **options: Any) -> Any:
        if next(is_held, False):
            await asyncio.to_thread(may_come.wait)
        return await gather(self, *args, **options)

    monkeypatch.setattr(Client, "_gather", gather_late)
    results = run_all(root_of, [float(number**2) for number in range(20)], 1, cluster=cluster)
    given = [next(results) for _ in range(19)]
    may_come.set()
    assert sorted([*given, *results]) == [float(number) for number in range(20)]


def ends_its_worker(task: int) -> int:
    os._exit(1)


def test_a_task_that_ends_every_worker_is_named(
    local: LocalCluster, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local.scheduler, "allowed_failures", 0)
    with pytest.raises(click.ClickException, match="Nothing is saved; run the same command again"):
        list(run_all(ends_its_worker, [1], 1, cluster=cluster))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("--cluster 192.0.2.7", 2, "--cluster takes the address of a scheduler, as tcp://192.0.2.7:8786"),
        ("--cluster tcp://127.0.0.1:1 --jobs 2", 2, "Give --jobs or --cluster, not both"),
        ("--cluster tcp://127.0.0.1:1 --export here", 2, "--export does not go with --cluster"),
        ("--cluster tcp://127.0.0.1:1", 1, "No cluster answers at tcp://127.0.0.1:1"),
    ],
)
def test_what_is_wrong_is_one_line(words: str, code: int, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.5)
    done = run("simulate", "--races", "2", *words.split())
    assert done.exit_code == code
    assert told in " ".join(done.output.split())


def test_without_the_extra_the_way_to_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "find_spec", lambda name: None)
    done = run("simulate", "--races", "2", "--cluster", "tcp://127.0.0.1:1")
    assert done.exit_code == 1
    assert "add the extra `cluster`" in done.output


def test_a_scheduler_that_is_lost_is_one_line(tmp_path: Path) -> None:
    """All of it as processes, as a user has them."""
    saved = tmp_path / "saved"

    def started(module: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", module, *words]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        ended.callback(process.wait)
        ended.callback(process.kill)
        return process

    with ExitStack() as ended:
        scheduler = started("distributed.cli.dask_scheduler", "--port", "0", "--dashboard-address", ":0")
        assert scheduler.stderr is not None
        ended.callback(scheduler.stderr.close)
        address = next(
            f"tcp://127.0.0.1:{found[1]}"
            for line in scheduler.stderr
            if (found := re.search(r"tcp://\S+:(\d+)", line))
        )
        worker = started("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard")
        assert worker.stderr is not None
        ended.callback(worker.stderr.close)
        words = ("tournament", "--seed", "s", "--fields", "5000", "--cluster", address, "--resume", "saved")
        racing = started("heat_core", *words)
        while not saved.exists() or saved.read_text().count("\n") < 2:
            assert racing.poll() is None
            time.sleep(0.1)
        scheduler.kill()
        _, told = racing.communicate(timeout=60)
    assert told == (
        "python -m heat_core: The connection to the cluster was lost. The results so far are saved in saved; "
        "the same command continues from there.\n"
    )
