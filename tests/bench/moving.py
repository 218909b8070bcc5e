"""A client on a real terminal whose eight cars all drive at once: run by `tests.bench.client`.

`python -m tests.bench.moving FILE SECONDS RATE` writes what it measured into the file as JSON. A rate of 0
asks for as many frames as there can be.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from heat_core.race.presets import STANDARD
from heat_tui.race.animation import Step
from tests.bench.counting import CountingApp
from tests.tui.support_app import until
from tests.tui.support_race import HeldSession, table_at

CARS = 8
FRAMES_A_SPACE = 4
"""A car takes 60 ms for a space."""


def eight_cars() -> HeldSession:
    """Put eight cars at a table, a few spaces from each other."""
    cars = {f"Car {number}": f"lap 1 space {60 - 6 * number} gear 3 engine 5" for number in range(CARS)}
    return HeldSession(table_at(cars, rules=msgspec.structs.replace(STANDARD, most_cars=CARS)))


class MovingApp(CountingApp):
    """The race screen, which drives all its cars at a car's pace in a race, then ends."""

    def __init__(self, folder: Path, seconds: float, rate: float) -> None:
        super().__init__(folder, eight_cars())
        self._seconds = seconds
        self._rate = rate
        self._drawn = asyncio.Event()
        self._frames = 0

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self._frames += 1
            self._drawn.set()

    async def _whole_screen_bytes(self) -> int:
        """Have everything drawn anew once."""
        before = self._bytes
        self._drawn.clear()
        self.screen.refresh(layout=True)
        self.refresh(layout=True)
        await self._drawn.wait()
        await asyncio.sleep(0.3)
        return self._bytes - before

    async def measure(self) -> None:
        """Drive all cars for so long."""
        await until(lambda: self.race.controller.seen > 0)
        await asyncio.sleep(0.5)
        await until(lambda: (map_ := self.race.track_map.drawing) is not None and not map_.is_rough)
        self.race.panels.show_turn_replay(self.race.shown(), self.race.film.turn_replay)
        self._count_bytes()
        whole = await self._whole_screen_bytes()
        before = self._bytes
        places = {car.number: car.progress for car in self.race.track_map.cars}
        assert len(places) == CARS
        began, cpu, frames = time.perf_counter(), time.process_time(), self._frames
        moves = 0
        while (now := time.perf_counter() - began) < self._seconds:
            if self._rate and moves / self._rate > now:
                await asyncio.sleep(moves / self._rate - now)
            else:
                await asyncio.sleep(0)  # also then keys are heard between frames
            self._drawn.clear()
            moves += 1
            steps = [Step(number, progress + 1, number % 2, None, 0.0) for number, progress in places.items()]
            if share := moves % FRAMES_A_SPACE:
                self.race.panels.drive_cars(steps, share / FRAMES_A_SPACE)
            else:
                self.race.panels.place_cars(steps)
                places = {step.car: step.progress for step in steps}
            await self._drawn.wait()
        seconds = time.perf_counter() - began
        self.measured = {
            "frames_per_second": moves / seconds,
            "drawn_per_second": (self._frames - frames) / seconds,
            "share_of_core": (time.process_time() - cpu) / seconds,
            "cpu_ms_per_frame": (time.process_time() - cpu) / moves * 1e3,
            "bytes_per_frame": (self._bytes - before) / moves,
            "bytes_of_screen": whole,
        }
        self.exit()


def main() -> None:
    """Drive, then write down what came of it."""
    path, seconds, rate = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        app = MovingApp(Path(folder), float(seconds), float(rate))
        app.run()
    Path(path).write_text(json.dumps(app.measured), encoding="ascii")


if __name__ == "__main__":
    main()
