"""A race as one keyboard follows and drives it: the state that every face needs, and nothing that shows it.

Theory of operation. A face (the race screen, plain mode) goes in steps. It takes the `unseen` events, shows
them as it likes, one by one or all at once, and hands each of them to the controller (`take_in`). `settle`
then moves on to the newest view: it notes who has come and gone, decides who has the keyboard, and makes the
draft fit what is asked. What leaves nothing to decide is answered by `answer_forced_choices`. Between two
steps, keys and typed lines change the draft; `confirm` gives the answer that it makes, and `submit` sends an
answer, once for each decision. `wait` ends when there is something new.

Where several people share the keyboard, one of them at a time is the `viewer`. Between two of them a curtain
covers the hands, and the events given are those that everybody may know.
"""

from __future__ import annotations

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.refusal import Refused
from heat_core.view.forecast import remember_forecasts
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.client.connection_state import SessionClosed
from heat_tui.client.session import Session
from heat_tui.flow.advising import NOTHING_TO_DECIDE, Advising
from heat_tui.flow.asking import Reply, draft_for, forced_replies, seats_due
from heat_tui.flow.choosing import Choosing
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.moments import Moment, moments_between
from heat_tui.flow.people import AroundTheTable
from heat_tui.flow.race_news import LineNews, News, Unseen
from heat_tui.flow.worths import Worths
from heat_tui.race.draft import Draft, same_answer
from heat_tui.race.presenter import RaceLabels
from heat_tui.words.hints import Hint
from heat_tui.words.log import LogLine, event_line, people_line
from heat_tui.words.race_talk import (
    CHOSEN,
    HAS_GONE_BACK,
    NO_GIVING_UP,
    give_up_question,
)
from heat_tui.words.silence import time_was_up


class RaceController:
    """A race, until it is over, left or closed.

    Attributes:
        session: The table.
        labels: Who races.
        around: The people around the table.
        view: The race as the viewer sees it, as of the last step.
        observation: That for forecasts; None while no hand is open.
        viewer: Whose hand is open; None: nobody's.
        curtain: Who should take the keyboard; None: nobody has to.
        draft: What is picked but not sent; None while nothing is asked of the viewer.
        message: Why something is refused, or what is wrong with the table; "" for nothing.
        line_news: What changes about the line and the table.
        ending: Why the table is gone, "" while it is there.
        log: What happened, a line each.
        lesson: Explains what comes up for the first time; None: nothing is explained.
        is_lesson_over: Whether a lesson has come to its end, or was ended.
        advising: Advice on the open decision.
        order_before: The turn order that was fixed last.
        moments: What the last step is worth a stamp for.
    """

    def __init__(
        self, session: Session, *, lesson: Lesson | None = None, labels: RaceLabels | None = None
    ) -> None:
        """Begin with nothing seen.

        Args:
            lesson: Is only given to somebody who has the keyboard alone.
            labels: Where the cars have other names or letters than usual.
        """
        self.session = session
        self.labels = labels or RaceLabels.of(session.setup)
        self.around = AroundTheTable(session, self.labels.names)
        self.viewer: int | None = session.seats[0] if len(session.seats) == 1 else None
        self.curtain: int | None = None
        self.view: RaceView = session.view(self.viewer)
        self.observation: Observation | None = self._observed()
        self.draft: Draft | None = None
        self.message = ""
        self.ending = ""
        self.log: list[LogLine] = []
        self.lesson = lesson if len(session.seats) == 1 else None
        self.is_lesson_over = False
        self.advising = Advising(session)
        self.order_before: tuple[int, ...] = ()
        self.moments: tuple[Moment, ...] = ()
        self._seen = 0
        self._sent: set[tuple[int, int]] = set()
        self.line_news = LineNews(session)

    # --- what is known -------------------------------------------------------------------------------------

    @property
    def seen(self) -> int:
        """The number of the last event that was taken in, 0 before the first step."""
        return self._seen

    @property
    def is_over(self) -> bool:
        """Whether the race has ended."""
        return self.view.status == "ended"

    @property
    def is_hot_seat(self) -> bool:
        """Whether several people share the keyboard."""
        return len(self.session.seats) > 1

    @property
    def choosing(self) -> Choosing | None:
        """The open choice with its draft; None while nothing is asked of the viewer."""
        observation, draft = self.observation, self.draft
        if observation is None or draft is None or observation.own.choice is None:
            return None
        return Choosing(observation, draft, observation.own.choice)

    @property
    def open_decision(self) -> tuple[int, int] | None:
        """Seat and number of the decision that is asked of the viewer, also while it may still be changed."""
        own = self.view.own
        return None if own is None or own.decision is None else (own.seat, own.decision)

    @property
    def owes_a_choice(self) -> bool:
        """Whether the viewer has not answered the open decision yet."""
        own = self.view.own
        return own is not None and own.decision is not None and own.chosen is None

    def times_left(self) -> dict[int, float]:
        """Give the seconds left of each seat that still owes a choice, where a time is set for it."""
        due = [decision.seat for decision in self.view.decisions if not decision.has_chosen]
        left = {seat: self.session.seconds_left(seat) for seat in due}
        return {seat: seconds for seat, seconds in left.items() if seconds is not None}

    def seconds_left(self) -> float | None:
        """Say how long the open decisions may still take, the viewer's if it is one; None: no time is set."""
        left = self.times_left()
        return left[self.viewer] if self.viewer in left else min(left.values(), default=None)

    # --- following -----------------------------------------------------------------------------------------

    def unseen(self) -> Unseen:
        """Give what happened since the last step."""
        number = self.session.view(self.viewer).event_number
        seat = None if self.is_hot_seat else self.viewer
        events = () if number == self._seen else self.session.events_since(self._seen, seat)
        return Unseen(events, number)

    def take_in(self, event: e.Event) -> LogLine | None:
        """Take in an event that is being shown; gives its line of the log, None where it has none."""
        if self.lesson is not None:
            self.lesson.hear(event, self.viewer)
        if isinstance(event, e.TurnOrderFixed):
            self.order_before = event.order
        text = time_was_up(event, self.observation) or self.labels.told(event)
        if not text:
            return None
        self.log.append(event_line(event, text))
        return self.log[-1]

    def settle(self, unseen: Unseen) -> News:
        """Move on to the newest view, once the events before it have been shown."""
        before, view = self.open_decision, self.view
        has_gone_back, self._seen = unseen.number < self._seen, unseen.number
        self._look()
        seat = None if self.is_hot_seat else self.viewer
        self.moments = moments_between(view, self.view, unseen.events, seat, self.labels.setup)
        self.log += [people_line(moment.line, seat) for moment in self.moments if moment.line]
        if unseen.events and before != self.open_decision:
            self.message = ""  # it was about another question
        presence = self.around.presence_changes()
        self.log += [people_line(text, seat) for seat, text in presence]
        has_new_curtain = self._choose_viewer()
        self.renew()
        told = tuple(text for _, text in presence)
        if trouble := self.line_news.trouble():
            self.message = self.session.trouble
        if has_gone_back:
            trouble = self._go_back()
        return News(told, self.line_news.connection(), trouble, has_new_curtain)

    def _go_back(self) -> str:
        """Ask once more for what was chosen, as the server has lost it."""
        self._sent.clear()
        self.message = HAS_GONE_BACK
        return HAS_GONE_BACK

    def renew(self) -> None:
        """Read the view again and make the draft fit it; nothing of the events is taken in."""
        self._look()
        self.draft = draft_for(self.observation, self.draft) if self.observation is not None else None

    def _look(self) -> None:
        """Take the newest view; an observation that is still true stays, and with it its forecasts."""
        view = self.session.view(self.viewer)
        if view != self.view:
            self.view = view
            self.observation = self._observed()

    def _observed(self) -> Observation | None:
        if self.view.own is None:
            return None
        observation = Observation(self.session.setup, self.view)
        remember_forecasts(observation)
        return observation

    async def wait(self) -> None:
        """Wait until there is something new; where the table is gone, `ending` then says why."""
        try:
            await self.session.changed(self._seen)
        except SessionClosed as closed:
            self.ending = str(closed)

    # --- whose turn at the keyboard ------------------------------------------------------------------------

    def _choose_viewer(self) -> bool:
        """Leave the keyboard with its seat, or draw the curtain for the next one that owes a choice.

        Returns:
            Whether the curtain has been drawn.
        """
        due = seats_due(self.session)
        if not self.is_hot_seat or not due or self.viewer in due or self.curtain in due:
            return False
        if self.view.status == "set_up":
            self.viewer = due[0]  # a draft is open to all: there is nothing to cover
            return False
        self.viewer, self.curtain = None, due[0]
        return True

    def lift_curtain(self) -> None:
        """Show the hand of the seat that was called."""
        self.viewer, self.curtain = self.curtain, None
        self.message = ""
        self.renew()

    # --- answering -----------------------------------------------------------------------------------------

    async def answer_forced_choices(self) -> bool:
        """Answer a decision of the seats here that leaves no choice; returns whether there was one."""
        for reply in forced_replies(self.session):
            if await self.submit(reply):
                return True
        return False

    def propose(self, draft: Draft) -> bool:
        """Take another draft in place of the present one if it is a whole answer; `message` says why not."""
        own = self.view.own
        command = draft.command(own) if own is not None else ""
        self.message = command if isinstance(command, str) else ""
        if isinstance(command, str):
            return False
        self.draft = draft
        return True

    def confirm(self) -> Reply | None:
        """Take the draft as it is.

        Returns:
            The answer to send. None: it is refused, as `message` says; or cards are to be chosen first; or it
            has been sent.
        """
        own, choosing = self.view.own, self.choosing
        if own is None or own.decision is None or choosing is None:
            return None
        self.message = ""
        if choosing.draft.begin_salvage(choosing.choice):
            return None
        command = choosing.draft.command(own)
        if isinstance(command, str):
            self.message = command
        elif same_answer(own.chosen, command) and own.seat not in self.session.away:
            self.message = CHOSEN
        elif (own.seat, own.decision) not in self._sent:
            return Reply(own.seat, own.decision, command)
        return None

    async def submit(self, reply: Reply) -> bool:
        """Send an answer, once for each decision.

        Returns:
            Whether it was accepted; if not, `message` or `ending` says why, unless it has been sent before.
        """
        key = None if reply.decision is None else (reply.seat, reply.decision)
        if key in self._sent:
            return False
        if key is not None:
            self._sent.add(key)
        self.message = ""
        try:
            await self.session.submit(*reply)
        except Refused as refused:
            if key is not None:
                self._sent.discard(key)
            self.message = refused.text
        except SessionClosed as closed:
            self.ending = str(closed)
        else:
            return True
        return False

    # --- leaving -------------------------------------------------------------------------------------------

    def give_up(self) -> Reply | None:
        """Give what gives up the race for the viewer, once they agree; None: not now, as `message` says."""
        own = self.view.own
        if own is None or not own.may_give_up:
            self.message = NO_GIVING_UP
            return None
        return Reply(own.seat, None, c.GiveUp())

    def give_up_question(self, reply: Reply) -> str:
        """Ask whether that seat really gives up."""
        return give_up_question(self.labels.names[reply.seat])

    def leave_question(self) -> str:
        """Ask whether to leave, with what that means; "" where nothing is lost by leaving."""
        if self.is_over or self.ending:
            return ""
        question = "Leave the race?" if self.session.seats else "Stop watching?"
        return f"{question} {self.session.farewell}"

    # --- the people around the table -----------------------------------------------------------------------

    def hear(self) -> tuple[str, ...]:
        """Put the room's news into the log; gives what happened while the player was away, once."""
        self.log += [people_line(text) for text in self.around.room_news()]
        if self.around.has_resumed():
            self.message = ""  # what was refused in the pause is refused no more
        company = self.session.company
        return company.take_meanwhile() if company is not None else ()

    async def vote_for_pause(self) -> None:
        """Vote to pause or to resume, or take the vote back; `message` says why not."""
        self.message = await self.around.vote_for_pause()

    # --- advice --------------------------------------------------------------------------------------------

    def turn_advice(self) -> None:
        """Turn the viewer's advice on, or off again; `message` says why it stays off."""
        if self.viewer is None or self.view.own is None:
            self.message = self.advising.why_not() or NOTHING_TO_DECIDE
        else:
            is_on = not self.advising.is_on(self.viewer)
            self.message = self.advising.turn(self.viewer, is_on=is_on)

    async def think(self) -> bool:
        """Think out the advice that is due; returns whether any was."""
        asked, observation = self.open_decision, self.observation
        if asked is None or observation is None or not self.advising.is_due(asked):
            return False
        await self.advising.think(asked, observation)
        return True

    @property
    def worths(self) -> Worths | None:
        """What each choice is worth; None while there is no advice on what is asked."""
        own, advice = self.view.own, self.advising.given(self.open_decision)
        if own is None or self.draft is None or advice is None:
            return None
        return Worths(advice, own, self.draft)

    # --- the lesson ----------------------------------------------------------------------------------------

    def hint(self) -> Hint | None:
        """Say what to explain now; None for nothing. The end of the race ends the lesson, too."""
        if self.lesson is None:
            return None
        hint = self.lesson.look(self.view, self.labels.setup)
        self.is_lesson_over |= self.is_over
        return hint

    def begin_lesson(self) -> None:
        """Explain from now on what comes up for the first time, to somebody who has the keyboard alone."""
        self.is_lesson_over = False
        if self.lesson is None and not self.is_hot_seat:
            self.lesson = Lesson()

    def end_lesson(self) -> None:
        """Explain nothing more."""
        self.lesson, self.is_lesson_over = None, True
