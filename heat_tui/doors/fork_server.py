"""The fork server: it has loaded the client, waits, and becomes a login by forking.

A process that forks must have no threads: they would not be there in the child, and what they held locked
would stay locked. So there is no event loop here, only one wait for the door and for children that end.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from typing import Final, NoReturn

from heat_core.garbage import CLIENT, collect_seldom, freeze_what_is_there
from heat_tui.doors.messages import Begin, Ended, Guest, Line, Nudge, Ready

END_SECONDS: Final = 8.0
"""How long logins may take to end once the door is gone: a program that is asked to end takes up to seven."""

_LOADED: Final = ("client", "flow", "plain", "race", "saved", "screens", "widgets", "words")
"""The packages that the client loads bit by bit, as it needs them: here all at once."""

_SIGNALS: Final = {"warn": signal.SIGUSR1, "end": signal.SIGHUP, "kill": signal.SIGKILL}
_READ_BYTES: Final = 256
_LOOK_SECONDS: Final = 0.05


class ForkServer:
    """Forks a child for each login, and tells the door when it has ended."""

    def __init__(self, line: Line, play: Callable[[Guest], int]) -> None:
        """Prepare; `run` waits.

        Args:
            play: What a child does, with its terminal as its standard streams; gives the exit code.
        """
        self._line = line
        self._play = play
        self._numbers: dict[int, int] = {}
        self._woken, self._wakes = socket.socketpair()

    def run(self) -> None:
        """Serve until the door is gone, and end when every child has."""
        for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)  # the door decides when it is over
        self._woken.setblocking(False)
        self._wakes.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        with suppress(EOFError, OSError):
            self._line.send(Ready())
            self._serve()
        self._end_all()

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._line.socket, self._woken], [], [])
            if self._woken in ready:
                with suppress(BlockingIOError):
                    self._woken.recv(_READ_BYTES)
                self._reap()
            if self._line.socket in ready:
                self._hear()

    def _hear(self) -> None:
        message, terminal = self._line.receive()
        match message:
            case Begin(number, guest) if terminal is not None:
                self._begin(number, guest, terminal)
            case Nudge(number, how):
                for process, of in self._numbers.items():
                    if of == number:
                        os.kill(process, _SIGNALS[how])  # not yet waited for: no other has its id
            case _:
                pass

    def _begin(self, number: int, guest: Guest, terminal: int) -> None:
        try:
            process = os.fork()
        except OSError:  # no process is left on this machine
            os.close(terminal)
            self._line.send(Ended(number, 1))
            return
        if process:
            os.close(terminal)
            self._numbers[process] = number
        else:
            self._become(guest, terminal)

    def _become(self, guest: Guest, terminal: int) -> NoReturn:
        """Be the child: leave all that is the fork server's, and play."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            for end in (self._line.socket, self._woken, self._wakes):
                end.close()
            os.login_tty(terminal)
            code = self._play(guest)
        except Exception as error:  # by name only: its text may hold a path of the host
            with suppress(OSError):
                os.write(
                    2, f"heat-tui failed because of an error of its own: {type(error).__name__}\n".encode()
                )
        finally:
            os._exit(code)

    def _reap(self) -> None:
        while self._numbers:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            number = self._numbers.pop(process)
            self._line.send(Ended(number, os.waitstatus_to_exitcode(status)))

    def _end_all(self) -> None:
        """End every child: the system has hung up their terminals, and what does not mind that is killed."""
        for process in self._numbers:
            os.kill(process, signal.SIGHUP)
        deadline = time.monotonic() + END_SECONDS
        while self._numbers and time.monotonic() < deadline:
            with suppress(OSError):
                self._reap()
            time.sleep(_LOOK_SECONDS)
        for process in self._numbers:
            os.kill(process, signal.SIGKILL)


def load(module: str) -> Callable[[Guest], int]:
    """Load the whole client, and give what plays; its memory is from then on shared by all children.

    Args:
        module: Has the function `play`.
    """
    collect_seldom(CLIENT)
    for name in _LOADED:
        package = import_module(f"heat_tui.{name}")
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    play: Callable[[Guest], int] = import_module(module).play
    from heat_tui.doors.rehearsal import rehearse

    with suppress(OSError):  # logins begin more slowly then
        rehearse()
    gc.collect()  # nobody waits here, and what is left over would stay in every child
    freeze_what_is_there(CLIENT)  # a child that looked at it would write to it, and get a copy of its own
    return play


def main() -> None:
    """Serve the door whose line has the descriptor that is given."""
    line = Line(socket.socket(fileno=int(sys.argv[1])))
    ForkServer(line, load("heat_tui.doors.guest")).run()


if __name__ == "__main__":
    main()
