"""Files that are cut, changed or on a full disk: told, and never taken for what they are not."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from heat_server.store.contract import RecordedRace, SavedMatch
from heat_server.store.errors import NoSuchMatch, StoreFailed, StoreRefused
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    SaveClocks,
    SaveSeason,
    SaveSessions,
    Write,
)
from tests.server.stores import begun, open_store, raw, room

MATCHES = [f"match-{number}" for number in range(4)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


class Seen(NamedTuple):
    """What a starting server reads, and what `export` does."""

    loaded: dict[str, SavedMatch]
    races: dict[str, list[RecordedRace]]
    sessions: list[tuple[bytes, str]]


def fill(path: Path) -> Seen:
    dice = random.Random(1)
    writes: list[Write] = []
    for match in MATCHES:
        keys = (dice.randbytes(32), dice.randbytes(32))
        writes += [*begun(match), SaveClocks(match, dice.randbytes(40)), SaveSessions(match, keys)]
        for first in range(4, 24):
            writes.append(AddEvents(match, 0, first, 1, dice.randbytes(dice.randrange(300))))
        writes.append(SaveSeason(match, dice.randbytes(6_900)))
    writes += [EndRace(MATCHES[0], 0, "finished", "ana won"), BeginRace(MATCHES[0], 1, b"set-up", b"")]
    with open_store(path) as store:
        store.write([*writes, CloseMatch(MATCHES[-1], "faulted", "broken")])
        return see(store)


def see(store: SqliteStore) -> Seen:
    return Seen(
        {title.match: store.load(title.match) for title in store.open_matches()},
        {match: store.races(match) for match in MATCHES},
        store.sessions(),
    )


def test_a_changed_byte_is_refused_or_has_changed_nothing(path: Path, tmp_path: Path) -> None:
    """A token with another byte is one that nobody has; that is all that may differ."""
    whole = fill(path)
    data = path.read_bytes()
    dice = random.Random(2)
    told: list[str] = []
    for number in range(150):
        place = dice.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= 1 << dice.randrange(8)
        copy = tmp_path / f"changed-{number}.db"
        copy.write_bytes(changed)
        try:
            with open_store(copy) as store:
                seen = see(store)
        except (StoreRefused, StoreFailed) as error:
            told.append(str(error))
        else:
            assert seen.loaded == whole.loaded, f"byte {place}"
            assert seen.races == whole.races, f"byte {place}"
            assert len(seen.sessions) == len(whole.sessions), f"byte {place}"
    assert len(told) > 30
    for text in told:
        assert re.match(rf"{re.escape(str(tmp_path))}/changed-\d+\.db: ", text)
        assert text.isprintable()


def test_a_damaged_match_is_told_and_the_others_come_back(path: Path) -> None:
    whole = fill(path)
    with raw(path) as connection:
        connection.execute("UPDATE steps SET events = x'00' WHERE first = 9 AND race = 2")
    with open_store(path) as store:
        with pytest.raises(
            StoreFailed, match=r"store\.db: the store is damaged: event 9 of race 0 of match 'match-1'"
        ):
            store.load("match-1")
        for match in ("match-0", "match-2"):
            assert store.load(match) == whole.loaded[match]
        store.write([CloseMatch("match-1", "faulted", "damaged")])  # and can be put aside
        with pytest.raises(NoSuchMatch):
            store.load("match-1")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM steps WHERE first = 9",
        "DELETE FROM steps WHERE first = 23",
        "UPDATE races SET drivers = x''",
        "UPDATE progress SET last = last - 1",
        "DELETE FROM progress",
        "UPDATE steps SET first = 'x' WHERE first = 9",
        "UPDATE steps SET count = 'x' WHERE first = 9",
        "UPDATE matches SET state = 5",
        "UPDATE matches SET title = CAST(x'ff' AS TEXT)",
        "UPDATE clocks SET clocks = x''",
        "UPDATE seasons SET season = 'text'",
        "UPDATE races SET setup = x''",
    ],
)
def test_rows_that_are_gone_or_of_another_kind_are_damage(statement: str, path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute(statement)
    with open_store(path) as store:
        with pytest.raises(StoreFailed, match=r"the (store|file) is damaged"):
            see(store)


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_in_the_middle_is_refused(part: float, path: Path) -> None:
    fill(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(StoreRefused, match=r"store\.db: the file is damaged; move it away"):
        open_store(path)
    with pytest.raises(StoreRefused, match=r"store\.db: the file is damaged"):
        open_store(path, read_only=True)


def test_a_log_that_is_cut_anywhere_has_whole_batches(path: Path, tmp_path: Path) -> None:
    """As a power cut may leave it."""
    with open_store(path) as store:
        for first in range(1, 16):
            batch: list[Write] = [AddEvents("m1", 0, first, 1, bytes(first)), SaveClocks("m1", bytes(first))]
            store.write(batch if first > 1 else [room("m1"), BeginRace("m1", 0, b"", b""), *batch])
        data, log = path.read_bytes(), path.with_name("store.db-wal").read_bytes()
    dice = random.Random(3)
    found = set()
    for number in range(40):
        copy = tmp_path / f"cut-{number}.db"
        copy.write_bytes(data)
        Path(f"{copy}-wal").write_bytes(log[: dice.randrange(len(log))])
        with open_store(copy) as store:
            for title in store.open_matches():
                kept = store.load(title.match)
                assert kept.race is not None
                last = len(kept.race.steps)
                assert kept.race.steps == [bytes(first) for first in range(1, last + 1)]
                assert kept.clocks == bytes(last)
                found.add(last)
    assert len(found) > 5


@pytest.mark.parametrize("is_there", [True, False])
def test_an_empty_file_beside_a_log_that_is_not_empty_is_no_new_one(is_there: bool, path: Path) -> None:
    log = path.with_name("store.db-wal")
    with open_store(path) as store:
        store.write(begun("m1"))
        log_data = log.read_bytes()
    path.unlink()
    log.write_bytes(log_data)
    if is_there:
        path.touch()
    with pytest.raises(StoreRefused, match=r"the file is empty, but its log store\.db-wal is not"):
        open_store(path)
    assert log.read_bytes() == log_data


@pytest.mark.parametrize("statement", ["DROP TABLE clocks", "DROP INDEX open_matches", "DROP TABLE steps"])
def test_a_file_without_one_of_its_tables_is_damaged(statement: str, path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute(statement)
    for read_only in (False, True):
        with pytest.raises(StoreRefused, match="the file is damaged"):
            open_store(path, read_only=read_only)


def test_statistics_that_somebody_had_sqlite_make_are_no_damage(path: Path) -> None:
    whole = fill(path)
    with raw(path) as connection:
        connection.execute("ANALYZE")
    with open_store(path) as store:
        assert see(store) == whole


def test_a_full_disk_leaves_nothing_of_the_batch_and_all_before_it(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        before = list(store._connection.iterdump())
        with pytest.raises(StoreFailed, match=r"store\.db: the disk is full"):
            store.write([AddEvents("m1", 0, 4, 1, b"four"), *begun("m2"), SaveSeason("m2", bytes(50_000))])
        assert list(store._connection.iterdump()) == before
        store.write([AddEvents("m1", 0, 4, 1, b"four")])
    with open_store(path) as store:
        race = store.load("m1").race
        assert race is not None
        assert race.steps == [b"one two three", b"four"]
        assert [title.match for title in store.open_matches()] == ["m1"]
