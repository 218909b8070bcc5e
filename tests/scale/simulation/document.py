"""Where the section of docs/scale.md stands."""

from __future__ import annotations

from typing import Final

from tests.scale.document import Section

SECTION: Final = Section(
    "<!-- simulated by make scale -->\n\n", "\n<!-- end of what make scale simulates -->\n"
)
