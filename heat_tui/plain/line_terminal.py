"""Lines out and lines in: all that plain mode knows of its terminal, which may as well be a pipe.

Theory of operation. Lines and signals come in from outside (`hear`, `interrupt`, `end`) and wait in a row
until somebody asks for them, so that nothing typed early is lost. Each question has a number: a line that was
begun before the one that it would answer is late, and answers nothing. Whoever waits for a line may wait for
news too: what comes first wins. A question stands until a line is heard, and is not asked again for news.

What is said is an answer (`say`), news (`tell`), or cannot wait (`alert`). While a line is begun, only a new
question and what cannot wait break into it; all else is held, in order, until that line ends. Where news is
wanted later, news is held until something else is said. Each sentence is a line of its own.

Ctrl-C asks whether to leave, here and for all; the end of the input leaves at once.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from heat_core.signals import INTERRUPTED
from heat_tui.plain.answer_words import is_asking, is_yes
from heat_tui.plain.voice import Voice
from heat_tui.plain.words import begun_too_early, sentences_of, spoken
from heat_tui.state import BellOccasion

_LEAST_LINES: Final = 24


class _Line(NamedTuple):
    """A typed line.

    Attributes:
        begun_at: The number of the question that stood when it was begun; None: it was given in advance.
        is_put_off: Whether it was heard ahead of its turn and could not be taken yet.
    """

    text: str
    begun_at: int | None
    is_put_off: bool = False


_Heard: TypeAlias = _Line | Literal[True] | None
"""A line; True: Ctrl-C; None: nothing more will come."""

PROMPT_SIGN: Final = " > "
"""The end of every prompt."""


class Left(Exception):
    """Whoever typed is gone, or wants to be.

    Attributes:
        code: What the program exits with.
    """

    def __init__(self, code: int = 0) -> None:
        """Note the exit code."""
        super().__init__(code)
        self.code = code


class LineTerminal:
    """A terminal that speaks and listens.

    Attributes:
        farewell: What leaving now would mean, in one sentence; told where Ctrl-C asks.
        ending: What the end of the program means wherever it is left, in one sentence; told behind that.
        question: How many questions have come up.
        begun: What is typed of a line that is not ended yet.
        is_news_held: Whether news waits until something else is said, also while no line is begun.
        voice: How much is said here.
        has_ghost: Whether the best own race may drive along, if the settings allow it.
        at_any_question: What can be typed at any question and answers none: does it, and gives what to say.
        settings: Shows the player's settings, or changes the one that is typed behind `settings`, at any
            question; None: nobody's are known.
        ring: Rings the bell for what has happened, where that is wanted.
        before_question: Called before a new question, while what is typed still belongs to the one before.
    """

    def __init__(self, write: Callable[[str], object], *, has_echo: bool) -> None:
        """Make a terminal.

        Args:
            write: Takes text as it is to appear.
            has_echo: Whether what is typed shows by itself, with its line's end.
        """
        self.farewell = ""
        self.ending = ""
        self.question = 0
        self.begun = ""
        self.is_news_held = False
        self.voice = Voice()
        self.has_ghost = True
        self.at_any_question: dict[str, Callable[[], str]] = {}
        self.settings: Callable[[str], Sequence[str]] | None = None
        self.ring: Callable[[Collection[BellOccasion]], None] = lambda occasions: None
        self.before_question: Callable[[], None] = lambda: None
        self._begun_at: int | None = None
        self._begun_for = 0
        self._turned_to: object = None
        self._write = write
        self._has_echo = has_echo
        self._heard: deque[_Heard] = deque()
        self._something_heard = asyncio.Event()
        self._held: list[str] = []
        self._standing: object = None
        self._is_behind_prompt = False

    @property
    def is_waiting(self) -> bool:
        """Whether a question stands for which no line has been heard."""
        return self._standing is not None

    @property
    def is_late(self) -> bool:
        """Whether the line that was given last was begun for an earlier question than stands now."""
        return self._begun_at is not None and self._begun_at < self.question

    @property
    def begun_for(self) -> int:
        """The number of the question that a line belongs to which ends now."""
        return self._begun_for if self.begun else self.question

    # --- from outside --------------------------------------------------------------------------------------

    def hear(self, line: str, begun_at: int | None = None) -> None:
        """Take a typed line in; what was held for it is said.

        Args:
            begun_at: The value of `question` when the line was begun; None: it was given in advance.
        """
        if self._has_echo:
            self._is_behind_prompt = False
        self.begun = ""
        self._say_held()
        self._take(_Line(line, begun_at))

    def note_begun(self, text: str) -> None:
        """Note what is typed of a line so far; where all of it was rubbed out, what was held is said."""
        self._begun_for = self.begun_for
        was_begun, self.begun = bool(self.begun), text
        if was_begun and not text:
            self._say_held()

    def interrupt(self) -> None:
        """Take Ctrl-C in."""
        self._take(True)

    def end(self) -> None:
        """Note that nothing more will be typed."""
        self._take(None)

    def _take(self, heard: _Heard) -> None:
        self._heard.append(heard)
        self._something_heard.set()

    # --- speaking ------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Say what was asked for, or what must be known before a question."""
        self._held.append(text)
        if not self.begun:
            self._say_held()

    def tell(self, text: str) -> None:
        """Say what others did or said."""
        if self.begun or self.is_news_held:
            self._held.append(text)
        else:
            self.say(text)

    def alert(self, text: str) -> None:
        """Say what cannot wait; a line that is begun then goes on below."""
        self._held.append(text)
        self._say_held()
        self._show_begun()

    def _say_held(self) -> None:
        held, self._held = self._held, []
        if held:
            self._break_line()
        for text in held:
            self._write("\n".join(sentences_of(spoken(text))) + "\n")

    def _show_begun(self) -> None:
        """Show again what is typed of a line that something broke into, unless it is late by now."""
        if self.begun and self.begun_for == self.question:
            self._write(self.begun)

    def _break_line(self) -> None:
        """Begin a line of its own."""
        if self._is_behind_prompt or self.begun:
            self._write("\n")
        self._is_behind_prompt = False

    def turn_to(self, question: object) -> None:
        """Note what is asked next: lines begun before another question than the last one are late for it."""
        if question != self._turned_to:
            self.before_question()
            self._turned_to = question
            self.question += 1

    def prompt(self, text: str, about: object = None) -> None:
        """Ask for a line, unless the same question stands already.

        Args:
            text: Says what may be typed, with an example; its last sentence is the question.
            about: The same for each wording of a question; None: the text.
        """
        about = text if about is None else about
        if about == self._standing:
            return
        self.turn_to(about)
        self._say_held()
        self._break_line()
        self._standing, self._is_behind_prompt = about, True
        self._write("\n".join(sentences_of(spoken(text))) + PROMPT_SIGN)
        self._show_begun()

    def ask_again(self) -> None:
        """Have the next prompt show its question also where that one stands already."""
        self._standing = None

    def scroll_off(self) -> None:
        """Move all that was said out of sight by empty lines alone."""
        self._say_held()
        self._break_line()
        self._write("\n" * max(_LEAST_LINES, shutil.get_terminal_size().lines))

    def refuse_late(self, line: str) -> None:
        """Say why a line answers nothing, and have the question asked again; of a row of Enters, once."""
        while not line and self._heard and self._is_late_enter(self._heard[0]):
            self._pop()
        self.say(begun_too_early(line))

    def _is_late_enter(self, heard: _Heard) -> bool:
        if not isinstance(heard, _Line) or heard.begun_at is None:
            return False
        return not heard.text.strip() and heard.begun_at < self.question

    # --- listening -----------------------------------------------------------------------------------------

    async def ask(self, text: str) -> str:
        """Ask, and wait for a line that was begun for this question.

        Raises:
            Left: Nobody is there to answer any more.
        """
        while True:
            self.prompt(text)
            if (line := await self.heard()) is None:
                continue
            if not self.is_late:
                return line
            self.refuse_late(line)

    async def agrees(self, question: str) -> bool:
        """Ask a question that only `yes` answers with yes."""
        while is_asking(line := await self.ask(f"{question} Type yes or no, for example: no")):
            self.say("Type yes to go ahead; anything else cancels.")
        return is_yes(line)

    async def heard(self, *news: Coroutine[Any, Any, object], seconds: float | None = None) -> str | None:
        """Wait for a line.

        Args:
            news: Each ends the waiting as well; what it raises is raised here. The others are cancelled.
            seconds: At most so long; None: for ever.

        Returns:
            The line without its end, None where something else ended the waiting.

        Raises:
            Left: The input has ended, or Ctrl-C was answered with yes.
        """
        waiting: list[asyncio.Task[object]] = [
            asyncio.create_task(one) for one in (self._something_heard.wait(), *news)
        ]
        try:
            done, _ = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return await self._next_line() if self._heard else None

    async def heard_ahead(self, takes: Callable[[str], bool]) -> tuple[str, bool] | None:
        """Wait for a line ahead of its turn, while nothing is asked that it could answer.

        Lines that were given in advance keep their order: what stands behind one is not heard yet.

        Args:
            takes: Does what can be done with a line now, and tells whether it did. If not, the line stays in
                its place, and is not heard ahead of its turn again.

        Returns:
            The line, and whether it was taken. None: Ctrl-C was pressed, see `ask_whether_to_leave`.
        """
        while True:
            for place, heard in enumerate(self._heard):
                if heard is None or (heard is not True and heard.begun_at is None):
                    break
                if heard is True:
                    self._pop(place)
                    return None
                if not heard.is_put_off:
                    return self._try_ahead(place, heard, takes)
            self._something_heard.clear()
            try:
                await self._something_heard.wait()
            finally:
                if self._heard:
                    self._something_heard.set()

    def _try_ahead(self, place: int, heard: _Line, takes: Callable[[str], bool]) -> tuple[str, bool]:
        line = heard.text.strip()
        if (told := self._aside(line)) is not None:
            for text in told:
                self.say(text)
        is_taken = told is not None or takes(line)
        if is_taken:
            self._pop(place)
        else:
            self._heard[place] = heard._replace(is_put_off=True)
        return line, is_taken

    async def _next_line(self) -> str | None:
        heard = self._pop()
        if heard is None:
            self._heard.append(None)  # whoever asks again hears the same
            self._something_heard.set()
            self._break_line()
            raise Left
        if heard is True:
            await self.ask_whether_to_leave()
            return None
        line = self._line_of(heard)
        if (told := self._aside(line)) is None:
            return line
        for text in told:
            self.say(text)
        return None

    def _aside(self, line: str) -> Sequence[str] | None:
        """Do what can be typed at any question; None: the line is an answer."""
        if (aside := self.at_any_question.get(" ".join(line.casefold().split()))) is not None:
            return [aside()]
        word, _, rest = line.partition(" ")
        return self.settings(rest.strip()) if self.settings and word.casefold() == "settings" else None

    def _line_of(self, heard: _Line) -> str:
        """Take a line as what answers the question that stands."""
        self._break_line()
        self._standing = None
        self._begun_at = heard.begun_at
        return heard.text.strip()

    def _pop(self, place: int = 0) -> _Heard:
        heard = self._heard[place]
        del self._heard[place]
        if not self._heard:
            self._something_heard.clear()
        return heard

    async def ask_whether_to_leave(self) -> None:
        """Ask once whether to leave the program; a second Ctrl-C needs no answer.

        Raises:
            Left: That was answered with yes.
        """
        meaning = " ".join(filter(None, ("Leave?", self.farewell, self.ending)))
        while True:
            self.prompt(f"{meaning} Type yes to leave; Enter continues")
            while not self._heard:
                await self._something_heard.wait()
            heard = self._pop()
            if heard is None or heard is True:
                self._break_line()
                raise Left(INTERRUPTED)
            line = self._line_of(heard)
            if self.is_late:
                self.refuse_late(line)
            elif is_yes(line):
                raise Left(INTERRUPTED)
            else:
                return
