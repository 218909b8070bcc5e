"""Where the figures and the section of docs/scale.md are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from tests.scale.document import Section
from tests.scale.load.figures import Figures

FIGURES: Final = Path(__file__).resolve().parents[1] / "figures.json"
SECTION: Final = Section(
    "<!-- measured by python -m tests.scale.load -->\n\n",
    "\n<!-- end of what python -m tests.scale.load measures -->\n",
)


def save(figures: Figures, path: Path) -> None:
    """Write figures to a file, as JSON that can be compared line by line."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")


def load(path: Path = FIGURES) -> Figures:
    """Read figures."""
    return msgspec.json.decode(path.read_bytes(), type=Figures)
