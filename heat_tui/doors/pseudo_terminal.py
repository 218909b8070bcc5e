"""A pseudo-terminal: the door has its outer end, the guest's program the inner one."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import struct
import termios
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

MOST_UNREAD_BYTES: Final = 65_536
"""What a program has not read of what was typed; with more, the guest's program is to send no more."""

_READ_BYTES: Final = 16_384
_CONTROL_CHARACTERS: Final = 6
"""Where `termios` has the control characters among a terminal's attributes."""

_OFF: Final = b"\0"

_CHARACTERS: Final = {
    1: termios.VINTR,
    3: termios.VERASE,
    4: termios.VKILL,
    5: termios.VEOF,
    13: termios.VWERASE,
}
"""The control characters that a guest's program may choose, by their numbers in RFC 4254, section 8."""


class PseudoTerminal:
    """The outer end, read and written by an event loop.

    Attributes:
        inner: The descriptor of the other end, until `give_inner_away`.
    """

    def __init__(self, size: tuple[int, int], modes: Mapping[int, int]) -> None:
        """Make both ends.

        Args:
            size: Columns and rows.
            modes: What the guest's program asks for, by the numbers of RFC 4254.

        Raises:
            OSError: There is none left on this machine.
        """
        self._outer, self.inner = pty.openpty()
        os.set_blocking(self._outer, False)
        self._loop = asyncio.get_running_loop()
        self._unwritten = bytearray()
        self._heard: Callable[[bytes], None] | None = None
        self._full: Callable[[bool], None] | None = None
        self.resize(size)
        self._set_characters(modes)

    def _set_characters(self, modes: Mapping[int, int]) -> None:
        attributes = termios.tcgetattr(self.inner)
        characters = attributes[_CONTROL_CHARACTERS]
        for number, place in _CHARACTERS.items():
            if 0 < modes.get(number, 0) < 128:
                characters[place] = bytes([modes[number]])
        # Nobody could continue a program that is stopped, and nobody here wants its core.
        characters[termios.VSUSP] = characters[termios.VQUIT] = _OFF
        termios.tcsetattr(self.inner, termios.TCSANOW, attributes)

    def give_inner_away(self) -> None:
        """Close the inner end here, once the program has it."""
        os.close(self.inner)

    def resize(self, size: tuple[int, int]) -> None:
        """Tell the program of another size, in columns and rows."""
        columns, rows = size
        with suppress(OSError):
            fcntl.ioctl(self._outer, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def start(self, heard: Callable[[bytes], None], full: Callable[[bool], None]) -> None:
        """Begin to read.

        Args:
            heard: Is called with what the program draws; with nothing once it has closed its end.
            full: Is called with whether the program reads too little of what is typed.
        """
        self._heard, self._full = heard, full
        self.read_on()

    def read_on(self) -> None:
        """Read, again after `hold`."""
        if self._outer >= 0:
            self._loop.add_reader(self._outer, self._read)

    def hold(self) -> None:
        """Read nothing for now: the program will wait."""
        if self._outer >= 0:
            self._loop.remove_reader(self._outer)

    def _read(self) -> None:
        assert self._heard is not None
        try:
            data = os.read(self._outer, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # the program has closed its end
            data = b""
        if not data:
            self.hold()
        self._heard(data)

    def write(self, data: bytes) -> None:
        """Type; what the program has not yet read waits here."""
        if self._outer < 0:
            return
        assert self._full is not None
        is_waiting = bool(self._unwritten)
        self._unwritten += data
        if is_waiting:
            self._full(len(self._unwritten) > MOST_UNREAD_BYTES)
        else:
            self._write()

    def _write(self) -> None:
        try:
            del self._unwritten[: os.write(self._outer, self._unwritten)]
        except BlockingIOError:
            pass
        except OSError:  # the program has ended
            self._unwritten.clear()
        if self._unwritten:
            self._loop.add_writer(self._outer, self._write)
        else:
            self._loop.remove_writer(self._outer)
        assert self._full is not None
        self._full(len(self._unwritten) > MOST_UNREAD_BYTES)

    def drain(self) -> None:
        """Read what a program has left that has ended."""
        assert self._heard is not None
        if self._outer >= 0:
            with suppress(OSError):  # it has closed its end, or there is nothing
                while data := os.read(self._outer, _READ_BYTES):
                    self._heard(data)

    def close(self) -> None:
        """Hang up: the program loses its terminal."""
        if self._outer >= 0:
            self._loop.remove_reader(self._outer)
            self._loop.remove_writer(self._outer)
            os.close(self._outer)
            self._outer = -1
