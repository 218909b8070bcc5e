"""What `heat-server status` shows: figures of a running server, as values and as text."""

from __future__ import annotations

import os
import resource
import sys
from collections import Counter
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from heat_core.text import counted
from heat_core.version import engine_build, program_version
from heat_core.wire.operator import Draining, Status

if TYPE_CHECKING:
    from heat_server.server import Server

TEXT_CELLS: Final = 70
"""How wide a row's text may be behind its name, to fit 80 columns."""

PHASE_WORDS: Final = {
    "lobby": "in lobby",
    "racing": "racing",
    "between": "between races",
    "ended": "ended",
}


def status_of(server: Server) -> Status:
    """Look at a server."""
    now = trio.current_time()
    summaries = [room.state.summary() for room in server.rooms.values()]
    heads = [room.state.head_count() for room in server.rooms.values()]
    answers, saves, commits = server.figures.answer_times(), server.worker.saves, server.worker.figures
    return Status(
        version=program_version(),
        engine=engine_build(),
        process=os.getpid(),
        uptime_seconds=round(server.figures.uptime_seconds(now), 1),
        draining=server.drain.is_on,
        rooms=_rooms_by_phase(server),
        sleeping=len(server.rooms.sleeping),
        seats=sum(summary.players for summary in summaries),
        drivers=sum(drivers for drivers, _ in heads),
        spectators=sum(spectators for _, spectators in heads),
        connections=len(server.connections),
        commands=server.figures.commands,
        commands_per_second=round(server.figures.commands_per_second(now), 2),
        answer_median_ms=_milliseconds(answers.median_seconds),
        answer_slow_ms=_milliseconds(answers.slow_seconds),
        store=server.worker.name,
        store_trouble=server.worker.trouble,
        commits=commits.commits if saves else None,
        commit_median_ms=_milliseconds(commits.median_seconds),
        commit_slow_ms=_milliseconds(commits.slow_seconds),
        refused=_ordered(server.figures.refused),
        dropped=_ordered(server.figures.dropped),
        malformed=_ordered(server.figures.malformed),
        certificate="" if server.certificate is None else server.certificate.fingerprint,
        handshakes=server.figures.handshakes,
        handshakes_failed=_ordered(server.figures.handshakes_failed),
        memory_bytes=_memory_bytes(),
    )


def drain_of(server: Server) -> Draining:
    """Look how far a server is drained."""
    drain, now = server.drain, trio.current_time()
    return Draining(
        is_on=drain.is_on,
        rooms=_rooms_by_phase(server),
        sleeping=len(server.rooms.asleep_matches),
        connections=len(server.connections),
        seconds_left=round(max(drain.races_end_at - now, 0), 1) if isfinite(drain.races_end_at) else None,
        waits_for=drain.why_not() if drain.is_on else "",
        rules_only_here=drain.rules_only_here() if drain.is_on else None,
    )


def _rooms_by_phase(server: Server) -> dict[str, int]:
    phases = Counter(str(room.state.summary().phase) for room in server.rooms.values())
    return {phase: phases[phase] for phase in PHASE_WORDS}


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda count: (-count[1], count[0])))


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _memory_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * resource.getpagesize()


def status_text(status: Status) -> str:
    """Write a status in lines that fit 80 columns."""
    rows = {
        "server": f"{status.version}, engine {status.engine}, process {status.process}, "
        f"up {duration(status.uptime_seconds)}",
        "rooms": f"{sum(status.rooms.values()):,}: {phases_text(status.rooms)}",
        "asleep": f"{status.sleeping:,} rooms on disk",
        "seats": f"{status.seats:,} taken, {status.drivers:,} connected; {status.spectators:,} spectators",
        "network": f"{status.connections:,} connections",
        "commands": f"{status.commands_per_second:,.1f} a second in the last minute, "
        f"{status.commands:,} in total",
        "answers": _times(status.answer_median_ms, status.answer_slow_ms),
        "store": _end_of(status.store),
        "commits": "none: nothing is saved"
        if status.commits is None
        else f"{status.commits:,}; {_times(status.commit_median_ms, status.commit_slow_ms)}",
        "refused": _counts(status.refused),
        "dropped": _counts(status.dropped),
        "malformed": _counts(status.malformed),
    }
    if status.draining:
        rows["drain"] = "its rooms move to other servers: `heat-server drain` shows how far"
    if status.store_trouble is not None:
        rows["trouble"] = f"the store cannot be reached: {status.store_trouble}"
    if status.certificate:
        rows["tls"] = f"{status.handshakes:,} handshakes, fingerprint {status.certificate}"
        rows["bad tls"] = _counts(status.handshakes_failed)
    rows["memory"] = f"{status.memory_bytes / 1024 / 1024:,.1f} MiB"
    return "\n".join(f"{name:<9} {text}" for name, text in rows.items())


def phases_text(rooms: Mapping[str, int], *, all_of_them: bool = True) -> str:
    """Write how many rooms are in each phase.

    Args:
        rooms: By phase.
        all_of_them: Whether phases without rooms are written, too.
    """
    return ", ".join(
        f"{rooms[phase]:,} {words}" for phase, words in PHASE_WORDS.items() if rooms[phase] or all_of_them
    )


def _end_of(text: str) -> str:
    """Cut a path's beginning off where it is too long for a row."""
    return text if len(text) <= TEXT_CELLS else f"...{text[3 - TEXT_CELLS :]}"


def _counts(counts: Mapping[str, int]) -> str:
    """Write the sum and the most frequent codes, as many as fit; the counts are in order."""
    text = f"{sum(counts.values()):,}"
    for number, (code, count) in enumerate(counts.items()):
        longer = f"{text}{', ' if number else ': '}{count:,} {code}"
        if len(longer) > TEXT_CELLS - len(", ..."):
            return f"{text}, ..." if number else text
        text = longer
    return text


def _times(median_ms: float, slow_ms: float) -> str:
    return f"median {median_ms:.2f} ms, 99th percentile {slow_ms:.2f} ms"


def duration(seconds: float) -> str:
    """Write a time as hours, minutes and seconds."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    clock = f"{hour}:{minute:02}:{second:02}"
    return f"{counted(days, 'day')} {clock}" if days else clock
