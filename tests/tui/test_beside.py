"""The circuit of a list's chosen row: beside the list where there is room, gone where there is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.files import load_track
from heat_tui.flow.puzzles import PuzzleShelf
from heat_tui.screens.track_picture import TrackPicture
from tests.tui.scenes import SCENES
from tests.tui.scenes.scene import Scene, visit
from tests.tui.support_app import LARGE, SMALL, folders_in


def scene(name: str) -> Scene:
    (found,) = [each for each in SCENES if each.name == name]
    return found


def told(pilot: Pilot[None]) -> str:
    """What is said and drawn beside the list; empty where nothing is."""
    picture = pilot.app.screen.query_one(TrackPicture)
    return picture.render().plain if picture.display else ""


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("puzzles", "easy bots missed it."),
        ("replays", "9 rounds"),
        ("join-rooms", "Room KXFRM of Ben: open."),
        ("table-rules", "corner limits 7 3 3 2"),
        ("lobby-rules", "corner limits 7 3 3 2"),
    ],
)
async def test_the_circuit_is_beside_the_list_where_there_is_room(
    tmp_path: Path, name: str, fact: str
) -> None:
    small, large = await visit(scene(name), [SMALL, LARGE], tmp_path, told)
    assert not small
    assert fact in large
    lines = large.splitlines()
    picture = lines[lines.index(next(line for line in lines if fact in line)) + 1 :]
    assert len(picture) > 15, "the map takes what is left"


@pytest.mark.asyncio
async def test_it_follows_the_chosen_row(tmp_path: Path) -> None:
    other = scene("puzzles")

    async def down(pilot: Pilot[None]) -> None:
        await other.act(pilot)
        await pilot.press("down")
        await pilot.pause()

    (seen,) = await visit(other._replace(act=down), [LARGE], tmp_path, told)
    second = PuzzleShelf(folders_in(tmp_path)).puzzles[1]
    assert seen.startswith(load_track(second.track).name)
    assert f"{second.missed} of 200 easy bots" in seen


@pytest.mark.asyncio
async def test_a_record_that_cannot_be_read_has_no_circuit(tmp_path: Path) -> None:
    replays = scene("replays")

    async def down(pilot: Pilot[None]) -> None:
        await replays.act(pilot)
        await pilot.press("down")
        await pilot.pause()

    (seen,) = await visit(replays._replace(act=down), [LARGE], tmp_path, told)
    assert "not JSON" in seen
    assert "spaces" not in seen
