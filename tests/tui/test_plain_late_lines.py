"""A line begun for one question is no answer to the next one; in a pipe each line is one given in advance."""

from __future__ import annotations

import asyncio
import os
import pty
import select
from collections.abc import AsyncIterator
from pathlib import Path
from termios import ECHO, TCSANOW, tcgetattr, tcsetattr

import pytest
import pytest_asyncio

from heat_core.race import commands as c
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.news import news_switches
from heat_tui.plain.race import PlainRace
from heat_tui.plain.typed_lines import LineEditor, TerminalLines
from heat_tui.state import load_settings
from tests.tui.support_app import folders_in, until
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


@pytest.mark.spec("EAR-3")
@pytest.mark.parametrize(("before", "behind"), [("1!", ""), ("1", "!"), ("", "4!"), ("1 ", "4!")])
async def test_a_line_begun_before_a_question_is_refused_by_it(
    keyboard: Keyboard, before: str, behind: str
) -> None:
    race = await at_the_cards(keyboard, before)
    moment = race.table.event_number
    await keyboard.type(f"{behind}\n")
    if before:
        words = f"You began to type {before + behind!r} before this question appeared.\nType your answer now."
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


async def test_a_line_can_be_forgotten_and_edited(keyboard: Keyboard) -> None:
    race = await at_the_cards(keyboard, "1")
    keyboard.lines.forget()  # as at Ctrl-C
    moment = race.table.event_number
    await keyboard.type("3")
    os.write(keyboard.ours, b"\x7f")  # rubbed out
    await keyboard.type("4!\n")
    await until(lambda: race.table.event_number > moment)
    assert "You began" not in keyboard.text
    race.playing.cancel()


async def test_an_enter_pressed_before_a_question_confirms_nothing(keyboard: Keyboard) -> None:
    race = Race(keyboard.line_terminal)
    await until(lambda: "Choose gear" in keyboard.text)
    os.write(keyboard.ours, b"\n")
    await race.run_out_of_time()
    await until(lambda: "You pressed Enter before this question appeared." in keyboard.text)
    race.playing.cancel()


async def test_a_row_of_early_enters_is_refused_once(keyboard: Keyboard) -> None:
    """As after an answer that was long on its way."""
    terminal = keyboard.line_terminal
    terminal.prompt("Where to?")
    await keyboard.type("\n\n\n\nyes\n")
    asked = asyncio.ensure_future(terminal.ask("Leave the room?"))
    await until(lambda: "You began to type 'yes' before" in keyboard.text)
    assert keyboard.text.count("You pressed Enter before this question appeared.") == 1
    await keyboard.type("\n")
    assert await asked == "", "an Enter pressed now is an answer"


@pytest.mark.spec("EAR-3")
async def test_every_other_question_refuses_what_was_begun_before_it(keyboard: Keyboard) -> None:
    terminal = keyboard.line_terminal
    terminal.prompt("Where to?")
    await keyboard.type("ye")
    agreed = asyncio.ensure_future(terminal.agrees("Leave the room?"))
    await until(lambda: "Leave the room?" in keyboard.text)
    await keyboard.type("s\n")
    await until(lambda: "You began to type 'yes' before this question appeared." in keyboard.text)
    assert not agreed.done()
    await keyboard.type("yes\n")
    assert await agreed


@pytest.mark.spec("EAR-3")
async def test_news_waits_while_a_line_is_begun_and_asks_nothing_again(keyboard: Keyboard) -> None:
    terminal = keyboard.line_terminal
    asked = asyncio.ensure_future(terminal.ask("Which gear, for example: 2"))
    await until(lambda: terminal.is_waiting)
    terminal.tell("Ben is ready.")
    await keyboard.type("say hel")
    terminal.tell("Ben leads. Cy is second.")
    terminal.alert("10 seconds left.")
    await keyboard.type("lo\n")
    assert await asked == "say hello"
    assert keyboard.text.splitlines() == [
        "Which gear, for example: 2 > ",
        "Ben is ready.",
        "",  # where the line was begun, which the terminal shows by itself
        "Ben leads.",
        "Cy is second.",
        "10 seconds left.",
        "say hel",
    ]


async def test_news_is_said_once_what_was_begun_is_rubbed_out(keyboard: Keyboard) -> None:
    await keyboard.type("x")
    keyboard.line_terminal.tell("Ben leads.")
    assert keyboard.text == ""
    await keyboard.type("\x7f")
    assert keyboard.text == "Ben leads.\n"


async def test_news_that_is_wanted_later_comes_before_whatever_else_is_said(tmp_path: Path) -> None:
    written: list[str] = []
    terminal = LineTerminal(written.append, has_echo=True)
    folders = folders_in(tmp_path)
    terminal.at_any_question = news_switches(terminal, folders)
    for line in ("news later", "where"):
        terminal.hear(line)
    asked = asyncio.ensure_future(terminal.ask("What now?"))
    assert await asked == "where"
    terminal.tell("Ben leads.")
    assert "Ben leads" not in "".join(written)
    terminal.say("You are second.")
    terminal.tell("Cy spins out.")
    terminal.prompt("Choose a gear")
    assert "".join(written).endswith("Ben leads.\nYou are second.\nCy spins out.\nChoose a gear > ")
    assert load_settings(folders).news == "later"
    news_switches(other := LineTerminal(written.append, has_echo=True), folders)
    assert other.is_news_held, "it is a setting"


async def test_a_line_is_edited_as_at_any_terminal() -> None:
    editor = LineEditor()
    keys = "gear tow\x17twn\x7f\x7fwo \x1b[A\x1bOB\t3\x7fé\x08!"
    shown = "".join(typed.shown for typed in editor.press(keys))
    assert editor.text == "gear two !"
    assert shown.count("\b \b") == len("tow") + 2 + 1 + 1
    assert [typed.is_whole for typed in editor.press("\x15\n")] == [False, True]
    assert editor.text == ""
    assert [typed.is_end for typed in editor.press("\x04x\x04")] == [True, False, False]


async def test_where_the_terminal_shows_no_keys_the_program_shows_none() -> None:
    ours, theirs = os.openpty()
    mode = tcgetattr(theirs)
    mode[3] &= ~ECHO
    tcsetattr(theirs, TCSANOW, mode)
    terminal = LineTerminal(lambda text: None, has_echo=True)
    lines = TerminalLines(asyncio.get_running_loop(), terminal, theirs)
    os.write(ours, b"2\n")
    assert await terminal.heard() == "2"
    assert not select.select([ours], [], [], 0.1)[0]
    asyncio.get_running_loop().remove_reader(theirs)
    lines.give_back()
    assert tcgetattr(theirs) == mode
    os.close(ours)
    os.close(theirs)


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
    assert "Ana, 4 spaces, to 35." in text
