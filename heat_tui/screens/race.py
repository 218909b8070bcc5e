"""The race screen: one table, seen and driven from one terminal.

Theory of operation. A worker follows the session: it waits for events, shows them (moves are animated), then
shows the view after them. Keys and clicks change a *draft*, a half-made choice, and the panels say at once
what it would cost; Enter sends it. A draft survives every update. Where several seats play at this keyboard,
one of them at a time is the `viewer`; between two of them a curtain covers the hands.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.worker import Worker, WorkerError

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord
from heat_core.refusal import Refused
from heat_core.track import compile_track
from heat_core.view.race_view import Observation, RaceView
from heat_tui.client.company import Company
from heat_tui.client.line_state import SessionClosed
from heat_tui.client.session import Session
from heat_tui.flow.asking import draft_for, plain_replies, seats_due
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.turn_replay import TurnReplay, is_shown
from heat_tui.keys.race_bindings import RACE_BINDINGS
from heat_tui.race.animation import Step, steps
from heat_tui.race.bell import Bell
from heat_tui.race.draft import Draft, same_answer
from heat_tui.race.enter_guard import HAND_OVER_GAPS, EnterGuard
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.chat_box import chat_lines
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.race_choices import RaceChoices
from heat_tui.screens.race_panels import RacePanels
from heat_tui.screens.results import ResultsScreen
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.log import LogLine


class RaceScreen(RaceChoices):
    """A race, until it is over or left."""

    CSS_PATH = "race.tcss"
    BINDINGS = RACE_BINDINGS

    KEEP_SECONDS: ClassVar[float] = 5.0
    """How long a table that is over is not left because its record is still being asked for."""

    def __init__(
        self,
        session: Session,
        *,
        animate: bool = True,
        again: Callable[[], None] | None = None,
        onward: Callable[[], None] | None = None,
        lobby: Callable[[], None] | None = None,
        lesson: Lesson | None = None,
    ) -> None:
        """Make the screen.

        Args:
            session: The table.
            animate: Whether cars move space by space.
            again: For the results: starts another race like this one.
            onward: For the results: goes on to the championship that the race belongs to.
            lobby: Follows the others back into the lobby, where a rematch has been called.
            lesson: Explains what happens for the first time; None: the player knows.
        """
        super().__init__()
        self.session = session
        self.labels = RaceLabels.of(session.setup)
        self.track = compile_track(session.setup.track)
        self.turn_replay = TurnReplay(self.labels, self.track)
        self._bell = Bell()
        self.viewer: int | None = session.seats[0] if len(session.seats) == 1 else None
        self.curtain: int | None = None
        self.draft: Draft | None = None
        self.message = ""
        self._trouble_told = ""
        self.hint = ""
        self.race_view: RaceView = session.view(self.viewer)
        self.lesson = lesson if len(session.seats) == 1 else None
        self._is_animated = animate
        self._again = again
        self._onward = onward
        self._lobby = lobby
        self._is_moving = False
        self._skips = asyncio.Event()
        self._seen = 0
        self._playback: Playback | None = None
        self._keeping: Worker[None] | None = None
        self._sent: set[tuple[int, int]] = set()
        self.enters = EnterGuard()
        self._ending = ""
        self.away: frozenset[int] = frozenset()
        self.log_lines: list[LogLine] = []

    def compose(self) -> ComposeResult:
        """Banner, map and side, road, hand and instruments, forecast, keys."""
        yield from RacePanels.compose()

    def arrive(self) -> None:
        """Begin to follow the table."""
        self.panels = RacePanels(self, self.labels, self.track)
        self.panels.start()
        self.set_interval(1.0, self._show_banner)
        self.show_again()
        self._follow()
        if self.session.company is not None:
            self._follow_company(self.session.company)

    # --- following the table --------------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        try:
            while True:
                await self._catch_up()
                if self.race_view.status == "ended":
                    self._ring()
                    self._keeping = self._keep_records()
                    return
                if not await self._answer_what_is_plain():
                    self._ring()
                    await self.session.changed(self._seen)
        except SessionClosed as closed:
            self._ending = str(closed)
            self.show_again()

    def _ring(self) -> None:
        """Ring the terminal's bell where the player likes it and something has come up."""
        rings = self._bell.rings_for(self.race_view, self.session.seats)
        if rings and self.navigator.settings.bell:
            self.app.bell()

    @work(group="keep")
    async def _keep_records(self) -> None:
        """Write down what is over, and get the race ready to be watched again."""
        records = await self.session.records()
        await self.navigator.keep_records(records)
        season = self.session.setup.season
        if (number := season.race if season else 0) < len(records):
            with contextlib.suppress(BadRecord):
                self._playback = await asyncio.to_thread(Playback, records[number])

    async def _wait_until_kept(self) -> None:
        """Let the records be written before the table is left, unless that takes too long."""
        if self._keeping is not None:
            with contextlib.suppress(TimeoutError, WorkerError):
                async with asyncio.timeout(self.KEEP_SECONDS):
                    await self._keeping.wait()

    @work(exclusive=True, group="company")
    async def _follow_company(self, company: Company) -> None:
        """Hear what people say and want, in the race and after it."""
        while company.ended is None:
            changes = company.changes
            if company.is_in_lobby and self._lobby is not None:
                self._lobby()
                return
            if company.has_next_race and self.race_view.status == "ended" and self._onward is not None:
                self._onward()
                return
            self.hear(company)
            if not self._is_moving:
                self.show_again()
            await company.wait(changes)

    def rest(self, gaps: int = 1) -> None:
        """Let no Enter confirm anything right after this, for so many gaps."""
        self.enters.rest(time.monotonic(), gaps)

    async def _catch_up(self) -> None:
        """Show the events not seen yet, then the view after them."""
        happened = self.session.events_since(self._seen, self.viewer)
        after = self.session.view(self.viewer)
        if self._is_animated and self._pace and self._seen and is_shown(happened):
            await self._play(happened)
        else:
            for event in happened:
                self.tell(event)
        self._seen = after.event_number
        if happened:
            self._look_up(after)
        if self.session.trouble != self._trouble_told:
            self.message = self._trouble_told = self.session.trouble
        self.tell_who_is_away()
        self._choose_viewer()
        self.show_again()

    def _look_up(self, after: RaceView) -> None:
        """Take away what was told of the moment before: figures, and the answer to another prompt."""
        self.stop_looking()
        before, own = self.race_view.own, after.own
        if (before and before.decision) != (own and own.decision):
            self.message = ""

    async def _play(self, happened: Sequence[e.Event]) -> None:
        """Show events one after the other; a key or click skips to what they lead to."""
        self._skips.clear()
        self._is_moving = True
        self.turn_replay.open()
        self.show_lesson(is_hidden=True)
        try:
            for event, following in zip_longest(happened, happened[1:]):
                self.tell(event)
                seconds = self.turn_replay.tell(event, following)
                if not self._skips.is_set():
                    await self._look_at(list(steps(event)), seconds)
        finally:
            self._is_moving = False
            if not self._skips.is_set():
                self.enters.end(time.monotonic(), self.navigator.enter_gap_seconds)

    async def _look_at(self, way: Sequence[Step], seconds: float) -> None:
        """Move a car along its way, and leave the eye so much time."""
        if seconds or way:
            self.panels.show_turn_replay(self.shown(), self.turn_replay)
        for step in way:
            self.panels.place_car(step)
            if await self._is_skipped(step.seconds):
                return
        await self._is_skipped(seconds)

    async def _is_skipped(self, seconds: float) -> bool:
        """Wait so long, or until a key skips."""
        seconds *= self._pace
        if seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skips.wait(), seconds)
        return self._skips.is_set()

    @property
    def _pace(self) -> float:
        """How fast the player likes it; the settings may change in mid-race."""
        return self.navigator.pace

    def _choose_viewer(self) -> None:
        """Keep the keyboard with its seat, or draw the curtain for the next one that owes a choice."""
        if len(self.session.seats) == 1:
            return
        due = seats_due(self.session)
        if not due or self.viewer in due or self.curtain in due:
            return
        if self.race_view.status == "set_up":
            self.viewer = due[0]  # a draft is open to all: there is nothing to cover
            return
        self.viewer = None
        self.curtain = due[0]
        self.rest(HAND_OVER_GAPS)

    async def _answer_what_is_plain(self) -> bool:
        """Answer a decision of one's own seats that leaves nothing to decide."""
        for reply in plain_replies(self.session):
            if await self._say(*reply):
                return True
        return False

    # --- showing -------------------------------------------------------------------------------------------

    def show_keys(self) -> None:
        """Name keys anew; while cars drive none are named."""
        super().show_keys()
        if self.session.company is not None:
            self.panels.show_chat(chat_lines(self.session.company.chat.lines))
        if not self._is_moving:
            self.show_again()

    def show_again(self) -> None:
        """Bring every panel up to date."""
        self.race_view = self.session.view(self.viewer)
        self.remember_beginning()
        self.draft = draft_for(self.observation, self.draft) if self.observation is not None else None
        self.panels.show(self.shown())
        self.show_lesson()

    def shown(self) -> ScreenModel:
        """Give all that the panels show now."""
        return ScreenModel(
            view=self.race_view,
            viewer=self.viewer,
            curtain=self.curtain,
            draft=self.draft,
            observation=self.observation,
            message=self._ending or self.message,
            seconds_left=self.seconds_left(),
            connection=self.session.connection,
            turn_replay=self.turn_replay if self._is_moving else None,
            is_hot_seat=len(self.session.seats) > 1,
            hint=self.hint,
            looked_at=self.looked_at,
            away=frozenset(self.session.away),
            people=self.people_shown(),
        )

    def on_screen_resume(self) -> None:
        """Show what has changed below another screen: lines of the chat have been read there."""
        if self._seen:
            self._show_banner()

    def _show_banner(self) -> None:
        self.panels.show_banner(self.shown())

    @property
    def observation(self) -> Observation | None:
        """What the viewer sees, None while nobody looks."""
        return Observation(self.session.setup, self.race_view) if self.race_view.own is not None else None

    def changed_draft(self, refusal: str = "") -> None:
        """Show the draft and its cost as they are now, and why something cannot be so."""
        self.stop_looking()
        self.message = refusal
        self.panels.show(self.shown())

    # --- choosing ------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Any key skips what is being shown and does nothing else."""
        if self._is_moving:
            self._skip()
            event.stop()
            event.prevent_default()
        elif event.key != "enter":
            self.confirm_what_is_due()

    def on_click(self) -> None:
        """A click anywhere skips like a key."""
        if self._is_moving:
            self._skip()

    def _skip(self) -> None:
        self._skips.set()
        self.enters.skip(time.monotonic())

    def confirm_now(self) -> None:
        """Say what is picked; lift the curtain; at the end go on to the results."""
        if self._ending:
            (self._onward or self.app.pop_screen)()
        elif self.race_view.status == "ended":
            self._show_results()
        elif self.curtain is not None:
            self.rest(HAND_OVER_GAPS)
            self.viewer, self.curtain = self.curtain, None
            self.message = ""
            self.show_again()
        else:
            self._confirm_draft()

    def _confirm_draft(self) -> None:
        own = self.race_view.own
        if own is None or own.decision is None or self.draft is None:
            return
        if own.choice is not None and self.draft.begin_salvage(own.choice):
            self.rest()
            self.changed_draft()
            return
        command = self.draft.command(own)
        if isinstance(command, str):
            self.changed_draft(command)
        elif same_answer(own.chosen, command) and own.seat not in self.session.away:
            self.changed_draft("Chosen. You can change it until everyone has chosen.")
        elif (own.seat, own.decision) not in self._sent:
            self.rest()
            self._send(own.seat, own.decision, command)

    @work(group="send")
    async def _send(self, seat: int, decision: int | None, command: c.Command) -> None:
        await self._say(seat, decision, command)

    async def _say(self, seat: int, decision: int | None, command: c.Command) -> bool:
        """Send an answer, once for each decision.

        Returns:
            Whether it was accepted.
        """
        if decision is not None:
            if (seat, decision) in self._sent:
                return False
            self._sent.add((seat, decision))
        self.message = ""
        try:
            await self.session.submit(seat, decision, command)
        except Refused as refused:
            self._sent.discard((seat, decision or 0))
            self.message = refused.text
            self.show_again()
            return False
        except SessionClosed as closed:
            self._ending = str(closed)
            self.show_again()
            return False
        return True

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """Do what was clicked; while cars drive, a click skips like a key."""
        if self._is_moving:
            self._skip()
        else:
            await self.run_action(message.action)

    # --- the way out -----------------------------------------------------------------------

    def action_give_up(self) -> None:
        """Ask, then leave the race but stay at the table."""
        own = self.race_view.own
        if own is None:
            return
        if not own.may_give_up:
            self.changed_draft("You may not give up now.")
            return
        seat = own.seat

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._send(seat, None, c.GiveUp())

        question = f"Does {self.labels.names[seat]} give up this race? The car leaves the track."
        self.app.push_screen(ConfirmDialog(question), answered)

    def action_leave(self) -> None:
        """Ask, then go home."""
        if self.race_view.status == "ended" or self._ending:
            self._go()
            return

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._go()

        question = "Stop watching?" if not self.session.seats else "Leave the race?"
        self.app.push_screen(ConfirmDialog(f"{question} {self.session.farewell}"), answered)

    @work(group="leave")
    async def _go(self) -> None:
        await self._wait_until_kept()
        await self.session.close()
        self._come_to_the_top()
        self.app.pop_screen()

    def _come_to_the_top(self) -> None:
        """Close what was opened above while the table was being left."""
        while self.app.screen is not self:
            self.app.pop_screen()

    @work(group="leave")
    async def _show_results(self) -> None:
        happened: Sequence[e.Event] = self.session.events_since(0, None)
        await self._wait_until_kept()
        company, watch = self.session.company, None
        if self._playback is not None:
            watch = partial(self.navigator.show_replay, self._playback)
        results = ResultsScreen(
            self.labels,
            self.race_view,
            happened,
            self.session.seats,
            again=self._again,
            onward=self._onward,
            company=company,
            lobby=self._lobby,
            leave=self.session.close if company is not None and self._onward is None else None,
            watch=watch,
        )
        await self.session.finish()
        self._come_to_the_top()
        self.app.switch_screen(results)

    def on_resize(self, event: events.Resize) -> None:
        """Open up where there is room; say what is needed where there is too little."""
        self.set_class(event.size.width < 80 or event.size.height < 24, "-small")
        self.set_class(event.size.width >= 110, "-wide")
        self.set_class(event.size.height >= 34, "-tall")
        self.call_after_refresh(self._show_anew)

    def _show_anew(self) -> None:
        """Show all once the panels have their new sizes; a chat that is on the screen now is read."""
        if self.session.company is not None and self.panels.has_room_for_chat:
            self.session.company.chat.read()
        self.show_again()
