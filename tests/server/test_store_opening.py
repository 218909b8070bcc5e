"""Which files a server takes as its store, why it refuses others, and how old ones come up to date."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heat_core.files import shown_path
from heat_server.default_paths import default_store
from heat_server.store.errors import StoreFailed, StoreRefused
from heat_server.store.sqlite import opening
from heat_server.store.sqlite.schema import (
    APPLICATION,
    MIGRATIONS,
    VERSION,
    Migration,
    bring_up_to_date,
    version_of,
)
from heat_server.store.writes import AddEvents
from tests.server.stores import as_nobody, begun, open_store, raw, room


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


def refusal(path: Path, *, read_only: bool = False) -> str:
    """Try to open a file; give the reason why not, without the path that each sentence begins with."""
    with pytest.raises(StoreRefused) as refused:
        open_store(path, read_only=read_only).close()
    text = str(refused.value)
    assert "\n" not in text
    assert text.startswith(f"{shown_path(path)}: ")
    return text.removeprefix(f"{shown_path(path)}: ")


def test_a_file_that_is_not_there_is_made_for_its_owner_alone(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == dict.fromkeys(["store.db", "store.db-wal", "store.db-shm", "store.db.lock"], 0o600)


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    with open_store(path) as store:
        store.write(begun("m1"))
    with open_store(path) as store:
        assert [title.match for title in store.open_matches()] == ["m1"]


@pytest.mark.parametrize("name", ["a b", "100% ?x=1#y", "ärger-é", "'quoted'", "store.db?mode=memory"])
def test_a_store_may_have_any_name(name: str, tmp_path: Path) -> None:
    with open_store(tmp_path / name) as store:
        store.write(begun("m1"))
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([name, f"{name}.lock"])
    with open_store(tmp_path / name, read_only=True) as store:
        assert len(store.open_matches()) == 1


def test_every_commit_waits_for_the_disk(path: Path) -> None:
    with open_store(path) as store:
        pragmas = {
            name: store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_the_folder_of_the_usual_place_is_made_by_a_server_not_by_a_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_store().is_relative_to(tmp_path)
    assert refusal(default_store(), read_only=True) == f"the folder {default_store().parent} does not exist"
    open_store(default_store()).close()
    open_store(default_store(), read_only=True).close()


# --- two on one file ------------------------------------------------------------------------------------


def test_a_second_server_is_kept_out_until_the_first_has_closed(path: Path) -> None:
    other_name = path.with_name("other-name.db")
    with open_store(path) as store:
        store.write(begun("m1"))
        other_name.symlink_to(path)
        for name in (path, other_name):
            assert refusal(name) == "another server uses this file; choose another with --store"
        store.write([AddEvents("m1", 0, 4, 1, b"four")])  # and is not disturbed
    with open_store(other_name) as store:
        race = store.load("m1").race
        assert race is not None
        assert len(race.steps) == 2


def test_a_server_in_another_process_is_kept_out_too(path: Path) -> None:
    program = """if True:
        import sys
        from pathlib import Path
        from heat_server.store.sqlite.store import SqliteStore
        from heat_server.store.errors import StoreRefused
        try:
            SqliteStore.open(Path(sys.argv[1]), int)
        except StoreRefused as refused:
            print(refused)
    """
    with open_store(path):
        said = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
        )
    assert said.stdout == f"{path}: another server uses this file; choose another with --store\n"


def test_readers_come_in_beside_a_server_see_what_it_commits_and_change_nothing(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        with open_store(path, read_only=True) as reader:
            assert [title.match for title in reader.open_matches()] == ["m1"]
            store.write(begun("m2"))
            assert [title.match for title in reader.open_matches()] == ["m1", "m2"]
            assert reader.load("m2") == store.load("m2")
            with pytest.raises(StoreFailed, match=r"store\.db: the file cannot be written"):
                reader.write(begun("m3"))
            with pytest.raises(StoreFailed):
                reader.prune(9_999)
        store.write(begun("m3"))
        assert len(store.open_matches()) == 3


def test_readers_see_what_a_killed_server_left_in_the_log(path: Path, tmp_path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        left = tmp_path / "left"
        left.mkdir()
        for name in ("store.db", "store.db-wal"):
            (left / name).write_bytes(path.with_name(name).read_bytes())
    with open_store(left / "store.db", read_only=True) as reader:
        assert [title.match for title in reader.open_matches()] == ["m1"]
    with open_store(left / "store.db") as store:
        assert [title.match for title in store.open_matches()] == ["m1"]


@pytest.mark.parametrize(("size", "reason"), [(None, "the file does not exist"), (0, "the file is empty")])
def test_readers_need_a_store_that_is_there(size: int | None, reason: str, path: Path) -> None:
    if size is not None:
        path.touch()
    assert refusal(path, read_only=True) == reason
    assert list(path.parent.iterdir()) == ([] if size is None else [path])


# --- files that are no store ----------------------------------------------------------------------------


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "data",
    [b"no database\n" * 200, b"x", bytes(100), bytes(511), bytes(512), bytes(4096)],
    ids=["text", "one byte", "100", "511", "512", "4096"],
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(
    data: bytes, read_only: bool, path: Path
) -> None:
    path.write_bytes(data)
    assert refusal(path, read_only=read_only) == "the file is not a store, or its first bytes are damaged"
    assert path.read_bytes() == data


@pytest.mark.parametrize("statement", ["CREATE TABLE recipes (name)", "PRAGMA user_version = 3"])
def test_a_database_of_another_program_is_refused_and_left_as_it_is(statement: str, path: Path) -> None:
    with raw(path) as connection:
        connection.execute(statement)
    before = path.read_bytes()
    assert refusal(path) == "the file is another program's database"
    assert refusal(path, read_only=True) == "the file is another program's database"
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_file_is_refused_and_left_as_it_is(read_only: bool, path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
    with raw(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    assert refusal(path, read_only=read_only) == (
        f"a newer heat-server wrote the file (version 99; this one reads up to {VERSION})"
    )
    assert path.read_bytes() == before


def test_an_older_file_is_not_brought_up_to_date_by_readers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(path).close()
    monkeypatch.setattr(opening, "VERSION", VERSION + 1)
    assert refusal(path, read_only=True) == (
        f"an older heat-server wrote the file (version {VERSION}; this one reads {VERSION + 1});"
        " start the server once, it brings the file up to date"
    )


# --- places where no store can be -----------------------------------------------------------------------


def test_a_place_that_cannot_hold_a_store_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    missing = tmp_path / "missing"
    for read_only in (False, True):
        assert refusal(missing / "store.db", read_only=read_only) == f"the folder {missing} does not exist"
        assert refusal(file / "store.db", read_only=read_only) == f"{file} is not a folder"
        assert refusal(tmp_path, read_only=read_only) == "it is a folder, not a file"
        assert refusal(pipe, read_only=read_only) == "it is not a regular file"
        assert refusal(tmp_path / ("x" * 300), read_only=read_only) == "File name too long"
        assert refusal(tmp_path / "nul\0", read_only=read_only) == "a file cannot have that name"
    assert sorted(tmp_path.iterdir()) == [file, pipe]
    assert not tmp_path.with_name(f"{tmp_path.name}.lock").exists()


def test_a_path_with_signs_that_drive_the_terminal_is_told_harmlessly(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match=re.escape(r"\x1b[31m")) as refused:
        open_store(tmp_path / "\x1b[31m" / "store.db")
    assert "\x1b" not in str(refused.value)


def test_a_folder_that_cannot_be_written_is_told_but_can_be_read_from(folder: Path) -> None:
    path = folder / "store.db"
    with as_nobody():
        with open_store(path) as store:
            store.write(begun("m1"))
    (folder / "store.db.lock").unlink()
    os.chmod(folder, 0o555)
    os.chmod(path, 0o644)
    with as_nobody():
        assert refusal(path) == f"you have no permission for the file or its folder {folder}"
        with open_store(path, read_only=True) as reader:
            assert [title.match for title in reader.open_matches()] == ["m1"]
    os.chmod(folder, 0o777)


def test_a_file_that_cannot_be_written_or_read_is_told(folder: Path) -> None:
    path = folder / "store.db"
    with as_nobody():
        open_store(path).close()
        os.chmod(path, 0o444)
        assert refusal(path) == "the file cannot be written"
        open_store(path, read_only=True).close()
        os.chmod(path, 0)
        for read_only in (False, True):
            assert refusal(path, read_only=read_only) == (
                "the file cannot be opened, or its folder cannot be written"
            )


def test_a_folder_that_cannot_be_entered_is_told(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir(mode=0o700)
    with as_nobody():
        if os.geteuid() == inner.stat().st_uid:
            inner.chmod(0)
        for read_only in (False, True):
            assert refusal(inner / "store.db", read_only=read_only) == (
                f"you have no permission for the file or its folder {inner}"
            )
        if os.geteuid() == inner.stat().st_uid:
            inner.chmod(0o700)


# --- versions -------------------------------------------------------------------------------------------

LATER: tuple[Migration, ...] = (
    *MIGRATIONS,
    ("ALTER TABLE matches ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",),
    ("CREATE TABLE laurels (car INTEGER)", "INSERT INTO laurels VALUES (3)"),
)


@pytest.mark.parametrize("earlier", range(1, len(MIGRATIONS) + 1))
def test_a_file_of_each_version_comes_up_to_date_and_keeps_what_it_has(earlier: int, path: Path) -> None:
    with raw(path) as connection:
        bring_up_to_date(connection, MIGRATIONS[:earlier])
        assert version_of(connection) == earlier
    with open_store(path) as store:
        store.write([room("m1")])
        assert version_of(store._connection) == VERSION


def test_migrations_run_in_their_order_from_where_the_file_is(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
    with raw(path) as connection:
        bring_up_to_date(connection, LATER[: VERSION + 1])
        assert version_of(connection) == VERSION + 1
        bring_up_to_date(connection, LATER)
        bring_up_to_date(connection, LATER)  # nothing is left to do
        assert version_of(connection) == VERSION + 2
        assert connection.execute("SELECT match, colour FROM matches").fetchall() == [("m1", "red")]
        assert connection.execute("SELECT car FROM laurels").fetchall() == [(3,)]
    assert refusal(path).startswith("a newer heat-server")


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
    with raw(path) as connection:
        before = list(connection.iterdump())
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            bring_up_to_date(connection, (*LATER, ("DROP TABLE nowhere",)))
        assert list(connection.iterdump()) == before
        assert version_of(connection) == VERSION
    open_store(path).close()


def test_a_newer_file_is_not_migrated() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    bring_up_to_date(connection, LATER)
    with pytest.raises(StoreRefused, match=f"version {len(LATER)}; this one reads up to {VERSION}"):
        bring_up_to_date(connection)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    connection.close()
