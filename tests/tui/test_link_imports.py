"""What talks to a server or holds a table works where no screens are: it loads nothing of Textual."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import heat_tui.client

LINK = sorted(path.stem for path in Path(heat_tui.client.__path__[0]).glob("[a-z]*.py"))


@pytest.mark.parametrize("name", LINK)
def test_the_link_comes_without_the_screens(name: str) -> None:
    code = f"import sys, heat_tui.client.{name}; print([name for name in sys.modules if 'textual' in name])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
