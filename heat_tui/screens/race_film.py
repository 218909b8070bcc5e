"""Events shown one after the other: cards turn up, cars drive; any key or click skips to the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest

from heat_core.race import events as e
from heat_tui.flow.race_news import Unseen
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.turn_replay import TurnReplay
from heat_tui.race.animation import drive, steps
from heat_tui.race.bill import beats
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.race_panels import RacePanels


class RaceFilm:
    """What is shown between two views.

    Attributes:
        turn_replay: The turn that is being shown.
        is_running: Whether something is being shown.
    """

    def __init__(self, screen: HeatScreen[None], turn_replay: TurnReplay) -> None:
        """Begin with nothing to show."""
        self.turn_replay = turn_replay
        self.is_running = False
        self._screen = screen
        self._skips = asyncio.Event()

    @property
    def was_skipped(self) -> bool:
        """Whether a key or click has cut it short."""
        return self._skips.is_set()

    def skip(self) -> None:
        """Show the rest at once."""
        self._skips.set()

    async def play(
        self,
        unseen: Callable[[], Unseen],
        panels: RacePanels,
        take_in: Callable[[e.Event], None],
        shown: Callable[[], ScreenModel],
    ) -> Unseen:
        """Show what happened, and what happens meanwhile: the view moves on behind all of it at once.

        Args:
            unseen: Gives what happened since the view that is shown.
            panels: Show it.
            take_in: Is called with each event before it is shown.
            shown: Gives what the panels show besides.

        Returns:
            All that was shown.
        """
        self._skips.clear()
        self.is_running = True
        self.turn_replay.open(shown().view.legend_card)
        try:
            news, count = unseen(), 0
            while count < len(news.events):
                await self._play(news.events[count:], panels, take_in, shown)
                count, news = len(news.events), unseen()
            return news
        finally:
            self.is_running = False

    async def _play(
        self,
        happened: Sequence[e.Event],
        panels: RacePanels,
        take_in: Callable[[e.Event], None],
        shown: Callable[[], ScreenModel],
    ) -> None:
        for event, following in zip_longest(happened, happened[1:]):
            take_in(event)
            seconds = self.turn_replay.tell(event, following)
            if self.was_skipped:
                continue
            if isinstance(event, e.CornerChecked) and event.owed:
                await self._look_at_bill(event, panels, shown)
            else:
                await self._look_at(event, seconds, panels, shown)

    async def _look_at(
        self, event: e.Event, seconds: float, panels: RacePanels, shown: Callable[[], ScreenModel]
    ) -> None:
        """Move a car along its way, show the moment that it is, and leave the eye so much time."""
        now = shown()
        way = list(steps(event, now.viewer))
        if seconds or way:
            panels.show_turn_replay(now, self.turn_replay)
        for step in way:
            if await drive(self._at_pace(step.seconds), partial(panels.drive_cars, [step]), self._is_skipped):
                return
            panels.place_car(step)
        moment = self.turn_replay.moment(event, now.view, now.viewer)
        if moment is not None:
            panels.moments.play([moment], self._screen.navigator.pace, self.turn_replay.car)
        await self._is_skipped(self._at_pace(seconds))

    async def _look_at_bill(
        self, bill: e.CornerChecked, panels: RacePanels, shown: Callable[[], ScreenModel]
    ) -> None:
        """Pay at a corner, Heat by Heat."""
        panels.show_turn_replay(shown(), self.turn_replay)
        for beat in beats(bill.paid, self._screen.navigator.pace):
            panels.show_bill(bill, beat)
            if await self._is_skipped(beat.seconds):
                return

    def _at_pace(self, seconds: float) -> float:
        """Give a time at the player's pace, which may change in mid-race."""
        return seconds * self._screen.navigator.pace

    async def _is_skipped(self, seconds: float) -> bool:
        """Wait so long, or until a key skips."""
        if seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skips.wait(), seconds)
        return self.was_skipped
