"""All scenes; every screen has one at least."""

from __future__ import annotations

from typing import Final

from tests.tui.scenes.around import AROUND
from tests.tui.scenes.company import COMPANY
from tests.tui.scenes.racing import RACING
from tests.tui.scenes.scene import Scene

SCENES: Final[tuple[Scene, ...]] = (*AROUND, *RACING, *COMPANY)
