"""Typed answers: each is put into the draft of the race, said back, confirmed by Enter and sent.

An answer may name several reactions. They are sent one after another, for each is a decision of its own: what
one leads to may change the next.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeAlias

from heat_core.decisions import ReactChoice
from heat_core.text import listed
from heat_tui.flow.asking import Reply
from heat_tui.flow.choosing import Choosing
from heat_tui.flow.race import RaceController
from heat_tui.plain.answers import AT_ONCE, example_of, take_answer
from heat_tui.plain.costs import answer_text, forecast_text
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.narrator import Narrator
from heat_tui.plain.questions import confirm
from heat_tui.plain.reactions import split_reactions
from heat_tui.plain.words import sentence_of

_NOTHING_TO_DECIDE: Final = "You have nothing to decide now."

Wait: TypeAlias = Callable[[Coroutine[Any, Any, bool]], Awaitable[bool]]
"""Waits for what was sent to the table, and gives what came of it."""


class Answering:
    """The answers of one race.

    Attributes:
        shown: Seat and number of the decision whose answer was said back and is not confirmed yet.
        confirm: What asks for its confirmation.
    """

    def __init__(
        self,
        race: RaceController,
        terminal: LineTerminal,
        narrator: Narrator,
        wait: Wait,
    ) -> None:
        """Begin with none typed."""
        self.shown: tuple[int, int] | None = None
        self.confirm = ""
        self._race = race
        self._terminal = terminal
        self._narrator = narrator
        self._wait = wait
        self._rest: list[str] = []
        self._is_under_way = False
        self._told = ""

    def repeat(self) -> bool:
        """Say once more what the answer leads to that waits for its confirmation; tell whether one does."""
        if self.shown is None or self.shown != self._race.open_decision:
            return False
        self._terminal.say(self._told)
        return True

    async def hear(self, line: str) -> None:
        """Take an answer and say what it leads to; an empty line then confirms it."""
        choosing = self._race.choosing
        if choosing is None:
            self._terminal.say(f"{_NOTHING_TO_DECIDE} help shows what you can type.")
        elif self._terminal.is_late:
            self._terminal.refuse_late(line)
        elif line:
            await self._take_parts(choosing, line)
        elif self.shown == self._race.open_decision:
            await self._send()
        else:
            self._terminal.say("Enter only confirms an answer that you have typed. Type one first.")

    async def go_on(self) -> bool:
        """Take the next of several reactions that were typed together; returns whether there was one."""
        if not self._is_under_way or not self._race.owes_a_choice:
            return False
        self._is_under_way = False
        choosing = self._race.choosing
        if choosing is None or not isinstance(choosing.choice, ReactChoice):
            left = listed([part.removesuffix(AT_ONCE) for part in self._rest], "and")
            self._terminal.say(f"Not used, for there is nothing more to use: {left}.")
        else:
            await self._take(choosing, self._rest.pop(0))
        return True

    async def _take_parts(self, choosing: Choosing, line: str) -> None:
        self.shown = None
        self._rest = []
        if not isinstance(choosing.choice, ReactChoice):
            await self._take(choosing, line)
            return
        first, *rest = split_reactions(choosing.choice, line.removesuffix(AT_ONCE))
        end = AT_ONCE if line.endswith(AT_ONCE) else ""
        for part in rest:
            if refusal := take_answer(choosing.observation, choosing.draft.copy(), part).refusal:
                self._terminal.say(refusal)
                return
        self._rest = [part + end for part in rest]
        await self._take(choosing, first + end)

    async def _take(self, choosing: Choosing, line: str) -> None:
        """Put an answer into the draft, and say what it leads to or send it."""
        race = self._race
        tried = choosing.draft.copy()
        refusal, is_final = take_answer(choosing.observation, tried, line)
        if refusal or not race.propose(tried):
            self._rest = []
            self._terminal.say(refusal or race.message)
        elif is_final:
            await self._send()
        else:
            then = f"Then: {', '.join(self._rest)}." if self._rest else ""
            told = answer_text(choosing.observation, tried, self._terminal.voice)
            self._told = f"{told} {then}".rstrip()
            self._terminal.say(self._told)
            self.shown, self.confirm = race.open_decision, confirm(self._terminal.voice)

    async def _send(self) -> None:
        reply = self._race.confirm()
        self._say_message()
        if reply is not None:
            await self._submit(reply)

    async def _submit(self, reply: Reply) -> None:
        self.shown = None
        self._narrator.typed(reply.seat, reply.command)
        self._is_under_way = await self._wait(self._race.submit(reply)) and bool(self._rest)
        self._say_message()

    def _say_message(self) -> None:
        if self._race.message:
            self._terminal.say(sentence_of(self._race.message))
        self._race.message = ""

    def say_cost(self, text: str) -> None:
        """Say what an answer would lead to, or the draft where none is given."""
        choosing = self._race.choosing
        if choosing is None:
            self._terminal.say(_NOTHING_TO_DECIDE)
            return
        observation, draft = choosing.observation, choosing.draft.copy()
        if not text and isinstance(draft.command(observation.own), str):
            self._terminal.say(f"Type cost and an answer, for example: cost {example_of(observation)}")
            return
        refusal = take_answer(observation, draft, text).refusal if text else ""
        self._terminal.say(refusal or forecast_text(observation, draft))

    async def give_up(self) -> None:
        """Give up the race once that is agreed to."""
        reply = self._race.give_up()
        self._say_message()
        if reply is not None and await self._terminal.agrees(self._race.give_up_question(reply)):
            await self._submit(reply)
