"""Advice for whoever has the keyboard: who may ask for it, what was asked, and the answer.

Theory of operation. Advice is on or off for each seat played here. While it is on, a face asks at each open
decision whether it `is_due`, and has it thought out (`think`) in a worker process, which builds the table
that it needs. So neither holds up the screen. An answer belongs to one decision; another decision forgets it.
"""

from __future__ import annotations

from functools import partial
from typing import Final, TypeAlias

from anyio import CapacityLimiter

from heat_core.coach.advice import Advice, advise
from heat_core.planner.table_key import own_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.workers import run_beside
from heat_core.race.setup import RaceSetup
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.client.session import Session

DecisionAsked: TypeAlias = tuple[int, int]
"""Seat and number of a decision."""

NOTHING_TO_DECIDE: Final = "There is no advice now: you have nothing to decide."
THINKING: Final = "thinking ..."
_FAILED: Final = "No advice could be worked out for this choice."


class Advising:
    """The advice of one keyboard."""

    def __init__(self, session: Session) -> None:
        """Begin with advice off."""
        self._session = session
        self._seats: set[int] = set()
        self._asked: DecisionAsked | None = None
        self._advice: Advice | None = None
        self._has_failed = False
        self._limiter: CapacityLimiter | None = None

    def why_not(self) -> str:
        """Say why there is no advice at this table, "" where there is: at a server the host allows it."""
        return self._session.advice_refusal

    def is_on(self, seat: int | None) -> bool:
        """Tell whether a seat has advice; the host may have ended it."""
        return seat in self._seats and not self.why_not()

    def turn(self, seat: int, *, is_on: bool) -> str:
        """Turn a seat's advice on or off; gives why it stays off, "" where it does not."""
        if is_on and (refusal := self.why_not()):
            return refusal
        if is_on:
            self._seats.add(seat)
        else:
            self._seats.discard(seat)
        return ""

    def is_due(self, asked: DecisionAsked | None) -> bool:
        """Tell whether advice on a decision is wanted and neither there nor being thought out."""
        return asked is not None and self.is_on(asked[0]) and asked != self._asked

    def given(self, asked: DecisionAsked | None) -> Advice | None:
        """Give the advice on a decision, None where there is none yet."""
        return self._advice if asked is not None and asked == self._asked and self.is_on(asked[0]) else None

    def text(self, asked: DecisionAsked | None) -> str:
        """Say the advice on a decision, or that it is being thought out; "" while it is off."""
        if asked is None or not self.is_on(asked[0]):
            return ""
        if (advice := self.given(asked)) is not None:
            return advice.sentence
        return _FAILED if self._has_failed and asked == self._asked else THINKING

    async def think(self, asked: DecisionAsked, observation: Observation) -> None:
        """Think about a decision; where another one was asked about meanwhile, nothing comes of it."""
        self._asked, self._advice, self._has_failed = asked, None, False
        if self._limiter is None:
            self._limiter = CapacityLimiter(1)
        work = partial(_advise, observation.setup, observation.view, f"{asked[0]}/{asked[1]}")
        try:
            advice = await run_beside(self._limiter, work)
        except Exception:  # advice that fails must not end the race
            advice = None
        if self._asked == asked:
            self._advice, self._has_failed = advice, advice is None


def _advise(setup: RaceSetup, view: RaceView, seed: str) -> Advice:
    """Give advice, in a worker process: it keeps the tables that it has built."""
    observation = Observation(setup, view)
    return advise(observation, TABLES.get(own_table_key(observation)), Stream(f"advice/{seed}"))
