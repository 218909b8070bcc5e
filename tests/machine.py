"""What figures of speed were measured on, in words."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from tests.bench.engine import anchor_loops


def machine_text() -> str:
    """Name Python, processor and cores, and say how fast an empty loop is and how busy the machine."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    loops = f"{anchor_loops():.0f} million empty loops a second"
    return f"{python} on {_processor()}, {os.cpu_count()} cores, {loops}, load {os.getloadavg()[0]:.1f}"


def _processor() -> str:
    """Name the processor, where the system says what it is."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
