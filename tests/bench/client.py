"""The client's rows: the program in a process of its own, on a terminal of 200 columns and 60 lines."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from heat_core.files import load_track
from heat_core.track import compile_track
from heat_tui.map.drawing import _draw as drawing_of
from heat_tui.map.drawing import draw_track
from heat_tui.map.palette import Look
from heat_tui.map.raster import rasterise
from heat_tui.map.road_picture import road_picture

COLUMNS: Final = 200
LINES: Final = 60
SECONDS: Final = 4.0
RATE: Final = 30.0
RACE_SECONDS: Final = 40.0
_PATIENCE_SECONDS: Final = 60.0
_CHUNK: Final = 1 << 16
_HOME_IS_WHOLE: Final = b"Settings"
"""The last row of Home's list: with it the screen is full."""


@contextmanager
def on_terminal(
    command: Sequence[str], home: Path, size: tuple[int, int] = (COLUMNS, LINES)
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a command on a terminal of its own; it is killed at the end if it still runs.

    Args:
        home: Where it keeps its files.
        size: Columns and lines.

    Yields:
        The other end of the terminal, and the process.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
    }
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            yield ours, process
        finally:
            process.kill()
            os.close(ours)


def read_until(ours: int, process: subprocess.Popen[bytes], mark: bytes | None) -> int:
    """Take what the program draws until it draws a mark, or with None until it ends.

    Returns:
        How many bytes that were.

    Raises:
        TimeoutError: Neither came.
    """
    count, tail = 0, b""
    end = time.perf_counter() + _PATIENCE_SECONDS
    while time.perf_counter() < end:
        ready, _, _ = select.select([ours], [], [], 0.05)
        if not ready:
            if process.poll() is not None:
                return count
            continue
        try:
            data = os.read(ours, _CHUNK)
        except OSError:  # the program has closed the terminal
            return count
        count += len(data)
        tail = (tail + data)[-_CHUNK:]
        if mark is not None and mark in tail:
            return count
    raise TimeoutError(f"no {mark!r} from the program")


def _moved(rate: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "measured.json"
        command = [sys.executable, "-m", "tests.bench.moving", str(result), str(SECONDS), str(rate)]
        with on_terminal(command, Path(folder)) as (ours, process):
            count = read_until(ours, process, None)
            process.wait(_PATIENCE_SECONDS)
        measured: dict[str, float] = json.loads(result.read_text(encoding="ascii"))
    return {**measured, "bytes": count}


@cache
def moved_at_rate() -> dict[str, float]:
    """Drive eight cars at the rate that is asked for (BOARD-7)."""
    return _moved(RATE)


def frames_per_second() -> float:
    """Frames a second while eight cars move in each, as many as there can be."""
    return _moved(0)["frames_per_second"]


def share_of_core() -> float:
    """Percent of a core that 30 such frames a second take."""
    return moved_at_rate()["share_of_core"] * 100


def kibibytes_a_minute() -> float:
    """KiB to the terminal in a minute of a race with motion on 120 columns and 40 lines."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "measured.json"
        command = [sys.executable, "-m", "tests.bench.slow_line", str(result), str(RACE_SECONDS)]
        with on_terminal(command, Path(folder), (120, 40)) as (ours, process):
            read_until(ours, process, None)
            process.wait(_PATIENCE_SECONDS)
        measured: dict[str, float] = json.loads(result.read_text(encoding="ascii"))
    return measured["bytes_per_minute"] / 1024


def first_screen_seconds() -> float:
    """From the start of the program to its first full screen."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with on_terminal([sys.executable, "-m", "heat_tui", "--no-lan"], Path(folder)) as (ours, process):
            read_until(ours, process, _HOME_IS_WHOLE)
            return time.perf_counter() - began


def share_of_core_at_60() -> float:
    """Percent of a core that 60 frames a second of eight moving cars would take, each at its cost."""
    return _moved(60.0)["cpu_ms_per_frame"] * 60 / 10


def map_seconds() -> float:
    """Draw the smooth map of a circuit for a panel of 160 x 50 cells, in processor time."""
    track = compile_track(load_track("usa"))
    for cached in (rasterise, road_picture, drawing_of):
        cached.cache_clear()
    began = time.process_time()
    drawing = draw_track(track, 160, 50, "whole", Look(is_smooth=True))
    for _ in drawing.refine():
        pass
    for row in range(drawing.rows):
        drawing.strip(row)
    return time.process_time() - began
