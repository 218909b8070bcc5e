"""Races and championships on disk: written whole, held by one window, set aside where they cannot be used."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from heat_core.options.table_options import LocalOptions
from heat_core.race.rules_version import RULES_VERSION
from heat_tui.flow.table_factory import make_table
from heat_tui.saved import file as save_file
from heat_tui.saved.championship import Championship
from heat_tui.saved.continuing import saved_games
from heat_tui.saved.file import free_save_files, new_save_file
from heat_tui.saved.game import SavedGame
from heat_tui.saved.own_race import OwnRace
from tests.tui.support_app import folders_in
from tests.tui.support_season import begun, newest, race_once, season


def begun_race(path: Path) -> OwnRace:
    return OwnRace.begin(folders_in(path), make_table(LocalOptions(names=("Ana",), laps=1, seed="5")))


BOTH = pytest.mark.parametrize("begin", [begun, begun_race])


def saved_paths(path: Path) -> list[Path]:
    return sorted([*(path / "state").glob("*/*.season"), *(path / "state").glob("*/*.race")])


def found_in(path: Path) -> tuple[Sequence[SavedGame], list[str]]:
    """What can be continued, closed again, and what is told of the rest."""
    told: list[str] = []
    found = list(saved_games(folders_in(path), told.append))
    for game in found:
        game.close()
    return found, told


@pytest.mark.parametrize("races", [0, 1, 3])
def test_a_championship_comes_back_as_it_was_left_between_races(tmp_path: Path, races: int) -> None:
    championship = begun(tmp_path, races=races)
    championship.close()
    found = newest(tmp_path)
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
    found = newest(tmp_path)
    assert found is not None
    assert found.table is not None
    assert found.table.log == table.log
    race_once(championship)
    race_once(found)
    assert found.season.log == championship.season.log


def test_the_newest_comes_first_and_one_that_is_held_not_at_all(tmp_path: Path) -> None:
    games = [begun(tmp_path), begun(tmp_path, begins=season("Ben")), begun_race(tmp_path)]
    assert found_in(tmp_path) == ([], [])
    for age, game in enumerate(games):
        game.close()
        os.utime(game.path, ns=(9 - age, 9 - age))
    assert [game.path for game in found_in(tmp_path)[0]] == [game.path for game in games]
    os.utime(games[2].path, ns=(99, 99))
    assert found_in(tmp_path)[0][0].text == "race on USA, lap 1 of 1, round 1"


@BOTH
def test_a_held_one_stays_held_when_it_is_written_anew(
    tmp_path: Path, begin: Callable[[Path], SavedGame]
) -> None:
    game = begin(tmp_path)
    game.save()
    assert list(free_save_files(folders_in(tmp_path), "season", "race")) == []
    game.delete()
    assert saved_paths(tmp_path) == []


@BOTH
def test_nobody_else_may_read_what_is_saved_for_the_seed_is_in_it(
    tmp_path: Path, begin: Callable[[Path], SavedGame]
) -> None:
    usual = os.umask(0)
    try:
        game = begin(tmp_path)
        game.save()
    finally:
        os.umask(usual)
    assert stat.S_IMODE(game.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(game.path.parent.stat().st_mode) == 0o700
    game.close()


@BOTH
@pytest.mark.parametrize(
    "broken", [b"", b"no season", b"\x81" * 3000, b"\xdd\xff\xff\xff\xff", b"\x91" * 99_999]
)
def test_what_is_damaged_is_told_once_and_stays_under_another_name(
    tmp_path: Path, begin: Callable[[Path], SavedGame], broken: bytes
) -> None:
    begin(tmp_path).close()
    path = saved_paths(tmp_path)[0]
    path.write_bytes(broken)
    aside = Path(f"{path}.unreadable")
    what = "race" if path.suffix == ".race" else "championship"
    assert found_in(tmp_path) == (
        [],
        [f"A saved {what} cannot be continued: its file is damaged. Its file was renamed to {aside}."],
    )
    assert aside.read_bytes() == broken
    assert found_in(tmp_path) == ([], []), "one sentence, not one each time that home is shown"


@BOTH
def test_every_byte_counts_and_half_a_file_is_none(
    tmp_path: Path, begin: Callable[[Path], SavedGame]
) -> None:
    begin(tmp_path).close()
    path = saved_paths(tmp_path)[0]
    data = path.read_bytes()
    for place in range(0, len(data), max(1, len(data) // 50)):
        for damaged in (data[:place], data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :]):
            path.write_bytes(damaged)
            found, told = found_in(tmp_path)
            assert (len(found), len(told)) == (0, 1), place


@BOTH
def test_other_versions_are_told_by_their_numbers(tmp_path: Path, begin: Callable[[Path], SavedGame]) -> None:
    game = begin(tmp_path)
    game.close()
    game.path.write_bytes(msgspec.msgpack.encode({"format": 99}))
    assert "cannot be continued: saved in format 99; this version reads format " in found_in(tmp_path)[1][0]


def test_a_race_of_other_rules_is_told_by_both_versions(tmp_path: Path) -> None:
    race = begun_race(tmp_path)
    race.table.setup = msgspec.structs.replace(race.table.setup, rules_version=RULES_VERSION + 1)
    race.save()
    race.close()
    told = found_in(tmp_path)[1]
    reason = f"begun by version {RULES_VERSION + 1} of the rules; this program plays version {RULES_VERSION}."
    assert reason in told[0]


def test_nothing_that_is_no_file_stands_in_the_way(tmp_path: Path) -> None:
    begun(tmp_path).close()
    folder = tmp_path / "state" / "championships"
    os.mkfifo(folder / "pipe.season")
    (folder / "folder.season").mkdir()
    found, told = found_in(tmp_path)
    assert len(found) == 1
    assert len(told) == 2


def test_where_nothing_can_be_written_it_is_told_and_no_file_is_left(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    championship = Championship.begin(folders_in(tmp_path), season())
    assert championship.trouble == "It cannot be saved (Not a directory), so it ends with this program."
    race_once(championship)
    assert championship.season.state.standings()
    championship.close()
    championship.delete()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = new_save_file(folders_in(tmp_path), "race")
    assert file.write(b"old").result() == ""
    (path,) = saved_paths(tmp_path)
    path.unlink()
    path.mkdir()
    (path / "in the way").touch()
    assert file.write(b"new").result() == "Is a directory"
    assert os.listdir(path.parent) == [path.name]
    assert file.read() == b"old"
    file.close()


def test_what_a_program_left_that_was_killed_while_it_wrote_is_written_over(tmp_path: Path) -> None:
    race = begun_race(tmp_path)
    Path(f"{race.path}.new").write_bytes(b"half of it" * 99_999)
    race.save()
    race.close()
    assert os.listdir(race.path.parent) == [race.path.name]
    assert [game.dump() for game in found_in(tmp_path)[0]] == [race.dump()]


def test_what_is_closed_or_removed_is_not_written_again(tmp_path: Path) -> None:
    file = new_save_file(folders_in(tmp_path), "race")
    first, second = file.write(b"first"), file.write(b"second")
    file.close()
    assert (first.result(), second.result()) == ("", "")
    (path,) = saved_paths(tmp_path)
    assert path.read_bytes() == b"second", "what was asked for before is written"
    assert file.write(b"late").result() == "the file is closed"
    assert path.read_bytes() == b"second"


@pytest.mark.asyncio
async def test_a_slow_disk_holds_up_no_screen_and_nobody_who_stops_waiting_stops_the_write(
    tmp_path: Path,
) -> None:
    race = begun_race(tmp_path)
    disk = threading.Event()
    save_file._WRITER.submit(disk.wait)
    race.table.play_default(0)
    saving = asyncio.create_task(race.save_choice())
    for _ in range(100):
        await asyncio.sleep(0)
    assert not saving.done()
    saving.cancel()
    await asyncio.gather(saving, return_exceptions=True)
    disk.set()
    race.close()
    (found,) = found_in(tmp_path)[0]
    assert found.dump() == race.dump()
