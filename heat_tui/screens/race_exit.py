"""How the race screen is left: by giving up, by going Home, at the end by way of the results."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from textual.worker import Worker, WorkerError

from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord
from heat_tui.client.company import Company
from heat_tui.client.connect_failed import Notice
from heat_tui.flow.asking import Reply
from heat_tui.flow.race import RaceController
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog, notice_dialog
from heat_tui.screens.navigator import WaysOn
from heat_tui.screens.results import ResultsScreen

KEEP_SECONDS: Final = 5.0
"""How long a table that is over is not left because its record is still being asked for."""


class RaceExit:
    """The ways out of a race; its records are saved before it is left."""

    def __init__(
        self,
        screen: HeatScreen[None],
        race: RaceController,
        ways_on: WaysOn,
        *,
        send: Callable[[Reply], object],
    ) -> None:
        """Note where the ways lead.

        Args:
            send: Sends an answer.
        """
        self._screen = screen
        self._race = race
        self._send = send
        self._ways_on = ways_on
        self._playback: Playback | None = None
        self._keeping: Worker[None] | None = None

    # --- the records ---------------------------------------------------------------------------------------

    def keep_records(self) -> None:
        """Begin to save what is over, and to get the race ready to be watched again."""
        self._keeping = self._screen.run_worker(self._keep_records(), group="keep")

    async def _keep_records(self) -> None:
        records = await self._race.session.records()
        await self._screen.navigator.keep_races(records, self._race.session.seats)
        season = self._race.session.setup.season
        if (number := season.race if season else 0) < len(records):
            with contextlib.suppress(BadRecord):
                self._playback = await asyncio.to_thread(Playback, records[number])

    async def _wait_until_kept(self) -> None:
        """Let the records be saved before the table is left, unless that takes too long."""
        if self._keeping is not None:
            with contextlib.suppress(TimeoutError, WorkerError):
                async with asyncio.timeout(KEEP_SECONDS):
                    await self._keeping.wait()

    # --- with the others -----------------------------------------------------------------------------------

    def follows_the_others(self, company: Company) -> bool:
        """Go with the others to the lobby for a rematch, or to the next race; returns whether they go."""
        _, onward, lobby = self._ways_on
        if company.is_in_lobby and lobby is not None:
            lobby()
        elif company.has_next_race and self._race.is_over and onward is not None:
            onward()
        else:
            return False
        return True

    def go_on(self) -> None:
        """Leave a table that is gone: for its championship, or Home."""
        (self._ways_on.onward or self._screen.app.pop_screen)()

    def tell_the_end(self, notice: Notice) -> None:
        """Say in a box why the server has ended the stay, then go Home: nothing can be chosen any more."""
        screen = self._screen
        screen.app.push_screen(notice_dialog(notice), lambda _: screen.navigator.go_home())

    # --- the ways out --------------------------------------------------------------------------------------

    def give_up(self, reply: Reply) -> None:
        """Ask, then leave the race but stay at the table."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._send(reply)

        self._screen.app.push_screen(ConfirmDialog(self._race.give_up_question(reply)), answered)

    def leave(self) -> None:
        """Ask where something is lost by it, then go Home."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._screen.run_worker(self._go(), group="leave")

        if question := self._race.leave_question():
            self._screen.app.push_screen(ConfirmDialog(question), answered)
        else:
            answered(True)

    async def _go(self) -> None:
        await self._wait_until_kept()
        await self._race.session.close()
        self._come_to_the_top()
        self._screen.app.pop_screen()

    def _come_to_the_top(self) -> None:
        """Close what was opened above while the table was being left."""
        while self._screen.app.screen is not self._screen:
            self._screen.app.pop_screen()

    def show_results(self) -> None:
        """Go on to the results."""
        self._screen.run_worker(self._show_results(), group="leave")

    async def _show_results(self) -> None:
        session, ways_on = self._race.session, self._ways_on
        happened = session.events_since(0, None)
        await self._wait_until_kept()
        company = session.company
        results = ResultsScreen(
            self._race.labels,
            self._race.view,
            happened,
            session.seats,
            again=ways_on.again,
            onward=ways_on.onward,
            company=company,
            follows=self.follows_the_others,
            leave=session.close if company is not None and ways_on.onward is None else None,
            playback=self._playback,
        )
        await session.finish()
        self._come_to_the_top()
        self._screen.app.switch_screen(results)
