"""Where the figures and the section of docs/scale.md are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from tests.scale.load.figures import Figures
from tests.scale.load.page import section
from tests.scale.load.pictures import pictures

FIGURES: Final = Path(__file__).resolve().parents[1] / "figures.json"
DOCS: Final = Path(__file__).resolve().parents[3] / "docs"

_DOCUMENT: Final = "scale.md"
_BEGIN: Final = "<!-- measured by python -m tests.scale.load -->\n\n"
_END: Final = "\n<!-- end of what python -m tests.scale.load measures -->\n"


def save(figures: Figures, path: Path) -> None:
    """Write figures to a file, as JSON that can be compared line by line."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")


def load(path: Path = FIGURES) -> Figures:
    """Read figures."""
    return msgspec.json.decode(path.read_bytes(), type=Figures)


def section_in(docs: Path) -> str:
    """Give the section that the document has now.

    Raises:
        ValueError: The marks are not there.
    """
    text = (docs / _DOCUMENT).read_text(encoding="utf-8")
    return text[text.index(_BEGIN) + len(_BEGIN) : text.index(_END)]


def write_section(figures: Figures, docs: Path) -> None:
    """Put section and pictures into the documentation.

    Raises:
        ValueError: The document does not have the marks between which the section stands.
    """
    document = docs / _DOCUMENT
    text, before = document.read_text(encoding="utf-8"), section_in(docs)
    document.write_text(text.replace(_BEGIN + before, _BEGIN + section(figures)), encoding="utf-8")
    (docs / "pictures").mkdir(exist_ok=True)
    for name, picture in pictures(figures):
        (docs / "pictures" / name).write_text(picture, encoding="utf-8")
