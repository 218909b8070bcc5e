"""A failing test harms no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = """
import gc
import socket

def test_that_fails_with_a_socket_open():
    left_open = socket.socket()
    assert left_open.fileno() < 0

def test_that_comes_next():
    gc.collect()
"""


@pytest.mark.parametrize("plugin", ["tests.neighbours", "no:doctest"], ids=["with", "without"])
def test_what_a_failed_test_left_open_fails_no_other(tmp_path: Path, plugin: str) -> None:
    (tmp_path / "test_cases.py").write_text(CASES)
    command = [sys.executable, "-m", "pytest", "-p", plugin, "-p", "no:cacheprovider", "-W", "error"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False)
    passes = plugin == "tests.neighbours"
    assert ("1 failed, 1 passed" if passes else "2 failed") in done.stdout, done.stdout
