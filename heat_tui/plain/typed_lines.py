"""Standard input, line by line, and for which question each line was begun.

Theory of operation. A terminal keeps a line to itself until Enter is pressed, and edits it meanwhile. So the
beginning of a line cannot be seen, and a line begun for one question would be read as the answer to the next
one, where the first has gone away meanwhile: its time was over, or another driver ended it. So before a new
question is put, what is in the terminal is taken out of it: it gives an unfinished line to who turns the
keeping of lines off. Whatever is typed behind that until Enter belongs to the older question.

In a pipe or a file each line is an answer given in advance, whenever it was written: no question owns it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import termios
import threading
from typing import Final

from heat_tui.plain.line_terminal import LineTerminal

_INPUT: Final = 0
_READ_BYTES: Final = 4096
_MOST_LINE_BYTES: Final = 65_536
_LOCAL_MODES: Final = 3
"""Where `termios` has the local modes among a terminal's attributes."""


class TerminalLines:
    """Hands a `LineTerminal` what is typed, each line with the question that was open when it was begun."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, terminal: LineTerminal, descriptor: int = _INPUT
    ) -> None:
        """Read from now on, and whenever the terminal puts a new question.

        Args:
            descriptor: Where lines are read.
        """
        self._loop = loop
        self._terminal = terminal
        self._descriptor = descriptor
        self._begun = b""
        self._begun_at = terminal.question
        terminal.before_question = self.take_begun
        loop.add_reader(self._descriptor, self._read)

    def take_begun(self) -> None:
        """Take what has been typed of an unfinished line: it belongs to the question that stands now."""
        while self._has_more():
            if not self._read():
                return
        if self._is_in_background():
            return  # nobody types there, and who changes the terminal is stopped
        with contextlib.suppress(termios.error):  # it has gone, which the next reading will find
            before = termios.tcgetattr(self._descriptor)
            without_lines = [*before]
            without_lines[_LOCAL_MODES] &= ~termios.ICANON
            termios.tcsetattr(self._descriptor, termios.TCSANOW, without_lines)
            try:
                if self._has_more():
                    self._read()
            finally:
                termios.tcsetattr(self._descriptor, termios.TCSANOW, before)

    def forget(self) -> None:
        """Forget an unfinished line, as the terminal does at Ctrl-C."""
        self._begun = b""

    def _read(self) -> bool:
        """Take what can be read, and return whether more may come."""
        if not (data := _read_some(self._descriptor)):
            self._loop.remove_reader(self._descriptor)
            if self._begun:
                self._hear(self._begun)
            self._terminal.end()
            return False
        if not self._begun:
            self._begun_at = self._terminal.question
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._hear(line)
            self._begun_at = self._terminal.question
        self._begun = self._begun[:_MOST_LINE_BYTES]
        return True

    def _has_more(self) -> bool:
        return bool(select.select([self._descriptor], [], [], 0)[0])

    def _is_in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self._descriptor) != os.getpgrp()
        except OSError:  # no shell minds this terminal
            return False

    def _hear(self, line: bytes) -> None:
        self._terminal.hear(line.decode(errors="replace"), self._begun_at)


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
