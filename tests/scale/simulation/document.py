"""Where the section of docs/scale.md stands."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.scale.simulation.page import section
from tests.scale.simulation.pictures import pictures
from tests.scale.simulation.study import Study

DOCS: Final = Path(__file__).resolve().parents[3] / "docs"

_DOCUMENT: Final = "scale.md"
_BEGIN: Final = "<!-- simulated by make scale -->\n\n"
_END: Final = "\n<!-- end of what make scale simulates -->\n"


def section_in(docs: Path) -> str:
    """Give the section that the document has now.

    Raises:
        ValueError: The marks are not there.
    """
    text = (docs / _DOCUMENT).read_text(encoding="utf-8")
    return text[text.index(_BEGIN) + len(_BEGIN) : text.index(_END)]


def write_section(study: Study, docs: Path) -> None:
    """Put section and pictures into the documentation.

    Raises:
        ValueError: The document does not have the marks between which the section stands.
    """
    document = docs / _DOCUMENT
    text, before = document.read_text(encoding="utf-8"), section_in(docs)
    document.write_text(text.replace(_BEGIN + before, _BEGIN + section(study)), encoding="utf-8")
    (docs / "pictures").mkdir(exist_ok=True)
    for name, picture in pictures(study):
        (docs / "pictures" / name).write_text(picture, encoding="utf-8")
