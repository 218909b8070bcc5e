"""What becomes of a study on a cluster whose programs are killed, frozen, late or of another version."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

import click

import heat_core
from heat_core.cli import cluster as cluster_module
from heat_core.cli import simulate
from heat_core.cli.cluster import Cluster
from heat_core.cli.workers import run_all, run_until_interrupted
from heat_core.compiled import COMPILED_NOTES
from heat_core.files import load_track
from heat_core.race.presets import PRESETS
from heat_core.simulation import RaceCount, parse_drivers, prepare
from tests.core.dask_programs import DaskPrograms, dask_programs
from tests.patience import PATIENCE_SECONDS

SEATS = "steady,random,legend:hard"
SIMULATION = prepare(load_track("italy"), 1, parse_drivers(SEATS), PRESETS["standard"], "faults")
RACES = 40


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[DaskPrograms]:
    folder = tmp_path / "programs"
    folder.mkdir()
    with dask_programs(folder) as started:
        yield started


class Said:
    """What a person at a terminal reads, in whichever thread it is said."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._more = threading.Condition()

    def say(self, text: str) -> None:
        with self._more:
            self.texts.append(text)
            self._more.notify_all()

    def wait_for(self, part: str) -> str:
        """Wait for a text and give the whole of it."""
        with self._more:
            assert self._more.wait_for(lambda: any(part in text for text in self.texts), PATIENCE_SECONDS)
            return next(text for text in self.texts if part in text)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    said = Said()
    monkeypatch.setattr(cluster_module, "say", said.say)
    return said


def races(number: int = RACES) -> Iterator[simulate._Task]:
    return (simulate._Task(SIMULATION, SEATS, race, None) for race in range(number))


def raced_at(programs: DaskPrograms, number: int = RACES) -> Iterator[tuple[int, RaceCount]]:
    return run_all(simulate._race, races(number), 1, cluster=Cluster(programs.address))


def as_here() -> dict[int, RaceCount]:
    return dict(run_all(simulate._race, races(), 1))


def other_sources(folder: Path) -> Path:
    """Copy this program and change its rules; what is compiled of it would refuse to run other sources."""
    sources = folder / "other"
    compiled = shutil.ignore_patterns(COMPILED_NOTES, f"*{EXTENSION_SUFFIXES[0]}")
    shutil.copytree(Path(heat_core.__file__).parent, sources / "heat_core", ignore=compiled)
    file = sources / "heat_core" / "race" / "rules_version.py"
    file.write_text(file.read_text(encoding="utf-8") + "\n# other rules\n", encoding="utf-8")
    return sources


def no_sources(folder: Path) -> Path:
    """Have Python not find this program, as where it is not installed."""
    package = folder / "none" / "heat_core"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        'raise ModuleNotFoundError("No module named \'heat_core\'", name="heat_core")\n', encoding="utf-8"
    )
    return package.parent


@pytest.mark.spec("FLEET-6")
def test_a_worker_that_is_killed_costs_time_only(programs: DaskPrograms, said: Said) -> None:
    first, _ = programs.worker("a"), programs.worker("b")
    results = raced_at(programs)
    begun = [next(results)]
    first.kill()
    assert dict([*begun, *results]) == as_here()
    assert "The cluster has 2 workers." in said.texts


@pytest.mark.spec("FLEET-6")
def test_the_last_worker_is_killed_and_another_joins(programs: DaskPrograms, said: Said) -> None:
    first = programs.worker("a")
    results = raced_at(programs)
    begun = [next(results)]
    first.kill()
    first.wait()
    programs.worker("b")
    assert dict([*begun, *results]) == as_here()


@pytest.mark.spec("FLEET-6")
def test_a_worker_that_joins_races_while_the_only_other_is_frozen(programs: DaskPrograms, said: Said) -> None:
    frozen = programs.worker("a")
    results = raced_at(programs)
    begun = [next(results)]
    frozen.send_signal(signal.SIGSTOP)
    programs.worker("b")
    begun += [next(results) for _ in range(RACES - 3)]  # all but two at most, which the frozen one has
    frozen.send_signal(signal.SIGCONT)
    assert dict([*begun, *results]) == as_here()


@pytest.mark.spec("FLEET-6")
def test_a_worker_that_is_frozen_from_the_start_gets_no_races(programs: DaskPrograms, said: Said) -> None:
    programs.worker("a").send_signal(signal.SIGSTOP)
    programs.worker("b")
    assert dict(raced_at(programs)) == as_here()


@pytest.mark.spec("FLEET-6")
@pytest.mark.parametrize("kind", [other_sources, no_sources])
def test_a_worker_that_cannot_race_as_here_is_named_and_gets_no_races(
    kind: Callable[[Path], Path], programs: DaskPrograms, said: Said, tmp_path: Path
) -> None:
    programs.worker("a")
    results = raced_at(programs)
    begun = [next(results)]
    programs.worker("b", kind(tmp_path))
    text = said.wait_for(programs.worker_address("b"))
    assert dict([*begun, *results]) == as_here()
    why = "it runs heat-tui-race" if kind is other_sources else "it has no heat-tui-race (No module named"
    assert text.partition(" gets no races: ")[2].startswith(why)
    assert text.endswith(". Install the same wheel there.")


@pytest.mark.parametrize("kind", [other_sources, no_sources])
def test_where_no_worker_can_race_as_here_the_command_ends_and_names_one(
    kind: Callable[[Path], Path], programs: DaskPrograms, said: Said, tmp_path: Path
) -> None:
    programs.worker("a", kind(tmp_path))
    with pytest.raises(click.ClickException) as caught:
        list(raced_at(programs))
    told = caught.value.message
    assert told.startswith(f"No worker can do this. The worker at {programs.worker_address('a')} gets no")
    assert told.endswith(". Install the same wheel everywhere.")


@pytest.mark.parametrize("fault", ["no workers", "no scheduler"])
def test_ctrl_c_does_not_wait_for_workers_that_are_not_there(
    fault: str, programs: DaskPrograms, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heat_core.cli.cluster_watch.ANSWER_SECONDS", 1.0)
    worker = programs.worker("a")
    results = run_until_interrupted(time.sleep, [0, 3600, 3600], 1, cluster=Cluster(programs.address))
    assert next(results, 1) is None
    if fault == "no workers":
        worker.kill()
    else:
        programs.scheduler.send_signal(signal.SIGSTOP)
    signal.raise_signal(signal.SIGINT)
    assert list(results) == []
    assert said.texts[-1] == "No worker is there to end what has begun."
