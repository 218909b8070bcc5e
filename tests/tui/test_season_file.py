"""Championships on disk: written whole, held by one window, absent where they cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from heat_tui.championship import Championship, newest_championship, saved_championships
from heat_tui.season_file import free_season_files, new_season_file
from tests.tui.support_app import folders_in
from tests.tui.support_season import begun, race_once, season


def saved_paths(path: Path) -> list[Path]:
    return sorted((path / "state" / "championships").glob("*.season"))


@pytest.mark.parametrize("races", [0, 1, 3])
def test_a_championship_comes_back_as_it_was_left_between_races(tmp_path: Path, races: int) -> None:
    championship = begun(tmp_path, races=races)
    championship.close()
    found = newest_championship(folders_in(tmp_path))
    assert found is not None
    assert (found.season.log, found.season.setup) == (championship.season.log, championship.season.setup)
    assert found.table is None


def test_it_comes_back_within_a_race_and_ends_as_it_would_have_ended(tmp_path: Path) -> None:
    championship = begun(tmp_path, races=1)
    table = championship.race()
    table.set_driver(0, "steady")
    for _ in range(20):
        table.step_bot()
    championship.save()
    championship.close()
    found = newest_championship(folders_in(tmp_path))
    assert found is not None
    assert found.table is not None
    assert found.table.log == table.log
    race_once(championship)
    race_once(found)
    assert found.season.log == championship.season.log


def test_the_newest_comes_first_and_one_that_is_held_not_at_all(tmp_path: Path) -> None:
    first, second = begun(tmp_path), begun(tmp_path, begins=season("Ben"))
    assert newest_championship(folders_in(tmp_path)) is None
    first.close()
    os.utime(saved_paths(tmp_path)[0], ns=(1, 1))
    os.utime(saved_paths(tmp_path)[1], ns=(2, 2))
    second.close()
    second.save()
    second.close()
    found = list(saved_championships(folders_in(tmp_path)))
    assert [championship.people() for championship in found] == [["Ben"], ["Ana"]]
    for championship in found:
        championship.close()


def test_a_held_one_stays_held_when_it_is_written_anew(tmp_path: Path) -> None:
    championship = begun(tmp_path)
    championship.save()
    assert list(free_season_files(folders_in(tmp_path))) == []
    championship.delete()
    assert saved_paths(tmp_path) == []


@pytest.mark.parametrize("broken", [b"", b"no season", msgspec.msgpack.encode({"format": 2}), b"\x81" * 3000])
def test_what_cannot_be_read_counts_as_absent_and_stays(tmp_path: Path, broken: bytes) -> None:
    begun(tmp_path).close()
    path = saved_paths(tmp_path)[0]
    path.write_bytes(broken)
    assert newest_championship(folders_in(tmp_path)) is None
    assert path.read_bytes() == broken


def test_half_of_a_file_counts_as_absent(tmp_path: Path) -> None:
    begun(tmp_path, races=1).close()
    path = saved_paths(tmp_path)[0]
    data = path.read_bytes()
    for end in range(0, len(data), max(1, len(data) // 50)):
        path.write_bytes(data[:end])
        assert newest_championship(folders_in(tmp_path)) is None


def test_nothing_that_is_no_file_stands_in_the_way(tmp_path: Path) -> None:
    begun(tmp_path).close()
    folder = tmp_path / "state" / "championships"
    os.mkfifo(folder / "pipe.season")
    (folder / "folder.season").mkdir()
    found = newest_championship(folders_in(tmp_path))
    assert found is not None
    found.close()


def test_where_nothing_can_be_written_it_is_told_and_no_file_is_left(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    championship = Championship.begin(folders_in(tmp_path), season())
    assert not championship.is_saved
    race_once(championship)
    assert championship.season.state.standings()
    championship.close()
    championship.delete()


def test_a_failed_writing_leaves_the_old_file(tmp_path: Path) -> None:
    file = new_season_file(folders_in(tmp_path))
    assert file.write(b"old")
    file.close()
    path = saved_paths(tmp_path)[0]
    path.unlink()
    path.mkdir()
    (path / "in the way").touch()
    assert not file.write(b"new")
    assert os.listdir(path.parent) == [path.name]
    assert file.read() == b""
