"""A measured or simulated section of docs/scale.md, and the pictures that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

_DOCUMENT: Final = "scale.md"


class Section(NamedTuple):
    """A section that stands between two marks.

    Attributes:
        begin: The mark before it.
        end: The mark behind it.
    """

    begin: str
    end: str

    def text_in(self, docs: Path) -> str:
        """Give the section that the document has now.

        Raises:
            ValueError: The marks are not there.
        """
        text = (docs / _DOCUMENT).read_text(encoding="utf-8")
        return text[text.index(self.begin) + len(self.begin) : text.index(self.end)]

    def write(self, docs: Path, section: str, pictures: Iterable[tuple[str, str]]) -> None:
        """Put section and pictures, by their names, into the documentation.

        Raises:
            ValueError: The document does not have the marks between which the section stands.
        """
        document = docs / _DOCUMENT
        text, before = document.read_text(encoding="utf-8"), self.text_in(docs)
        document.write_text(text.replace(self.begin + before, self.begin + section), encoding="utf-8")
        (docs / "pictures").mkdir(exist_ok=True)
        for name, picture in pictures:
            (docs / "pictures" / name).write_text(picture, encoding="utf-8")
