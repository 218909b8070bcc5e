"""A race on a real terminal as a slow line would carry it: run by `tests.bench.client`.

`python -m tests.bench.slow_line FILE SECONDS` races six cars with motion, each seat answered by what the
server would choose, and writes how many bytes went to the terminal into the file as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from tests.bench.counting import CountingApp
from tests.tui.support_app import until
from tests.tui.support_race import HeldSession, table_at

CARS = {f"Car {number}": f"lap 1 space {60 - 6 * number} gear 3 engine 5" for number in range(6)}


class RacingApp(CountingApp):
    """The race screen of a seat that answers by itself, for some seconds."""

    def __init__(self, folder: Path, seconds: float) -> None:
        super().__init__(folder, HeldSession(table_at(CARS)))
        self._seconds = seconds

    async def measure(self) -> None:
        """Answer for so long."""
        await until(lambda: self.race.controller.seen > 0)
        await asyncio.sleep(5.0)  # the smooth map is drawn
        self._count_bytes()
        session, began = self.session, time.perf_counter()
        assert isinstance(session, HeldSession)
        while (seconds := time.perf_counter() - began) < self._seconds:
            await asyncio.sleep(0.1)
            if self.race.film.is_running:
                continue
            for decision in session.table.decisions():
                view = session.table.view(decision.seat)
                if view.own is not None and not decision.has_chosen:
                    command = default_command(Observation(session.setup, view))
                    session.other_says(decision.seat, command)
        self.measured = {"bytes_per_minute": self._bytes / seconds * 60, "events": len(session.table.log)}
        self.exit()


def main() -> None:
    """Race, then write down what it came to."""
    path, seconds = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        app = RacingApp(Path(folder), float(seconds))
        app.run()
    Path(path).write_text(json.dumps(app.measured), encoding="ascii")


if __name__ == "__main__":
    main()
