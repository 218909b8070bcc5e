"""A fork server whose logins say what they are given and repeat what is typed, in place of the client."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
import sys
import termios
import time
import tty

from heat_tui.doors.fork_server import ForkServer
from heat_tui.doors.guest_process import become
from heat_tui.doors.messages import Guest, Line


def play(guest: Guest) -> int:
    folders = become(guest)
    characters = termios.tcgetattr(0)[6]
    tty.setraw(0)
    signal.signal(signal.SIGUSR1, lambda number, frame: say("warned"))
    facts = {
        "name": guest.name,
        "process": os.getpid(),
        "code": guest.code,
        "word": guest.word,
        "has_namesake": guest.has_namesake,
        "server": str(folders.guest_of),
        "way": None if folders.door_way is None else [str(part) for part in folders.door_way],
        "plain": guest.is_plain,
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "size": tuple(os.get_terminal_size(0)),
        "erase": characters[termios.VERASE].hex(),
        "stops": characters[termios.VSUSP].hex(),
        "encoding": sys.stdout.encoding,
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
        "open": sorted(os.listdir("/proc/self/fd")),
        "leads": os.getsid(0) == os.getpid(),
    }
    say(f"facts {json.dumps(facts)}")
    return repeat()


def repeat() -> int:
    while True:
        while not select.select([0], [], [], 0.05)[0]:
            pass  # a signal that comes right before a read would wait for its end
        for line in os.read(0, 65_536).decode(errors="replace").split("\r"):
            match line.split():
                case ["size"]:
                    say(f"size {tuple(os.get_terminal_size(0))}")
                case ["quit", code]:
                    say("bye")
                    return int(code)
                case ["flood"]:
                    while True:
                        os.write(1, b"x" * 4096)
                case ["hang"]:
                    signal.signal(signal.SIGHUP, signal.SIG_IGN)
                    say("hanging")
                    while True:
                        time.sleep(60)
                case ["die"]:
                    os.kill(os.getpid(), signal.SIGKILL)
                case []:
                    pass
                case _:
                    say(f"heard {line!r}")


def say(text: str) -> None:
    os.write(1, f"{text}\r\n".encode())


if __name__ == "__main__":
    ForkServer(Line(socket.socket(fileno=int(sys.argv[1]))), play).run()
