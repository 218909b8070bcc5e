"""A line begun for one question is no answer to the next one; in a pipe each line is one given in advance."""

from __future__ import annotations

import asyncio
import os
import pty
from collections.abc import AsyncIterator
from termios import tcgetattr

import pytest
import pytest_asyncio

from heat_core.race import commands as c
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.race import PlainRace
from heat_tui.plain.typed_lines import TerminalLines
from tests.tui.support_app import until
from tests.tui.support_race import DRAW, table_at

pytestmark = pytest.mark.asyncio

CARS = {
    "Ana": f"lap 1 space 31 gear 1 engine 6 hand 4 3 1 2 {DRAW}",
    "L1": "lap 1 space 20 legend easy",
}


class Keyboard:
    """A real terminal: what is typed there is kept and edited by the system until Enter.

    Attributes:
        text: All that was written.
    """

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        self.text = ""
        self.line_terminal = LineTerminal(self._write, has_echo=True)
        self.lines = TerminalLines(asyncio.get_running_loop(), self.line_terminal, self.theirs)

    def _write(self, text: str) -> None:
        self.text += text

    async def type(self, keys: str) -> None:
        """Press keys, and wait until the terminal has taken them, as its echo tells."""
        os.write(self.ours, keys.encode())
        echo = b""
        while len(echo) < len(keys):
            echo += await asyncio.to_thread(os.read, self.ours, 4096)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.theirs)
        os.close(self.ours)
        os.close(self.theirs)


@pytest_asyncio.fixture
async def keyboard() -> AsyncIterator[Keyboard]:
    made = Keyboard()
    yield made
    made.close()


class Race:
    """Somebody who races at a keyboard, at a table where the clock is the test's."""

    def __init__(self, terminal: LineTerminal) -> None:
        self.table: Table = table_at(CARS, phase="shift")
        self.session = LocalSession(self.table)
        self.playing = asyncio.ensure_future(PlainRace(self.session, terminal).run())

    async def run_out_of_time(self) -> None:
        """Have the gear chosen that is played where somebody's time is over."""
        own = self.session.view(0).own
        assert own is not None
        await self.session.submit(0, own.decision, c.ShiftGear(1))


async def at_the_cards(keyboard: Keyboard, typed: str) -> Race:
    """Be asked for a gear, type something, and have the next question come before Enter is pressed."""
    race = Race(keyboard.line_terminal)
    await until(lambda: "Choose gear" in keyboard.text)
    await keyboard.type(typed)
    await race.run_out_of_time()
    await until(lambda: "Pick 1 card" in keyboard.text)
    return race


@pytest.mark.parametrize(("before", "behind"), [("1!", ""), ("1", "!"), ("", "4!"), ("1 ", "4!")])
async def test_a_line_begun_before_a_question_is_refused_by_it(
    keyboard: Keyboard, before: str, behind: str
) -> None:
    race = await at_the_cards(keyboard, before)
    moment = race.table.event_number
    await keyboard.type(f"{behind}\n")
    if before:
        words = f"You began to type {before + behind!r} before this question appeared. Type your answer now."
        await until(lambda: words in keyboard.text)
        assert race.table.event_number == moment
        assert race.session.view(0).own.chosen is None  # type: ignore[union-attr]  # a seat's view has its own
        await keyboard.type("4!\n")
    await until(lambda: race.table.event_number > moment)
    race.playing.cancel()


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_line_that_ends_in_the_moment_in_which_a_question_comes_is_refused_by_it(
    keyboard: Keyboard, is_first: bool
) -> None:
    race = Race(keyboard.line_terminal)
    await until(lambda: "Choose gear" in keyboard.text)
    if is_first:
        os.write(keyboard.ours, b"1!\n")
    await race.run_out_of_time()  # nothing else runs in between
    moment = race.table.event_number
    if not is_first:
        os.write(keyboard.ours, b"1!\n")
    await until(lambda: "You began to type '1!' before this question appeared." in keyboard.text)
    assert race.table.event_number == moment
    race.playing.cancel()


async def test_the_terminal_goes_on_keeping_lines_and_editing_them(keyboard: Keyboard) -> None:
    before = tcgetattr(keyboard.theirs)
    race = await at_the_cards(keyboard, "1")
    assert tcgetattr(keyboard.theirs) == before
    keyboard.lines.forget()  # as Ctrl-C has the terminal do
    moment = race.table.event_number
    await keyboard.type("3")
    os.write(keyboard.ours, b"\x7f")  # rubbed out
    await keyboard.type("4!\n")
    await until(lambda: race.table.event_number > moment)
    assert "You began" not in keyboard.text
    race.playing.cancel()


async def test_what_one_may_say_at_any_time_is_heard_late_too(keyboard: Keyboard) -> None:
    race = await at_the_cards(keyboard, "whe")
    await keyboard.type("re\n")
    await until(lambda: "space 31" in keyboard.text.split("Pick 1 card")[1])
    assert "You began" not in keyboard.text
    race.playing.cancel()


async def test_lines_given_in_advance_answer_whatever_is_asked() -> None:
    written: list[str] = []
    terminal = LineTerminal(written.append, has_echo=False)
    for line in ("1!", "4!"):
        terminal.hear(line)
    terminal.end()
    race = Race(terminal)
    with pytest.raises(Left):
        await race.playing
    text = "".join(written)
    assert "You began" not in text
    assert "Ana plays 4." in text
