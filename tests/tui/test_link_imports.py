"""What talks to a server or holds a table, and plain mode, work without screens: nothing of Textual loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import heat_tui.client
import heat_tui.plain

PARTS = [
    f"{package.__name__}.{path.stem}"
    for package in (heat_tui.client, heat_tui.plain)
    for path in sorted(Path(package.__path__[0]).glob("[a-z]*.py"))
]


@pytest.mark.parametrize("batch", range(4))
def test_link_and_plain_mode_come_without_the_screens(batch: int) -> None:
    names = PARTS[batch::4]
    assert len(PARTS) > 30, "the packages are found"
    code = f"import sys, {', '.join(names)}; print([name for name in sys.modules if 'textual' in name])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
