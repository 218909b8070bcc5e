"""Plain mode and what both faces share work without screens: nothing of Textual loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import heat_tui.client
import heat_tui.flow
import heat_tui.plain
import heat_tui.race
import heat_tui.words

PARTS = [
    f"{package.__name__}.{path.stem}"
    for package in (heat_tui.client, heat_tui.flow, heat_tui.plain, heat_tui.race, heat_tui.words)
    for path in sorted(Path(package.__path__[0]).glob("[a-z]*.py"))
]


@pytest.mark.parametrize("batch", range(4))
def test_all_but_the_screens_comes_without_textual(batch: int) -> None:
    names = PARTS[batch::4]
    assert len(PARTS) > 60, "the packages are found"
    code = f"import sys, {', '.join(names)}; print([name for name in sys.modules if 'textual' in name])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_the_first_screen_waits_for_no_command_and_no_record() -> None:
    """What only these need took an eighth of the time until it stood."""
    late = [
        "heat_core.options.option_table",
        "heat_core.decisions",
        "heat_core.record",
        "heat_core.wire",
        "heat_tui.commands.here",
        "heat_tui.commands.network",
    ]
    code = f"import sys, heat_tui.__main__, heat_tui.app; print(sys.modules.keys() & {late})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
