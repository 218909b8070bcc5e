"""The index of finished races: a line a race, whatever happens to the file."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.record.figures import race_figures
from heat_core.record.record import Record
from heat_tui.flow.table_factory import make_table
from heat_tui.saved.finished import MOST_RACES, Finished, FinishedIndex, finished_races, own_cars
from heat_tui.saved.keeping import keep_races
from heat_tui.saved.records import keep_record, record_digest
from heat_tui.state import Settings
from tests.tui.support_app import folders_in
from tests.tui.test_race_results import driven

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def record() -> Record:
    table = driven()
    return Record(table.setup, tuple(table.log))


@pytest.fixture(scope="module")
def line(record: Record) -> Finished:
    (made,) = finished_races(record, (0,), NOON, digest=record_digest(record), record_name="one.jsonl")
    return made


def index_in(path: Path) -> FinishedIndex:
    return FinishedIndex(folders_in(path), "Ana")


def test_a_line_says_of_a_race_what_its_record_says(record: Record, line: Finished) -> None:
    figures = race_figures(record.setup, record.events)
    assert (line.board, line.laps, line.name, line.cars) == ("italy", 1, "Ana", 5)
    assert line.place == figures[0].place
    assert (line.top_speed, line.heat_paid) == (figures[0].top_speed, figures[0].heat_paid)
    assert sorted(line.opponents) == ["Legend medium"] * 2 + ["steady"] * 2
    winner = next(number for number, told in enumerate(figures) if told.place == 1)
    assert line.gap_spaces == figures[0].progress[-1] - figures[winner].progress[-1] or line.is_won
    second = next(number for number, told in enumerate(figures) if told.place == 2)
    (won,) = finished_races(record, (winner,), NOON, digest="x")
    assert won.gap_spaces == figures[winner].progress[-1] - figures[second].progress[-1] >= 0


def test_races_are_added_once_and_come_back_oldest_first(tmp_path: Path, line: Finished) -> None:
    index = index_in(tmp_path)
    assert index.all() == ()
    later = replace(line, race="b", moment=NOON + timedelta(hours=1))
    assert index.add(line) == (line,)
    assert index.add(line, later) == (line, later)
    assert index_in(tmp_path).all() == (line, later)
    assert index.path.read_bytes().count(b"\n") == 3


def test_a_torn_line_is_passed_over_and_told_and_the_next_race_has_a_line_of_its_own(
    tmp_path: Path, line: Finished
) -> None:
    index = index_in(tmp_path)
    index.add(line)
    with index.path.open("ab") as file:
        file.write(msgspec.json.encode(replace(line, race="torn"))[:40])
    other = replace(line, race="b")
    assert index.add(other) == (line, other)
    assert index.all() == (line, other)
    assert index.fault == "1 line of finished.jsonl cannot be read and is left out."


@pytest.mark.parametrize("data", [b'{"format":2}\n{}\n', b"noise\n\xff\n", b"\n"])
def test_a_file_of_another_format_is_left_alone(tmp_path: Path, line: Finished, data: bytes) -> None:
    index = index_in(tmp_path)
    index.path.parent.mkdir(parents=True)
    index.path.write_bytes(data)
    assert index.all() == ()
    assert index.fault
    assert index.add(line) == ()
    assert index.path.read_bytes() == data


def test_only_the_newest_are_kept(tmp_path: Path, line: Finished) -> None:
    index = index_in(tmp_path)
    many = [replace(line, race=str(number)) for number in range(MOST_RACES)]
    index.add(*many)
    newest = replace(line, race="newest")
    index.add(newest)
    assert index.all() == (*many[1:], newest)


def test_several_clients_lose_no_line_while_the_file_is_trimmed(tmp_path: Path, line: Finished) -> None:
    index_in(tmp_path).add(*(replace(line, race=f"old{number}") for number in range(MOST_RACES - 5)))
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(index_in(tmp_path).add, replace(line, race=str(number)))
    left = index_in(tmp_path).all()
    assert len(left) == MOST_RACES
    assert {race.race for race in left[-40:]} == {str(number) for number in range(40)}


def test_where_nothing_can_be_written_nobody_is_stopped(tmp_path: Path, line: Finished) -> None:
    (tmp_path / "data").write_text("a file")
    assert index_in(tmp_path).add(line) == ()
    assert index_in(tmp_path).all() == ()


def test_the_first_look_reads_the_saved_records_for_races_of_that_name(
    tmp_path: Path, record: Record
) -> None:
    path = keep_record(folders_in(tmp_path), record, NOON)
    assert path is not None
    (found,) = index_in(tmp_path).all()
    assert (found.name, found.moment, found.record) == ("Ana", NOON, path.name)
    path.unlink()
    assert index_in(tmp_path).all() == (found,)
    assert FinishedIndex(folders_in(tmp_path / "other"), "Zoe").all() == ()


def test_at_one_keyboard_the_seats_with_the_players_name_count(record: Record) -> None:
    assert own_cars(record, (1,), "Ana") == (1,)
    assert own_cars(record, (0, 1), "ana") == (0,)
    assert own_cars(record, (0, 1), "Zoe") == ()
    assert own_cars(record, (), "Ana") == ()


def test_a_race_is_in_the_index_even_where_no_record_is_saved(tmp_path: Path, record: Record) -> None:
    folders = folders_in(tmp_path)
    asyncio.run(keep_races(folders, Settings(name="Ana", replays=False), [record], (0,)))
    asyncio.run(keep_races(folders, Settings(name="Ana"), [record], (0,)))
    (found,) = index_in(tmp_path).all()
    assert found.record == ""
    assert found.race == record_digest(record)


def test_an_abandoned_race_has_no_line() -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    table.abandon()
    record = Record(table.setup, tuple(table.log))
    assert finished_races(record, (0,), NOON, digest="x") == ()


def test_who_gave_up_on_the_grid_has_a_line(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    table.submit(0, None, c.GiveUp())
    (line,) = finished_races(Record(table.setup, tuple(table.log)), (0,), NOON, digest="x")
    assert (line.status, line.place) == ("gave_up", 2)
