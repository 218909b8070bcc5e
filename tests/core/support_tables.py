"""Workers that a test holds back."""

from __future__ import annotations

import anyio

from heat_core.planner.table_key import TableKey
from heat_core.planner.tables import Tables
from heat_core.planner.workers import TableWorkers


class GatedWorkers(TableWorkers):
    """Workers that finish nothing before a test lets them; the bots build for themselves then.

    Attributes:
        asked: What they were to build, in order.
        begun: Whether they were asked for anything.
        gate: Opens to let them finish.
    """

    def __init__(self) -> None:
        super().__init__(Tables())
        self.asked: list[TableKey] = []
        self.begun = anyio.Event()
        self.gate = anyio.Event()

    def is_ready(self, key: TableKey | None) -> bool:
        return key is None or self.gate.is_set()

    async def make(self, key: TableKey) -> None:
        self.asked.append(key)
        self.begun.set()
        await self.gate.wait()
