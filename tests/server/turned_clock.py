"""A PostgreSQL server whose clock jumps when a test says so: by libfaketime, a package of Debian."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.postgres import CannotStart, Cluster


class TurnedCluster(Cluster):
    """A server with a wall clock of its own. What measures how long something takes is not turned."""

    def start(self) -> None:
        """Start with the clock where it was turned to last."""
        self._clock = self.folder / "clock"
        if not self._clock.exists():
            self.turn(0)
        self._as["env"] = {
            **os.environ,
            "LD_PRELOAD": str(_library()),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        super().start()

    def turn(self, seconds: int) -> None:
        """Let the clock be ahead of this machine's by so many seconds; it jumps at once."""
        new = self._clock.with_suffix(".new")
        new.write_text(f"{seconds:+}\n", encoding="ascii")
        new.chmod(0o644)
        new.replace(self._clock)


def _library() -> Path:
    for path in sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")):
        return path
    raise CannotStart("libfaketime is not installed")


@contextmanager
def started_with_clock(*settings: str) -> Iterator[TurnedCluster]:
    """Start a server; the test is skipped where there is no libfaketime, or no PostgreSQL."""
    try:
        _library()
        cluster = TurnedCluster(*settings)
    except CannotStart as error:
        pytest.skip(str(error))
    try:
        yield cluster
    finally:
        cluster.stop()
