"""Waiting for a server's answer in lines: what it waits for is said, and what is typed is heard.

Theory of operation. What was asked of the server runs as a task, with two others beside it. One says what is
new whenever the link changes. The other begins once the answer is late, and hears what is typed: what needs
no server is done at once; `leave` and Ctrl-C end the waiting; any other line keeps its place until the answer
is here, and whoever typed it is told so. As long as answers come soon, all lines are heard in their order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from heat_tui.plain.answer_words import is_leaving
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.line_terminal import LineTerminal

Given = TypeVar("Given")

NOT_YET: Final = "The server has not answered yet."

LATE_SECONDS: Final = 0.3
"""After so long an answer is late, to somebody who types."""


class Changing(Protocol):
    """What news of a server come through: a link, or the people seen through it."""

    @property
    def changes(self) -> int:
        """Goes up whenever there is news."""

    async def wait(self, changes: int) -> None:
        """Wait until `changes` is another number than this."""


class Meanwhile(NamedTuple):
    """What can be done while an answer is on its way.

    Attributes:
        link: Through which news come; None: none do.
        tell: Says what is new.
        takes: Does what a line asks for, if that needs no server, and tells whether it did.
        leave_question: Gives what is asked before the waiting ends; "": nothing.
    """

    link: Changing | None = None
    tell: Callable[[], None] = lambda: None
    takes: Callable[[str], bool] = lambda line: False
    leave_question: Callable[[], str] = lambda: ""


NOTHING_ELSE: Final = Meanwhile()
"""One can only wait, or leave."""


async def until_answered(
    terminal: LineTerminal, asking: Coroutine[Any, Any, Given], meanwhile: Meanwhile = NOTHING_ELSE
) -> Given:
    """Ask a server something, and wait for its answer.

    Args:
        asking: Asks; it is cancelled if the waiting is ended. It asks nobody at the terminal.

    Raises:
        GoneBack: Whoever types does not wait any longer.
        Left: Whoever typed is gone.
    """
    answer = asyncio.create_task(asking)
    asked = asyncio.Lock()
    hearing = asyncio.create_task(_hear(terminal, meanwhile, asked))
    tasks: list[asyncio.Task[Any]] = [answer, hearing]
    if meanwhile.link is not None:
        tasks.append(asyncio.create_task(_follow(meanwhile.link, meanwhile.tell)))
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if answer in done:
            async with asked:  # whoever is asked whether to leave answers that first
                pass
        for task in tasks[1:]:
            if task.done():
                task.result()
        return answer.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _follow(link: Changing, tell: Callable[[], None]) -> None:
    """Say what is new, until cancelled."""
    while True:
        changes = link.changes
        tell()
        await link.wait(changes)


async def _hear(terminal: LineTerminal, meanwhile: Meanwhile, asked: asyncio.Lock) -> None:
    """Hear what is typed from when the answer is late, until cancelled.

    Args:
        asked: Is held while somebody is asked whether to leave.

    Raises:
        GoneBack: That is wished.
        Left: So is the end of the program.
    """
    await asyncio.sleep(LATE_SECONDS)
    while True:
        heard = await terminal.heard_ahead(lambda line: is_leaving(line) or meanwhile.takes(line))
        if heard is None:
            async with asked:
                await terminal.ask_whether_to_leave()
            continue
        line, is_taken = heard
        if is_leaving(line):
            async with asked:
                question = meanwhile.leave_question()
                if not question or await terminal.agrees(question):
                    raise GoneBack
        elif not is_taken:
            later = f"{line!r} must wait. " if line else ""
            terminal.say(f"{NOT_YET} {later}leave ends the waiting.")
