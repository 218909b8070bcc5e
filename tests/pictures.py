"""Draws the pictures of screens that the documentation shows: `make pictures`."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from textual import constants

from tests.tui.scenes import SCENES
from tests.tui.scenes.scene import take

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "pictures"


class Picture(NamedTuple):
    """A picture of the documentation.

    Attributes:
        name: Of its file, without the ending.
        scene: What it shows.
        size: Of the terminal, in cells.
    """

    name: str
    scene: str
    size: tuple[int, int]
    is_ascii: bool = False


PICTURES: Final = (
    Picture("race-120x40", "cards", (120, 40)),
    Picture("race-80x24", "cards", (80, 24)),
    Picture("race-ascii", "cards", (80, 24), is_ascii=True),
    Picture("lobby", "lobby-host", (100, 34)),
    Picture("replay", "replay-plot", (100, 30)),
    Picture("party", "party", (120, 40)),
)


async def draw(picture: Picture, folder: Path) -> str:
    """Draw a picture.

    Args:
        folder: For the program's files; empty.

    Returns:
        SVG, in true colour.
    """
    (scene,) = [scene for scene in SCENES if scene.name == picture.scene]
    (svg,) = await take(scene, (picture.size,), folder, is_ascii=picture.is_ascii)
    return svg


def main() -> None:
    """Write the pictures."""
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR"):
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    os.environ["TERM"] = "xterm-256color"
    constants.COLOR_SYSTEM = "truecolor"  # type: ignore[misc]  # whatever this terminal can show
    FOLDER.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            svg = asyncio.run(draw(picture, Path(folder)))
        path = FOLDER / f"{picture.name}.svg"
        path.write_text(svg, encoding="utf-8")
        print(path.relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
