"""The screens as pictures; `pytest tests/tui/test_pictures.py --snapshot-update` takes them anew.

Each scene is taken in three sizes, and in the smallest once without colour and once in plain ASCII.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]  # it has no types
from syrupy.assertion import SnapshotAssertion

from heat_tui import nearby
from heat_tui.nearby import NearbyServer
from heat_tui.screens import replays
from tests.pictures import FOLDER, PICTURES, Picture, draw
from tests.svg import shown_signs
from tests.tui.doors import DOORS
from tests.tui.scenes import SCENES, Scene
from tests.tui.scenes.around import NEARBY
from tests.tui.scenes.scene import take
from tests.tui.support_app import LARGE, SMALL

HUGE: Final = (200, 60)


class Look(NamedTuple):
    """A terminal that is pictured.

    Attributes:
        sizes: Columns and lines; the client stays open while the terminal is made larger.
    """

    sizes: tuple[tuple[int, int], ...]
    has_colour: bool = True
    is_ascii: bool = False

    def name(self, size: tuple[int, int]) -> str:
        """Name a picture."""
        return f"{size[0]}x{size[1]}" + "-ascii" * self.is_ascii + "-no-colour" * (not self.has_colour)


LOOKS: Final = (Look((SMALL, LARGE, HUGE)), Look((SMALL,), has_colour=False), Look((SMALL,), is_ascii=True))
NAMES: Final = tuple(look.name(size) for look in LOOKS for size in look.sizes)


async def _find_neighbours(
    on_change: Callable[[Sequence[NearbyServer]], None], interfaces: Sequence[str]
) -> None:
    on_change(NEARBY)


@pytest.fixture(autouse=True)
def _the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(nearby, "watch_nearby", _find_neighbours)
    # The folder's own name is another one in each run.
    monkeypatch.setattr(replays, "record_folder", lambda folders: Path("records"))
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(SVGImageExtension)


@pytest.mark.spec("APP-8")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_picture(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: Scene
) -> None:
    other = []
    for number, look in enumerate(LOOKS):
        with monkeypatch.context() as environment:
            if not look.has_colour:
                environment.setenv("NO_COLOR", "1")
            taken = asyncio.run(take(scene, look.sizes, tmp_path / str(number), is_ascii=look.is_ascii))
        if look.is_ascii:
            assert "".join(map(shown_signs, taken)).isascii()
        names = map(look.name, look.sizes)
        other += [name for name, svg in zip(names, taken, strict=True) if svg != snapshot(name=name)]
    assert other == [], "the pictures in these looks are others now"


@pytest.mark.spec("APP-8")
def test_every_screen_is_pictured_in_every_look_and_nothing_else_is() -> None:
    assert {scene.screen for scene in SCENES} == set(DOORS)
    wanted = {f"test_picture[{scene.name}][{name}].svg" for scene in SCENES for name in NAMES}
    kept = {path.name for path in (Path(__file__).parent / "__snapshots__" / "test_pictures").iterdir()}
    assert kept - wanted == {"test_too_small.svg"}
    assert wanted - kept == set()


def test_too_small(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    (cards,) = [scene for scene in SCENES if scene.name == "cards"]
    assert asyncio.run(take(cards, [(60, 10)], tmp_path)) == [snapshot]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_pictures_of_the_documentation_show_the_screens_as_they_are(
    tmp_path: Path, picture: Picture
) -> None:
    drawn = asyncio.run(draw(picture, tmp_path))
    assert (FOLDER / f"{picture.name}.svg").read_text() == drawn, "`make pictures` draws them anew"
