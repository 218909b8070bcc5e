"""Standard input, line by line, and for which question each line was begun.

Theory of operation. A terminal that keeps lines to itself until Enter does not say whether one is begun, so
other people's lines would tear it, and what was begun for one question would answer the next. So keys are
taken as they are pressed, a `LineEditor` makes lines of them as a terminal does, and what it shows is written
to the same terminal. Where the terminal was told to show no keys (an editor's shell buffer shows them
itself), nothing is.

In a pipe or a file each line is an answer given in advance, whenever it was written: no question owns it.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import re
import select
import signal
import termios
import threading
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rich.cells import cell_len

from heat_tui.plain.line_terminal import LineTerminal

_INPUT: Final = 0
_READ_BYTES: Final = 4096
_MOST_LINE_BYTES: Final = 65_536
_LOCAL_MODES: Final = 3
"""Where `termios` has the local modes among a terminal's attributes."""

_KEYS: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?|.", re.DOTALL)
"""A key: what begins with Escape is one, an arrow for example."""
_RUB_OUT: Final = ("\x7f", "\x08")
_RUB_OUT_WORD: Final = "\x17"
_RUB_OUT_LINE: Final = "\x15"
_END: Final = "\x04"


class Typed(NamedTuple):
    """What a key has done.

    Attributes:
        shown: What the terminal shows for it.
        is_whole: Whether it ends the line.
        is_end: Whether it says that no more will be typed.
    """

    shown: str
    is_whole: bool = False
    is_end: bool = False


class LineEditor:
    """The line that is being typed, edited as a terminal does: rub out a sign, a word, all.

    Attributes:
        text: What there is of it.
    """

    def __init__(self) -> None:
        """Begin with an empty line."""
        self.text = ""

    def press(self, keys: str) -> Iterator[Typed]:
        """Take keys, one after another; the caller takes a whole line's text before it asks for the next."""
        for key in _KEYS.findall(keys):
            yield self._take(key)

    def _take(self, key: str) -> Typed:
        if key == "\n":
            return Typed("\n", is_whole=True)
        if key == _END and not self.text:
            return Typed("", is_end=True)
        if key in _RUB_OUT:
            return self._keep(self.text[:-1])
        if key == _RUB_OUT_WORD:
            return self._keep(re.sub(r"\S*\s*$", "", self.text))
        if key == _RUB_OUT_LINE:
            return self._keep("")
        if not key.isprintable() or len(self.text) >= _MOST_LINE_BYTES:
            return Typed("")
        self.text += key
        return Typed(key)

    def _keep(self, left: str) -> Typed:
        """Keep the beginning of the line alone."""
        cells = cell_len(self.text) - cell_len(left)
        self.text = left
        return Typed("\b \b" * cells)


class TerminalLines:
    """Hands a `LineTerminal` what is typed, each line with the question that was open when it was begun."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, terminal: LineTerminal, descriptor: int = _INPUT
    ) -> None:
        """Take the keys of a terminal from now on, until it is given back.

        Args:
            descriptor: The terminal.
        """
        self._loop = loop
        self._terminal = terminal
        self._descriptor = descriptor
        self._editor = LineEditor()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._before: list[Any] | None = None
        self._has_echo = False
        terminal.before_question = self._take_all
        self.hold()
        loop.add_reader(self._descriptor, self._read)

    def hold(self) -> None:
        """Have the terminal hand each key over, unless this process is in the background."""
        if self._before is not None or self._is_in_background():
            return  # who changes a terminal from the background is stopped
        with contextlib.suppress(termios.error):  # it has gone, which the next reading will find
            before = termios.tcgetattr(self._descriptor)
            by_key: list[Any] = [*before]
            by_key[_LOCAL_MODES] &= ~(termios.ICANON | termios.ECHO)
            self._has_echo = bool(before[_LOCAL_MODES] & termios.ECHO)
            termios.tcsetattr(self._descriptor, termios.TCSANOW, by_key)
            self._before = before

    def give_back(self) -> None:
        """Leave the terminal as it was found."""
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSANOW, self._before)
        self._before = None

    def stop(self) -> None:
        """Stop the process, as Ctrl-Z asks, with the terminal given back; returns when it continues."""
        self.give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.hold()

    def forget(self) -> None:
        """Forget an unfinished line, as a terminal does at Ctrl-C."""
        self._editor.text = ""
        self._terminal.note_begun("")

    def _take_all(self) -> None:
        """Take what has been typed: it belongs to the question that still stands."""
        while select.select([self._descriptor], [], [], 0)[0]:
            if not self._read():
                return

    def _read(self) -> bool:
        """Take what can be read, and return whether more may come."""
        keys = self._decoder.decode(_read_some(self._descriptor))
        if not keys and not self._decoder.getstate()[0]:
            self._end()
            return False
        for typed in self._editor.press(keys):
            if typed.is_end:
                self._end()
                return False
            self._show(typed.shown)
            if typed.is_whole:
                self._hand_over()
        self._terminal.note_begun(self._editor.text)
        return True

    def _hand_over(self) -> None:
        line, self._editor.text = self._editor.text, ""
        self._terminal.hear(line, self._terminal.begun_for)

    def _end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        if self._editor.text:
            self._hand_over()
        self._terminal.end()

    def _show(self, text: str) -> None:
        if self._has_echo and text:
            with contextlib.suppress(OSError):  # it has gone
                os.write(self._descriptor, text.encode())

    def _is_in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self._descriptor) != os.getpgrp()
        except OSError:  # no shell minds this terminal
            return False


def read_in_advance(loop: asyncio.AbstractEventLoop, terminal: LineTerminal) -> None:
    """Read lines of a pipe or a file in a thread that nobody has to wait for."""

    def read() -> None:
        rest = b""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program is ending
            while data := _read_some(_INPUT):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    loop.call_soon_threadsafe(terminal.hear, line.decode(errors="replace"))
                rest = rest[:_MOST_LINE_BYTES]
            if rest:
                loop.call_soon_threadsafe(terminal.hear, rest.decode(errors="replace"))
            loop.call_soon_threadsafe(terminal.end)

    threading.Thread(target=read, name="stdin", daemon=True).start()


def _read_some(source: int) -> bytes:
    try:
        return os.read(source, _READ_BYTES)
    except OSError:
        return b""
