"""Lines out and lines in: all that plain mode knows of its terminal, which may as well be a pipe.

Theory of operation. Lines and signals come in from outside (`hear`, `interrupt`, `end`) and wait in a row
until somebody asks for them, so that nothing typed early is lost. A question that comes up by itself, as
those of a race do, is turned to first: a line that was begun before that is given as late. Whoever waits
for a line may wait for news too: what comes first wins. A prompt is the unfinished last line; what is said
meanwhile begins a line of its own, and the prompt has to be given again. Ctrl-C asks whether to leave, here
and for all; the end of the input leaves at once.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from heat_core.signals import INTERRUPTED
from heat_tui.plain.answer_words import is_asking, is_yes
from heat_tui.plain.words import spoken, wrapped

_LEAST_LINES: Final = 24


class _Line(NamedTuple):
    """A typed line.

    Attributes:
        begun_at: The number of the question that stood when it was begun; None: it was given in advance.
    """

    text: str
    begun_at: int | None


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
        question: How many questions have come up that nobody here has asked for.
        at_any_question: What can be typed at any question and answers none: does it, and gives what to say.
        before_question: Called before another one does, while lines still belong to the one before.
    """

    def __init__(
        self, write: Callable[[str], object], *, has_echo: bool, cells: Callable[[], int] = lambda: 0
    ) -> None:
        """Make a terminal.

        Args:
            write: Takes text as it is to appear.
            has_echo: Whether what is typed shows by itself, with its line's end.
            cells: Gives how wide lines may be; 0: as wide as they are.
        """
        self.farewell = ""
        self.ending = ""
        self.question = 0
        self.at_any_question: dict[str, Callable[[], str]] = {}
        self.before_question: Callable[[], None] = lambda: None
        self._begun_at: int | None = None
        self._turned_to: object = None
        self._write = write
        self._has_echo = has_echo
        self._cells = cells
        self._heard: deque[_Heard] = deque()
        self._something_heard = asyncio.Event()
        self._open_prompt = ""
        self._last_prompt = ""

    @property
    def is_waiting(self) -> bool:
        """Whether a question is there, with nothing said or typed since."""
        return bool(self._open_prompt)

    @property
    def is_late(self) -> bool:
        """Whether the line that was given last was begun for an earlier question than stands now."""
        return self._begun_at is not None and self._begun_at < self.question

    # --- from outside --------------------------------------------------------------------------------------

    def hear(self, line: str, begun_at: int | None = None) -> None:
        """Take a typed line in.

        Args:
            begun_at: The value of `question` when the line was begun; None: it was given in advance.
        """
        self._take(_Line(line, begun_at))

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
        """Say a line, or several."""
        if self._open_prompt:
            self._write("\n")
            self._open_prompt = ""
        self._write(wrapped(spoken(text), self._cells()) + "\n")

    def turn_to(self, question: object) -> None:
        """Note what is asked next: lines begun before another question than the last one are late for it."""
        if question != self._turned_to:
            self.before_question()
            self._turned_to = question
            self.question += 1

    def prompt(self, text: str) -> None:
        """Ask for a line, unless the same question is there already with nothing said since.

        Args:
            text: Says what may be typed, with an example.
        """
        if self._open_prompt == text:
            return
        if self._open_prompt:
            self._write("\n")
        self._open_prompt = self._last_prompt = text
        sign = PROMPT_SIGN.rstrip()
        self._write(wrapped(spoken(text) + sign, self._cells()) + PROMPT_SIGN.removeprefix(sign))

    def scroll_off(self) -> None:
        """Move all that was said out of sight by empty lines alone."""
        lines = max(_LEAST_LINES, shutil.get_terminal_size().lines)
        self.say("\n" * (lines - 1))

    # --- listening -----------------------------------------------------------------------------------------

    async def ask(self, text: str) -> str:
        """Ask, and wait for the line.

        Raises:
            Left: Nobody is there to answer any more.
        """
        while True:
            self.prompt(text)
            if (line := await self.heard()) is not None:
                return line

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

    async def _next_line(self) -> str | None:
        heard = self._pop()
        if heard is None:
            self._heard.append(None)  # whoever asks again hears the same
            self._something_heard.set()
            if self._open_prompt:
                self._write("\n")
            raise Left
        if heard is True:
            await self._ask_whether_to_leave()
            return None
        if self._open_prompt and not self._has_echo:
            self._write("\n")
        self._open_prompt = ""
        self._begun_at = heard.begun_at
        line = heard.text.strip()
        if (aside := self.at_any_question.get(line.casefold())) is not None:
            self.say(aside())
            return None
        return line

    def _pop(self) -> _Heard:
        heard = self._heard.popleft()
        if not self._heard:
            self._something_heard.clear()
        return heard

    async def _ask_whether_to_leave(self) -> None:
        """Ask once; a second Ctrl-C needs no answer."""
        before = self._last_prompt
        meaning = " ".join(filter(None, ("Leave?", self.farewell, self.ending)))
        self.prompt(f"{meaning} Type yes to leave; Enter continues")
        while not self._heard:
            await self._something_heard.wait()
        heard = self._pop()
        if heard is None or heard is True or is_yes(heard.text):
            self._write("\n")
            raise Left(INTERRUPTED)
        if not self._has_echo:
            self._write("\n")
        self._open_prompt = ""
        self._last_prompt = before
