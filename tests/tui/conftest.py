"""The terminal that all tests of screens believe in, whatever the one is that they run in."""

from __future__ import annotations

import pytest
from textual import constants


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak UTF-8 in true colour."""
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")
