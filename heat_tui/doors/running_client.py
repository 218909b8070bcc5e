"""A guest's client while it runs: its pseudo-terminal, its watch for idling, and its end.

Theory of operation. A door passes bytes on both ways, and neither side gets ahead of the other: while a
guest's program reads too little, nothing is read from the terminal, so that the client waits; while the
client reads too little, the door hears of it and takes no more keys. The client ends by itself, for idling,
or because it is asked to; then it loses its terminal, and the seat at the server stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from heat_tui.doors.goodbye import Goodbye, idled
from heat_tui.doors.guest_words import IDLE_WARNING_SECONDS
from heat_tui.doors.messages import Guest
from heat_tui.doors.programs import ForkServerGone, Programs
from heat_tui.doors.pseudo_terminal import PseudoTerminal

KILL_SECONDS: Final = 8.0
"""How long a program may take to end once it was asked to; then it is killed."""


class RunningClient:
    """One client.

    Attributes:
        goodbye: Why it was asked to end; None: nobody asked it.
    """

    def __init__(self, programs: Programs, idle_seconds: float) -> None:
        """Prepare; `run` begins it.

        Args:
            programs: Begins it.
            idle_seconds: After so long without a key it ends.
        """
        self.goodbye: Goodbye | None = None
        self._programs = programs
        self._idle_seconds = idle_seconds
        self._terminal: PseudoTerminal | None = None
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None
        self._kill_timer: asyncio.TimerHandle | None = None
        self._warned_after = 0.0
        self._last_key = 0.0

    async def run(
        self,
        guest: Guest,
        size: tuple[int, int],
        modes: Mapping[int, int],
        draw: Callable[[bytes], None],
        hold_keys: Callable[[bool], None],
    ) -> int:
        """Run the client to its end.

        Args:
            size: Columns and rows.
            modes: Of the terminal, by the numbers of RFC 4254.
            draw: Is called with what the client draws.
            hold_keys: Is called with whether the client reads too little of what is typed.

        Returns:
            Its exit code; of one that a signal ended minus the signal's number.

        Raises:
            ForkServerGone: It cannot be begun.
            OSError: There is no pseudo-terminal left.
        """
        self._terminal = terminal = PseudoTerminal(size, modes)
        try:
            self._number, ended = self._programs.begin(guest, terminal.inner)
        except ForkServerGone:
            terminal.close()
            self._terminal = None
            raise
        finally:
            terminal.give_inner_away()
        terminal.start(draw, hold_keys)
        self._last_key = asyncio.get_running_loop().time()
        self._watch_idling()
        try:
            code = await ended
        finally:
            for timer in (self._timer, self._kill_timer):
                if timer is not None:
                    timer.cancel()
        terminal.drain()
        terminal.close()
        self._terminal = None
        return code

    def type(self, data: bytes) -> None:
        """Pass on what was typed."""
        self._last_key = asyncio.get_running_loop().time()
        if self._terminal is not None:
            self._terminal.write(data)

    def resize(self, size: tuple[int, int]) -> None:
        """Tell the client of another size, in columns and rows."""
        if self._terminal is not None:
            self._terminal.resize(size)

    def hold(self) -> None:
        """Read nothing of what it draws: it will wait."""
        if self._terminal is not None:
            self._terminal.hold()

    def read_on(self) -> None:
        """Read again."""
        if self._terminal is not None:
            self._terminal.read_on()

    def hang_up(self) -> None:
        """Take the terminal away: the client hears of it and ends, and is killed where it does not."""
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None
            self._ask_to_end()

    def end(self, why: Goodbye) -> None:
        """Ask the client to end, while the guest still sees how."""
        if self._terminal is not None:
            self.goodbye = why
            self._ask_to_end()

    def _ask_to_end(self) -> None:
        self._programs.nudge(self._number, "end")
        if self._kill_timer is None:
            self._kill_timer = asyncio.get_running_loop().call_later(KILL_SECONDS, self.kill)

    def kill(self) -> None:
        """End the client at once."""
        self._programs.nudge(self._number, "kill")

    def _watch_idling(self) -> None:
        """Warn a guest who presses no key, then end the login; the seat stays."""
        loop = asyncio.get_running_loop()
        left = self._idle_seconds - (loop.time() - self._last_key)
        if left <= 0:
            self.end(idled(self._idle_seconds))
            return
        wait = left - IDLE_WARNING_SECONDS
        if wait <= 0:
            wait = min(left, 1.0)
            if self._warned_after != self._last_key:
                self._warned_after = self._last_key
                self._programs.nudge(self._number, "warn")
        self._timer = loop.call_later(wait, self._watch_idling)
