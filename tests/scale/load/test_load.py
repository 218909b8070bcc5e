"""The load tests of a fleet, at work on little, and what is made of their figures."""

from __future__ import annotations

import os
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from tests.scale.document import DOCS
from tests.scale.load.costs import cost
from tests.scale.load.database import Counters, opened
from tests.scale.load.document import FIGURES, SECTION, load, save
from tests.scale.load.figures import Figures, quietest
from tests.scale.load.filling import Filling, fill
from tests.scale.load.page import section
from tests.scale.load.pictures import pictures
from tests.scale.load.processes import children_of, private_bytes, processor_seconds, title_of, tree_seconds
from tests.scale.load.racing import Crowd, race
from tests.scale.load.resting import Rest, rest
from tests.scale.load.taking_over import TakeOver, take_over
from tests.server.postgres import Cluster, started

NEVER = 2**30
"""No process has this number."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with started() as cluster:
        yield cluster


def test_two_servers_race_at_one_database(cluster: Cluster, tmp_path: Path) -> None:
    raced = race(Crowd(2, 2, 2, None), 1.0, cluster, tmp_path)
    assert raced.per_second * raced.seconds == pytest.approx(raced.commands)
    assert raced.commands > 10
    assert raced.errors == {}
    assert 0.5 < raced.commands_per_commit <= 4, "no more than drivers wait at a time"
    assert raced.commits_per_second > raced.per_second / 4
    assert raced.wal_bytes_per_command > 100
    assert 0 < raced.backends_ms < 1.001 * raced.database_ms
    assert raced.server_ms > 0
    assert raced.median_ms <= raced.slow_ms
    assert len(raced.server_mebibytes) == len(raced.backend_mebibytes) == 2
    assert raced.disk.rows["matches"] >= 2
    assert raced.disk.rows["steps"] >= raced.commands
    assert raced.disk.size_bytes == sum(raced.disk.table_bytes.values())


@pytest.mark.soak
def test_one_server_races_with_a_file(cluster: Cluster, tmp_path: Path) -> None:
    raced = race(Crowd(0, 2, 2, 50.0), 1.0, cluster, tmp_path)
    assert 20 < raced.per_second < 80
    assert raced.database_ms == raced.commits_per_second == 0
    assert raced.disk.rows["steps"] >= raced.commands
    assert raced.disk.bytes_a_step > 100


@pytest.mark.soak
def test_a_fleet_at_rest_renews_its_leases(cluster: Cluster) -> None:
    rested = rest(Rest(1, 3, 2), 2.0, cluster)
    assert 0.3 < rested.commits_per_second < 1
    assert rested.transactions_per_second >= rested.commits_per_second
    assert rested.wal_bytes_per_second > 10


@pytest.mark.parametrize("seats", [pytest.param(0, marks=pytest.mark.soak), 2])
def test_rooms_of_a_server_that_stops_are_owned_and_raced_again(cluster: Cluster, seats: int) -> None:
    over = take_over(TakeOver(2, 4, seats, "stopped", pause_seconds=0.2), cluster, 1.0)
    assert sum(over.shares) == 4
    assert 0 < over.owned_seconds < 10
    assert over.server_seconds >= over.owned_server_seconds
    if seats:
        assert over.owned_seconds < over.raced_seconds or over.commands > 0
        assert 0 < over.back_median_seconds <= over.back_seconds
        assert over.hellos >= 8


def test_the_work_of_processes_is_counted() -> None:
    own = os.getpid()
    worked = processor_seconds([own])
    assert tree_seconds(own) >= worked > 0
    assert private_bytes(own) > 2**20
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"here\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"here\n", "it runs"
        assert child.pid in children_of(own)
        assert title_of(child.pid) == "cat"
    assert (processor_seconds([NEVER]), private_bytes(NEVER), title_of(NEVER)) == (0, 0, "")


def test_what_the_measuring_connection_does_is_not_counted(cluster: Cluster) -> None:
    with opened(cluster) as database:
        before = database.counters()
        database.row("SELECT count(*) FROM generate_series(1, 2000000)")
        done = database.counters().since(before)
    assert done.backends_seconds + done.others_seconds < 0.1
    assert done.commits == 0
    assert Counters(*before).since(before) == (0,) * len(before)


@pytest.mark.soak
@pytest.mark.parametrize("store", ["SQLite", "PostgreSQL"])
def test_races_fill_a_store(cluster: Cluster, tmp_path: Path, store: Literal["SQLite", "PostgreSQL"]) -> None:
    disk = fill(Filling(store, 2, 2), cluster, tmp_path).disk
    assert disk.races >= 2
    assert disk.steps_a_race > 20
    assert disk.bytes_a_step > 100


@pytest.fixture(scope="module")
def figures() -> Figures:
    return load()


def test_page_and_pictures_show_the_figures_that_are_kept(figures: Figures) -> None:
    text = section(figures)
    assert max(map(len, text.splitlines())) <= 120
    for raced in figures.raced:
        assert f"{raced.server_ms:.2f}" in text
    drawn = dict(pictures(figures))
    assert all(f"pictures/{name}" in text for name in drawn)
    for picture in drawn.values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_the_document_has_the_figures_that_are_kept(figures: Figures, tmp_path: Path) -> None:
    assert SECTION.text_in(DOCS) == section(figures), "`python -m tests.scale.load --again` writes it anew"
    for name, picture in pictures(figures):
        assert (DOCS / "pictures" / name).read_text(encoding="utf-8") == picture
    save(figures, tmp_path / "figures.json")
    assert (tmp_path / "figures.json").read_bytes() == FIGURES.read_bytes()


def test_a_new_section_replaces_the_old_one(figures: Figures, tmp_path: Path) -> None:
    (tmp_path / "scale.md").write_bytes((DOCS / "scale.md").read_bytes())
    other = msgspec.structs.replace(figures, machine="another machine")
    SECTION.write(tmp_path, section(other), pictures(other))
    assert SECTION.text_in(tmp_path) == section(other)
    before, after = ((docs / "scale.md").read_text(encoding="utf-8") for docs in (DOCS, tmp_path))
    assert after.replace(section(other), "") == before.replace(section(figures), "")


def test_a_line_tells_what_is_for_a_command_and_what_for_a_commit(figures: Figures) -> None:
    one = next(run for run in figures.raced if run.crowd.servers)
    runs = [
        msgspec.structs.replace(one, commands_per_commit=commands, server_ms=0.5 + 2 / commands)
        for commands in (1.0, 2.0, 4.0)
    ]
    with_a_file = msgspec.structs.replace(one, crowd=Crowd(0, 1, 1, None), server_ms=100.0)
    assert cost([*runs, with_a_file], lambda raced: raced.server_ms) == pytest.approx((0.5, 2.0, 1.0))


def test_of_several_runs_the_quietest_counts(figures: Figures) -> None:
    one = figures.raced[0]
    runs = [
        msgspec.structs.replace(one, server_ms=time, load=load) for time, load in ((3.0, 8.0), (5.0, 2.0))
    ]
    assert quietest(runs) is runs[1]
