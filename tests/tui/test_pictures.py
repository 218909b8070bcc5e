"""The screens as pictures; `make pictures` draws anew those that are kept.

Every screen is drawn in three sizes, every scene in the smallest, there without colour in plain ASCII too;
the soak draws every scene in all sizes. Kept and compared are one scene of each screen at 80x24 and a few
scenes in the other looks: enough to see that a screen has changed, few enough to look at every one of them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]  # it has no types
from rich.color import Color
from syrupy.assertion import SnapshotAssertion
from textual.dom import DOMNode
from textual.pilot import Pilot

import heat_tui.daily
from heat_tui import nearby
from heat_tui.nearby import NearbyServer
from heat_tui.screens import daily, home, replays
from heat_tui.state import Settings
from tests.pictures import FOLDER, PICTURES, Picture, draw
from tests.svg import changed_rows
from tests.tui.doors import DOORS
from tests.tui.scenes import SCENES, Scene
from tests.tui.scenes.around import NEARBY
from tests.tui.scenes.scene import picture, take, visit
from tests.tui.support_app import LARGE, SMALL, shown

HUGE: Final = (200, 60)
SIZES: Final = {"80x24": SMALL, "120x40": LARGE, "200x60": HUGE}

KEPT_LARGER: Final = {
    "home": ("120x40",),
    "new-championship": ("120x40",),
    "replay": ("120x40",),
    "cards": ("120x40", "200x60"),
    "garage": ("120x40",),
    "results": ("120x40",),
    "lobby-host": ("120x40",),
    "season-after-2": ("80x24",),
    "cards-explained": ("80x24",),
}
"""Pictures kept besides that of each screen's first scene at 80x24: name of a scene -> sizes."""

KEPT_PLAIN: Final = ("cards", "lobby-host", "replay-plot")
"""Scenes of which the pictures without colour and in plain ASCII are kept too."""


async def _find_neighbours(
    on_change: Callable[[Sequence[NearbyServer]], None], interfaces: Sequence[str]
) -> None:
    on_change(NEARBY)


@pytest.fixture(autouse=True)
def _the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (daily, heat_tui.daily):
        monkeypatch.setattr(module, "today", lambda: date(2026, 5, 2))
    monkeypatch.setattr(home, "program_version", lambda: "1.0.0")
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


def kept_sizes(scene: Scene) -> tuple[str, ...]:
    """Name the sizes in which the picture of a scene is kept."""
    return ("80x24",) * is_first(scene) + KEPT_LARGER.get(scene.name, ())


def is_first(scene: Scene) -> bool:
    """Whether a scene is the first of its screen."""
    return next(other for other in SCENES if other.screen is scene.screen) is scene


def signs_and_colours(pilot: Pilot[None]) -> tuple[str, set[Color]]:
    """Give all signs of a screen, and all colours of signs and of what is behind them."""
    segments = [segment for strip in pilot.app.screen._compositor.render_strips() for segment in strip]
    styles = {segment.style for segment in segments if segment.style is not None}
    colours = {colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None}
    assert colours
    return "".join(segment.text for segment in segments), colours


def sizes_of(scene: Scene) -> list[str]:
    """Name the sizes that a scene is drawn in each time: all, where it is the first of its screen."""
    kept = kept_sizes(scene)
    return [name for name in SIZES if is_first(scene) or name in kept or name == "80x24"]


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_scene_is_drawn_in_each_size(tmp_path: Path, scene: Scene) -> None:
    assert all(asyncio.run(visit(scene, tuple(SIZES.values()), tmp_path, shown)))


def differences(snapshot: SnapshotAssertion, name: str, svg: str) -> list[str]:
    """Compare a picture with the kept one: what differs, in words."""
    if svg == snapshot(name=name):
        return []
    kept = snapshot.executions[snapshot.num_executions - 1].recalled_data
    return [name, *changed_rows(str(kept or ""), svg)]


def hidden_around_the_focus(pilot: Pilot[None]) -> list[DOMNode]:
    """Name what has the focus, or holds it, and is not displayed."""
    focused = pilot.app.screen.focused
    return [] if focused is None else [node for node in focused.ancestors_with_self if not node.display]


@pytest.mark.spec("APP-8")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_picture(snapshot: SnapshotAssertion, tmp_path: Path, scene: Scene) -> None:
    """A scene is drawn as it is kept; what has the focus is displayed in each size."""
    kept = {SIZES[name] for name in kept_sizes(scene)}

    def look(pilot: Pilot[None]) -> tuple[str, list[DOMNode]]:
        drawn = picture(pilot) if pilot.app.size in kept else shown(pilot)
        return drawn, hidden_around_the_focus(pilot)

    names = sizes_of(scene)
    seen = asyncio.run(visit(scene, [SIZES[name] for name in names], tmp_path, look))
    assert [hidden for _, hidden in seen] == [[]] * len(names)
    drawn = {name: picture for name, (picture, _) in zip(names, seen, strict=True)}
    changed = [line for name in kept_sizes(scene) for line in differences(snapshot, name, drawn[name])]
    assert not changed, "\n".join(changed)


@pytest.mark.spec("BOARD-8")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_without_colour_there_is_none_and_plain_signs_are_ascii(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: Scene
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ((signs, colours),) = asyncio.run(
        visit(scene, (SMALL,), tmp_path, signs_and_colours, settings=Settings(ascii=True))
    )
    assert signs.isascii()
    assert [colour for colour in colours if len(set(colour.get_truecolor())) > 1] == []


@pytest.mark.parametrize("look", ["80x24-no-colour", "80x24-ascii"])
@pytest.mark.parametrize("name", KEPT_PLAIN)
def test_picture_in_a_plain_look(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, look: str
) -> None:
    if look.endswith("no-colour"):
        monkeypatch.setenv("NO_COLOR", "1")
    (scene,) = [scene for scene in SCENES if scene.name == name]
    (svg,) = asyncio.run(take(scene, (SMALL,), tmp_path, is_ascii=look.endswith("ascii")))
    changed = differences(snapshot, look, svg)
    assert not changed, "\n".join(changed)


@pytest.mark.spec("APP-8")
def test_every_screen_is_pictured_and_nothing_else_is_kept() -> None:
    assert {scene.screen for scene in SCENES} == set(DOORS)
    wanted = {f"test_picture[{scene.name}][{name}].svg" for scene in SCENES for name in kept_sizes(scene)}
    wanted |= {
        f"test_picture_in_a_plain_look[{name}-{look}][{look}].svg"
        for name in KEPT_PLAIN
        for look in ("80x24-no-colour", "80x24-ascii")
    }
    kept = {path.name for path in (Path(__file__).parent / "__snapshots__" / "test_pictures").iterdir()}
    assert kept - wanted == {"test_too_small.svg"}
    assert wanted - kept == set()
    assert len(kept) + len(PICTURES) <= 60


def test_what_differs_between_two_pictures_is_said_in_words(tmp_path: Path) -> None:
    (keys,) = [scene for scene in SCENES if scene.name == "keys"]
    (svg,) = asyncio.run(take(keys, (SMALL,), tmp_path))
    assert changed_rows(svg, svg.replace("pick", "take", 1))[0].startswith("-")
    assert any("take" in row for row in changed_rows(svg, svg.replace("pick", "take", 1)))
    assert changed_rows(svg, svg) == ["the words are the same, the colours differ"]


def test_too_small(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    (cards,) = [scene for scene in SCENES if scene.name == "cards"]
    assert asyncio.run(take(cards, [(60, 10)], tmp_path)) == [snapshot]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_pictures_of_the_documentation_show_the_screens_as_they_are(
    tmp_path: Path, picture: Picture
) -> None:
    drawn = asyncio.run(draw(picture, tmp_path))
    assert (FOLDER / f"{picture.name}.svg").read_text() == drawn, "`make pictures` draws them anew"
