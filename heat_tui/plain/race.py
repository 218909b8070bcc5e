"""A race in lines: one table, followed and driven from one keyboard.

Theory of operation. As on the race screen, what is typed changes a draft, its forecast is told, and Enter
sends it. Between two questions everything that happened is told. Where the table is here, nothing is
read before something is asked; at a server, lines are read while others choose too, for there is talk and one
may look around. Where several people play at this keyboard, one hand scrolls off before the next is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, Literal, TypeAlias

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.refusal import Refused
from heat_core.view.race_view import Observation, RaceView
from heat_tui.client.line_state import SessionClosed
from heat_tui.client.session import Session
from heat_tui.flow.asking import Reply, draft_for, plain_replies, seats_due
from heat_tui.flow.lesson import Lesson
from heat_tui.keys.table import USUAL
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.answers import example_of, take_answer
from heat_tui.plain.following import Following
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.questions import CONFIRM, forecast_text, help_text, question, short_question
from heat_tui.plain.talk import Talk
from heat_tui.plain.telling import results_told
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.race.draft import Draft, same_answer
from heat_tui.race.presenter import waiting_for
from heat_tui.words.hints import Hint

WARNING_SECONDS: Final = (30, 10)
"""So long before a decision's time is over that is told."""

_MOST_SENTENCES_AT_FIRST: Final = 12
"""Of a race that one comes into."""

_CONNECTION: Final = {
    "reconnecting": "The connection was lost; trying again.",
    "connected": "Connected again.",
    "offline": "Offline.",
}

End: TypeAlias = Literal["over", "left", "closed", "lobby"]
"""How a race ends for this keyboard: it is over, it was left, the table is gone, all go back to the lobby."""


class PlainRace(Following):
    """A race, until it is over or left.

    Attributes:
        is_lesson_over: Whether a lesson has come to its end, or was ended.
    """

    def __init__(
        self, session: Session, voice: LineTerminal, talk: Talk | None = None, *, is_lesson: bool = False
    ) -> None:
        """Make it; `run` races.

        Args:
            talk: With the people of the room; None where the table is here.
            is_lesson: Explain what comes up for the first time.
        """
        super().__init__(session, voice, talk)
        self.viewer: int | None = session.seats[0] if len(session.seats) == 1 else None
        self._curtain: int | None = None
        self._draft: Draft | None = None
        self._asked: tuple[int, int] | None = None
        self._told: tuple[int, int] | None = None
        self._seen = 0
        self._sent: set[tuple[int, int]] = set()
        self._warned: dict[int, list[int]] = {}
        self._waits_told: tuple[object, ...] = ()
        self._connection_told = session.connection
        self._trouble_told = ""
        self._end: End | None = None
        self._lesson = Lesson() if is_lesson and len(session.seats) == 1 else None
        self.is_lesson_over = False
        self._explained: Hint | None = None

    @property
    def race_view(self) -> RaceView:
        """The newest view of whoever looks."""
        return self.session.view(self.viewer)

    async def run(self) -> End:
        """Race to the end.

        Raises:
            Left: Whoever typed is gone.
        """
        self.voice.farewell = self.session.farewell
        try:
            while self._end is None:
                await self._go_on()
        except SessionClosed as closed:
            self.voice.say(sentence_of(str(closed)))
            return "closed"
        return self._end

    async def _go_on(self) -> None:
        """Tell what is new, and wait for what comes next."""
        self._catch_up()
        company = self.session.company
        if company is not None and company.is_in_lobby:
            self._end = "lobby"
        elif self.race_view.status == "ended":
            self._explain()
            for told in results_told(self.labels, self.race_view, self.session.events_since(0, None)):
                self.voice.say(without_hashes(told))
            self._end = "over"
        elif replies := plain_replies(self.session):
            await self._submit(replies[0])
        elif company is None and not seats_due(self.session):
            await self.session.changed(self._seen)
        else:
            self._ask()
            line = await self.voice.heard(*self._news(), seconds=self._seconds_to_warning())
            if line is None:
                self._warn()
            else:
                self._catch_up()  # another question may have come in the same moment
                self._turn()
                await self._hear(line)

    def _news(self) -> list[Coroutine[Any, Any, object]]:
        company = self.session.company
        news: list[Coroutine[Any, Any, object]] = [self.session.changed(self._seen)]
        return news if company is None else [*news, company.wait(company.changes)]

    # --- telling -------------------------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Tell what happened since the last time, and call whoever is to choose."""
        # Around one keyboard only what all may know is told.
        seat = self.viewer if len(self.session.seats) == 1 else None
        happened = self._new_events(seat)
        if self._lesson is not None:
            for event in happened:
                self._lesson.hear(event, self.viewer)
        told = [text for event in happened if (text := self.labels.told(event))]
        if not self._seen and len(told) > _MOST_SENTENCES_AT_FIRST:
            self.voice.say(f"{len(told)} things have happened before; log tells them.")
            self.log += told[:-_MOST_SENTENCES_AT_FIRST]
            told = told[-_MOST_SENTENCES_AT_FIRST:]
        for text in told:
            self.tell(text)
        self._seen = self.race_view.event_number
        self.tell_people()
        if self.session.connection != self._connection_told:
            self._connection_told = self.session.connection
            self.voice.say(_CONNECTION.get(self._connection_told, ""))
        if self.session.trouble != self._trouble_told:
            self._trouble_told = self.session.trouble
            self.voice.say(self._trouble_told or "It is saved again.")
        self._choose_viewer()
        self._renew_draft()

    def _new_events(self, seat: int | None) -> tuple[e.Event, ...]:
        if self.race_view.event_number == self._seen:
            return ()
        return self.session.events_since(self._seen, seat)

    def _choose_viewer(self) -> None:
        """Keep the keyboard with its seat, or draw the curtain for the next one that owes a choice."""
        if len(self.session.seats) == 1:
            return
        due = seats_due(self.session)
        if not due or self.viewer in due or self._curtain in due:
            return
        if self.race_view.status == "set_up":
            self.viewer = due[0]  # a draft is open to all: there is nothing to cover
            return
        if self.viewer is not None:
            self.voice.scroll_off()
        self.viewer, self._curtain = None, due[0]

    def _renew_draft(self) -> None:
        self._draft = draft_for(self.observation, self._draft) if self.observation is not None else None

    @property
    def _open(self) -> tuple[int, int] | None:
        """Seat and number of the decision that is asked of the viewer."""
        own = self.race_view.own
        return None if own is None or own.decision is None else (own.seat, own.decision)

    # --- asking --------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Give the prompt that fits, or say once whom all wait for."""
        if self._curtain is not None:
            self.voice.prompt(f"Pass the keyboard to {self.labels.names[self._curtain]}, then Enter")
            return
        observation, draft = self.observation, self._draft
        self._explain()
        if observation is None or draft is None or observation.own.chosen is not None:
            self._tell_waiting()
            return
        self._turn()
        if self._told == self._open:
            self.voice.prompt(CONFIRM)
        elif not (self._asked == self._open and self.voice.is_waiting):
            name = (
                f"{self.labels.names[observation.own.seat]}: " if observation.view.status == "set_up" else ""
            )
            is_again, self._asked = self._asked == self._open, self._open
            self.voice.prompt(
                name + (short_question(observation) if is_again else question(observation, draft))
            )

    def _turn(self) -> None:
        """Have lines that were begun before the open decision come late for it."""
        own = self.race_view.own
        if own is not None and own.decision is not None and own.chosen is None:
            self.voice.turn_to((self, self._open))

    def _explain(self) -> None:
        """Explain what comes up for the first time, where this is a lesson; the end of the race ends it."""
        if self._lesson is None:
            return
        hint = self._lesson.look(self.race_view, self.labels.setup)
        self.is_lesson_over |= self.race_view.status == "ended"
        if hint is not None and hint is not self._explained:
            self.voice.say(USUAL.fill(f"{hint.title}: {hint.text}"))  # what is typed here
        self._explained = hint

    def _tell_waiting(self) -> None:
        view = self.race_view
        waits = (view.round, view.phase, view.turn.car if view.turn else None)
        if waits != self._waits_told and (names := waiting_for(view, self.labels, None)):
            self._waits_told = waits
            self.voice.say(f"Waiting for {names}. Meanwhile ? shows what you can type.")

    def _seconds_to_warning(self) -> float | None:
        """Say when the next warning about time is due, None where none will be."""
        own = self.race_view.own
        if own is None or own.decision is None or own.chosen is not None:
            return None
        left = self.session.seconds_left(own.seat)
        if left is None:
            return None
        ahead = self._warned.setdefault(own.decision, [limit for limit in WARNING_SECONDS if limit < left])
        return max(0.0, left - ahead[0]) if ahead else None

    def _warn(self) -> None:
        """Tell the time where a warning is due."""
        own = self.race_view.own
        if own is None or own.decision is None:
            return
        left, ahead = self.session.seconds_left(own.seat), self._warned.get(own.decision)
        if ahead and left is not None and left <= ahead[0] + 0.05:
            self.voice.say(f"{ahead.pop(0)} seconds left.")

    # --- hearing -------------------------------------------------------------------------------------------

    async def _hear(self, line: str) -> None:
        """Do what was typed: a command, or an answer."""
        if self._curtain is not None and not line:
            self.viewer, self._curtain = self._curtain, None
            return
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if line.casefold() == "give up":
            await self._give_up()
        elif is_leaving(line):
            if await self.voice.agrees(f"Leave the race? {self.session.farewell}"):
                self._end = "left"
        elif is_asking(line):
            self._help()
        elif word == "again":
            self._asked = self._told = None
        elif word == "cost":
            self._tell_cost(rest)
        elif not self.looks(word, rest) and not await self.talks(word, rest):
            await self._answer(line)

    def turn_hints(self, is_on: bool) -> str:
        """Explain what comes up from now on, or nothing more; gives a sentence about that."""
        self.is_lesson_over = not is_on
        if not is_on:
            self._lesson = None
            return "Hints are off from now on; hints on turns them on again."
        if len(self.session.seats) > 1:
            return "Hints are on for the next race that you drive alone; here several share the keyboard."
        if self._lesson is None:
            self._lesson, self._explained = Lesson(), None
        return "Hints are on: what comes up for the first time is explained. hints off ends that."

    def _help(self) -> None:
        own = self.race_view.own
        if self._curtain is not None:
            self.voice.say("Only who was called should look now: Enter shows their hand.")
        elif own is not None and own.choice is not None:
            self.voice.say(help_text(own.choice))
        self.tell_commands()
        if self._lesson is not None:
            self.voice.say("hints off ends the explanations.")

    def _tell_cost(self, text: str) -> None:
        observation = self.observation
        if observation is None or self._draft is None:
            self.voice.say("Nothing is asked of you now.")
            return
        draft = self._draft.copy()
        if not text and isinstance(draft.command(observation.own), str):
            self.voice.say(f"Type cost and an answer, for example: cost {example_of(observation)}")
            return
        refusal = take_answer(observation, draft, text).refusal if text else ""
        self.voice.say(refusal or forecast_text(observation, draft))

    async def _answer(self, line: str) -> None:
        """Put an answer into the draft and tell what it leads to; an empty line confirms what was told."""
        observation, draft = self.observation, self._draft
        if observation is None or draft is None:
            self.voice.say("Nothing is asked of you now; ? shows what you can type.")
            return
        if line and self.voice.is_late:
            self.voice.say(f"You began to type {line!r} before this question came. Type your answer to it.")
            return
        is_final = not line and self._told == self._open
        if not line and not is_final:
            self.voice.say("Enter alone answers nothing: it confirms what you have typed before.")
            return
        if not is_final:
            tried = draft.copy()
            refusal, is_final = take_answer(observation, tried, line)
            command = tried.command(observation.own)
            if refusal or isinstance(command, str):
                self.voice.say(refusal or str(command))
                return
            self._draft = draft = tried
            if not is_final:
                self.voice.say(forecast_text(observation, draft))
                self._told = self._open
                return
        await self._confirm(observation, draft)

    async def _confirm(self, observation: Observation, draft: Draft) -> None:
        own = observation.own
        command = draft.command(own)
        if isinstance(command, str):
            self.voice.say(command)
        elif same_answer(own.chosen, command) and own.seat not in self.away:
            self.voice.say("Chosen. You can change it until everyone has chosen.")
        elif own.decision is not None and (own.seat, own.decision) not in self._sent:
            await self._submit(Reply(own.seat, own.decision, command))

    async def _submit(self, reply: Reply) -> None:
        """Send an answer, once for each decision."""
        key = (reply.seat, reply.decision or 0)
        self._sent.add(key)
        self._told, self._waits_told = None, ()
        try:
            await self.session.submit(*reply)
        except Refused as refused:
            self._sent.discard(key)
            self.voice.say(sentence_of(refused.text))
            if isinstance(reply.command, c.GiveUp):
                return
            await asyncio.sleep(0)

    async def _give_up(self) -> None:
        own = self.race_view.own
        if own is None or not own.may_give_up:
            self.voice.say("You may not give up now.")
            return
        question = f"Does {self.labels.names[own.seat]} give up this race? The car leaves the track."
        if await self.voice.agrees(question):
            await self._submit(Reply(own.seat, None, c.GiveUp()))
