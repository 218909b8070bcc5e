"""The race screen on a real terminal, which counts what goes to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heat_tui.app import HeatApp
from tests.tui.support_race import HeldSession, RaceApp


class CountingApp(RaceApp):
    """The race screen with motion, in which something is done and measured.

    Attributes:
        measured: What came of it.
    """

    def __init__(self, folder: Path, session: HeldSession) -> None:
        super().__init__(folder, session, animate=True)
        self._bytes = 0
        self.measured: dict[str, float] = {}

    async def measure(self) -> None:
        """Do it, then end."""
        raise NotImplementedError

    def _open_race(self, app: HeatApp) -> None:
        super()._open_race(app)
        self.run_worker(self.measure())

    def _count_bytes(self) -> None:
        """Count what goes to the terminal from now on."""
        driver: Any = self._driver
        write = driver.write

        def counted(data: str) -> None:
            self._bytes += len(data.encode())
            write(data)

        driver.write = counted
