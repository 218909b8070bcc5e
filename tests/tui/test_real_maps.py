"""Before a race screens show the real map of the circuit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest
from rich.color_triplet import ColorTriplet
from textual.pilot import Pilot

from heat_tui.theme.paints import PAINTS, rgb
from tests.tui.scenes import SCENES
from tests.tui.scenes.scene import visit
from tests.tui.support_app import LARGE

SHOWING: Final = (
    "new-race",
    "new-championship",
    "daily",
    "lobby-host",
    "lobby-guest",
    "lobby-season",
    "garage",
    "season-after-0",
    "season-after-2",
    "room-season-host",
)
ASPHALT: Final = {rgb("night", paint) for paint in PAINTS if paint.startswith("asphalt")}
_LEAST_CELLS: Final = 60
"""Of bare asphalt: more than a picture of cars on a grid has between them."""


def colours_of(pilot: Pilot[None]) -> list[ColorTriplet]:
    """Give the colour behind each cell."""
    found: list[ColorTriplet] = []
    for strip in pilot.app.screen._compositor.render_strips():
        for segment in strip:
            ground = None if segment.style is None else segment.style.bgcolor
            if ground is not None and ground.triplet is not None:
                found += [ground.triplet] * len(segment.text)
    return found


@pytest.mark.spec("LOOK-7")
@pytest.mark.parametrize("name", SHOWING)
def test_a_screen_before_a_race_shows_the_real_map(tmp_path: Path, name: str) -> None:
    (scene,) = [scene for scene in SCENES if scene.name == name]
    (colours,) = asyncio.run(visit(scene, (LARGE,), tmp_path, colours_of))
    assert sum(colour in ASPHALT for colour in colours) >= _LEAST_CELLS
    assert rgb("night", "plate") in colours, "the limits of the corners"
