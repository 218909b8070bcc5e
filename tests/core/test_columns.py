"""`python -m heat_core columns`: records as tables, in CSV and Parquet."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from pyarrow.parquet import read_table

from heat_core.__main__ import main
from heat_core.cli import columns as command
from heat_core.game_files import read_record, write_record
from heat_core.race.commands import Command, PlayCards
from heat_core.record.columns import ROWS, RecordRows, record_rows
from tests.core.support import without_seed

RECORDS = Path(__file__).parents[1] / "records" / "0.2"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("races")
    words = "--track usa --laps 1 --seats steady,random,random,legend:hard --races 3 --seed s --weather"
    assert run("simulate", *words.split(), "--garage", "mixed", "--export", folder).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def raced(folder: Path) -> list[RecordRows]:
    return [record_rows(path.stem, read_record(path)) for path in sorted(folder.glob("*.jsonl"))]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_turns_of_a_car_add_up_to_what_it_did_in_the_race(raced: list[RecordRows]) -> None:
    spin_outs = 0
    for races, cars, turns, _ in raced:
        assert [(race.rounds, race.cars, race.seats) for race in races] == [(races[0].rounds, 4, 3)]
        for car in cars:
            own = [turn for turn in turns if turn.car == car.car]
            assert len(own) == car.rounds
            assert max(turn.speed for turn in own) == car.top_speed
            assert sum(turn.heat_paid for turn in own) == car.heat_paid
            assert sum(turn.spun_out for turn in own) == car.spin_outs
            assert sum(turn.slipstream > 0 for turn in own) == car.slipstreams
            assert own[-1].place == car.place
            assert all(turn.gear is None and turn.engine is None for turn in own) == car.legend
            assert all(late.start == early.end for early, late in pairwise(own))
            spin_outs += car.spin_outs
        places = sorted((turn.round, turn.turn) for turn in turns)
        assert places == sorted(set(places)), "each has its turn once"
    assert spin_outs, "or nothing was proven of them"


def test_a_decision_is_described_as_its_seat_met_it(raced: list[RecordRows]) -> None:
    for _, _, turns, decisions in raced:
        kinds = {row.kind for row in decisions}
        assert kinds >= {"pick", "gear", "cards", "react", "discard"}
        played = {(turn.round, turn.car): turn.cards.split() for turn in turns}
        for row in decisions:
            if row.kind == "cards":
                choice = msgspec.json.decode(row.choice, type=Command)
                assert isinstance(choice, PlayCards)
                assert list(choice.cards) == played.get((row.round, row.seat), []) or not choice.cards
                assert set(choice.cards) <= set(row.hand.split())
            if row.round:
                cards = [*row.hand.split(), *row.draw_pile.split(), *row.discard_pile.split()]
                assert len(cards) >= 12
                assert row.corner_spaces >= 0
                assert row.corner_limit > 0


def test_csv_and_parquet_hold_the_same_whatever_the_jobs(
    folder: Path, raced: list[RecordRows], tmp_path: Path
) -> None:
    done = run("columns", folder, "--output", tmp_path / "one", "--jobs", 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(" decisions in CSV and Parquet\n")
    assert f"one: 3 races, 12 cars, {sum(len(each.turns) for each in raced)} turns, " in done.stdout
    assert run("columns", folder, "--output", tmp_path / "two", "--jobs", 2).exit_code == 0
    names = {f"{table}.{kind}" for table in ROWS for kind in ("csv", "parquet")}
    assert {path.name for path in (tmp_path / "one").iterdir()} == names
    for name in ROWS:
        text = (tmp_path / "one" / f"{name}.csv").read_bytes()
        assert (tmp_path / "two" / f"{name}.csv").read_bytes() == text
        rows = [row for each in raced for row in getattr(each, name)]
        table = read_table(tmp_path / "one" / f"{name}.parquet")
        assert table.to_pylist() == [msgspec.structs.asdict(row) for row in rows]
        written = rows_of(tmp_path / "one" / f"{name}.csv")
        assert written == [
            {field: "" if value is None else str(value) for field, value in row.items()}
            for row in table.to_pylist()
        ]


def test_without_pyarrow_there_is_csv_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "HAS_PARQUET", False)
    done = run("columns", folder, "--output", tmp_path, "--jobs", 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(" in CSV; install pyarrow for Parquet\n")
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv"}


def test_a_record_that_does_not_hold_is_named_and_left_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a-cut-off.jsonl").write_bytes((folder / "usa-00000.jsonl").read_bytes()[:-9])
    lines = (folder / "usa-00001.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "b-other.jsonl").write_text("".join(lines).replace('"seed":"s/1"', '"seed":"s/2"', 1))
    (tmp_path / "c.jsonl").write_text("".join(lines))
    done = run("columns", tmp_path)
    assert done.exit_code == 1
    faults = done.stderr.splitlines()
    assert re.search(r"a-cut-off\.jsonl: line \d+: the line is cut off", faults[0])
    assert "b-other.jsonl: line 2: event 1: the hash shown at the start is not" in faults[1]
    assert faults[-1] == "Error: 2 records left out"
    assert [row["race"] for row in rows_of(tmp_path / "races.csv")] == ["c"]
    refused = run("columns", tmp_path / "nothing")
    assert refused.exit_code == 2
    (tmp_path / "nothing").mkdir()
    refused = run("columns", tmp_path / "nothing")
    assert (refused.exit_code, "has no records: no file there ends in .jsonl" in refused.stderr) == (1, True)


def test_records_of_any_kind_have_rows(tmp_path: Path) -> None:
    assert len(list(RECORDS.glob("*.jsonl"))) > 10
    done = run("columns", RECORDS, "--output", tmp_path)
    assert done.exit_code == 0, done.output
    races = {row["race"]: row for row in rows_of(tmp_path / "races.csv")}
    assert races["france-running"]["end"] == ""
    assert races["france-abandoned"]["end"] == "abandoned"
    assert races["netherlands-eight"]["settings"] == "most_cars=8"
    cars = defaultdict(list)
    for row in rows_of(tmp_path / "cars.csv"):
        cars[row["race"]].append(row)
    assert {row["place"] for row in cars["france-running"]} == {""}
    assert {row["grid"] for row in cars["position"]} == {""}
    assert "gave_up" in {row["status"] for row in cars["gb-all-give-up"]}
    assert "give_up" in {row["kind"] for row in rows_of(tmp_path / "decisions.csv")}


def test_a_record_without_seed_is_marked_as_not_verified(folder: Path, tmp_path: Path) -> None:
    record = read_record(folder / "usa-00000.jsonl")
    assert record_rows("a", record).races[0].verified
    public = without_seed(record.setup, record.events)
    write_record(tmp_path / "public.jsonl", public.setup, public.events)
    (row,) = record_rows("a", read_record(tmp_path / "public.jsonl")).races
    assert (row.verified, row.seed) == (False, "")
