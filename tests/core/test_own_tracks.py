"""Tracks that players add by dropping a file in a folder."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.files import (
    MOST_OWN_TRACKS,
    TRACKS_VARIABLE,
    load_track,
    own_track_folder,
    own_tracks,
    read_track_file,
    track_names,
)
from heat_core.track_files.file import BadTrack

EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of the player's own tracks, there and empty."""
    place = tmp_path / "tracks"
    place.mkdir()
    monkeypatch.setenv(TRACKS_VARIABLE, str(place))
    return place


def oval(**changes: Any) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(EXAMPLE.read_bytes()) | changes)


def corners(**changes: Any) -> list[dict[str, Any]]:
    first, second = msgspec.json.decode(EXAMPLE.read_bytes())["corners"]
    return [first | changes, second]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a corner off the track": (
        {"corners": corners(after_space=40)},
        "corner 1: after_space 40 is past space 32",
    ),
    "a limit out of range": (
        {"corners": corners(limit=21)},
        "corner 1: limit must be a whole number from 2 to 20",
    ),
    "unordered corners": (
        {"corners": corners(after_space=30)},
        "corners: their lines must be in driving order",
    ),
    "ranges that overlap": (
        {"narrow": [[5, 9], [8, 12]]},
        "narrow: [8, 12] must be in order within 1 to 32",
    ),
    "a grid larger than its spaces": (
        {"grid": [[32, "left"], [32, "right"], [32, "left"]]},
        "grid place 3: its spot in space 32 is taken already",
    ),
    "an outline out of order": (
        {"outline": [[1, 0, 0], [5, 10, 0], [3, 10, 10], [9, 0, 10]]},
        "outline: points must be in the order of their spaces",
    ),
    "an outline with a gap": (
        {"outline": [[1, 0, 0], [5, 10, 0], [9, 20, 0], [13, 30, 0], [17, 140, 90]]},
        "outline: there is a gap between the last point and the first",
    ),
}


@pytest.mark.spec("TRACK-11")
def test_a_dropped_file_is_a_track_and_a_wrong_one_is_refused_with_file_place_and_reason(
    folder: Path,
) -> None:
    assert run("tracks").stdout.endswith(f"Of your own, in {folder}: none\n")
    (folder / "mine.json").write_bytes(oval(id="mine", name="My Oval"))
    assert f"Of your own, in {folder}:\nmine         My Oval" in run("tracks").stdout
    assert "can be raced on" in run("check-track", str(folder / "mine.json")).stdout
    assert "1 race on mine" in run("simulate", "--track", "mine", "--races", "1").stdout
    for what, (changes, fault) in WRONG.items():
        file = folder / f"{what.replace(' ', '-')}.json"
        file.write_bytes(oval(**changes))
        checked = run("check-track", str(file))
        assert checked.exit_code == 1
        assert f"{file}: {fault}" in checked.stderr
        with pytest.raises(BadTrack) as refused:
            load_track(str(file))
        assert f"{file}: {fault}" in str(refused.value)
        listed = run("tracks")
        assert listed.exit_code == 0
        assert f"{file.name}: {fault}" in listed.stdout
        assert f"all faults: python -m heat_core check-track {file}\n" in listed.stdout
    assert [track.name for track in own_tracks(folder) if track.facts] == ["mine"]


def test_a_file_does_not_shadow_a_track_of_the_box(folder: Path) -> None:
    file = folder / "usa.json"
    file.write_bytes(oval(id="usa"))
    assert load_track("usa").spaces == 69
    reason = "id: 'usa' is a board of the game; give this track another id"
    assert [(track.name, track.faults) for track in own_tracks(folder)] == [("usa.json", (reason,))]
    assert run("check-track", str(file)).stderr == f"{file}: {reason}\n"
    with pytest.raises(BadTrack, match="a board of the game"):
        load_track(str(file))
    for name in track_names():
        data = (Path(__file__).parents[2] / "tracks" / f"{name}.json").read_bytes()
        copy = folder.parent / f"{name}.json"
        copy.write_bytes(data)
        assert read_track_file(copy).id == name
    file.write_bytes(data.replace(b'"netherlands"', b'"usa"'))
    assert [track.faults for track in own_tracks(folder)] == [(reason,)]
    file.write_bytes(data)
    assert [track.faults for track in own_tracks(folder)] == [(reason.replace("usa", "netherlands"),)]


def test_two_files_of_one_identifier_are_told_apart_by_a_fault(folder: Path) -> None:
    for name in ("b.json", "a.json"):
        (folder / name).write_bytes(oval())
    first, second = own_tracks(folder)
    assert (first.name, first.path.name, second.name) == ("oval", "a.json", "b.json")
    assert second.faults == ("id: 'oval' is already the id of a.json",)
    assert run("check-track", str(folder / "a.json")).exit_code == 0
    assert run("check-track", str(folder / "b.json")).stderr == f"{second.path}: {second.faults[0]}\n"


@pytest.mark.timeout(60)
def test_what_is_no_ordinary_file_is_named_and_keeps_nobody_waiting(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    (folder / "nowhere.json").symlink_to(folder / "none")
    (folder / "huge.json").touch()
    os.truncate(folder / "huge.json", 200_000_000)
    (folder / "\x1b[2J.json").write_bytes(b"{}")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.json")).write_bytes(b"[]")
    (folder / "empty.json").touch()
    (folder / ".hidden.json").touch()
    (folder / "notes.txt").touch()
    found = own_tracks(folder)
    assert not any(track.facts for track in found)
    assert {track.name: track.faults[0].partition(":")[0] for track in found} == {
        "pipe.json": "Not a regular file",
        "folder.json": "Is a directory",
        "zero.json": "Not a regular file",
        "loop.json": "Too many levels of symbolic links",
        "nowhere.json": "No such file or directory",
        "huge.json": "a track file has at most 262144 bytes (256 KiB)",
        "\\x1b[2J.json": "format is missing (it must be 1)",
        "\\udcff.json": "the file must hold one JSON object",
        "empty.json": "not JSON",
    }
    listed = run("tracks")
    assert (listed.exit_code, listed.stdout.count("all faults")) == (0, len(found))
    assert "\x1b" not in listed.stdout
    for track in found:
        checked = run("check-track", str(track.path))
        assert (checked.exit_code in (1, 2), "Traceback" in checked.output) == (True, False)
    (folder / "good.json").write_bytes(oval())
    assert load_track("oval").name == "The Oval"
    with pytest.raises(BadTrack, match="netherlands, oval, or a file's path"):
        load_track("atlantis")


def test_a_folder_that_cannot_be_listed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.rmdir()
    assert own_tracks(folder) == []
    folder.write_text("no folder")
    (fault,) = own_tracks(folder)
    assert (fault.name, fault.faults) == (str(folder), ("Not a directory",))
    assert "Not a directory" in run("tracks").stdout
    monkeypatch.setenv(TRACKS_VARIABLE, "")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder.parent))
    assert own_track_folder().parts[-2:] == ("heat-tui", "tracks")


def test_no_more_files_of_a_folder_are_read_than_allowed(folder: Path) -> None:
    for number in range(MOST_OWN_TRACKS + 10):
        (folder / f"{number:04}.json").write_bytes(oval(id=f"oval-{number}"))
    found = own_tracks(folder)
    assert [track.name for track in found if track.facts is None] == [f"{MOST_OWN_TRACKS:04}.json"]
    assert found[-1].faults == (
        "only the first 200 files of the folder are read; this one is not, nor are 9 more",
    )


def test_a_folder_of_bad_files_is_read_in_a_moment(folder: Path) -> None:
    """As many files as are read, each full of faults: it took 18 seconds once."""
    data = oval(narrow=["x"] * 60_000)
    for number in range(MOST_OWN_TRACKS):
        (folder / f"{number:04}.json").write_bytes(data)
    began = time.process_time()
    found = own_tracks(folder)
    assert time.process_time() - began < 4.0
    assert {len(track.faults) for track in found} == {61}


def test_a_file_with_large_letters_in_its_ending_is_not_passed_over(folder: Path) -> None:
    (folder / "b.JSON").write_bytes(oval())
    (fault,) = own_tracks(folder)
    assert (fault.name, fault.faults) == ("b.JSON", ("its name must end in .json, in lower case",))
