"""What processes take of the machine, as Linux counts it in /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_KIBIBYTE: Final = 1024


class _Times(NamedTuple):
    """Processor seconds, user and system.

    Attributes:
        own: Of the process in all its threads.
        ended: Of its children that have ended.
    """

    own: float
    ended: float


def _times(pid: int) -> _Times | None:
    """Give the times of a process; None: it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()
    user, system, user_ended, system_ended = (int(field) / _TICKS for field in fields[11:15])
    return _Times(user + system, user_ended + system_ended)


def processor_seconds(pids: Iterable[int]) -> float:
    """Add up what processes have worked so far; one that has ended counts as nothing."""
    return sum(times.own for pid in pids if (times := _times(pid)) is not None)


def children_of(pid: int) -> list[int]:
    """List the children of a process."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


def title_of(pid: int) -> str:
    """Give the command line of a process; "": it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def tree_seconds(pid: int) -> float:
    """Add up what a process, its children and those that have ended have worked so far."""
    own = _times(pid)
    return processor_seconds(children_of(pid)) + (own.own + own.ended if own is not None else 0.0)


def private_bytes(pid: int) -> int:
    """Give the memory that a process shares with no other; 0: it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) * _KIBIBYTE for line in lines if line.startswith("Private_"))
