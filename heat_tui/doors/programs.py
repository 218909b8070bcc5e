"""The logins' programs as the door sees them: begun, nudged and ended by way of the fork server."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Literal

from heat_tui.doors.fork_server import END_SECONDS
from heat_tui.doors.messages import Begin, Ended, Guest, Line, Nudge, Ready

LOAD_SECONDS: Final = 60.0
"""How long a busy machine may take to load the client."""

FORK_SERVER: Final = "heat_tui.doors.fork_server"

PASSWORD_VARIABLE: Final = "HEAT_TUI_SSH_PASSWORD"


class ForkServerGone(Exception):
    """No login can be begun any more."""


class Programs:
    """A fork server, and the programs that it has begun."""

    def __init__(
        self, lost: Callable[[], None], module: str = FORK_SERVER, words: Sequence[str] = ()
    ) -> None:
        """Prepare; `open` starts the fork server.

        Args:
            lost: Is called when the fork server ends by itself; what it has begun counts as ended then.
            module: What the fork server runs.
            words: Its arguments.
        """
        self._module = module
        self._words = words
        self._lost = lost
        self._line: Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._ended: dict[int, asyncio.Future[int]] = {}
        self._newest = 0

    async def open(self) -> None:
        """Start the fork server, or another one for one that has ended, and wait until the client is loaded.

        Raises:
            ForkServerGone: It does not start.
        """
        await self._wait_for_end()
        ours, its = socket.socketpair()
        with its:
            self._process = _fork_server(self._module, its.fileno(), self._words)
        self._line = Line(ours)
        loop = asyncio.get_running_loop()
        self._ready = loop.create_future()
        loop.add_reader(ours, self._hear)
        try:
            await asyncio.wait_for(self._ready, LOAD_SECONDS)
        except TimeoutError:
            raise ForkServerGone from None

    def begin(self, guest: Guest, terminal: int) -> tuple[int, asyncio.Future[int]]:
        """Begin a program.

        Args:
            terminal: The descriptor of its terminal.

        Returns:
            Its number, and what will be its exit code.

        Raises:
            ForkServerGone: It cannot be begun.
        """
        if self._line is None:
            raise ForkServerGone
        self._newest += 1
        try:
            self._line.send(Begin(self._newest, guest), terminal)
        except OSError:
            raise ForkServerGone from None
        ended = self._ended[self._newest] = asyncio.get_running_loop().create_future()
        return self._newest, ended

    def nudge(self, number: int, how: Literal["warn", "end", "kill"]) -> None:
        """Warn, end or kill a program, if it has not ended."""
        if self._line is not None and number in self._ended:
            with suppress(OSError):
                self._line.send(Nudge(number, how))

    def _hear(self) -> None:
        assert self._line is not None
        assert self._ready is not None
        try:
            message, _ = self._line.receive()
        except (EOFError, OSError):
            self._hang_up()
            self._lost()
            return
        match message:
            case Ready() if not self._ready.done():
                self._ready.set_result(None)
            case Ended(number, code):
                self._ended.pop(number).set_result(code)
            case _:
                pass

    def _hang_up(self) -> None:
        if self._line is None:
            return
        asyncio.get_running_loop().remove_reader(self._line.socket)
        self._line.socket.close()
        self._line = None
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(ForkServerGone())
        for ended in self._ended.values():
            ended.set_result(1)
        self._ended.clear()

    async def close(self) -> None:
        """End the fork server, and with it every program that is left."""
        self._hang_up()
        await self._wait_for_end()

    async def _wait_for_end(self) -> None:
        if self._process is not None:
            try:
                await asyncio.to_thread(self._process.wait, END_SECONDS + 2.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _fork_server(module: str, line: int, words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the fork server; the password is no business of its children."""
    environment = {name: value for name, value in os.environ.items() if name != PASSWORD_VARIABLE}
    return subprocess.Popen(
        # -P: the folder we are in is no part of the program.
        [sys.executable, "-P", "-m", module, str(line), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[line],
        env=environment,
        start_new_session=True,  # Ctrl-C in the door's terminal is for the door
    )
