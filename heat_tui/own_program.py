"""What a tab of one's own runs: the whole client, with the owner's files, as on the command line."""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import Final

from heat_tui.__main__ import main as run_client
from heat_tui.doors.fork_server import ForkServer, load
from heat_tui.doors.guest_process import open_streams
from heat_tui.doors.messages import Guest, Line

_NOT_PASSED_ON: Final = ("HEAT_TUI_PLAIN", "ACCESSIBLE", "LC_ALL", "LC_CTYPE", "NO_COLOR")
"""What the terminal of whoever serves is like, and no tab."""


def play(guest: Guest) -> int:
    """Run the client in the terminal of the page; gives its exit code."""
    for name in _NOT_PASSED_ON:
        os.environ.pop(name, None)
    os.environ |= guest.environment
    signal.signal(signal.SIGINT, signal.default_int_handler)
    open_streams()
    try:
        run_client()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def main() -> None:
    """Serve the door whose line has the descriptor that is given; the client's command line follows it."""
    line = Line(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = ["heat-tui", *sys.argv[2:]]
    ForkServer(line, load("heat_tui.own_program")).run()


if __name__ == "__main__":
    main()
