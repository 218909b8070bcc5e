"""What talks to a server or holds a table works where no screens are: it loads nothing of Textual."""

from __future__ import annotations

import subprocess
import sys

import pytest

LINK = (
    "chat",
    "company",
    "connection",
    "feed",
    "lobby_client",
    "local",
    "remote",
    "session",
    "session_file",
    "visit",
)


@pytest.mark.parametrize("name", LINK)
def test_the_link_comes_without_the_screens(name: str) -> None:
    code = f"import sys, heat_tui.{name}; print([name for name in sys.modules if name.startswith('textual')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
