"""The analysis of a recorded race, made beside the event loop.

Theory of operation. A race has a part for each round, and worker processes look at them one by one, so that
neither a screen nor plain mode waits for more than a message. Whoever shows the analysis runs `run` and
waits for `changed`; what is done stays, so that a second look costs nothing.
"""

from __future__ import annotations

import asyncio
from functools import partial

from anyio import BrokenWorkerProcess, CapacityLimiter, create_task_group

from heat_core.coach.analysis import Analysis, analyse_part, parts_of, sum_up
from heat_core.coach.rounds import RoundAnalysis
from heat_core.planner.workers import MOST_WORKERS, run_beside
from heat_core.record.playback import Playback
from heat_core.record.record import encode_record
from heat_core.version import program_version

_BROKE_OFF = "The analysis stopped because its processes ended. Try again."
_FAILED = "This race could not be analysed because of an error in the program."


class AnalysisController:
    """The analysis of one race.

    Attributes:
        playback: The race.
        parts: How many there are.
        analysis: None until all of them are done.
        fault: Why there is none, in one sentence; empty where there is or may come one.
    """

    def __init__(self, playback: Playback) -> None:
        """Begin with nothing done."""
        self.playback = playback
        self.parts = parts_of(playback.record)
        self.analysis: Analysis | None = None
        self.fault = no_analysis(playback)
        self._rounds: dict[int, RoundAnalysis] = {}
        self._changed = asyncio.Event()

    @property
    def done(self) -> int:
        """How many parts are done."""
        return len(self._rounds)

    @property
    def progress(self) -> str:
        """How far it has come, in a few words."""
        return f"Analysing the race: {self.done} of {self.parts} rounds"

    async def run(self) -> None:
        """Analyse what is not done yet. Cancelled, it keeps the parts that are."""
        if self.analysis is not None or no_analysis(self.playback):
            return
        self.fault = ""
        record = self.playback.record
        data = await asyncio.to_thread(encode_record, record.setup, record.events, program_version())
        limiter = CapacityLimiter(MOST_WORKERS)
        try:
            async with create_task_group() as group:
                for part in range(self.parts):
                    if part not in self._rounds:
                        group.start_soon(self._analyse, data, part, limiter)
            self.analysis = await asyncio.to_thread(sum_up, record, self._rounds.values())
        except* BrokenWorkerProcess:
            self.fault = _BROKE_OFF
        except* Exception:  # one race that cannot be analysed must not end the program
            self.fault = _FAILED
        self._wake()

    async def _analyse(self, data: bytes, part: int, limiter: CapacityLimiter) -> None:
        self._rounds[part] = await run_beside(limiter, partial(analyse_part, data, part))
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Wait until more is done."""
        await self._changed.wait()


def no_analysis(playback: Playback) -> str:
    """Say why a race cannot be analysed, in one sentence; empty where it can."""
    if playback.is_verified:
        return ""
    return "There is no analysis: the record has no seed, so the hands are not known."
