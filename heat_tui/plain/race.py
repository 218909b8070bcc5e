"""A race in lines: one table, followed and driven from one keyboard.

Theory of operation. What is typed changes the draft of the race's controller (`heat_tui.flow.race`), its
forecast is said, and Enter sends it. Between two questions everything that happened is said. Where the table
is here, nothing is read before something is asked; at a server, lines are read while others choose too, for
there is talk and one may look around. Where several people play at this keyboard, one hand scrolls off before
the next is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, Literal, TypeAlias, TypeVar

from heat_core.text import counted
from heat_tui.client.session import Session
from heat_tui.flow.asking import seats_due
from heat_tui.flow.ghost import GhostFinder
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.race import RaceController
from heat_tui.flow.results import ResultsController
from heat_tui.keys.table import USUAL
from heat_tui.plain.advice import tell_advice, turn_advice
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.answering import Answering
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.looking import Scene, looked_at
from heat_tui.plain.meanwhile import Meanwhile, until_answered
from heat_tui.plain.narrator import Narrator
from heat_tui.plain.preferences import SAID_AT_ANY_QUESTION, wrong_value
from heat_tui.plain.questions import help_text, question, short_question
from heat_tui.plain.review import ONLY_AFTERWARDS
from heat_tui.plain.talk import TO_OTHERS, Talk
from heat_tui.plain.telling import end_told
from heat_tui.plain.time_warnings import TimeWarnings
from heat_tui.plain.words import sentence_of
from heat_tui.race.bell import Bell
from heat_tui.race.presenter import waiting_for
from heat_tui.words.hints import Hint
from heat_tui.words.race_talk import CONNECTION_NEWS

Given = TypeVar("Given")

_MOST_MISSED: Final = 3
"""More that happened before one came, or came back, is not said: how the race stands is."""

_COMMANDS: Final = (
    "At any time: where, cars, hand, piles, cards (explains yours), road, weather, legends (their card), "
    "seed, log, log all, rules, time, again (repeats the question, or what your answer leads to), cost and "
    "an answer, advice (advice on keeps it on), words few, usual or all, settings (settings bell on changes "
    "one), give up, leave."
)
_COMMANDS_TO_OTHERS: Final = (
    "To the others: say and a line, chat (what was said), who (is here), code (spells the room's), invite "
    "(how others come here), react and a word such as bravo, pause (votes to pause or resume; again takes "
    "the vote back), time Ben 60 (the host gives a driver more time), news later (holds what others do until "
    "you have typed)."
)

_MEANWHILE: Final = "Meanwhile help shows what you can type."

_KEEPS_ADVICE: Final = {"advice on": True, "advice off": False}

End: TypeAlias = Literal["over", "left", "closed", "lobby"]
"""How a race ends for this keyboard: it is over, it was left, the table is gone, all go back to the lobby."""


class PlainRace:
    """A race, until it is over or left.

    Attributes:
        controller: The race; what is not about saying and hearing is there.
    """

    def __init__(
        self,
        session: Session,
        terminal: LineTerminal,
        talk: Talk | None = None,
        *,
        is_lesson: bool = False,
        find_ghost: GhostFinder | None = None,
    ) -> None:
        """Make it; `run` races.

        Args:
            talk: With the people of the room; None where the table is here.
            is_lesson: Explain what comes up for the first time.
            find_ghost: Reads the race that drives along; None: none does.
        """
        self.controller = RaceController(
            session, lesson=Lesson() if is_lesson else None, labels=spoken_labels(session.setup)
        )
        self._terminal = terminal
        self._voice = terminal.voice
        self._voice.forget()
        self._narrator = Narrator(self.controller, self._voice)
        self._answering = Answering(self.controller, terminal, self._narrator, self._answered)
        self._talk = talk
        self._bell = Bell(session)
        self._asked: tuple[int, int] | None = None
        self._warnings = TimeWarnings(self.controller, terminal)
        self._waits_said: tuple[object, ...] = ()
        self._pause_said = ("", "")
        self._hidden = ""
        self._explained: Hint | None = None
        self._end: End | None = None
        self._find_ghost = find_ghost

    async def run(self) -> End:
        """Race to the end.

        Raises:
            Left: Whoever typed is gone.
        """
        race = self.controller
        self._terminal.farewell = race.session.farewell
        if self._find_ghost is not None:
            self._catch_up()  # so that there is something to read meanwhile
            self._narrator.ghost = await asyncio.to_thread(self._find_ghost)
        try:
            while self._end is None and not race.ending:
                await self._go_on()
        except GoneBack:  # while the server had not answered
            self.leave()
        if self._end is None:
            self._terminal.say(sentence_of(race.ending))
        return self._end or "closed"

    async def _go_on(self) -> None:
        """Say what is new, and wait for what comes next."""
        self._catch_up()
        race, company = self.controller, self.controller.session.company
        if company is not None and company.is_in_lobby:
            self._end = "lobby"
        elif race.is_over:
            self._explain()
            happened = race.session.events_since(0, None)
            results = ResultsController(race.labels, race.view, happened, race.session.seats)
            for sentence in end_told(results, self._voice):
                self._terminal.say(sentence)
            self._end = "over"
        elif await self._answered(race.answer_forced_choices()) or await self._answering.go_on():
            self._waits_said = ()
        elif company is None and not seats_due(race.session):
            await race.wait()
        else:
            self._say_message()
            await self._advise()
            self._ask()
            line = await self._terminal.heard(*self._news(), seconds=self._warnings.seconds_to_next())
            if line is None:
                self._warnings.warn()
                self._terminal.ring(self._bell.short_of_time())
            else:
                self._catch_up()  # another question may have come in the same moment
                self._turn()
                await self._hear(line)

    def _news(self) -> list[Coroutine[Any, Any, object]]:
        race, company = self.controller, self.controller.session.company
        news: list[Coroutine[Any, Any, object]] = [race.wait()]
        return news if company is None else [*news, company.wait(company.changes)]

    # --- waiting for the server ----------------------------------------------------------------------------

    async def _answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        """Ask the table something and wait for its answer; GoneBack: the race is left meanwhile."""
        race, company = self.controller, self.controller.session.company
        if company is None:
            return await asking
        meanwhile = Meanwhile(company, self._tell_waits, self._takes_at_once, race.leave_question)
        return await until_answered(self._terminal, asking, meanwhile)

    def leave(self) -> None:
        """End the race for this keyboard once what is being done is done."""
        self._end = "left"

    def _tell_waits(self) -> None:
        """Say what the server waits for."""
        for text in self.controller.line_news.waits():
            self._terminal.tell(text)

    def _takes_at_once(self, line: str) -> bool:
        """Do a command that needs no server; returns whether it was one."""
        word, _, rest = line.partition(" ")
        if is_asking(line):
            self._help()
        elif not self._looks(word.casefold(), rest.strip()):
            return self._talk is not None and self._talk.shows(word.casefold())
        return True

    # --- telling -------------------------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Say what happened since the last time, and call the seat that is to choose."""
        race = self.controller
        is_first, before = not race.seen, race.viewer
        unseen = race.unseen()
        told = [(event, line.text.plain if (line := race.take_in(event)) else "") for event in unseen.events]
        news = race.settle(unseen)
        lines = self._narrator.told_all(told)
        is_begun = race.view.round > 1 or race.view.phase > 1
        if len(lines) > _MOST_MISSED and ((is_first and is_begun) or news.connection):
            self._looks("cars" if race.view.own is None else "where", "")
            lines = [f"{counted(len(lines), 'thing')} happened meanwhile; log all shows them"]
        for text in (*lines, *news.presence):
            self._terminal.tell(sentence_of(text))
        self._say_people()
        for text in (news.connection, news.trouble):
            if text:
                self._terminal.tell(text)
        if news.connection == CONNECTION_NEWS["connected"]:
            self._answering.repeat()
            self._terminal.ask_again()
        race.message = ""  # all of it has been said
        self._terminal.ring(self._bell.due())
        if news.has_new_curtain:
            self._voice.forget()
            self._hidden = ""
            if before is not None:
                self._hidden = race.labels.names[before]
                self._terminal.scroll_off()

    def _say_people(self) -> None:
        """Say what was missed, what the others said, and whether the race is paused."""
        for sentence in self.controller.hear():
            self._terminal.tell(sentence_of(sentence))
        if self._talk is None:
            return
        self._talk.tell_new()
        pause, wish = self._talk.company.standstill_text(), self._talk.company.wish_text(key="pause")
        if pause != self._pause_said[0]:
            self._terminal.tell(sentence_of(f"the race is {pause}" if pause else "The race continues"))
        if wish and wish != self._pause_said[1]:
            self._terminal.tell(sentence_of(wish))
        self._pause_said = pause, wish

    def _say_message(self) -> None:
        """Say why something is refused, once."""
        if self.controller.message:
            self._terminal.say(sentence_of(self.controller.message))
        self.controller.message = ""

    # --- asking --------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Give the prompt that fits, or say once whom all wait for."""
        race, names = self.controller, self.controller.labels.names
        if race.curtain is not None:
            hidden = f"{self._hidden}'s hand above is hidden. " if self._hidden else ""
            self._terminal.prompt(
                f"{hidden}Pass the keyboard to {names[race.curtain]}, then Enter", self._question
            )
            return
        observation, draft = race.observation, race.draft
        self._explain()
        if observation is None or draft is None or not race.owes_a_choice:
            self._say_waiting()
            return
        self._waits_said = ()
        self._turn()
        if self._answering.shown == race.open_decision:
            self._terminal.prompt(self._answering.confirm, self._question)
        elif not (self._asked == race.open_decision and self._terminal.is_waiting):
            name = f"{names[observation.own.seat]}: " if race.is_hot_seat else ""
            is_again, self._asked = self._asked == race.open_decision, race.open_decision
            if is_again:
                asked = short_question(observation, self._voice)
            else:
                asked = question(observation, draft, self._voice)
            self._terminal.prompt(name + asked, self._question)

    async def _advise(self) -> None:
        """Give advice before a question, where it is kept on."""
        race = self.controller
        if race.owes_a_choice and race.advising.is_due(race.open_decision):
            await tell_advice(race, self._terminal)

    @property
    def _question(self) -> object:
        """What is asked, however it is worded; None for nothing."""
        race = self.controller
        if race.curtain is not None:
            return self, race.curtain, race.seen
        return (self, race.open_decision) if race.owes_a_choice else None

    def _turn(self) -> None:
        """Have lines that were begun before the open question come late for it."""
        if (question := self._question) is not None:
            self._terminal.turn_to(question)

    def _explain(self) -> None:
        """Explain what comes up for the first time, where this is a lesson."""
        hint = self.controller.hint()
        if hint is not None and hint is not self._explained:
            self._terminal.say(USUAL.fill(f"{hint.title}: {hint.text}"))  # what is typed here
        self._explained = hint

    def _say_waiting(self) -> None:
        view = self.controller.view
        names = waiting_for(view, self.controller.labels, None)
        if names and (view.round, names) != self._waits_said:
            self._waits_said = view.round, names
            meanwhile = "" if self._voice.knows(_MEANWHILE) else f" {_MEANWHILE}"
            self._terminal.tell(f"Waiting for {names}.{meanwhile}")

    # --- hearing -------------------------------------------------------------------------------------------

    async def _hear(self, line: str) -> None:
        """Do what was typed: a command, or an answer."""
        race = self.controller
        if not line and self._terminal.is_late:
            self._terminal.refuse_late(line)
            return
        if race.curtain is not None and not line:
            race.lift_curtain()
            return
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if line.casefold() == "give up":
            await self._answering.give_up()
        elif is_leaving(line):
            if await self._terminal.agrees(race.leave_question()):
                self._end = "left"
        elif is_asking(line):
            self._help()
        elif word == "again":
            if not self._answering.repeat():
                self._asked = None
                self._voice.repeat()
        elif word in SAID_AT_ANY_QUESTION:
            self._terminal.say(wrong_value(word))
        elif word in ONLY_AFTERWARDS:
            self._terminal.say(f"{word} can be typed when the race is over; cars says how it stands.")
        elif word == "cost":
            self._answering.say_cost(rest)
        elif line.casefold() == "advice":
            await tell_advice(race, self._terminal)
        elif line.casefold() in _KEEPS_ADVICE:
            self._terminal.say(turn_advice(race, is_on=_KEEPS_ADVICE[line.casefold()]))
        elif not self._looks(word, rest) and not await self._talks(word, rest):
            await self._answering.hear(line)

    def _looks(self, word: str, rest: str) -> bool:
        """Do a command that looks around; returns whether it was one."""
        race = self.controller
        if word == "time" and not rest:
            times = race.times_left().items()
            lines: list[str] | None = [
                f"{race.labels.names[seat]} has {round(seconds)} seconds left." for seat, seconds in times
            ] or ["There is no time limit."]
        else:
            log = [line.text.plain.removeprefix("* ") for line in race.log]
            happened = race.session.events_since(0, None)
            scene = Scene(race.labels, race.view, race.viewer, log, race.session.away, happened)
            lines = looked_at(scene, word, rest)
        for line in lines or ():
            self._terminal.say(line)
        return lines is not None

    async def _talks(self, word: str, rest: str) -> bool:
        """Do a command that speaks to others; returns whether it was one."""
        if self._talk is None:
            if is_to_others := word in TO_OTHERS:
                self._terminal.say(f"{word} is for a room on a server; this race is at your own keyboard.")
            return is_to_others
        if word == "pause":
            await self._answered(self.controller.vote_for_pause())
            self._say_message()
            return True
        return self._talk.shows(word) or await self._answered(self._talk.takes(word, rest))

    def turn_hints(self, is_on: bool) -> str:
        """Explain what comes up from now on, or nothing more; gives a sentence about that."""
        race = self.controller
        if not is_on:
            race.end_lesson()
            return "Hints are off; hints on turns them on again."
        race.begin_lesson()
        if race.is_hot_seat:
            return "Hints are on for your next race alone; in this race several people share the keyboard."
        return "Hints are on: each new thing is explained when it first happens. hints off ends that."

    def _help(self) -> None:
        race = self.controller
        if race.curtain is not None:
            self._terminal.say("Only the driver named should look now; Enter shows their hand.")
        elif race.choosing is not None:
            self._terminal.say(help_text(race.choosing.choice))
        self._terminal.say(_COMMANDS)
        if self._talk is not None:
            self._terminal.say(_COMMANDS_TO_OTHERS)
        if race.lesson is not None:
            self._terminal.say("hints off ends the explanations.")
