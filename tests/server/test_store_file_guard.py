"""Files of a store that are removed, replaced or linked while a server has them open."""

from __future__ import annotations

import os
import shutil
import stat
import time
from pathlib import Path

import pytest
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act
from heat_server.config import ServerConfig
from heat_server.log import open_log
from heat_server.store.errors import StoreMoved, StoreRefused
from heat_server.store.sqlite import file_guard
from tests.server.restarts import stored_log
from tests.server.stores import begun, open_store, raw, room
from tests.server.support import server_on

SUFFIXES = ["", "-wal", "-shm", ".lock"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def named(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


@pytest.mark.parametrize("how", ["removed", "replaced", "moved with its folder"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_written_to_a_file_that_its_name_has_lost(path: Path, suffix: str, how: str) -> None:
    folder = path.parent / "folder"
    folder.mkdir()
    path = folder / "store.db"
    with open_store(path) as store:
        store.write(begun("m1"))
        if how == "moved with its folder":
            shutil.move(folder, folder.with_name("elsewhere"))
        else:
            named(path, suffix).unlink()
        if how == "replaced":
            named(path, suffix).touch()
        for _ in range(2):
            with pytest.raises(StoreMoved) as refused:
                store.write(begun("m2"))
        if how == "moved with its folder":
            text = str(refused.value)
            assert "could not be copied (No such file or directory)" in text
            assert f"Do not stop the server yet: make sure that files can be written in {folder}" in text
            folder.mkdir()
            with pytest.raises(StoreMoved) as refused:
                store.write(begun("m2"))
        assert [match.match for match in store.list_matches(10)] == ["m1"]
        text = str(refused.value)
    assert text.startswith(f"{path}: store.db")
    if how != "moved with its folder":
        verb = "was removed" if how == "removed" else "was replaced by another file"
        assert f"store.db{suffix} {verb} while the server ran" in text
    copy = named(path, ".rescued")
    assert f"All that was saved is in {copy}: stop the server, move that file to store.db" in text
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not list(folder.glob("*.rescued-*")), "one copy, however often it is asked for"
    with open_store(copy) as rescued:
        assert len(rescued.races("m1")) == 1
        assert [match.match for match in rescued.list_matches(10)] == ["m1"]


def test_a_file_that_is_brought_back_is_good_again(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        for number in range(2):
            aside = path.rename(named(path, ".aside"))
            with pytest.raises(StoreMoved):
                store.write([room("m2")])
            aside.rename(path)
            store.write([room(f"m{number + 3}")])
        assert len(store.list_matches(10)) == 3
    assert {file.name for file in path.parent.glob("*.rescued*")} == {
        "store.db.rescued",
        "store.db.rescued-2",
    }


def test_a_link_that_is_turned_to_another_file_is_found(path: Path) -> None:
    link = named(path, ".link")
    path.touch()
    link.symlink_to(path)
    with open_store(link) as store:
        store.write(begun("m1"))
        link.unlink()
        other = named(path, ".other")
        other.touch()
        link.symlink_to(other)
        with pytest.raises(StoreMoved, match=r"store\.db\.link was replaced"):
            store.write(begun("m2"))


@pytest.mark.parametrize("what", ["store", "link", "link to the link"])
def test_a_look_at_the_folders_alone_finds_a_file_that_is_replaced(
    path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_guard, "LOOK_SECONDS", 3600.0)
    monkeypatch.setattr(file_guard, "_SETTLED_NANOSECONDS", 0)
    target, first, second = (path.parent / folder / "store.db" for folder in ("a", "b", "c"))
    for one in (target, first, second):
        one.parent.mkdir()
    first.symlink_to(Path("..", "a", "store.db"))
    second.symlink_to(first)
    changed = {"store": target, "link": first, "link to the link": second}[what]
    with open_store(second) as store:
        store.write(begun("m1"))
        other = shutil.copy(target, path)
        time.sleep(0.05)  # longer than a tick of the folders' clock
        store.write(begun("m2"))
        before = changed.parent.stat()
        changed.unlink()
        changed.symlink_to(other)
        os.utime(changed.parent, ns=(before.st_atime_ns, before.st_mtime_ns))  # as a restored copy has it
        with pytest.raises(StoreMoved, match=r"store\.db was replaced by another file"):
            store.write(begun("m3"))


def test_what_was_saved_just_before_the_end_is_copied_at_the_end(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        path.unlink()
    with open_store(named(path, ".rescued")) as rescued:
        assert [match.match for match in rescued.list_matches(10)] == ["m1"]


def test_a_log_that_was_removed_loses_nothing_of_what_an_orderly_end_puts_in_the_file(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        named(path, "-wal").unlink()
        with pytest.raises(StoreMoved):
            store.write(begun("m2"))
    with open_store(path) as store:
        assert [match.match for match in store.list_matches(10)] == ["m1"]


def test_a_hard_link_is_the_same_store(path: Path) -> None:
    link = named(path, ".link")
    with open_store(path) as store:
        store.write(begun("m1"))
        os.link(path, link)
        with pytest.raises(StoreRefused, match=r"the file has 2 names \(hard links\)"):
            open_store(link)
        store.write(begun("m2"))
    for name in (path, link):
        with pytest.raises(StoreRefused, match="remove the others, or copy the file"):
            open_store(name)
        with open_store(name, read_only=True) as store:
            assert len(store.list_matches(10)) == 2
    path.unlink()
    with open_store(link) as store:
        assert len(store.list_matches(10)) == 2


@pytest.mark.parametrize("part", [0.0, 0.5, 0.9])
def test_a_log_that_is_cut_in_place_is_noticed_and_all_is_copied(part: float, path: Path) -> None:
    with open_store(path) as store:
        for number in range(20):
            store.write(begun(f"m{number}"))
        os.truncate(named(path, "-wal"), int(named(path, "-wal").stat().st_size * part))
        for _ in range(2):
            with pytest.raises(StoreMoved, match=r"store\.db-wal was cut while the server ran; nothing"):
                store.write(begun("late"))
        assert len(store.list_matches(100)) == 20
    with open_store(named(path, ".rescued")) as rescued:
        assert len(rescued.list_matches(100)) == 20
        assert len(rescued.races("m0")) == 1


def test_a_log_that_is_emptied_and_written_on_before_the_next_look_is_noticed_then(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_guard, "LOOK_SECONDS", 3600.0)
    monkeypatch.setattr(file_guard, "_SETTLED_NANOSECONDS", 0)
    with open_store(path) as store:
        store.write(begun("m1"))
        time.sleep(0.05)  # longer than a tick of the folder's clock
        store.write(begun("m2"))
        os.truncate(named(path, "-wal"), 0)
        store.write(begun("m3"))
        named(path, ".other").touch()  # the folder changed: all is looked at
        with pytest.raises(StoreMoved, match=r"store\.db-wal was cut while the server ran"):
            store.write(begun("m4"))


def test_a_log_whose_pages_were_moved_to_the_file_may_be_emptied(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
        with raw(path) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert named(path, "-wal").stat().st_size == 0
        store.write(begun("m2"))
        assert len(store.list_matches(10)) == 2
    with open_store(path) as store:
        assert len(store.list_matches(10)) == 2


@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_a_hard_link_that_is_made_meanwhile_is_told_once_in_the_log(
    folder: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_guard, "LOOK_SECONDS", 0.0)
    (tmp_path / "elsewhere").mkdir()
    log = tmp_path / "log"
    with open_log(ServerConfig(log_file=log)), open_store(path) as store:
        store.write(begun("m1"))
        link = tmp_path / folder / "link"
        for number in range(2):
            os.link(path, link)
            store.write(begun(f"m{number}, linked"))
            store.write(begun(f"m{number}, still linked"))
            link.unlink()
            store.write(begun(f"m{number}, alone"))
        assert len(store.list_matches(10)) == 7, "nothing is lost by it"
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if "store has a second name" in line and str(path) in line]) == 2


@pytest.mark.trio
@pytest.mark.parametrize("suffix", SUFFIXES)
async def test_a_room_whose_store_is_gone_saves_nothing_and_loses_nothing(
    suffix: str, path: Path, tmp_path: Path, autojump_clock: MockClock
) -> None:
    log = tmp_path / "log"
    with open_log(ServerConfig(log_file=log)), open_store(path) as store:
        async with server_on(store) as house:
            ana, ben = await house.racing()
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
            ((match, acknowledged),) = [
                (room.match, stored_log(store, room.match)) for room in house.server.rooms.values()
            ]
            named(path, suffix).unlink()
            assert await ben.refused(Act(ben.id(), 2, c.ShiftGear(2))) == "server/not_saved"
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if "event='store lost its files'" in line]) == 1
    assert any("event='not saved'" in line and "stop the server, move that file to" in line for line in lines)
    with open_store(named(path, ".rescued")) as rescued:
        assert stored_log(rescued, match) == acknowledged
