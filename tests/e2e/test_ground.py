"""The terminal is asked for its ground: silence costs nothing, an answer chooses the theme."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

import pytest

from heat_tui.theme.paints import ThemeName, rgb
from tests.bench.client import on_terminal

QUESTION = b"\x1b]11;?"
LIGHT = b"\x1b]11;rgb:f5f5/f2f2/ebeb\x07"
PATIENCE_SECONDS = 60.0


def ground(theme: ThemeName) -> bytes:
    return b"48;2;%d;%d;%d" % tuple(rgb(theme, "ground"))


@pytest.mark.parametrize(("answer", "theme"), [(LIGHT, "light"), (b"", "night")])
def test_home_comes_up_with_and_without_an_answer(tmp_path: Path, answer: bytes, theme: ThemeName) -> None:
    command = [sys.executable, "-m", "heat_tui", "--no-lan"]
    drawn, is_answered, end = b"", False, time.monotonic() + PATIENCE_SECONDS
    with on_terminal(command, tmp_path) as (ours, _):
        while not (b"Settings" in drawn and ground(theme) in drawn) and time.monotonic() < end:
            if select.select([ours], [], [], 0.1)[0]:
                drawn += os.read(ours, 65_536)
            if answer and not is_answered and QUESTION in drawn:
                os.write(ours, answer)
                is_answered = True
    assert QUESTION in drawn
    assert b"Settings" in drawn
    assert ground(theme) in drawn
    assert (ground("light") in drawn) == bool(answer)
